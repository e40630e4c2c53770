// Gives the page's tests the validation as a browser runs it.

import { validate } from "settlekit/core";

globalThis.validate = validate;

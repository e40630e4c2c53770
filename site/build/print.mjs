// Prints what is derived from the guides: parts of the READMEs, and the pages that the server shows at /docs.

import { printParts } from "./parts.mjs";
import { printWeb } from "./web.mjs";

printParts();
printWeb();

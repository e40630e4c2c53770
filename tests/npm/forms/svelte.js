import { mount } from "svelte";

import Form from "./Form.svelte";

mount(Form, { target: document.querySelector("#root") });

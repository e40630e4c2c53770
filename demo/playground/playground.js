// The playground: builds requests with `settlekit/core`, shows their errors as somebody types, and reads answers. The operations
// and their fields come from the OpenAPI document; every message comes from the package.

import { HEADERS, init, read, request, validate } from "../demo/settlekit/core-slim.js";
import { operationsOf, toValue } from "./operations.js";
import { demoCaller, send } from "./send.js";

/** Example credentials, so that a signed request is shown at once. No service accepts them. */
const EXAMPLE_CALLER = { baseUrl: "https://pay.example", apiKey: "sk_example", signingSecret: "ss_example", orgId: "" };
const LINES = ["Version", "Method", "Path", "Query", "Nonce", "Sub-merchant", "SHA-256 of the body"];
const $ = (id) => document.getElementById(id);
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

let operations;
/** The chosen operation, and the control of each of its arguments. */
let chosen;
let controls = new Map();
/** Time and random bytes of the nonce. */
let nonceSeed;
/** Whether a request is on its way. */
let isSending = false;
let current;

function begin() {
  for (const [room, names] of Map.groupBy(Object.keys(operations), (name) => operations[name].room)) {
    $("operation").append(element("optgroup", { label: room }, ...names.map((name) => new Option(name, name))));
  }
  for (const [name, value] of Object.entries(EXAMPLE_CALLER)) {
    $(name).value = value;
    $(name).addEventListener("input", show);
  }
  $("operation").addEventListener("change", () => { choose($("operation").value); handleInput(); });
  for (const id of ["fields", "optional-fields"]) $(id).addEventListener("input", handleInput);
  $("fields").addEventListener("submit", (event) => event.preventDefault());
  $("nonce").addEventListener("click", () => { renewNonce(); show(); });
  $("copy").addEventListener("click", () => navigator.clipboard.writeText($("curl").textContent));
  // The second click of a double click may follow the answer to the first.
  $("send").addEventListener("click", ({ detail }) => { if (detail < 2) void sendToDemo(); });
  $("next").addEventListener("click", () => void sendToDemo(Number($("next").dataset.page)));
  for (const id of ["status", "body"]) $(id).addEventListener("input", showAnswer);
  addEventListener("hashchange", restore);
  $("state").hidden = true;
  $("playground").hidden = false;
  restore();
}

/** Chooses what the page's link names, or a payment link. */
function restore() {
  const [name, query] = location.hash.slice(1).split("?");
  const texts = query && Object.fromEntries(new URLSearchParams(query));
  if (Object.hasOwn(operations, name)) choose(name, texts);
  else choose("CreatePaylink");
}

/** Draws the fields of an operation; without texts, the required ones show an example. */
function choose(name, texts) {
  chosen = operations[name];
  controls = new Map();
  $("operation").value = name;
  $("description").textContent = chosen.description;
  const [required, optional] = [[], []];
  for (const field of chosen.fields) {
    const text = texts ? (texts[field.name] ?? "") : field.example;
    (field.required ? required : optional).push(draw(field, text));
  }
  $("fields").replaceChildren(...required);
  $("optional-fields").replaceChildren(...optional);
  $("optional").hidden = optional.length === 0;
  $("optional").open = required.length === 0 || [...controls.values()].some(({ field, input }) => !field.required && input.value !== "");
  for (const id of ["status", "body"]) $(id).value = "";
  renewNonce();
  show();
  showAnswer();
}

function draw(field, text) {
  const id = `argument-${field.name}`;
  const options = field.values?.map((value) => new Option(value === "" ? "—" : value, value));
  const input = options ? element("select", {}, ...options) : element(field.isJson ? "textarea" : "input", { spellcheck: false });
  Object.assign(input, { id, value: text });
  if (field.isSecret) Object.assign(input, { type: "password", autocomplete: "off" });
  if (field.isJson) input.rows = 3;
  const list = field.suggestions && element("datalist", { id: `${id}-values` }, ...field.suggestions.map((value) => new Option(value, value)));
  if (list) input.setAttribute("list", list.id);
  input.setAttribute("aria-describedby", `${id}-hint ${id}-errors`);
  const errors = element("ul", { id: `${id}-errors`, className: "errors" });
  controls.set(field.name, { field, input, errors });
  return element("div", { className: "field" },
    element("label", { htmlFor: id }, field.name, " ", element("small", { textContent: field.type })),
    input,
    ...(list ? [list] : []),
    errors,
    element("p", { id: `${id}-hint`, className: "hint", textContent: field.description }));
}

function handleInput() {
  const shared = [...controls].filter(([, { field, input }]) => input.value !== "" && !field.isSecret);
  const texts = shared.map(([name, { input }]) => [name, input.value]);
  history.replaceState(null, "", `#${chosen.name}?${new URLSearchParams(texts)}`);
  show();
}

/** The arguments as typed; an empty control leaves its argument out. */
function readArguments() {
  const filled = [...controls].filter(([, { input }]) => input.value !== "");
  return Object.fromEntries(filled.map(([name, { field, input }]) => [name, toValue(field, input.value)]));
}

function renewNonce() {
  nonceSeed = { now: Date.now(), random: crypto.getRandomValues(new Uint8Array(10)) };
}

const caller = () => Object.fromEntries(Object.keys(EXAMPLE_CALLER).map((name) => [name, $(name).value.trim() || undefined]));

/** Shows the errors or the request. */
function show() {
  const errors = validate(chosen.name, readArguments());
  const at = Map.groupBy(errors, ({ field }) => controls.get(field?.match(/^[^.[]+/)?.[0]));
  for (const control of controls.values()) {
    const own = at.get(control) ?? [];
    control.input.setAttribute("aria-invalid", String(own.length > 0));
    control.errors.replaceChildren(...own.map(toItem));
  }
  const others = [...(at.get(undefined) ?? [])];
  current = undefined;
  if (errors.length === 0) {
    try {
      current = request(chosen.name, readArguments(), { ...caller(), ...nonceSeed });
      if (!URL.canParse(current.url)) throw new Error("The address of the caller must be a URL.");
    } catch (error) {
      current = undefined;
      others.push(...(error.errors?.length ? error.errors : [error]));
    }
  }
  $("other-errors").replaceChildren(...others.map(toItem));
  const count = errors.length || others.length;
  $("verdict").className = count ? "bad" : "good";
  $("verdict").textContent = count ? `${count} ${count === 1 ? "error" : "errors"}` : "Valid";
  $("no-request").hidden = current !== undefined;
  $("copy").disabled = current === undefined;
  $("send").disabled = current === undefined || isSending;
  $("curl").textContent = current === undefined ? "" : toCurl(current);
  void showMessage(current);
}

const toItem = ({ field, reason, message }) =>
  element("li", {}, field && /[.[]/.test(field) ? `${field} ` : "", message ?? reason, " ", ...(reason ? [element("code", { textContent: reason })] : []));

function toCurl({ method, url, headers, body }) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl --request ${method} ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`--header ${quote(`${name}: ${value}`)}`);
  if (body !== null) lines.push(`--data-raw ${quote(body)}`);
  return lines.join(" \\\n  ");
}

/** Shows the signed message and its signature, recomputed with WebCrypto. */
async function showMessage(request) {
  const signature = request?.headers[HEADERS.signature];
  $("message").hidden = signature === undefined || crypto.subtle === undefined;
  if ($("message").hidden) return;
  const { pathname, search } = new URL(request.url);
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const digest = hex(await crypto.subtle.digest("SHA-256", bytes(request.body ?? "")));
    const lines = ["v1", request.method, pathname, search.slice(1), request.headers[HEADERS.nonce], request.headers[HEADERS.orgId] ?? "", digest];
  const secret = bytes(caller().signingSecret ?? "");
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const own = hex(await crypto.subtle.sign("HMAC", key, bytes(lines.join("\n"))));
  // The request changed while this was computed.
  if (request !== current) return;
  const rows = [...lines.map((line, place) => [LINES[place], line]), ["Signature", own]];
  $("lines").replaceChildren(...rows.flatMap(([name, line]) => [element("dt", { textContent: name }), element("dd", { textContent: line || "(empty)" })]));
}

/** Sends the request to the demo's service, as its merchant; `page` asks for another page of a list. */
async function sendToDemo(page) {
  if (isSending) return;
  isSending = true;
  const { name } = chosen;
  $("send").disabled = true;
  $("send").textContent = "Sending…";
  try {
    if ($("apiKey").value === EXAMPLE_CALLER.apiKey) {
      for (const [name, value] of Object.entries(await demoCaller())) $(name).value = value;
    }
    if (page !== undefined) controls.get("page").input.value = String(page);
    // A nonce is good for one request.
    renewNonce();
    handleInput();
    if (current === undefined || chosen.name !== name) return;
    // It goes to the demo, whichever service the request is for.
    const { status, body } = await send(request(name, readArguments(), { ...caller(), ...nonceSeed, baseUrl: location.origin }));
    if (chosen.name !== name) return;
    $("status").value = status;
    $("body").value = body;
    showAnswer();
  } catch (error) {
    $("read-as").className = "bad";
    $("read-as").textContent = `The request was not sent: ${error.message}`;
  } finally {
    isSending = false;
    $("send").textContent = "Send to the demo";
    $("send").disabled = current === undefined;
  }
}

/** Reads the answer as the package does. */
function showAnswer() {
  const [status, body] = [Number($("status").value), $("body").value];
  $("next").hidden = true;
  $("read-as").textContent = $("value").textContent = "";
  if (!Number.isInteger(status) || status < 100) return;
  const { value, next, error } = read(chosen.name, { status, body });
  $("read-as").className = error ? "bad" : "good";
  if (error) {
    const { kind, message, errors } = error;
    $("read-as").textContent = `Error of kind ${kind}: ${message}`;
    if (errors.length > 0) $("value").textContent = JSON.stringify(errors, null, 2);
    return;
  }
  $("read-as").textContent = next ? `A page; the next one is page ${next.page}` : Array.isArray(value?.items) ? "The last page" : "A record";
  $("value").textContent = JSON.stringify(value, null, 2);
  $("next").hidden = next === undefined || !controls.has("page");
  if (next) $("next").dataset.page = next.page;
}

try {
  const [answer] = await Promise.all([fetch("../openapi.json"), init()]);
  if (!answer.ok) throw new Error(`openapi.json was answered with status ${answer.status}`);
  operations = operationsOf(await answer.json());
  begin();
} catch (error) {
  $("state").hidden = false;
  $("state").classList.add("bad");
  $("state").textContent = `The playground can’t start here: ${error.message}`;
}

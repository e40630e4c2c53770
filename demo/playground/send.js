// Sends requests to the demo's service in this browser, which `../demo/page.js` starts.

import { HEADERS, read, request, SettlekitError } from "../demo/settlekit/core-slim.js";

const SERVICE = new URL("../demo/page.js", import.meta.url).href;
const CHANNEL = "settlekit-demo";
/** Address of the demo, for the pages' interception of `fetch`. */
const ADDRESS = location.origin;
/** Headers of a dashboard session. */
const [CSRF, STEP_UP] = ["x-csrf-token", "x-step-up"];

const policy = globalThis.trustedTypes?.createPolicy("playground", {
  createScriptURL(address) {
    if (address === SERVICE) return address;
    throw new TypeError(`${address} is no script of the playground`);
  },
});

let service;

/** Starts the service once, on first use: it takes a while and storage. Resolves to the visitor's sign-in. */
function start() {
  service ??= new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => {
      if (data.ready) resolve(data.ready);
      if (data.failed) reject(new Error(data.failed));
    };
    const script = document.createElement("script");
    script.src = policy?.createScriptURL(SERVICE) ?? SERVICE;
    script.onerror = () => {
      service = undefined;
      reject(new Error("the demo’s service could not be loaded"));
    };
    script.onload = () => channel.postMessage({ hello: true });
    document.head.append(script);
  });
  return service;
}

/** Sends a request with its own credentials only; returns status, headers and body. */
export async function send({ method, url, headers, body }) {
  await start();
  const { pathname, search } = new URL(url);
  const response = await fetch(pathname + search, { method, headers, body, credentials: "omit" });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Makes an API key of the demo's merchant with every scope, and reads the signing secret. */
export async function demoCaller() {
  const { email, password } = await start();
  const opened = await inSession("GetSession", {}, {}).catch((error) => {
    if (error.kind !== "authentication") throw error;
    return inSession("CreateSession", { email, password }, {});
  });
  const csrf = { [CSRF]: opened.csrf_token };
  const { token } = await inSession("CreateStepUp", { password }, csrf);
  const proof = { ...csrf, [STEP_UP]: token };
  const scopes = ["read", "write", "payout", "manage"];
  const { key } = await inSession("CreateApiKey", { name: "Playground", scopes }, proof);
  const { signing_secret } = await inSession("GetSigningSecret", {}, proof);
  return { baseUrl: ADDRESS, apiKey: key, signingSecret: signing_secret };
}

/** A call of the signed-in visitor, as the dashboard makes it. */
async function inSession(operation, given, extra) {
  const { method, url, headers, body } = request(operation, given, { baseUrl: ADDRESS });
  const { pathname, search } = new URL(url);
  const response = await fetch(pathname + search, { method, headers: { ...headers, ...extra }, body });
  const { value, error } = read(operation, { status: response.status, headers: response.headers, body: await response.text() });
  if (error instanceof SettlekitError) throw error;
  return value;
}

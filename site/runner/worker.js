// The worker of the reader's tab: loads the service once, and runs one example at a time. The page ends it to stop an example.

import clientUrl from "#package/client.wasm?url";
import sandboxUrl from "#package/sandbox.wasm?url";
import webhooksUrl from "#package/webhooks.wasm?url";

import { Engine } from "./engine.js";

/** An example gets another `fetch`. */
const load = globalThis.fetch.bind(globalThis);

/** Loads a file and tells the page how far it is. */
async function loaded(url, progress) {
  const response = await load(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  const reader = response.body.getReader();
  const chunks = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    progress(part.value.length);
  }
  return new Blob(chunks, { type: "application/wasm" }).arrayBuffer();
}

let service;
/** The package without its WebAssembly inside, compiled from the files beside it. */
function packaged() {
  service ??= (async () => {
    let bytes = 0;
    const progress = (more) => postMessage({ kind: "progress", bytes: (bytes += more) });
    const [client, sandbox] = await Promise.all([import("#package/slim.js"), import("#package/sandbox-slim.js")]);
    await sandbox.init({ client: loaded(clientUrl, progress), sandbox: loaded(sandboxUrl, progress) });
    return { client, sandbox };
  })();
  service.catch(() => (service = undefined));
  return service;
}

const MODULES = {
  "settlekit": async () => (await packaged()).client,
  "settlekit/sandbox": async () => (await packaged()).sandbox,
  "settlekit/core": async () => {
    await packaged();
    const core = await import("#package/core-slim.js");
    // Compiled already: the client has the same module.
    await core.init();
    return core;
  },
  "settlekit/webhooks": async () => {
    const webhooks = await import("#package/webhooks-slim.js");
    await webhooks.init(load(webhooksUrl));
    return webhooks;
  },
  "settlekit/testing": () => import("#package/testing.js"),
  "settlekit/decimal": () => import("#package/decimal.js"),
  "settlekit/reasons": () => import("#package/texts.js"),
  "settlekit/x402": () => import("#package/x402.js"),
  "settlekit/embed": () => import("#package/embed.js"),
  "node:crypto": () => import("./crypto.js"),
  "node:assert/strict": () => import("./assert.js"),
  "hono": () => import("hono"),
  "viem/accounts": () => import("viem/accounts"),
  "@x402/core/server": () => import("@x402/core/server"),
  "@x402/evm": () => import("@x402/evm"),
  "@x402/evm/exact/server": () => import("@x402/evm/exact/server"),
  "@x402/fetch": () => import("@x402/fetch"),
  "@x402/hono": () => import("@x402/hono"),
};

async function modules(name) {
  const importModule = MODULES[name];
  if (importModule === undefined) throw new Error(`the module ${name} is not on this page`);
  return importModule();
}

async function evaluate(code) {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    return await import(/* @vite-ignore */ url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

const engine = new Engine({ modules, evaluate });

addEventListener("message", async ({ data: { example } }) => {
  try {
    await engine.prepare();
  } catch (error) {
    postMessage({ kind: "ended", failure: `The service was not loaded: ${error.message}`, webhooks: [] });
    return;
  }
  postMessage({ kind: "started" });
  const outcome = await engine.run({ ...example, print: (line, level) => postMessage({ kind: "line", line, level }) });
  postMessage({ kind: "ended", ...outcome });
});

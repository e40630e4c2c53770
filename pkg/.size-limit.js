// The most that may be downloaded; kB are 1000 bytes, gzipped. `npm run lint` holds the package to it.

import { readFileSync } from "node:fs";

/** Each operation beyond the first 101 may cost a client a kilobyte: what it reads and writes is in there. */
const operations = readFileSync(new URL("../docs/operations.txt", import.meta.url), "utf8").trim().split("\n").length;
const client = 150 + Math.max(0, operations - 101);

export default [
  // The wasm that the entries import is counted below.
  { name: "JavaScript layer", path: ["dist/index.js", "dist/webhooks.js", "dist/decimal.js"], limit: "12 kB", modifyEsbuildConfig: (config) => ({ ...config, external: ["*-wasm.js"] }) },
  { name: "client's wasm", path: "dist/client.wasm", limit: `${client} kB` },
  { name: "webhooks entry, its wasm as text included", path: "dist/webhooks.js", limit: "60 kB" },
  // Built for speed: it is installed for tests, and no page waits for it.
  { name: "sandbox's wasm", path: "dist/sandbox.wasm", limit: "2300 kB" },
  // An import that nobody uses leaves nothing behind.
  { name: "the error class alone", import: { "dist/index.js": "{ SettlekitError }" }, limit: "1 kB" },
  { name: "decimals alone", import: { "dist/decimal.js": "{ Decimal }" }, limit: "2 kB" },
].map((check) => ({ ...check, gzip: true, ...(String(check.path).endsWith(".wasm") ? { disablePlugins: ["@size-limit/esbuild"] } : {}) }));

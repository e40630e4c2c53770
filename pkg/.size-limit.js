// Size limits of downloads, gzipped, in kB of 1000 bytes. Checked by `npm run lint`.

import { readFileSync } from "node:fs";

/** Each operation beyond the first 101 may add one kilobyte to the client, for its request and response. */
const operations = readFileSync(new URL("../docs/operations.txt", import.meta.url), "utf8").trim().split("\n").length;
const client = 150 + Math.max(0, operations - 101);

export default [
  // The imported wasm is counted below.
  { name: "JavaScript layer", path: ["dist/index.js", "dist/webhooks.js", "dist/decimal.js"], limit: "12 kB", modifyEsbuildConfig: (config) => ({ ...config, external: ["*-wasm.js"] }) },
  // Beside the client's wasm and the webhooks entry, which a program loads only if it uses them.
  { name: "core entry", path: "dist/core.js", limit: "5 kB", modifyEsbuildConfig: (config) => ({ ...config, external: ["*-wasm.js", "./webhooks.js"] }) },
  { name: "a validation alone", import: { "dist/core.js": "{ validate }" }, limit: "3 kB", modifyEsbuildConfig: (config) => ({ ...config, external: ["*-wasm.js"] }) },
  { name: "a state table alone", import: { "dist/core.js": "{ canMove }" }, limit: "1 kB" },
  { name: "client's wasm", path: "dist/client.wasm", limit: `${client} kB` },
  { name: "webhooks entry, its wasm as text included", path: "dist/webhooks.js", limit: "60 kB" },
  // Optimised for speed: it is installed for tests and not loaded by pages.
  { name: "sandbox's wasm", path: "dist/sandbox.wasm", limit: "2300 kB" },
  // Unused imports must be removed by tree shaking.
  { name: "the error class alone", import: { "dist/index.js": "{ SettlekitError }" }, limit: "1 kB" },
  { name: "embedded checkout", path: "dist/embed.js", limit: "15 kB" },
  { name: "decimals alone", import: { "dist/decimal.js": "{ Decimal }" }, limit: "2 kB" },
].map((check) => ({ ...check, gzip: true, ...(String(check.path).endsWith(".wasm") ? { disablePlugins: ["@size-limit/esbuild"] } : {}) }));

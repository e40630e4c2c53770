// The most that may be downloaded; kB are 1000 bytes, gzipped. `npm run lint` holds the package to it.


export default [
  // The wasm that the entries import is counted below.
  { name: "JavaScript layer", path: ["dist/index.js", "dist/webhooks.js", "dist/decimal.js"], limit: "12 kB", modifyEsbuildConfig: (config) => ({ ...config, external: ["*-wasm.js"] }) },
  { name: "client's wasm", path: "dist/client.wasm", limit: "150 kB" },
  { name: "webhooks entry, its wasm as text included", path: "dist/webhooks.js", limit: "60 kB" },
  // Built for speed: it is installed for tests, and no page waits for it.
  { name: "sandbox's wasm", path: "dist/sandbox.wasm", limit: "1900 kB" },
  // An import that nobody uses leaves nothing behind.
  { name: "the error class alone", import: { "dist/index.js": "{ SettlekitError }" }, limit: "1 kB" },
  { name: "decimals alone", import: { "dist/decimal.js": "{ Decimal }" }, limit: "2 kB" },
].map((check) => ({ ...check, gzip: true, ...(String(check.path).endsWith(".wasm") ? { disablePlugins: ["@size-limit/esbuild"] } : {}) }));

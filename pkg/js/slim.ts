import { init as initClient } from "#slim/client";

import type { WasmSource } from "./slim-wasm.js";

export * from "./index.js";
export type { WasmSource } from "./slim-wasm.js";

/**
 * Compiles the client's wasm; to be awaited once, before the first call.
 *
 * `source` is `settlekit/client.wasm` wherever you serve it from, as an address, bytes, or a module compiled elsewhere; the
 * file beside this module unless given.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return initClient(source);
}

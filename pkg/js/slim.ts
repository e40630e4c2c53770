import { init as initClient } from "#slim/client";

import type { WasmSource } from "./slim-wasm.js";

export * from "./index.js";
export type { WasmSource } from "./slim-wasm.js";

/**
 * Compiles the client's wasm; await it once, before the first call.
 *
 * `source` is `settlekit/client.wasm` as a URL, bytes or a compiled module; default: the file beside this module.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return initClient(source);
}

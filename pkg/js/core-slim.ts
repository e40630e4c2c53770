import { init as initClient } from "#slim/client";

import type { WasmSource } from "./slim-wasm.js";

export * from "./core.js";
export type { WasmSource } from "./slim-wasm.js";

/**
 * Compiles the wasm; await it once, before the first call. It is the client's: `settlekit/slim` needs no other `init`. `verify`
 * needs the `init` of `settlekit/webhooks/slim`.
 *
 * `source` is `settlekit/client.wasm` as a URL, bytes or a compiled module; default: the file beside this module.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return initClient(source);
}

import { init as initWebhooks } from "#slim/webhooks";

import type { WasmSource } from "./slim-wasm.js";

export type { WasmSource } from "./slim-wasm.js";
export * from "./webhooks.js";

/**
 * Compiles the verification wasm; await it once, before the first webhook.
 *
 * `source` is `settlekit/webhooks.wasm` as a URL, bytes or a compiled module; default: the file beside this module.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return initWebhooks(source);
}

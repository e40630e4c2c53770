import { init as initWebhooks } from "#slim/webhooks";

import type { WasmSource } from "./slim-wasm.js";

export type { WasmSource } from "./slim-wasm.js";
export * from "./webhooks.js";

/**
 * Compiles the wasm that verifies; to be awaited once, before the first webhook.
 *
 * `source` is `settlekit/webhooks.wasm` wherever you serve it from, as an address, bytes, or a module compiled elsewhere;
 * the file beside this module unless given.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return initWebhooks(source);
}

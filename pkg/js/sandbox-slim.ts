import { init as initClient } from "#slim/client";
import { init as initSandbox } from "#slim/sandbox";

import type { WasmSource } from "./slim-wasm.js";

export * from "./sandbox.js";
export type { WasmSource } from "./slim-wasm.js";

/** Where the two wasms of the sandbox come from; the files beside this module unless given. */
export interface SandboxSources {
  /** `settlekit/sandbox.wasm`: the service. */
  sandbox?: WasmSource | Promise<WasmSource>;
  /** `settlekit/client.wasm`: the client, through which the sandbox's own payers speak. */
  client?: WasmSource | Promise<WasmSource>;
}

/** Compiles the service's wasm and the client's; to be awaited once, before the first sandbox. Serves `settlekit/slim`, too. */
export async function init({ sandbox, client }: SandboxSources = {}): Promise<void> {
  await Promise.all([initSandbox(sandbox), initClient(client)]);
}

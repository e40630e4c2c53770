import { init as initClient } from "#slim/client";
import { init as initSandbox } from "#slim/sandbox";

import type { WasmSource } from "./slim-wasm.js";

export * from "./sandbox.js";
export type { WasmSource } from "./slim-wasm.js";

/** Sources of the sandbox's two wasm modules; default: the files beside this module. */
export interface SandboxSources {
  /** `settlekit/sandbox.wasm`: the service. */
  sandbox?: WasmSource | Promise<WasmSource>;
  /** `settlekit/client.wasm`: the client, used by the sandbox's own payers. */
  client?: WasmSource | Promise<WasmSource>;
}

/** Compiles the wasm of service and client; await it once, before the first sandbox. Also initialises `settlekit/slim`. */
export async function init({ sandbox, client }: SandboxSources = {}): Promise<void> {
  await Promise.all([initSandbox(sandbox), initClient(client)]);
}

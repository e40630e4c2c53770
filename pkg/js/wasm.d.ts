// Modules provided by the build: wasm-bindgen's glue for each wasm, the compiled module in the runtime's form, and the embedded checkout.

declare module "#glue/client" {
  export function initSync(module: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
  export function argument_buffer(): Uint32Array;
  export function validate_buffer(operation: number, part: number, length: number): string | undefined;
  export function prepare(operation: string, given: string, credentials: string, nowMs: number, random: Uint8Array): string;
  export function prepare_raw(
    method: string,
    target: string,
    body: string | undefined,
    signed: boolean,
    credentials: string,
    nowMs: number,
    random: Uint8Array,
  ): string;
  export function read_refusal(status: number, headers: string, body: Uint8Array): string;
  export function read_answer(operation: string, status: number, headers: string, body: Uint8Array): string;
  export function operation_index(operation: string): string;
  export function validate(operation: number, part: number, field: string | undefined, given: Uint8Array): string | undefined;
  export function parse_value(kind: string, text: string): string;
  export function sign_request(
    method: string,
    url: string,
    body: Uint8Array,
    credentials: string,
    nowMs: number,
    random: Uint8Array,
  ): string;
}

declare module "#glue/webhooks" {
  export function initSync(module: { module: WebAssembly.Module }): unknown;
  export function header_names(): string[];
  export function check(
    id: string,
    timestamp: string,
    signature: string,
    body: Uint8Array,
    keys: string[],
    nowMs: number,
    toleranceSeconds: number,
  ): string | undefined;
  export function public_key(secret: Uint8Array): string | undefined;
  export function sign(secret: Uint8Array, id: string, timestamp: number, body: Uint8Array): string | undefined;
}

declare module "#glue/sandbox" {
  export function initSync(module: { module: WebAssembly.Module }): unknown;
  export function wallet_address(key: Uint8Array): string;
  export function sign_typed_data(key: Uint8Array, typed: string): string;
  export class Sandbox {
    constructor(masterKey: Uint8Array, publicUrl: string, image: Uint8Array);
    static open(masterKey: Uint8Array, publicUrl: string, files: import("./files.js").SandboxFiles): Sandbox;
    step(step: string): string;
    answer(nowMs: number, seed: number, number: number, head: string, body: string): Uint8Array<ArrayBuffer>;
    call(nowMs: number, seed: number, number: number, question: string, clockMs: number, random: Uint8Array): string;
    fill_with_demo(nowMs: number, seed: number, number: number, progress: (done: number, of: number) => void): string;
    image(): Uint8Array;
    free(): void;
  }
}

declare module "#module/client" {
  /** Returns the wasm module, compiled on first use. */
  export function module(): WebAssembly.Module;
}

declare module "#module/webhooks" {
  /** Returns the wasm module, compiled on first use. */
  export function module(): WebAssembly.Module;
}

declare module "#module/sandbox" {
  /** Returns the wasm module, compiled on first use. */
  export function module(): WebAssembly.Module;
}

declare module "#slim/client" {
  /** Compiles the wasm, for `#module/client` of the slim entries. */
  export function init(source?: unknown): Promise<void>;
}

declare module "#slim/webhooks" {
  /** Compiles the wasm, for `#module/webhooks` of the slim entries. */
  export function init(source?: unknown): Promise<void>;
}

declare module "#slim/sandbox" {
  /** Compiles the wasm, for `#module/sandbox` of the slim entries. */
  export function init(source?: unknown): Promise<void>;
}

declare module "#embed" {
  /** `web/embed/embed.js`, which the service serves, too. */
  export function define(settings: { url: string | URL; name?: string }): (new () => import("./embed.js").SettlekitPayElement) | undefined;
}

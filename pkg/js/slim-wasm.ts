/** Source of a wasm module: a URL, a `fetch` response, bytes, or a compiled module. */
export type WasmSource = string | URL | Response | BufferSource | WebAssembly.Module;

/** Holder of a wasm that the caller provides; throws until it is provided. */
export function hold(name: string, beside: () => URL): { module(): WebAssembly.Module; init(source?: WasmSource | Promise<WasmSource>): Promise<void> } {
  let compiled: Promise<WebAssembly.Module> | undefined;
  let ready: WebAssembly.Module | undefined;
  return {
    module() {
      if (ready === undefined) throw new Error(`the slim entries of settlekit carry no WebAssembly: await init() once before ${name} is used`);
      return ready;
    },
    async init(source) {
      // Concurrent calls share one download; a failed one can be retried.
      compiled ??= compile(source ?? beside());
      try {
        ready = await compiled;
      } catch (error) {
        compiled = undefined;
        throw error;
      }
    },
  };
}

async function compile(given: WasmSource | Promise<WasmSource>): Promise<WebAssembly.Module> {
  const source = await given;
  // By tag, not `instanceof`: workers and test runners have their own classes.
  if (Object.prototype.toString.call(source) === "[object WebAssembly.Module]") return source as WebAssembly.Module;
  if (typeof source === "object" && "arrayBuffer" in source) return compileAnswer(source);
  if (typeof source === "object" && "byteLength" in source) return WebAssembly.compile(source);
  const url = String(source);
  // Node's fetch does not support file URLs.
  const files = url.startsWith("file:") ? (globalThis as unknown as Host).process?.getBuiltinModule?.("node:fs/promises") : undefined;
  return files === undefined ? compileAnswer(await fetch(url)) : WebAssembly.compile(await files.readFile(new URL(url)));
}

/** API of Node, Bun and Deno, declared here so that the package needs no external types. */
interface Host {
  process?: { getBuiltinModule?(name: string): { readFile(url: URL): Promise<BufferSource> } };
}

async function compileAnswer(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`there is no WebAssembly at ${response.url}: status ${response.status}`);
  // Servers that don't know wasm send another content type, which streaming compilation rejects.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm") === true && "compileStreaming" in WebAssembly;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

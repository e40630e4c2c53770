/** Where a compiled wasm may come from: an address, an answer of `fetch`, the bytes, or what was compiled elsewhere. */
export type WasmSource = string | URL | Response | BufferSource | WebAssembly.Module;

/** The one wasm of an entry that is given its wasm: loud until it has been. */
export function hold(name: string, beside: () => URL): { module(): WebAssembly.Module; init(source?: WasmSource | Promise<WasmSource>): Promise<void> } {
  let compiled: Promise<WebAssembly.Module> | undefined;
  let ready: WebAssembly.Module | undefined;
  return {
    module() {
      if (ready === undefined) throw new Error(`the slim entries of settlekit carry no WebAssembly: await init() once before ${name} is used`);
      return ready;
    },
    async init(source) {
      // Asked for twice at once, it is fetched once; what went wrong may be tried again.
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
  // Told by what they are, not by whose they are: a worker or a test runner has classes of its own.
  if (Object.prototype.toString.call(source) === "[object WebAssembly.Module]") return source as WebAssembly.Module;
  if (typeof source === "object" && "arrayBuffer" in source) return compileAnswer(source);
  if (typeof source === "object" && "byteLength" in source) return WebAssembly.compile(source);
  const url = String(source);
  // Node's fetch knows no files.
  const files = url.startsWith("file:") ? (globalThis as unknown as Host).process?.getBuiltinModule?.("node:fs/promises") : undefined;
  return files === undefined ? compileAnswer(await fetch(url)) : WebAssembly.compile(await files.readFile(new URL(url)));
}

/** What Node, Bun and Deno have; named here so that the package needs nobody's types. */
interface Host {
  process?: { getBuiltinModule?(name: string): { readFile(url: URL): Promise<BufferSource> } };
}

async function compileAnswer(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`there is no WebAssembly at ${response.url}: status ${response.status}`);
  // A server that does not know the type of the file says something else, and streaming would refuse it.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm") === true && "compileStreaming" in WebAssembly;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

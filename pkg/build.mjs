// Builds the package from TypeScript and the wasm in `dist/wasm` (built by `cargo xtask build`).
//
// Each entry has one file per way of loading: `.js` and `.cjs` embed the wasm as text and compile it on first use; `.workerd.js`
// and `.edge.js` import it, because those runtimes can't compile at run time. Slim entries are given the wasm by the caller.

import { execFileSync } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { build, transform } from "esbuild";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const dist = join(here, "dist");
const ENTRIES = ["index", "core", "webhooks", "testing", "sandbox"];
/** Entries without wasm: one file for all runtimes. */
const PLAIN = ["decimal", "texts", "x402"];
/** Entries whose wasm is given by the caller: one file for all runtimes. */
const SLIM = ["slim", "core-slim", "webhooks-slim", "sandbox-slim"];
const WASMS = ["client", "webhooks", "sandbox"];
const FORMATS = [
  { end: ".js", format: "esm", from: (wasm) => `./${wasm}-wasm.js` },
  { end: ".cjs", format: "cjs", from: (wasm) => `./${wasm}-wasm.cjs` },
  { end: ".workerd.js", format: "esm", from: (wasm) => `./${wasm}-wasm.workerd.js` },
  { end: ".edge.js", format: "esm", from: (wasm) => `./${wasm}-wasm.edge.js` },
];
for (const name of await readdir(dist)) {
  if (name !== "wasm") await rm(join(dist, name), { recursive: true });
}

for (const wasm of WASMS) {
  const bytes = await readFile(join(dist, "wasm", `${wasm}_bg.wasm`));
  const inline = `
    const TEXT = "${bytes.toString("base64")}";
    export function module() {
      const text = atob(TEXT);
      const bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
      return new WebAssembly.Module(bytes);
    }
  `;
  const imported = (query) => `import compiled from "./${wasm}.wasm${query}";\nexport function module() {\n  return compiled;\n}\n`;
  await writeFile(join(dist, `${wasm}-wasm.js`), (await transform(inline, { format: "esm" })).code);
  await writeFile(join(dist, `${wasm}-wasm.cjs`), (await transform(inline, { format: "cjs" })).code);
  await writeFile(join(dist, `${wasm}-wasm.workerd.js`), imported(""));
  await writeFile(join(dist, `${wasm}-wasm.edge.js`), imported("?module"));
  await cp(join(dist, "wasm", `${wasm}_bg.wasm`), join(dist, `${wasm}.wasm`));
}

/**
 * wasm-bindgen's glue without its `instanceof` check: it always gets a module, and on an edge runtime the module may come from
 * another realm with another `WebAssembly.Module` class.
 */
async function glue(path) {
  const text = await readFile(path, "utf8");
  const judged = /if \(!\(module instanceof WebAssembly\.Module\)\) \{\s*module = new WebAssembly\.Module\(module\);\s*\}/;
  if (!judged.test(text)) throw new Error(`${path}: the glue starts in a way that is not known here`);
  return { contents: text.replace(judged, ""), loader: "js" };
}

/** Resolves the modules that `js/wasm.d.ts` declares; `webhooks` is the file that the core entry re-exports. */
const resolve = (from, webhooks) => ({
  name: "wasm",
  setup(build) {
    // Not bundled into the core entry: a program without webhooks does not load it.
    build.onResolve({ filter: /^\.\/webhooks\.js$/ }, ({ importer }) =>
      importer.endsWith("/core.ts") ? { path: webhooks, external: true, sideEffects: false } : undefined);
    build.onResolve({ filter: /^#glue\// }, ({ path }) => ({ path: join(dist, "wasm", `${path.slice(6)}.js`), sideEffects: false }));
    build.onLoad({ filter: /[\\/]dist[\\/]wasm[\\/]\w+\.js$/ }, ({ path }) => glue(path));
    build.onResolve({ filter: /^#(module|slim)\// }, ({ path }) => ({ path: from(path.split("/")[1]), external: true, sideEffects: false }));
  },
});

const common = {
  absWorkingDir: here,
  outdir: dist,
  bundle: true,
  platform: "neutral",
  target: "es2022",
  // The glue's asynchronous init is unused; its `import.meta.url` has no meaning in CommonJS.
  logOverride: { "empty-import-meta": "silent" },
};
const entries = (names) => names.map((name) => ({ in: `js/${name}.ts`, out: name }));
for (const { end, format, from } of FORMATS) {
  const names = [...ENTRIES, ...(end.split(".").length > 2 ? [] : PLAIN)];
  await build({ ...common, entryPoints: entries(names), outExtension: { ".js": end }, format, plugins: [resolve(from, `./webhooks${end}`)] });
}
for (const { end, format } of FORMATS.slice(0, 2)) {
  const outExtension = { ".js": end };
  // Without an address of its own it defines nothing before it is asked to.
  await build({ ...common, entryPoints: entries(["embed"]), outExtension, format, alias: { "#embed": join(here, "../web/embed/embed.js") }, define: { "import.meta.url": "undefined" } });
  await build({ ...common, entryPoints: entries(SLIM), outExtension, format, plugins: [resolve((wasm) => `./${wasm}-wasm.slim${end}`, `./webhooks-slim${end}`)] });
  for (const wasm of WASMS) {
    // Bundlers detect an asset by exactly this expression.
    const place = format === "esm" ? "import.meta.url" : 'require("node:url").pathToFileURL(__filename)';
    const contents = `import { hold } from "./js/slim-wasm.ts";
      export const { module, init } = hold("settlekit's ${wasm}", () => new URL("./${wasm}.wasm", ${place}));`;
    const { outputFiles } = await build({ ...common, stdin: { contents, resolveDir: here }, format, external: ["node:url"], write: false });
    await writeFile(join(dist, `${wasm}-wasm.slim${end}`), outputFiles[0].contents);
  }
}

const typescript = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [typescript, "--project", here], { stdio: "inherit" });
// Type of the module for runtimes that import wasm as a module.
const module = "/** The compiled wasm, for `init` of the slim entries. */\ndeclare const module: WebAssembly.Module;\nexport default module;\n";
await writeFile(join(dist, "module.d.ts"), module);
for (const name of (await readdir(dist)).filter((name) => name.endsWith(".d.ts"))) {
  // The compiler indents by four spaces: a tenth of the download.
  const text = (await readFile(join(dist, name), "utf8")).replace(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2));
  await writeFile(join(dist, name), text);
  await writeFile(join(dist, name.replace(/\.d\.ts$/, ".d.cts")), text.replace(/(from "\.\/[\w-]+)\.js"/g, '$1.cjs"'));
}

// From TypeScript and the wasm in `dist/wasm` (made by `cargo xtask build`) to what the package ships.
//
// Every entry is one file per way of loading: `.js` and `.cjs` carry the wasm as text and compile it when first used;
// `.workerd.js` and `.edge.js` import it, because those runtimes compile nothing themselves.

import { execFileSync } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { build, transform } from "esbuild";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const dist = join(here, "dist");
const ENTRIES = ["index", "webhooks", "testing", "sandbox"];
/** Entries that need no wasm: the same file for every runtime. */
const PLAIN = ["decimal"];
const WASMS = ["client", "webhooks", "sandbox"];
const FORMATS = [
  { end: ".js", format: "esm", from: (wasm) => `./${wasm}-wasm.js` },
  { end: ".cjs", format: "cjs", from: (wasm) => `./${wasm}-wasm.cjs` },
  { end: ".workerd.js", format: "esm", from: (wasm) => `./${wasm}-wasm.workerd.js` },
  { end: ".edge.js", format: "esm", from: (wasm) => `./${wasm}-wasm.edge.js` },
];
// In KB of 1000 bytes, gzipped. A package that outgrows them fails the build.
const SIZES_MAX = { "webhooks entry": 60, "client wasm": 150, "sandbox wasm": 1500, "JavaScript layer": 12 };

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

/** Where the names of `js/wasm.d.ts` lead. */
const resolve = (from) => ({
  name: "wasm",
  setup(build) {
    build.onResolve({ filter: /^#glue\// }, ({ path }) => ({ path: join(dist, "wasm", `${path.slice(6)}.js`), sideEffects: false }));
    build.onResolve({ filter: /^#module\// }, ({ path }) => ({ path: from(path.slice(8)), external: true, sideEffects: false }));
  },
});

for (const { end, format, from } of FORMATS) {
  await build({
    absWorkingDir: here,
    entryPoints: [...ENTRIES, ...(end.split(".").length > 2 ? [] : PLAIN)].map((name) => ({ in: `js/${name}.ts`, out: name })),
    outdir: dist,
    outExtension: { ".js": end },
    bundle: true,
    format,
    platform: "neutral",
    target: "es2022",
    plugins: [resolve(from)],
    // The glue's asynchronous start is not used; what it says of its own place has no meaning in CommonJS.
    logOverride: { "empty-import-meta": "silent" },
  });
}

const typescript = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [typescript, "--project", here], { stdio: "inherit" });
for (const name of (await readdir(dist)).filter((name) => name.endsWith(".d.ts"))) {
  const text = await readFile(join(dist, name), "utf8");
  await writeFile(join(dist, name.replace(/\.d\.ts$/, ".d.cts")), text.replace(/(from "\.\/[\w-]+)\.js"/g, '$1.cjs"'));
}

const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
const layer = await build({
  absWorkingDir: here,
  stdin: { contents: 'export * from "./js/index.ts"; export * from "./js/webhooks.ts"; export * from "./js/decimal.ts";', resolveDir: here },
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2022",
  plugins: [resolve((wasm) => `./${wasm}`)],
  logOverride: { "empty-import-meta": "silent" },
});
const sizes = { "JavaScript layer": gzipped(layer.outputFiles[0].contents) };
// What a handler's bundle downloads: code and wasm as text together.
const entry = await build({
  stdin: { contents: 'export * from "./dist/webhooks.js";', resolveDir: here },
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  logOverride: { "empty-import-meta": "silent" },
});
sizes["webhooks entry"] = gzipped(entry.outputFiles[0].contents);
for (const wasm of ["client", "sandbox"]) sizes[`${wasm} wasm`] = gzipped(await readFile(join(dist, `${wasm}.wasm`)));
for (const [what, bytes] of Object.entries(sizes)) {
  const kilobytes = bytes / 1000;
  console.log(`${what.padEnd(18)} ${kilobytes.toFixed(1).padStart(7)} KB gzip, at most ${SIZES_MAX[what]}`);
  if (kilobytes > SIZES_MAX[what]) process.exitCode = 1;
}

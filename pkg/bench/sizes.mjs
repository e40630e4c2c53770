// Download sizes: each wasm and entry of the built package, the dashboard's first load, the package settlekit-dev, and the first page of the
// documentation.
//
// `node bench/sizes.mjs [--json]`, after `cargo xtask build`. KB are 1000 bytes.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { buildSync } from "esbuild";

const here = fileURLToPath(new URL("..", import.meta.url));
const rows = [];

function add(what, files, bar) {
  const row = { what, raw: 0, gzip: 0, brotli: 0, ...bar };
  for (const file of files) {
    row.raw += file.length;
    row.gzip += gzipSync(file, { level: 9 }).length;
    row.brotli += brotliCompressSync(file).length;
  }
  rows.push(row);
}

const dist = join(here, "dist");
if (existsSync(dist)) {
  // The limits are in `.size-limit.js`.
  for (const wasm of ["client", "webhooks", "sandbox"]) add(`${wasm} wasm`, [readFileSync(join(dist, `${wasm}.wasm`))]);
  // JavaScript only, minified as by a bundler; imported wasm is external.
  for (const entry of ["index", "core", "webhooks", "testing", "sandbox"]) {
    const { outputFiles } = buildSync({
      entryPoints: [join(dist, `${entry}.js`)],
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      // The webhooks entry is loaded beside the core entry only if it is used, as in `.size-limit.js`.
      external: ["*-wasm.js", ...(entry === "core" ? ["./webhooks.js"] : [])],
    });
    add(`${entry} JavaScript`, [outputFiles[0].contents], entry === "core" ? { gzip_max: 5000 } : {});
  }
}

const dashboard = join(here, "../dist");
if (existsSync(join(dashboard, "index.html"))) {
  // Files that the page references, and the module that its script loads. Images and the payer's page load later or never.
  const html = readFileSync(join(dashboard, "index.html"), "utf8");
  const named = (name) => html.includes(name) || name === "icon.svg";
  const first = readdirSync(dashboard, { recursive: true }).filter((name) => /\.(js|css|wasm|woff2|svg)$/.test(name) && named(name));
  const all = ["index.html", ...first];
  for (const name of all) add(`dashboard ${name.replace(/-[0-9a-f]{8,}/, "")}`, [readFileSync(join(dashboard, name))]);
  add("dashboard, first load", all.map((name) => readFileSync(join(dashboard, name))), { brotli_max: 350_000 });
  // preview.js is for the settings only.
  const page = readdirSync(join(dashboard, "pay")).filter((name) => /\.(js|css|html)$/.test(name) && name !== "preview.js");
  add("payer's page", page.map((name) => readFileSync(join(dashboard, "pay", name))));
  add("embed.js", [readFileSync(join(dashboard, "embed.js"))], { raw_max: 15_000 });
  // Lazily loaded parts of the dashboard: groups of pages, and code shared by several of them.
  const parts = readdirSync(dashboard).filter((name) => /^(split|chunk)_.*\.wasm$/.test(name));
  for (const name of parts) add(`dashboard ${name.replace(/-[0-9a-f]{8,}/, "")}`, [readFileSync(join(dashboard, name))]);
  add("dashboard, all later parts", parts.map((name) => readFileSync(join(dashboard, name))));
}

const dev = join(here, "../dev");
if (existsSync(join(dev, "dist/main.js"))) {
  // As npm ships it: a compressed archive.
  const [{ size, unpackedSize }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"], { cwd: dev, encoding: "utf8" }));
  rows.push({ what: "settlekit-dev, packed", raw: unpackedSize, gzip: size, gzip_max: 12_000_000 });
}

const site = join(here, "../out/site");
if (existsSync(join(site, "index.html"))) {
  // What the first page names: scripts, their imports, style sheets, font and icon.
  const html = readFileSync(join(site, "index.html"), "utf8");
  const named = [...html.matchAll(/<(?:script|link) [^>]*?(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
  const files = ["/index.html", ...new Set(named)];
  add("documentation, first page", files.map((path) => readFileSync(join(site, path))), { brotli_max: 200_000 });
}

if (process.argv.includes("--json")) {
  for (const row of rows) console.log(JSON.stringify(row));
} else {
  const kilobytes = (bytes) => (bytes === undefined ? "" : (bytes / 1000).toFixed(1)).padStart(10);
  console.log(`${"KB".padEnd(34)}${"raw".padStart(10)}${"gzip".padStart(10)}${"brotli".padStart(10)}`);
  for (const row of rows) {
    const kinds = ["raw", "gzip", "brotli"];
    const bars = kinds.filter((kind) => row[`${kind}_max`]).map((kind) => `  at most ${row[`${kind}_max`] / 1000} ${kind}`);
    console.log(row.what.padEnd(34) + kinds.map((kind) => kilobytes(row[kind])).join("") + bars.join(""));
  }
}

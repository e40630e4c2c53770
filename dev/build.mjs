// Builds the package: compiles the sources, and copies the files of the dashboard from `../dist` (built by `cargo xtask dashboard`).

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const [source, dist] = [join(here, "../dist"), join(here, "dist")];
const dashboard = join(dist, "dashboard");

if (!existsSync(join(source, "index.html"))) throw new Error("there is no dashboard in dist/: cargo xtask dashboard builds it");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const typescript = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [typescript, "--project", here], { stdio: "inherit" });
// Data that programs read beside themselves.
const names = readdirSync(join(here, "js"), { recursive: true }).filter((name) => name.endsWith(".json"));
for (const name of names) cpSync(join(here, "js", name), join(dist, name));

cpSync(source, dashboard, { recursive: true });
// The API reference reads it. The server prints it itself.
const document = Buffer.from(JSON.stringify(JSON.parse(readFileSync(join(here, "../docs/openapi.json"), "utf8"))));
writeFileSync(join(dashboard, "openapi.json"), document);
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: document.length };
writeFileSync(join(dashboard, "openapi.json.br"), brotliCompressSync(document, { params }));

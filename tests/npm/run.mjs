// Packs the package, installs the tarball into an empty folder and runs the consumers there: they see only published files.
// The folder is inside this one: frameworks and bundlers are resolved here, the package only there. The caller
// sets SETTLEKIT_URL, SETTLEKIT_ORGANISATION (the output of `settlekit org create --json`), CHROMIUM and
// SECOND (Python for ../second). Arguments select consumers; the default is all.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const source = join(here, "../../pkg");
const folder = mkdtempSync(join(here, "consumer-"));
const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
try {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder, ...quiet], { cwd: source, encoding: "utf8" });
  const [{ filename, files, size }] = JSON.parse(packed);
  console.log(`${filename}: ${files.length} files, ${(size / 1000).toFixed(0)} KB`);
  writeFileSync(join(folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
  // The package has no dependencies: it must install without a registry.
  execFileSync("npm", ["install", "--offline", ...quiet, `./${filename}`], { cwd: folder, stdio: "inherit" });
  const consumers = ["esm", "cjs", "ts", "bundlers", "browser", "examples", "forms", "next", "readme", "runners", "runtimes", "schemas", "second", "x402"];
  for (const name of consumers) cpSync(join(here, name), join(folder, name), { recursive: true });
  cpSync(join(source, "examples"), join(folder, "examples"), { recursive: true });
  cpSync(join(here, "../vectors/refusals.jsonl"), join(folder, "forms/refusals.jsonl"));
  for (const text of ["README.md", "TUTORIAL.md"]) cpSync(join(source, text), join(folder, "readme", text));
  const words = process.argv.slice(2);
  const tests = [
    "esm/consume.test.mjs",
    "cjs/consume.test.cjs",
    "ts/types.test.mjs",
    "bundlers/bundlers.test.mjs",
    "examples/examples.test.mjs",
    "examples/shop/shop.test.js",
    "readme/readme.test.mjs",
    "readme/tutorial.test.mjs",
    "runtimes/runtimes.test.mjs",
    "runners/runners.test.mjs",
    "schemas/schemas.test.mjs",
    "second/second.test.mjs",
    "browser/browser.test.mjs",
    "forms/forms.test.mjs",
    "next/next.test.mjs",
    "x402/x402.test.mjs",
  ].filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  const { status } = spawnSync(process.execPath, ["--test", "--test-concurrency=1", ...tests], {
    cwd: folder,
    stdio: "inherit",
    env: {
      ...process.env,
      SETTLEKIT_TYPESCRIPT: join(source, "node_modules/typescript/bin/tsc"),
      SECOND_SERVICE: join(here, "../second/service.py"),
      SETTLEKIT_PROGRAMS: join(here, "node_modules/.bin"),
    },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

#!/usr/bin/env node
// The pinned compiler of npm under the interface that forge expects of a native one: `--version` and `--standard-json`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

if (process.argv.includes("--version")) {
  // The compiler takes a second to load and forge asks often.
  console.log(`Version: ${require("solc/package.json").version}`);
} else if (process.argv.includes("--standard-json")) {
  // Forge passes the sources of all imports.
  process.stdout.write(require("solc").compile(readFileSync(0, "utf8")));
} else {
  console.error("solc.mjs knows --version and --standard-json");
  process.exitCode = 1;
}

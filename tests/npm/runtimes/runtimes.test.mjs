// The installed package, unbundled, in other runtimes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;
const entry = join(here, "../bundlers/entry.js");

function check(program, words, expected) {
  const { status, stdout, stderr, error } = spawnSync(join(process.env.SETTLEKIT_PROGRAMS, program), words, { cwd: here, encoding: "utf8" });
  assert.equal(status, 0, String(error ?? stderr));
  assert.equal(stdout.trim(), expected);
}

test("Bun runs every entry as modules", () => check("bun", [entry], "Tea House,payment.updated,0.3"));

test("Bun runs the package as CommonJS", () => check("bun", [join(here, "entry.cjs")], "Tea House"));

test("Deno runs every entry as modules, with no permission but to read them", () =>
  check("deno", ["run", "--no-prompt", "--no-config", "--node-modules-dir=manual", "--allow-read", entry], "Tea House,payment.updated,0.3"));

// The sandbox under other test runners than Node's.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;

function check(program, words, expected) {
  const options = { cwd: here, encoding: "utf8", env: { ...process.env, CI: "1", NODE_TEST_CONTEXT: undefined } };
  const { status, stdout, stderr, error } = spawnSync(join(process.env.SETTLEKIT_PROGRAMS, program), words, options);
  assert.equal(status, 0, `${error ?? ""}${stdout}${stderr}`);
  assert.match(stdout + stderr, expected);
}

test("vitest runs a shop's tests against the sandbox", () => check("vitest", ["run", "--no-color"], /Tests\s+2 passed/));

test("jest runs a shop's tests against the sandbox", () => check("jest", ["--config", "jest.json", "--no-color"], /Tests:\s+2 passed/));

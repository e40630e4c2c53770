// The tutorial's code, assembled as described.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

test("the tutorial's shop passes the tutorial's tests", () => {
  const text = readFileSync(join(import.meta.dirname, "TUTORIAL.md"), "utf8");
  const pieces = [...text.matchAll(/^```js(?: [^\n]*)?\n(.*?)^```$/gms)].map(([, piece]) => piece);
  const files = {};
  for (const piece of pieces) {
    const [, name] = piece.match(/^\/\/ (\S+\.js)\n/) ?? assert.fail(`no name: ${piece.slice(0, 40)}`);
    files[name] = (files[name] ?? "") + piece;
  }
  assert.deepEqual(Object.keys(files), ["shop.js", "shop.test.js"]);
  const folder = join(import.meta.dirname, "tutorial");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", "shop.test.js"], { cwd: folder, env, encoding: "utf8" });
  assert.equal(status, 0, stdout);
  const passed = Number(stdout.match(/^# pass (\d+)$/m)[1]);
  assert.equal(passed, files["shop.test.js"].match(/^test\(/gm).length);
});

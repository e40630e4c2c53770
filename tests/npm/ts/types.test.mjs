import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

for (const file of ["consume.mts", "consume.cts"]) {
  test(`${file} has the types it expects, the package's own declarations checked too`, () => {
    const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"];
    const { status, stdout } = spawnSync(process.execPath, [process.env.SETTLEKIT_TYPESCRIPT, ...options, file], { cwd: here, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
}

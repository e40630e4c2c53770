import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

const CASES = [
  ["consume.mts", "nodenext", "nodenext"],
  ["consume.cts", "nodenext", "nodenext"],
  ["consume.mts", "node16", "node16"],
  ["consume.cts", "node16", "node16"],
  ["consume.mts", "esnext", "bundler"],
  ["consume.cts", "commonjs", "node10"],
];

for (const [file, module, resolution] of CASES) {
  test(`${file} has the types it expects under ${module}/${resolution}, the package's own declarations checked too`, () => {
    const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--module", module];
    options.push("--moduleResolution", resolution, "--target", "es2022", "--lib", "es2023,dom,dom.iterable");
    const { status, stdout } = spawnSync(process.execPath, [process.env.SETTLEKIT_TYPESCRIPT, ...options, file], { cwd: here, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
}

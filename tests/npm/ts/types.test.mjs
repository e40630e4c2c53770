import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

const CASES = [
  ["nodenext", "nodenext", "consume.mts", "consume.cts"],
  ["node16", "node16", "consume.mts", "consume.cts"],
  ["esnext", "bundler", "consume.mts"],
  ["commonjs", "node10", "consume.cts"],
];

for (const [module, resolution, ...files] of CASES) {
  test(`${files.join(" and ")} find the types they expect under ${module}/${resolution}, the package's own declarations checked too`, () => {
    const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--module", module];
    options.push("--moduleResolution", resolution, "--target", "es2022", "--lib", "es2023,dom,dom.iterable");
    const { status, stdout } = spawnSync(process.execPath, [process.env.SETTLEKIT_TYPESCRIPT, ...options, ...files], { cwd: here, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
}

test("the official packages of x402 and Fastify take the types of settlekit/x402", () => {
  // Their own declarations are not ours to check.
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"];
  const { status, stdout } = spawnSync(process.execPath, [process.env.SETTLEKIT_TYPESCRIPT, ...options, "x402.mts"], { cwd: here, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

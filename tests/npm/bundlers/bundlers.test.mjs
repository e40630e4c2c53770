// Runs each bundler's output in Node, from a folder without the package.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import nodeResolve from "@rollup/plugin-node-resolve";
import { rollup } from "@rollup/wasm-node";
import * as esbuild from "esbuild";
import { build as viteBuild } from "vite";
import webpack from "webpack";

const entry = join(import.meta.dirname, "entry.js");

/** Builds into an empty folder and runs the single output file. */
async function check(build) {
  const folder = mkdtempSync(join(tmpdir(), "settlekit-bundle-"));
  try {
    await build(folder);
    const [file, ...others] = readdirSync(folder);
    assert.deepEqual(others, [], "nothing has to be copied beside it");
    assert.ok(statSync(join(folder, file)).size > 1_000_000, "the sandbox is inside");
    const said = execFileSync(process.execPath, [join(folder, file)], { cwd: folder, encoding: "utf8" });
    assert.equal(said.trim(), "Tea House,payment.updated,0.3");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const [format, platform] of [["esm", "browser"], ["esm", "node"], ["cjs", "node"]]) {
  test(`esbuild bundles the package as ${format} for ${platform}`, () =>
    check((folder) =>
      esbuild.build({
        entryPoints: [entry],
        bundle: true,
        minify: true,
        format,
        platform,
        outfile: join(folder, format === "esm" ? "bundle.mjs" : "bundle.cjs"),
        logOverride: { "empty-import-meta": "silent" },
      }),
    ));
}

test("rollup bundles the package", () =>
  check(async (folder) => {
    const bundle = await rollup({ input: entry, plugins: [nodeResolve()] });
    await bundle.write({ file: join(folder, "bundle.mjs"), format: "esm" });
    await bundle.close();
  }));

for (const target of ["web", "node"]) {
  test(`webpack bundles the package for ${target}`, () =>
    check(
      (folder) =>
        new Promise((resolve, reject) => {
          const output = { path: folder, filename: "bundle.cjs" };
          webpack({ mode: "production", target, entry, output, performance: false }, (error, stats) => {
            if (error) reject(error);
            else if (stats.hasErrors() || stats.hasWarnings()) reject(new Error(stats.toString()));
            else resolve();
          });
        }),
    ));
}

test("Vite bundles the package", () =>
  check((folder) =>
    viteBuild({
      root: import.meta.dirname,
      configFile: false,
      logLevel: "error",
      build: { outDir: folder, emptyOutDir: false, target: "es2022", lib: { entry, formats: ["es"], fileName: () => "bundle.mjs" } },
    }),
  ));

// What npm ships: its size, and that it starts without the repository.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { folder, printed, program } from "./serve-local.mjs";

const SIZE_MAX = 12_000_000;

/** Packs a package and unpacks it where a project has its packages. */
function install(project, source, name) {
  const options = { cwd: fileURLToPath(new URL(source, import.meta.url)), encoding: "utf8" };
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", project], options));
  mkdirSync(join(project, "node_modules"), { recursive: true });
  execFileSync("tar", ["--extract", "--file", join(project, packed.filename), "--directory", project]);
  renameSync(join(project, "package"), join(project, "node_modules", name));
  return packed;
}

test("the package is small, has no sources and tests, and starts beside the client alone", async (t) => {
  const project = folder(t);
  install(project, "../../pkg", "settlekit");
  const { size, files } = install(project, "..", "settlekit-dev");
  t.diagnostic(`${(size / 1e6).toFixed(1)} MB, ${files.length} files`);
  assert.ok(size < SIZE_MAX, `${size} bytes`);
  const paths = files.map(({ path }) => path);
  for (const path of ["README.md", "bin/settlekit.js", "dist/main.js", "dist/dashboard/index.html", "dist/dashboard/openapi.json"]) assert.ok(paths.includes(path), path);
  assert.deepEqual(paths.filter((path) => /\.ts$|^test\/|^js\//.test(path)), []);
  const file = join(project, "node_modules/settlekit-dev/bin/settlekit.js");
  const local = program(t, ["--port", "0"], { cwd: project, file });
  await local.says("Data ");
  const url = printed(local.output(), "Dashboard");
  assert.match(await (await fetch(url)).text(), /<title>/);
  assert.equal((await fetch(`${url}/v1/orgs`, { headers: { "x-api-key": printed(local.output(), "API key") } })).status, 200);
  local.child.kill("SIGTERM");
  assert.equal(await local.ended, 0);
});

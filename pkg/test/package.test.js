import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { build } from "esbuild";

const require = createRequire(import.meta.url);

test("errors are recognised across the module and the CommonJS copy", async () => {
  const [module, common] = [await import("settlekit"), require("settlekit")];
  assert.notEqual(module.SettlekitError, common.SettlekitError);
  assert.ok(new common.SettlekitError("api", "no") instanceof module.SettlekitError);
  assert.ok(!(new Error("no") instanceof module.SettlekitError));
  assert.ok(!(null instanceof module.SettlekitError));
});

test("an import that is not used costs nothing", async () => {
  const contents = 'import { Settlekit } from "settlekit"; import { verify } from "settlekit/webhooks"; console.log(1);';
  const { outputFiles } = await build({ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, minify: true, write: false, format: "esm" });
  assert.ok(outputFiles[0].contents.length < 100, outputFiles[0].text.slice(0, 200));
});

test("a bundle for workers imports the wasm instead of compiling it", async () => {
  const contents = 'import { verify } from "settlekit/webhooks"; export default { fetch: (request) => verify(request, []) };';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd"],
    external: ["*.wasm"],
  });
  assert.match(outputFiles[0].text, /from "\.\/webhooks\.wasm"|from "\.\.?\/.*webhooks\.wasm"/);
  assert.ok(!outputFiles[0].text.includes("atob("));
});

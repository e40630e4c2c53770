import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

const require = createRequire(import.meta.url);
const scratch = mkdtempSync(join(tmpdir(), "settlekit-slim-"));
after(() => rmSync(scratch, { recursive: true }));

test("errors are recognised across the module and the CommonJS copy", async () => {
  const [module, common] = [await import("settlekit"), require("settlekit")];
  assert.notEqual(module.SettlekitError, common.SettlekitError);
  assert.ok(new common.SettlekitError("api", "no") instanceof module.SettlekitError);
  assert.ok(!(new Error("no") instanceof module.SettlekitError));
  assert.ok(!(null instanceof module.SettlekitError));
});

for (const [entry, twin] of [["settlekit/slim", "settlekit"], ["settlekit/core/slim", "settlekit/core"], ["settlekit/webhooks/slim", "settlekit/webhooks"], ["settlekit/sandbox/slim", "settlekit/sandbox"]]) {
  test(`${entry} publishes what ${twin} does, and init`, async () => {
    const names = async (name) => Object.keys(await import(name));
    assert.deepEqual((await names(entry)).sort(), [...(await names(twin)), "init"].sort());
    assert.deepEqual(Object.keys(require(entry)).sort(), (await names(entry)).sort());
  });
}

test("a slim entry asks for its wasm and accepts it in every form", async () => {
  const bytes = readFileSync(require.resolve("settlekit/client.wasm"));
  const answer = (type) => new Response(bytes, { headers: { "content-type": type } });
  const forms = [
    undefined,
    pathToFileURL(require.resolve("settlekit/client.wasm")).href,
    bytes,
    new WebAssembly.Module(bytes),
    answer("application/wasm"),
    Promise.resolve(answer("application/octet-stream")),
  ];
  for (const [index, form] of forms.entries()) {
    // A new, uninitialised copy each time.
    const { Settlekit, init } = await import(`${pathToFileURL(copy(index))}`);
    const client = new Settlekit({ baseUrl: "https://pay.example", fetch: async () => Response.json({ data: [], error: false }) });
    await assert.rejects(client.chains.list(), /await init\(\) once/);
    await assert.rejects(init(new Response("", { status: 404 })), /status 404/);
    await Promise.all([init(form), init(form)]);
    assert.deepEqual(await client.chains.list(), []);
  }
});

/** Copies the slim entry's files to a new folder. */
function copy(index) {
  const dist = dirname(require.resolve("settlekit/slim"));
  const folder = join(scratch, String(index));
  for (const name of ["slim.js", "client-wasm.slim.js", "client.wasm"]) cpSync(join(dist, name), join(folder, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return join(folder, "slim.js");
}

test("unused imports are tree-shaken", async () => {
  const contents = 'import { Settlekit } from "settlekit"; import { validate } from "settlekit/core"; import { ENGLISH } from "settlekit/reasons"; import { verify } from "settlekit/webhooks"; console.log(1);';
  const { outputFiles } = await build({ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, minify: true, write: false, format: "esm" });
  assert.ok(outputFiles[0].contents.length < 100, outputFiles[0].text.slice(0, 200));
});

test("the types are few and need no other package", () => {
  const dist = dirname(require.resolve("settlekit"));
  const texts = readdirSync(dist).filter((name) => name.endsWith(".d.ts")).map((name) => readFileSync(join(dist, name), "utf8"));
  assert.ok(texts.join("").length < 200_000, String(texts.join("").length));
  const foreign = texts.flatMap((text) => [...text.matchAll(/from "([^."][^"]*)"|\b(NodeJS|Buffer)\b|reference types/g)].map(([found]) => found));
  assert.deepEqual(foreign, []);
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

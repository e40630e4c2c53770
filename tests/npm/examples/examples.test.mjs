import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { WebhookSigner } from "settlekit/testing";

const signer = new WebhookSigner();
process.env.SETTLEKIT_WEBHOOK_KEY = signer.publicKey.replaceAll("\n", "\\n");
const EVENT = { type: "payment.settled", data: { id: "pay_1", note: "käse" } };

/** Sends a valid, a modified, a foreign and an old webhook as HTTP requests; only the first must be accepted. */
async function check(send) {
  const { body, headers } = signer.sign(EVENT);
  assert.equal((await send({ body, headers })).status, 204);
  const foreign = new WebhookSigner().sign(EVENT);
  const old = signer.sign({ ...EVENT, at: new Date(Date.now() - 3_600_000) });
  for (const refused of [{ body: `${body} `, headers }, foreign, old, { body, headers: { "content-type": "application/json" } }]) {
    const { status, text } = await send(refused);
    assert.deepEqual([status, text.length > 0], [400, true], text);
  }
}

const read = async (response) => ({ status: response.status, text: await response.text() });

test("the Express example verifies webhooks", async () => {
  const { app } = await import("./express/app.js");
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await check(async (webhook) => read(await fetch(`http://127.0.0.1:${server.address().port}/hook`, { method: "POST", ...webhook })));
  } finally {
    server.close();
  }
});

test("the Fastify example verifies webhooks", async () => {
  const { app } = await import("./fastify/app.js");
  await check(async ({ body, headers }) => {
    const { statusCode, payload } = await app.inject({ method: "POST", url: "/hook", headers, payload: body });
    return { status: statusCode, text: payload };
  });
});

test("the Hono example verifies webhooks", async () => {
  const { app } = await import("./hono/app.js");
  await check(async (webhook) => read(await app.request("/hook", { method: "POST", ...webhook })));
});

test("the Next example verifies webhooks", async () => {
  const { POST } = await import("./next/app/hook/route.js");
  await check(async (webhook) => read(await POST(new Request("http://shop.test/hook", { method: "POST", ...webhook }))));
});

test("the Workers example verifies webhooks in workerd, which can't compile wasm at run time", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "workers/worker.js")],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd"],
    external: ["*.wasm"],
    logOverride: { "empty-import-meta": "silent" },
  });
  const dist = dirname(createRequire(import.meta.url).resolve("settlekit"));
  const worker = new Miniflare({
    compatibilityDate: "2026-01-01",
    bindings: { SETTLEKIT_WEBHOOK_KEY: signer.publicKey },
    modules: [
      { type: "ESModule", path: "worker.js", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: "webhooks.wasm", contents: readFileSync(join(dist, "webhooks.wasm")) },
    ],
  });
  try {
    await check(async (webhook) => read(await worker.dispatchFetch("http://shop.test/hook", { method: "POST", ...webhook })));
  } finally {
    await worker.dispose();
  }
});

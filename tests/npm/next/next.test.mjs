// A Next application: build, start, and requests to its route handlers and page.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { WebhookSigner } from "settlekit/testing";

const here = import.meta.dirname;
const next = join(process.env.SETTLEKIT_PROGRAMS, "next");
const signer = new WebhookSigner();
const env = {
  ...process.env,
  NODE_TEST_CONTEXT: undefined,
  NEXT_TELEMETRY_DISABLED: "1",
  NODE_ENV: "production",
  SETTLEKIT_API_KEY: JSON.parse(process.env.SETTLEKIT_ORGANISATION).api_key,
  SETTLEKIT_WEBHOOK_KEY: signer.publicKey,
};
let server, url;

before(async () => {
  // The handler is the package's example.
  cpSync(join(here, "../examples/next/app/hook"), join(here, "app/hook"), { recursive: true });
  const built = spawnSync(next, ["build"], { cwd: here, env, encoding: "utf8" });
  assert.equal(built.status, 0, `${built.stdout}${built.stderr}`);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = spawn(next, ["start", "--hostname", "127.0.0.1", "--port", String(port)], { cwd: here, env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const text of server.stdout.iterator({ destroyOnReturn: false })) {
    said += text;
    if (said.includes("Ready")) break;
  }
  assert.match(said, /Ready/);
  server.stdout.resume();
});

after(async () => {
  server?.kill();
  if (server !== undefined && server.exitCode === null) await once(server, "exit");
});

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const read = async (response) => [response.status, await response.text()];

async function checkHook(path) {
  const webhook = signer.sign({ type: "payment.settled", data: { id: "pay_1", note: "käse" } });
  const send = (body) => fetch(`${url}${path}`, { method: "POST", body, headers: webhook.headers }).then(read);
  assert.deepEqual(await send(webhook.body), [204, ""]);
  const [status, text] = await send(`${webhook.body} `);
  assert.equal(status, 400);
  assert.match(text, /signature/);
}

test("a route handler verifies webhooks on Node", () => checkHook("/hook"));

test("a route handler verifies webhooks on the edge", () => checkHook("/edge"));

test("an edge route calls the service", async () => {
  assert.deepEqual(await read(await fetch(`${url}/edge`)), [200, "Consumer"]);
});

test("a server component calls the service", async () => {
  const [status, text] = await read(await fetch(url));
  assert.equal(status, 200);
  assert.match(text.replaceAll("<!-- -->", ""), /<p>Consumer: 0\.3<\/p>/);
});

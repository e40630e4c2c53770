// The commands against the program as a process: `SETTLEKIT_PROGRAM` names it. Without it, these tests are skipped.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { verify } from "settlekit/webhooks";

import { STEPS } from "../dist/commands/trigger/steps.js";
import { bodyOf, listenOn, run, start, stopAll, until } from "./commands-support.js";

const PROGRAM = process.env.SETTLEKIT_PROGRAM;
const skip = !PROGRAM && "SETTLEKIT_PROGRAM names no program";
const SETTLEKIT = fileURLToPath(new URL("../bin/settlekit.js", import.meta.url));

/** A free port of this machine. */
async function freePort() {
  const { port, close } = await listenOn(async () => undefined);
  await close();
  return port;
}

/** A server with one organisation of its own. */
async function serve({ mode = "--sandbox", webhooks = "--allow-private-webhooks" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "settlekit-program-"));
  const database = ["--database", `sqlite:${join(folder, "settlekit.db")}`];
  const port = await freePort();
  const { stdout } = await promisify(execFile)(PROGRAM, ["org", "create", ...database, "--name", "Shop", "--json", ...(mode === "" ? [] : [mode])]);
  const made = JSON.parse(stdout);
  const server = spawn(PROGRAM, ["serve", ...database, "--listen", `127.0.0.1:${port}`, "--key-limit", "0", ...[mode, webhooks].filter((option) => option !== "")], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/v1/chains`).then(() => true, () => false), "the server answers", 60_000);
  return {
    env: { SETTLEKIT_URL: url, SETTLEKIT_API_KEY: made.api_key, SETTLEKIT_SIGNING_SECRET: made.signing_secret },
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shop;
before(async () => {
  if (!skip) shop = await serve();
});
after(() => shop?.stop());
afterEach(stopAll);

test("operations are called, and lists are read", { skip }, async () => {
  const { env } = shop;
  assert.equal((await run(["status"], { env })).json().mode, "sandbox");
  assert.equal((await run(["accounts", "create-virtual-account", "--reference", "till", "--chains", '{"chain_id":137,"currencies":["USDC"]}'], { env })).code, 0);
  const made = await run(["paylinks", "create", "--name", "Coffee", "--amount", "12.50", "--currency", "USDC"], { env });
  assert.equal(made.err, "");
  const { id } = made.json();
  assert.deepEqual((await run(["paylinks", "list", "--all"], { env })).json().map((link) => link.id), [id]);
  assert.match((await run(["events", "list"], { env, isTty: true })).out, /MerchantContract +Created/);
});

test("every event is triggered, and reaches a local program", { skip }, async (t) => {
  const { env } = shop;
  const got = [];
  const local = await listenOn(async (request, response) => {
    got.push({ headers: request.headers, body: String(await bodyOf(request)) });
    response.writeHead(204).end();
  });
  t.after(local.close);
  // The organisation's first event is sent again to its own URL.
  const hook = await listenOn(async (request, response) => {
    await bodyOf(request);
    response.writeHead(204).end();
  });
  t.after(hook.close);
  assert.equal((await run(["organisation", "update", "--webhook_url", hook.url], { env })).code, 0);
  const listening = start(["listen", "--forward-to", local.url], { env });
  await until(() => listening.out.length === 2, "it listens");
  for (const event of Object.keys(STEPS)) {
    const { code, out, err } = await run(["trigger", event], { env });
    assert.equal(err, "", `${event}\n${out}`);
    assert.equal(code, 0, `${event}\n${out}`);
  }
  const { total } = (await run(["events", "list", "--limit", "1"], { env })).json();
  const last = (await run(["events", "list", "--limit", "1"], { env })).json().items[0].id;
  await until(() => got.some(({ headers }) => headers["webhook-id"] === last), `all ${total} events`, 60_000);
  const key = /SETTLEKIT_WEBHOOK_PUBLIC_KEY="(.+)"$/.exec(listening.out[1])[1];
  const types = new Set(got.map(({ headers, body }) => verify(body, headers, key).type));
  for (const event of Object.keys(STEPS)) assert.ok(event === "org.created" || types.has(event), event);
  const ids = got.map(({ headers }) => headers["webhook-id"]);
  assert.equal(new Set(ids).size, ids.length, "no event came twice");
  listening.stop();
  assert.equal(await listening.code, 0);
});

test("live mode triggers nothing", { skip }, async (t) => {
  const live = await serve({ mode: "", webhooks: "" });
  t.after(live.stop);
  assert.equal((await run(["status"], { env: live.env })).json().mode, "live");
  const { code, err } = await run(["trigger", "payment.settled"], { env: live.env });
  assert.equal(code, 1);
  assert.match(err, /^The service is in live mode/);
});

test("the webhook of a paused endpoint needs a service that may call this machine", { skip }, async (t) => {
  const strict = await serve({ webhooks: "" });
  t.after(strict.stop);
  const { code, err } = await run(["trigger", "org.disabled"], { env: strict.env });
  assert.equal(code, 1);
  assert.match(err, /^The service must be allowed to call this machine: start it with --allow-private-webhooks\.$/);
});

test("the program as a process ends with its exit codes, and by Ctrl-C", { skip }, async () => {
  const env = { ...process.env, ...shop.env };
  const ended = (...args) => promisify(execFile)(process.execPath, [SETTLEKIT, ...args], { env }).then(({ stdout }) => [0, stdout], ({ code, stderr }) => [code, stderr]);
  assert.equal((await ended("organisation", "get"))[0], 0);
  assert.equal((await ended("paylinks", "get", "x"))[0], 1);
  assert.equal((await ended("paylinks", "get"))[0], 2);
  const listening = spawn(process.execPath, [SETTLEKIT, "listen"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  listening.stdout.on("data", (chunk) => (out += chunk));
  await until(() => out.includes("Listening to"), "it listens");
  listening.kill("SIGINT");
  assert.equal(await new Promise((resolve) => listening.once("exit", resolve)), 0);
  assert.match(out, /^Stopped\.$/m);
});

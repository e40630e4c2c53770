// What the tests of the commands share: the sandbox served over HTTP, and commands that run in this process.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

import { Sandbox } from "settlekit/sandbox";

import { COMMANDS } from "../dist/commands/index.js";

/** Reads the body of a request. */
export async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Starts a server on a port of this machine, by default a free one. */
export async function listenOn(handler, port = 0) {
  const server = createServer((request, response) => void handler(request, response).catch((error) => response.writeHead(500).end(String(error))));
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/**
 * The service of a sandbox over HTTP, with one organisation. Webhooks are sent after each change, to real addresses. `live` refuses the
 * operations of the sandbox as live mode does.
 */
export async function service({ organisation = { name: "Shop" }, live = false } = {}) {
  const refusal = { error: { code: 403, message: "only in sandbox mode", errors: [{ domain: "sandbox", reason: "SANDBOX_ONLY", message: "only in sandbox mode" }] } };
  let sandbox;
  let delivered = Promise.resolve();
  const answer = async (request, response) => {
    const body = await bodyOf(request);
    if (live && request.url.startsWith("/v1/sandbox/")) {
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(refusal));
      return;
    }
    const { status, headers, ...answer } = await sandbox.fetch(`${url}${request.url}`, { method: request.method, headers: request.headers, ...(body.length === 0 ? {} : { body }) }).then(
      async (response) => ({ status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }),
    );
    response.writeHead(status, Object.fromEntries(headers)).end(answer.bytes);
    // One round after the other, beside the answers.
    if (request.method !== "GET" && status < 400) delivered = delivered.then(() => sandbox.deliver());
  };
  let server = await listenOn(answer);
  const { url, port } = server;
  sandbox = await Sandbox.start({
    now: new Date(),
    publicUrl: url,
    webhooks: async (request) => fetch(request.url, { method: "POST", headers: request.headers, body: await request.text(), redirect: "manual" }),
  });
  const shop = sandbox.createOrganisation(organisation);
  return {
    url,
    sandbox,
    shop,
    env: { SETTLEKIT_URL: url, SETTLEKIT_API_KEY: shop.apiKey, SETTLEKIT_SIGNING_SECRET: shop.signingSecret },
    /** Resolves when no webhook is on its way. */
    delivered: () => delivered,
    /** Takes the service off the network. */
    stop: () => server.close(),
    /** Brings it back at the same address. */
    async start() {
      server = await listenOn(answer, port);
    },
  };
}

/** A new folder, removed after the test. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "settlekit-commands-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** An environment without the user's own configuration. */
const NOBODY = { HOME: "/nonexistent" };

const running = new Set();

/** Stops all commands that still run, as after a failed test. */
export const stopAll = () => running.forEach((controller) => controller.abort());

/** Starts a command: its exit code comes later, its lines are there as they are printed. */
export function start(args, { env = {}, input = "", isTty = false } = {}) {
  const controller = new AbortController();
  running.add(controller);
  const lines = { out: [], err: [] };
  const [word, ...rest] = args;
  const command = COMMANDS.find(({ name }) => name === word);
  if (command === undefined) throw new Error(`there is no command ${word}`);
  const io = {
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
    env: { ...NOBODY, ...env },
    stdin: Readable.from([input]),
    isTty,
    signal: controller.signal,
  };
  return { ...lines, code: command.run(rest, io), stop: () => controller.abort() };
}

/** Runs a command to its end. */
export async function run(args, options) {
  const { out, err, code } = start(args, options);
  return { code: await code, out: out.join("\n"), err: err.join("\n"), json: () => JSON.parse(out.join("\n")) };
}

/** Waits until a condition holds. */
export async function until(holds, what, ms = 20_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

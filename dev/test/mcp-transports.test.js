import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { request } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { Settlekit } from "settlekit";

import { TOOLS } from "../dist/mcp/tools.js";
import { run, service, start, stopAll, until } from "./commands-support.js";
import { accept, argumentsOf, clientWith, idsOf, inOrder, records, WALLET } from "./mcp-support.js";

const PROGRAM = fileURLToPath(new URL("../bin/settlekit.js", import.meta.url));

let shop;
before(async () => {
  shop = await service();
});
after(() => shop.stop());
afterEach(stopAll);

/** What a client does with each transport: it lists, reads, writes, and moves money with and without a confirmation. */
async function use({ client, call, asked }) {
  const { tools } = await client.listTools();
  assert.ok(tools.length > 80, String(tools.length));
  assert.equal((await call("organisation_get")).json.name, "Shop");
  const reference = `till-${Math.random().toString(36).slice(2)}`;
  const made = await call("accounts_create_virtual_account", { reference, chains: [{ chain_id: 137, currencies: ["USDC"] }] });
  assert.equal(made.isError, false, made.text);
  assert.match(asked[0], /^Creates a virtual account/);
  const refused = await call("payouts_create", { account: reference, chain_id: 137, currency: "USDC", amount: "5", address: WALLET });
  assert.match(refused.text, /INSUFFICIENT_FUNDS/);
  assert.equal(asked.length, 2);
  assert.match(client.getInstructions(), /Names, notes and metadata are written by payers/);
}

test("agents start the program and speak over standard input and output", async (t) => {
  const made = clientWith(accept);
  const transport = new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp", "--allow", "payout"], env: { ...shop.env, PATH: process.env.PATH }, stderr: "pipe" });
  await made.client.connect(transport);
  t.after(() => made.client.close());
  assert.equal(made.client.getServerVersion().name, "settlekit");
  await use(made);
});

/** Starts a server over HTTP; returns its address and token. */
async function served(...args) {
  const serving = start(["mcp", "--http", "0", ...args], { env: shop.env });
  await until(() => serving.out.length === 2, "its address");
  const [url, header] = serving.out;
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  return { ...serving, url: new URL(url), token: /^Authorization: Bearer (\S{43})$/.exec(header)[1] };
}

const transportTo = ({ url, token }) => new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });

test("several agents speak over streamable HTTP, each with a session of its own", async () => {
  const serving = await served("--allow", "payout");
  const [one, other] = [clientWith(accept), clientWith()];
  await one.client.connect(transportTo(serving));
  const second = transportTo(serving);
  await other.client.connect(second);
  await use(one);
  // The other client cannot ask.
  assert.match((await other.call("payouts_create", {})).text, /which this client cannot ask for/);
  await second.terminateSession();
  await one.client.close();
  serving.stop();
  assert.equal(await serving.code, 0);
});

test("HTTP needs the token, this host and no foreign page", async () => {
  const serving = await served();
  const { url, token } = serving;
  const bearer = { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } } });
  const post = (headers, path = "/mcp") =>
    new Promise((resolve, reject) => {
      const ask = request({ host: "127.0.0.1", port: url.port, path, method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers } }, (response) => {
        response.resume().on("end", () => resolve([response.statusCode, response.headers["www-authenticate"]]));
      });
      ask.on("error", reject).end(body);
    });
  assert.deepEqual(await post(bearer), [200, undefined]);
  assert.deepEqual(await post({}), [401, "Bearer"]);
  assert.deepEqual(await post({ authorization: `Bearer ${"x".repeat(43)}` }), [401, "Bearer"]);
  assert.deepEqual(await post({ authorization: `Basic ${token}` }), [401, "Bearer"]);
  assert.equal((await post({ ...bearer, host: `attacker.example:${url.port}` }))[0], 403);
  assert.equal((await post({ ...bearer, host: "127.0.0.1:1" }))[0], 403);
  assert.equal((await post({ ...bearer, origin: "https://attacker.example" }))[0], 403);
  assert.equal((await post({ ...bearer, origin: "null" }))[0], 403);
  assert.equal((await post({ ...bearer, origin: `http://localhost:${url.port}` }))[0], 200);
  assert.equal((await post(bearer, "/other"))[0], 404);
  assert.equal((await post({ ...bearer, "mcp-session-id": "unknown" }))[0], 404);
  serving.stop();
  assert.equal(await serving.code, 0);
});

test("sessions of clients that vanished make room for others", async () => {
  const serving = await served();
  const first = clientWith();
  await first.client.connect(transportTo(serving));
  for (let index = 0; index < 33; index += 1) await clientWith().client.connect(transportTo(serving));
  await assert.rejects(first.call("chains_list"), /Session not found|404/);
  const last = clientWith();
  await last.client.connect(transportTo(serving));
  assert.ok((await last.call("chains_list")).json.items.length > 0);
  serving.stop();
  assert.equal(await serving.code, 0);
});

test("a service that is down is said by each tool, and asked again later", async (t) => {
  const later = await service();
  await later.stop();
  const made = clientWith(accept);
  const transport = new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"], env: { ...later.env, PATH: process.env.PATH }, stderr: "pipe" });
  await made.client.connect(transport);
  t.after(() => made.client.close());
  assert.ok((await made.client.listTools()).tools.length > 40);
  const down = await made.call("chains_list");
  assert.ok(down.isError);
  assert.match(down.text, /^cannot reach http:\/\/127\.0\.0\.1/);
  await later.start();
  t.after(later.stop);
  assert.equal((await made.call("chains_list")).isError, false);
});

test("mistakes of the command line are said", async () => {
  const { env } = shop;
  assert.match((await run(["mcp", "--allow", "all"], { env })).err, /^--allow is read, write or payout, not all/);
  assert.match((await run(["mcp", "--http", "x"], { env })).err, /^--http is a port such as 8090, not x/);
  const { port } = new URL(shop.url);
  assert.equal((await run(["mcp", "--http", port], { env })).err, `Port ${port} is in use: choose another one with --http, or 0 for a free one.`);
  assert.match((await run(["mcp"], {})).err, /^No service is known/);
});

// The inspector brings a web application along, so it is no dependency of the package: install it elsewhere and name its
// `clients/launcher/build/index.js`. Version 2.12.0 runs on Node 20, although it asks for 22.
const INSPECTOR = process.env.SETTLEKIT_INSPECTOR;

test("the official inspector finds the schemas portable and calls every tool", { skip: !INSPECTOR && "SETTLEKIT_INSPECTOR names no inspector" }, async (t) => {
  const own = await service({ organisation: { name: "Shop", otc: true } });
  t.after(own.stop);
  const owner = new Settlekit(own.sandbox.settings(own.shop));
  const made = await records({ owner, sandbox: own.sandbox });
  const [given, ids] = [await argumentsOf(made, owner), idsOf(made)];
  const environment = Object.entries(own.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  /** The inspector's answer; it exits with 5 for an error of a tool. */
  const inspect = (...args) =>
    promisify(execFile)(process.execPath, [INSPECTOR, "--cli", ...environment, process.execPath, PROGRAM, "mcp", "--allow", "payout", ...args]).then(
      ({ stdout, stderr }) => ({ ...JSON.parse(stdout), stderr }),
      ({ code, stdout, message }) => (code === 5 ? JSON.parse(stdout) : assert.fail(message)),
    );
  const { tools, stderr } = await inspect("--method", "tools/list", "--strict");
  assert.ok(!/[1-9]\d* (errors|warnings)/.test(stderr), stderr);
  assert.equal(tools.length, TOOLS.length);
  const names = inOrder(tools.map(({ name }) => name));
  for (const name of names) {
    const { operation, class: kind } = TOOLS.find((tool) => tool.name === name);
    const path = operation.parameters.filter(({ in: place }) => place === "path");
    const args = given[name] ?? Object.fromEntries(path.map(({ name }) => [name, ids[name]]));
    const words = Object.entries(args).flatMap(([name, value]) => ["--tool-arg", `${name}=${JSON.stringify(value)}`]);
    const { content, isError = false } = await inspect("--method", "tools/call", "--tool-name", name, ...words);
    const [{ text }] = content;
    if (kind === "money") assert.match(text, /which this client cannot ask for \(elicitation\)/, name);
    else assert.equal(isError, false, `${name}: ${text}`);
  }
});

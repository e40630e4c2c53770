import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { Settlekit } from "settlekit";
import { verify } from "settlekit/webhooks";

import { filterOf } from "../dist/commands/listen.js";
import { receiverOf } from "../dist/commands/receiver.js";
import { bodyOf, listenOn, run, service, start, stopAll, until } from "./commands-support.js";

/** A local program that keeps the webhooks it gets. */
async function program(t, port) {
  const got = [];
  let status = 200;
  const server = await listenOn(async (request, response) => {
    const body = String(await bodyOf(request));
    got.push({ method: request.method, path: request.url, headers: request.headers, body, ...JSON.parse(body) });
    response.writeHead(status).end("ok");
  }, port);
  t.after(server.close);
  return { ...server, got, answer: (code) => (status = code) };
}

afterEach(stopAll);

const clientOf = ({ sandbox, shop }) => new Settlekit(sandbox.settings(shop));

/** Makes one event, `org.updated`, with a name to know it by. */
const rename = (shop, name) => clientOf(shop).organisation.update({ name });

const isListening = (listening) => until(() => listening.out.some((line) => line.startsWith("Sending ") || line.startsWith("Listening ")), "it listens");

/** The public key that was printed, as a program has it in its environment. */
const keyOf = ({ out }) => /^Public key of this session: SETTLEKIT_WEBHOOK_PUBLIC_KEY="(.+)"$/.exec(out[1])[1];

test("events reach a local program as webhooks that its own verification accepts", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const local = await program(t);
  const listening = start(["listen", "--forward-to", `${local.url}/hook`], { env: shop.env });
  await isListening(listening);
  await rename(shop, "First");
  await until(() => local.got.length === 1, "the webhook");
  const [webhook] = local.got;
  assert.deepEqual([webhook.method, webhook.path, webhook.headers["content-type"]], ["POST", "/hook", "application/json"]);
  const payload = verify(webhook.body, webhook.headers, keyOf(listening));
  assert.equal(payload.type, "org.updated");
  assert.equal(payload.data.name, "First");
  assert.match(webhook.headers["webhook-key-id"], /^[0-9a-f]{16}$/);
  const { items } = await clientOf(shop).events.list({ limit: 1 });
  assert.equal(webhook.headers["webhook-id"], items[0].id);
  assert.equal(payload.timestamp, items[0].timestamp);
  assert.throws(() => verify(`${webhook.body} `, webhook.headers, keyOf(listening)), /no signature matches/);
  await until(() => listening.out.some((line) => new RegExp(`^\\d\\d:\\d\\d:\\d\\d  org\\.updated  ${items[0].id}  200  \\d+ ms$`).test(line)), "its line");
  listening.stop();
  assert.equal(await listening.code, 0);
  assert.equal(listening.out.at(-1), `Stopped. To continue: settlekit listen --since ${items[0].id}`);
});

test("bodies are those of the service's own webhooks, byte for byte once it has sent them", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const real = await program(t);
  await clientOf(shop).organisation.update({ webhook_url: real.url });
  assert.equal((await run(["trigger", "payment.refunded"], { env: shop.env })).code, 0);
  await run(["trigger", "transaction.processed"], { env: shop.env });
  await shop.delivered();
  const local = await program(t);
  const first = real.got[0].headers["webhook-id"];
  const listening = start(["listen", "--forward-to", local.url, "--since", first], { env: shop.env });
  const sent = new Map(real.got.map(({ headers, body }) => [headers["webhook-id"], body]));
  await until(() => local.got.length === sent.size - 1, "all webhooks");
  for (const { headers, body } of local.got) assert.equal(body, sent.get(headers["webhook-id"]));
  listening.stop();
  await listening.code;
});

test("bodies of events that the service has not sent have the same fields and digits", async (t) => {
  const [shop, other] = [await service(), await service()];
  t.after(shop.stop);
  t.after(other.stop);
  const real = await program(t);
  // Two sandboxes of the same seed: one with an endpoint, one without.
  await clientOf(shop).organisation.update({ webhook_url: real.url });
  await clientOf(other).organisation.update({ name: "Shop" });
  const local = await program(t);
  const listening = start(["listen", "--forward-to", local.url], { env: other.env });
  await isListening(listening);
  for (const { env } of [shop, other]) await run(["trigger", "transaction.processed"], { env });
  const quotes = (got) => got.filter(({ type, data }) => type === "transaction.processed" && data.rate !== undefined);
  await until(() => quotes(local.got).length > 0 && quotes(real.got).length > 0, "a quote's event");
  const [mine, service_] = [quotes(local.got)[0], quotes(real.got)[0]];
  const digits = ({ body }) => [.../"(effective_rate|amount)":([\d.]+|"[\d.]+")/g[Symbol.matchAll](body)].map(([text]) => text).sort();
  assert.deepEqual(digits(mine), digits(service_));
  assert.deepEqual(Object.keys(mine.data).sort(), Object.keys(service_.data).sort());
  listening.stop();
  await listening.code;
});

test("nothing is lost or repeated while the service is away", async (t) => {
  const shop = await service();
  const local = await program(t);
  const listening = start(["listen", "--forward-to", local.url], { env: shop.env });
  await isListening(listening);
  const names = () => local.got.map(({ data }) => data.name);
  await rename(shop, "before");
  await until(() => names().includes("before"), "the first");
  await shop.stop();
  await until(() => listening.err.some((line) => line.startsWith("Connection lost: cannot reach")), "the connection is lost");
  // More than a page, while nobody can ask.
  const missed = Array.from({ length: 130 }, (_, index) => `missed ${index}`);
  for (const name of missed) await rename(shop, name);
  await shop.start();
  t.after(shop.stop);
  await until(() => names().length >= 131, "the rest");
  await rename(shop, "after");
  await until(() => names().includes("after"), "the last");
  assert.deepEqual(names(), ["before", ...missed, "after"]);
  assert.deepEqual(listening.err.map((line) => line.split(":")[0]), ["Connection lost", "Connected again."]);
  listening.stop();
  assert.equal(await listening.code, 0);
});

test("an event waits for a local program that is down, and a failing one is no reason to wait", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const first = await program(t);
  const listening = start(["listen", "--forward-to", first.url], { env: shop.env });
  await isListening(listening);
  first.answer(500);
  await rename(shop, "failing");
  await until(() => listening.out.some((line) => / {2}500 {2}\d+ ms$/.test(line)), "the status is shown");
  await first.close();
  await rename(shop, "waits");
  await until(() => listening.err.some((line) => / is down \(connect ECONNREFUSED .*\)\. org\.updated waits for it\.$/.test(line)), "it says that it waits");
  const second = await program(t, first.port);
  await until(() => second.got.length === 1, "it comes");
  assert.equal(second.got[0].data.name, "waits");
  assert.equal(listening.err.length, 1);
  listening.stop();
  assert.equal(await listening.code, 0);
});

test("only the wanted events are sent, from an event or a time on", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  await run(["trigger", "payment.updated"], { env: shop.env });
  const local = await program(t);
  const listening = start(["listen", "--forward-to", local.url, "--events", "payment.*,customer.created", "--since", "2026-01-01T00:00:00Z"], { env: shop.env });
  await until(() => local.got.length === 3, "three events");
  listening.stop();
  await listening.code;
  assert.deepEqual(local.got.map(({ type }) => type), ["customer.created", "payment.created", "payment.updated"]);
});

test("without a local program, events are printed", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const listening = start(["listen"], { env: shop.env });
  await isListening(listening);
  await rename(shop, "x");
  await until(() => listening.out.some((line) => /org\.updated {2}evt_\w+$/.test(line)), "its line");
  listening.stop();
  assert.equal(await listening.code, 0);
});

test("mistakes are said before anything is sent", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const { env } = shop;
  assert.match((await run(["listen", "--events", "paymnt.settled"], { env })).err, /^--events: no event type is paymnt\.settled; did you mean payment\.settled\?/);
  assert.match((await run(["listen", "--forward-to", "http://"], { env })).err, /^--forward-to: "http:\/\/" is not an address/);
  assert.match((await run(["listen", "--since", "yesterday"], { env })).err, /^--since is an event id or a time/);
  assert.match((await run(["listen", "--since", "evt_00000000000070008000000000000000"], { env })).err, /NOT_FOUND/);
  assert.match((await run(["listen"], { env: { ...env, SETTLEKIT_API_KEY: "sk_wrong" } })).err, /KEY_INVALID/);
  for (const text of ["localhost:3000/hook", "3000/hook", "HTTP://localhost:3000/hook"]) assert.equal(receiverOf(text).href, "http://localhost:3000/hook");
  assert.equal(receiverOf("3000").href, "http://localhost:3000/");
  for (const text of ["ftp://localhost", "http://", "99999"]) assert.throws(() => receiverOf(text), /is not an address such as/);
  assert.equal(filterOf("*.settled")("invoice.settled"), true);
  assert.equal(filterOf("payment.*")("invoice.settled"), false);
});

test("lines are coloured in a terminal, unless NO_COLOR asks for none", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const local = await program(t);
  for (const [env, isColoured] of [[shop.env, true], [{ ...shop.env, NO_COLOR: "1" }, false]]) {
    const listening = start(["listen", "--forward-to", local.url], { env, isTty: true });
    await isListening(listening);
    await rename(shop, "x");
    const line = await until(() => listening.out.find((line) => line.includes("org.updated")), "its line");
    assert.equal(line.includes("\u001b[32m200\u001b[39m"), isColoured);
    listening.stop();
    await listening.code;
  }
});

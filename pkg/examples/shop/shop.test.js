// The shop against the real service in this process: no network, no waiting, a controlled clock.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";

import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { WebhookSigner } from "settlekit/testing";

import { createShop } from "./shop.js";

let sandbox, settlekit, filled, shop;

before(async () => {
  sandbox = await Sandbox.start({ webhooks: (request) => shop.app.request(request) });
  settlekit = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
  await settlekit.organisation.update({ webhook_url: "https://tea.example/hook" });
  const [{ id: chain_id }] = await settlekit.chains.list();
  await settlekit.accounts.create({ reference: "till", type: "CryptoPayIn", currencies: ["USDC"], chain_id });
  filled = sandbox.snapshot();
});

beforeEach(() => {
  sandbox.restore(filled);
  shop = createShop({
    settlekit,
    service: "https://pay.example",
    webhookKey: async () => (await settlekit.organisation.get()).webhook_public_key,
    clock: sandbox.clock.now,
  });
});

async function call(method, path, body) {
  const response = await shop.app.request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json() };
}

const order = (...lines) => call("POST", "/orders", { lines: lines.map(([product, quantity]) => ({ product, quantity })) });

test("a paid order is confirmed by a webhook", async () => {
  const { status, body } = await order(["sencha", 2], ["assam", 1]);
  assert.deepEqual([status, body.total, body.status], [201, "34.95", "awaiting payment"]);
  await sandbox.pay(body.link);
  assert.equal((await call("GET", `/orders/${body.id}`)).body.status, "awaiting payment", "nothing is confirmed yet");
  await sandbox.clock.advance({ minutes: 10 });
  assert.equal((await call("GET", `/orders/${body.id}`)).body.status, "paid");
  assert.deepEqual([shop.shelf.get("sencha").stock, shop.shelf.get("assam").stock], [3, 1]);
  assert.ok(sandbox.deliveries.every(({ response }) => response.status === 204));
  assert.deepEqual(sandbox.verify(), []);
});

test("an order's page embeds its checkout under a strict policy", async () => {
  const { body } = await order(["sencha", 1]);
  const page = await shop.app.request(`/orders/${body.id}/checkout`);
  const policy = page.headers.get("content-security-policy");
  assert.match(policy, /^default-src 'none'; script-src 'self' https:\/\/pay\.example; frame-src https:\/\/pay\.example;/);
  assert.ok(!policy.includes("unsafe"));
  const html = await page.text();
  assert.ok(html.includes('<script type="module" src="https://pay.example/embed.js"></script>'));
  assert.ok(html.includes(`<settlekit-pay paylink="${body.link.id}" mode="inline"></settlekit-pay>`));
  const script = await shop.app.request("/checkout.js");
  assert.match(script.headers.get("content-type"), /^text\/javascript/);
  assert.match(await script.text(), /addEventListener\("settlekit-confirmed"/);
  assert.equal((await shop.app.request("/orders/order-9999/checkout")).status, 404);
});

test("an underpaid order expires and releases its stock", async () => {
  const { body } = await order(["sencha", 1]);
  await sandbox.pay(body.link, { amount: "12" });
  await sandbox.clock.advance({ minutes: 10 });
  assert.equal(shop.orders.get(body.id).status, "awaiting payment");
  await sandbox.clock.advance({ hours: 1 });
  assert.deepEqual([shop.orders.get(body.id).status, shop.orders.get(body.id).note], ["not paid", "0.5 USDC too little, to be given back"]);
  assert.equal(shop.shelf.get("sencha").stock, 5);
});

test("an overpaid order notes the excess", async () => {
  const { body } = await order(["sencha", 1]);
  await sandbox.pay(body.link, { amount: "13.25" });
  await sandbox.clock.advance({ minutes: 10 });
  assert.deepEqual([shop.orders.get(body.id).status, shop.orders.get(body.id).note], ["paid", "paid 0.75 USDC too much"]);
});

test("a missed webhook is retried", async () => {
  const { body } = await order(["whisk", 1]);
  const { app } = shop;
  shop.app = { request: () => new Response("temporarily down", { status: 503 }) };
  await sandbox.pay(body.link);
  await sandbox.clock.advance({ minutes: 2 });
  assert.ok(sandbox.deliveries.length > 0);
  shop.app = app;
  await sandbox.clock.advance({ hours: 12 });
  assert.equal(shop.orders.get(body.id).status, "paid");
});

test("a repeated webhook counts once, and an old one is rejected", async () => {
  const { body } = await order(["whisk", 1]);
  await sandbox.pay(body.link);
  const placed = shop.orders.get(body.id);
  for (let minute = 0; placed.status !== "paid" && minute < 60; minute += 1) await sandbox.clock.advance({ minutes: 1 });
  placed.status = "sent";
  const { request } = sandbox.deliveries.findLast(({ type }) => type.startsWith("payment."));
  assert.equal((await shop.app.request(request.clone())).status, 204);
  assert.deepEqual([placed.status, placed.note], ["sent", undefined]);
  await sandbox.clock.advance({ hours: 1 });
  assert.equal((await shop.app.request(request.clone())).status, 400);
});

test("a canceled order cannot be paid", async () => {
  const { body } = await order(["whisk", 1]);
  assert.equal((await order(["whisk", 1])).status, 422);
  assert.equal((await call("DELETE", `/orders/${body.id}`)).body.status, "canceled");
  assert.equal((await call("DELETE", `/orders/${body.id}`)).status, 409);
  await assert.rejects(sandbox.pay(body.link), { name: "SettlekitError" });
  assert.equal((await order(["whisk", 1])).status, 201);
});

test("invalid orders are rejected", async () => {
  for (const lines of [[], [["coffee", 1]], [["sencha", 0]], [["sencha", 1.5]], [["sencha", "2"]], [["sencha", 6]], [["assam", 1], ["assam", 2]]]) {
    assert.equal((await order(...lines)).status, 422, JSON.stringify(lines));
  }
  assert.equal((await call("POST", "/orders")).status, 422);
  assert.equal((await call("GET", "/orders/order-9999")).status, 404);
  assert.deepEqual([shop.orders.size, shop.shelf.get("sencha").stock], [0, 5]);
});

test("unavailable payments do not break the shop", async () => {
  const down = new Settlekit({ baseUrl: "http://sandbox.test", fetch: async () => { throw new TypeError("fetch failed"); }, maxRetries: 0 });
  shop = createShop({ settlekit: down, service: "https://pay.example", webhookKey: () => "" });
  assert.equal((await order(["sencha", 1])).status, 503);
  assert.equal((await shop.app.request("/orders/order-0001/checkout")).status, 409);
  assert.equal(shop.shelf.get("sencha").stock, 5);
});

test("a forged webhook changes nothing", async () => {
  const { body } = await order(["sencha", 1]);
  const forged = new WebhookSigner().request("https://tea.example/hook", {
    type: "payment.settled",
    at: new Date(sandbox.clock.now()),
    data: { reference: body.id, status: "Confirmed", paid_amount: "12.50", currency: "USDC" },
  });
  assert.equal((await shop.app.request(forged)).status, 400);
  assert.equal(shop.orders.get(body.id).status, "awaiting payment");
});

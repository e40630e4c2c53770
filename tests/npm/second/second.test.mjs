// The installed package against a second service that speaks the contract. SECOND is the Python that runs it, SECOND_SERVICE its
// program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { Settlekit } from "settlekit";
import { read, request } from "settlekit/core";
import { verify } from "settlekit/webhooks";

const processes = [];
after(() => processes.forEach((process) => process.kill()));

/** Starts the service; returns the settings of a client for it. */
async function start(...options) {
  const process_ = spawn(process.env.SECOND, [process.env.SECOND_SERVICE, ...options], { stdio: ["pipe", "pipe", "inherit"] });
  processes.push(process_);
  let text = "";
  for await (const chunk of process_.stdout) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  const { base_url: baseUrl, api_key: apiKey, signing_secret: signingSecret } = JSON.parse(text);
  return { baseUrl, apiKey, signingSecret, scheme: scheme() };
}

/** Number of signatures made. */
let signed = 0;

/** How the second service has requests signed: with WebCrypto, thus asynchronously. */
function scheme() {
  let last = 0;
  return {
    nonce(now) {
      last = Math.max(now * 1000, last + 1);
      return String(last);
    },
    async sign({ method, url, body, nonce }, secret) {
      signed += 1;
      const { pathname, search } = new URL(url);
      const bytes = new TextEncoder();
      const key = await crypto.subtle.importKey("raw", bytes.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      const signature = await crypto.subtle.sign("HMAC", key, bytes.encode(`${nonce}${method}${pathname}${search}${body ?? ""}`));
      return Buffer.from(signature).toString("hex");
    },
    serverTime: (error, headers) => (error.reason === "nonce.time" ? Date.parse(headers.date) : undefined),
  };
}

const THRESHOLDS = {
  account: "till",
  currency: "USDC",
  minimum_threshold_amount: "10.5",
  payout_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  payout_threshold_amount: "100",
};
const TEA = { amount: "12.50", currency: "EUR", name: "Tea", available_quantity: 3 };

test("records of another service keep its ids, fields and values", async () => {
  const client = new Settlekit(await start());
  const made = await client.paylinks.create(TEA);
  assert.deepEqual([made.source, made.plan.billing_scheme, made.plan.type, made.accent_colour], ["Kiosk", "Tiered", "Donation", "#226655"]);
  assert.deepEqual((await client.paylinks.update({ items: [{ id: made.id, enabled: false }] })).map(({ id, enabled }) => [id, enabled]), [[made.id, false]]);
  assert.equal(await client.paylinks.delete({ paylink_id: made.id }), made.id);
  const organisation = await client.organisation.get();
  assert.deepEqual([organisation.id, organisation.region, organisation.v1], ["merchant-0042", "eu-central", { legacy: true }]);
  const [pair] = await client.trade.listInstruments();
  assert.deepEqual([pair.last_price, pair.min_size, pair.maker], ["64250.125", "0.0001", "desk"]);
});

test("lists of another service are iterated page by page", async () => {
  const client = new Settlekit(await start());
  const items = await client.customers.list({ limit: 2 }).toArray({ limit: 100 });
  assert.deepEqual(items.map(({ id }) => id), [1, 2, 3, 4, 5].map((number) => `cus_00000${number}`));
  assert.deepEqual([items[0].loyalty.tier, items[0].loyalty.points], ["gold", "9007199254740993"]);
});

test("another signed message and nonce are given as a scheme, and checked", async () => {
  const settings = await start();
  const client = new Settlekit(settings);
  assert.equal((await client.partner.listBalances({ account_ref: "till" })).balances[0].amount, "120.50");
  const kept = await client.automations.maintainBalance(THRESHOLDS);
  assert.deepEqual([kept.minimum_threshold_amount, kept.payout_threshold_amount], ["10.5", "100"]);
  const balances = (extra) => new Settlekit({ ...settings, ...extra }).partner.listBalances({ account_ref: "till" });
  await assert.rejects(balances({ scheme: undefined }), { kind: "authentication", reason: "nonce.form" });
  await assert.rejects(balances({ signingSecret: "another" }), { kind: "authentication", reason: "signature" });
  const stuck = { ...settings.scheme, nonce: () => nonce };
  const nonce = String(Date.now() * 1000);
  await balances({ scheme: stuck });
  await assert.rejects(balances({ scheme: stuck }), { kind: "authentication", reason: "nonce.used" });
});

test("each attempt has a nonce of its own, and the clock is corrected once", async () => {
  signed = 0;
  const busy = new Settlekit(await start("--busy", "2"));
  await busy.automations.maintainBalance(THRESHOLDS);
  assert.equal(signed, 3);
  signed = 0;
  const ahead = new Settlekit(await start("--ahead", "3600"));
  await ahead.partner.listBalances({ account_ref: "till" });
  await ahead.partner.listBalances({ account_ref: "till" });
  assert.equal(signed, 3);
});

test("requests as data are signed by a synchronous scheme", async () => {
  const settings = await start();
  const sign = ({ method, url, body, nonce }, secret) => {
    const { pathname, search } = new URL(url);
    return createHmac("sha256", secret).update(`${nonce}${method}${pathname}${search}${body ?? ""}`).digest("hex");
  };
  const asked = request("MaintainBalance", THRESHOLDS, { ...settings, scheme: { ...settings.scheme, sign } });
  const response = await fetch(asked.url, asked);
  const { value, error } = read("MaintainBalance", { status: response.status, headers: response.headers, body: await response.text() });
  assert.ifError(error);
  assert.equal(value.account.reference, "till");
});

test("an operation that the service lacks is unsupported, and a missing record is not", async () => {
  const client = new Settlekit(await start());
  const payment_id = "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01";
  const { id } = await client.paylinks.create(TEA);
  await assert.rejects(Promise.resolve(client.payments.list()), { kind: "unsupported", status: 404 });
  await assert.rejects(Promise.resolve(client.paylinks.list()), { kind: "unsupported", status: 405 });
  await assert.rejects(client.paylinks.get({ paylink_id: id }), { kind: "unsupported", status: 405 });
  await assert.rejects(client.payments.cancel({ payment_id }), { kind: "not_found", status: 404, reason: "missing" });
  await assert.rejects(client.paylinks.update({ items: [{ id: "none", enabled: true }] }), { kind: "not_found", reason: "missing" });
});

test("webhooks of another service are verified by a scheme that is given", async () => {
  const settings = await start();
  const client = new Settlekit(settings);
  const receiver = createServer(async (request, response) => {
    receiver.emit("webhook", { headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.writeHead(204).end();
  });
  const received = once(receiver, "webhook");
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  await client.rawRequest("PUT", "/orgs", { body: { webhook_url: `http://127.0.0.1:${receiver.address().port}/` } });
  const made = await client.paylinks.create(TEA);
  const [{ headers, body }] = await received;
  receiver.close();
  const { webhook_public_key: key } = await client.organisation.get();
  const theirs = async ({ body, header, keys: [pem], now, toleranceSeconds }) => {
    const [, at, signature] = /^t=(\d+),es256=(.+)$/.exec(header("x-signature")) ?? [];
    if (!(Math.abs(now / 1000 - at) <= toleranceSeconds)) return false;
    const der = Buffer.from(pem.replaceAll("\\n", "\n").replace(/-----.*?-----/g, ""), "base64");
    const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    const publicKey = await crypto.subtle.importKey("spki", der, algorithm, false, ["verify"]);
    return crypto.subtle.verify(algorithm, publicKey, Buffer.from(signature, "base64"), Buffer.concat([Buffer.from(`${at}.`), body]));
  };
  const event = await verify(body, headers, key, { scheme: theirs });
  assert.deepEqual([event.type, event.action, event.data.id], ["MerchantContract", "Created", made.id]);
  await assert.rejects(verify(`${body} `, headers, key, { scheme: theirs }), { kind: "signature" });
  await assert.rejects(verify(body, headers, key, { scheme: theirs, clock: () => Date.now() + 3_600_000 }), { kind: "signature" });
  assert.throws(() => verify(body, headers, key), { kind: "signature" });
});

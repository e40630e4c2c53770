// Unmodified clients and middleware of x402 pay inside a sandbox: real signatures, no node and no network.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { decodePaymentRequiredHeader, decodePaymentResponseHeader, encodePaymentSignatureHeader, x402HTTPClient } from "@x402/core/http";
import { x402Client } from "@x402/core/client";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm";
import { ExactEvmScheme as ExactEvmServer } from "@x402/evm/exact/server";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { paymentMiddleware, x402HTTPResourceServer, x402ResourceServer } from "@x402/hono";
import fastify from "fastify";
import { Hono } from "hono";
import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { facilitator, paidFastify, paidFetch } from "settlekit/x402";
import { payingFetch } from "../examples/x402/client.js";
import { paidApp } from "../examples/x402/route.js";

const NETWORK = "eip155:8453";

/** A shop with an account on Base, in a sandbox with the time of the clients. */
async function shop() {
  const sandbox = await Sandbox.start({ now: new Date() });
  const organisation = sandbox.createOrganisation({ name: "Tea" });
  const settlekit = new Settlekit(sandbox.settings(organisation));
  await settlekit.accounts.create({ currencies: ["USDC"], reference: "till", type: "CryptoPayIn", chain_id: 8453 });
  const paylink = await settlekit.paylinks.create({ name: "Tea", amount: "0.01", currency: "USDC" });
  return { sandbox, organisation, settlekit, resource: `http://sandbox.test/v1/x402/${paylink.id}` };
}

const paying = (fetch, wallet) => wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: NETWORK, client: new ExactEvmScheme(wallet) }] });

/** A payment for what an answer asks for, as a header. */
async function signed(asked, wallet) {
  const client = new x402HTTPClient(new x402Client().register(NETWORK, new ExactEvmScheme(wallet)));
  return encodePaymentSignatureHeader(await client.createPaymentPayload(decodePaymentRequiredHeader(asked.headers.get("PAYMENT-REQUIRED"))));
}

test("the official client pays a paylink of a sandbox", async () => {
  const { sandbox, settlekit, resource } = await shop();
  const wallet = sandbox.wallet();
  const response = await paying(sandbox.fetch, wallet)(resource);
  assert.equal(response.status, 200);
  const receipt = await response.json();
  assert.equal(receipt.payer, wallet.address);
  assert.equal(decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE")).transaction, receipt.transaction_hash);
  await sandbox.clock.advance({ hours: 1 });
  const payment = await settlekit.payments.get({ payment_id: receipt.payment_id });
  assert.deepEqual([payment.status, payment.paid_amount, payment.source], ["Confirmed", "0.01", "X402"]);
  assert.deepEqual(sandbox.verify(), []);
});

test("the example of a client pays for the example of a route, and for nothing that costs more than it may", async () => {
  const { sandbox, organisation, settlekit } = await shop();
  const { address } = await settlekit.accounts.createPayInAddress({ account: "till", chain_id: 8453 });
  const app = paidApp(sandbox.settings(organisation), address);
  const visit = async (input, init) => app.request(new Request(input, init));
  const response = await payingFetch(sandbox.wallet(), visit)("http://shop.test/tea");
  assert.deepEqual([response.status, await response.json()], [200, { tea: "Sencha" }]);
  const dear = await settlekit.paylinks.create({ name: "Tea set", amount: "0.100001", currency: "USDC" });
  await assert.rejects(payingFetch(sandbox.wallet(), sandbox.fetch)(`http://sandbox.test/v1/x402/${dear.id}`), /filtered out by policies/);
  assert.deepEqual((await settlekit.payments.list()).items.map(({ amount }) => amount), ["0.0025"]);
});

test("a payment is settled once in a sandbox, whatever is sent twice", async () => {
  const { sandbox, settlekit, resource } = await shop();
  const header = await signed(await sandbox.fetch(resource), sandbox.wallet());
  const receipts = await Promise.all(Array.from({ length: 10 }, () => sandbox.fetch(resource, { headers: { "PAYMENT-SIGNATURE": header } })));
  const ids = await Promise.all(receipts.map(async (answer) => (await answer.json()).payment_id));
  assert.equal(new Set(ids).size, 1);
  assert.equal((await settlekit.payments.list()).total, 1);
});

/** The official client of a facilitator, which has no other `fetch` than the global one. */
function official({ baseUrl, apiKey, fetch }) {
  mock.method(globalThis, "fetch", fetch);
  const headers = { "X-API-KEY": apiKey };
  const createAuthHeaders = async () => ({ verify: headers, settle: headers, supported: headers });
  return new HTTPFacilitatorClient({ url: `${baseUrl}/v1/x402`, createAuthHeaders });
}

const ACCEPTS = { scheme: "exact", price: "$0.0025", network: NETWORK };

const serveHono = (resources, accepts) => {
  const app = new Hono();
  app.use(paymentMiddleware({ "GET /tea": { accepts, description: "Tea" } }, resources));
  app.get("/tea", (context) => context.json(serve()));
  return async (input, init) => app.request(new Request(input, init));
};

/** A handler that is asked by its path to fail, to answer a redirect, or to break off. */
function handle(url) {
  const answer = serve();
  if (url.endsWith("/broken")) return new Response("broken", { status: 500 });
  if (url.endsWith("/throws")) throw new Error("broken");
  if (url.endsWith("/moved")) return new Response(null, { status: 303, headers: [["location", "/secret"], ["set-cookie", "tea=paid"], ["set-cookie", "cup=1"]] });
  if (url.endsWith("/torn")) return new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("torn")) }));
  if (url.endsWith("/secret")) return Response.json(answer, { headers: { "cache-control": "no-store" } });
  return Response.json(answer, { headers: { "cache-control": "public" } });
}

const serveFetch = (resources, accepts) => {
  const handler = paidFetch(new x402HTTPResourceServer(resources, { accepts }), ({ url }) => handle(url));
  return async (input, init) => handler(new Request(input, init)).catch(() => new Response(null, { status: 500 }));
};

const serveFastify = (resources, accepts) => {
  const app = fastify();
  app.get("/*", paidFastify(new x402HTTPResourceServer(resources, { accepts }), ({ url }) => handle(url)));
  const visit = async (input, init) => {
    const request = new Request(input, init);
    const { statusCode, headers, body } = await app.inject({ method: request.method, url: request.url.replace("http://shop.test", ""), headers: { host: "shop.test", ...Object.fromEntries(request.headers) } });
    const list = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
    return new Response([204, 304].includes(statusCode) ? null : body, { status: statusCode, headers: list });
  };
  return Object.assign(visit, { app });
};

let served = 0;
const serve = () => ({ tea: ++served });

const WAYS = [
  ["the official middleware and client", official, serveHono],
  ["the official middleware and settlekit/x402", facilitator, serveHono],
  ["paidFetch of settlekit/x402, as in workers", facilitator, serveFetch],
  ["paidFastify of settlekit/x402", facilitator, serveFastify],
];

/** A shop's route that is paid for, and its account. */
async function route(client, serving) {
  const { sandbox, organisation, settlekit } = await shop();
  const { address } = await settlekit.accounts.createPayInAddress({ account: "till", chain_id: 8453 });
  const resources = new x402ResourceServer(client(sandbox.settings(organisation))).register(NETWORK, new ExactEvmServer());
  served = 0;
  return { sandbox, settlekit, resources, visit: serving(resources, { ...ACCEPTS, payTo: address }) };
}

for (const [name, client, serving] of WAYS) test(`a route is paid for through the sandbox by ${name}`, async () => {
  const { sandbox, settlekit, visit } = await route(client, serving);
  const url = "http://shop.test/tea";
  const response = await paying(visit, sandbox.wallet())(url);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { tea: 1 });
  assert.match(response.headers.get("cache-control"), /private/);
  assert.equal(decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE")).success, true);

  const header = await signed(await visit(url), sandbox.wallet());
  const answers = await Promise.all(Array.from({ length: 10 }, () => visit(url, { headers: { "PAYMENT-SIGNATURE": header } })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(402)]);
  for (const answer of answers.filter(({ status }) => status === 402)) assert.doesNotMatch(await answer.text(), /tea/);

  // Another key has signed.
  const payment = JSON.parse(Buffer.from(await signed(await visit(url), sandbox.wallet()), "base64").toString());
  payment.payload.authorization.from = sandbox.wallet().address;
  const forged = Buffer.from(JSON.stringify(payment)).toString("base64");
  const before = served;
  assert.equal((await visit(url, { headers: { "PAYMENT-SIGNATURE": forged } })).status, 402);
  assert.equal(served, before);

  mock.restoreAll();
  await sandbox.clock.advance({ hours: 1 });
  const { items } = await settlekit.payments.list();
  assert.deepEqual(items.map(({ status, paid_amount }) => [status, paid_amount]), Array(2).fill(["Confirmed", "0.0025"]));
  assert.deepEqual(sandbox.verify(), []);
});

for (const [name, serving] of [["paidFetch", serveFetch], ["paidFastify", serveFastify]]) {
  test(`${name} takes nothing for an answer that fails, throws or breaks off`, async () => {
    const { sandbox, settlekit, visit } = await route(facilitator, serving);
    for (const path of ["broken", "throws", "torn"]) assert.equal((await paying(visit, sandbox.wallet())(`http://shop.test/${path}`)).status, 500, path);
    await sandbox.clock.advance({ hours: 1 });
    assert.equal((await settlekit.payments.list()).total, 0);
  });

  test(`${name} gives nothing of an answer whose payment is not settled, and all of one that is`, async () => {
    const { sandbox, visit } = await route(facilitator, serving);
    const url = "http://shop.test/moved";
    const header = await signed(await visit(url), sandbox.wallet());
    const answers = await Promise.all([1, 2].map(() => visit(url, { headers: { "PAYMENT-SIGNATURE": header }, redirect: "manual" })));
    const [paid, unpaid] = answers.sort((one, other) => one.status - other.status);
    assert.deepEqual([paid.status, paid.headers.get("location"), paid.headers.getSetCookie()], [303, "/secret", ["tea=paid", "cup=1"]]);
    assert.deepEqual([unpaid.status, unpaid.headers.get("location"), unpaid.headers.getSetCookie()], [402, null, []]);
    const kept = await paying(visit, sandbox.wallet())("http://shop.test/secret");
    assert.equal(kept.headers.get("cache-control"), "no-store");
  });

  test(`${name} serves no method, path or host unpaid`, async () => {
    const { visit } = await route(facilitator, serving);
    const asked = [["/tea", "GET"], ["/tea", "HEAD"], ["/%74ea", "GET"], ["//tea", "GET"], ["/a/../tea", "GET"], ["/tea?free", "GET"]];
    if (serving === serveFetch) asked.push(["/tea", "POST"]);
    for (const [path, method] of asked) assert.equal((await visit(`http://shop.test${path}`, { method })).status, 402, `${method} ${path}`);
    for (const [target, host] of visit.app ? [["/tea", "a#"], ["/tea", "a/free?"], ["http://x/tea", "a"], ["/a/%2e%2e/tea", "shop.test"]] : []) {
      assert.equal((await visit.app.inject({ url: target, headers: { host } })).statusCode, 402, `${host} ${target}`);
    }
    assert.equal(served, 0);
  });
}

test("a handler with several prices by path is refused", async () => {
  const { resources } = await route(facilitator, serveHono);
  const server = new x402HTTPResourceServer(resources, { "GET /tea": { accepts: { ...ACCEPTS, payTo: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" } } });
  for (const paid of [paidFetch, paidFastify]) assert.throws(() => paid(server, handle), /one price/);
});

/** A shop whose settlements get what `lose` makes of their answers, by their number. */
async function losing(lose) {
  const { sandbox, organisation, settlekit } = await shop();
  const { address } = await settlekit.accounts.createPayInAddress({ account: "till", chain_id: 8453 });
  const settings = sandbox.settings(organisation);
  const keys = [];
  const lossy = async (input, init) => {
    const response = await settings.fetch(input, init);
    if (!input.endsWith("/settle")) return response;
    keys.push(init.headers["Idempotency-Key"]);
    return lose(keys.length, response);
  };
  const resources = new x402ResourceServer(facilitator({ ...settings, fetch: lossy })).register(NETWORK, new ExactEvmServer());
  return { sandbox, settlekit, keys, visit: serveFetch(resources, { ...ACCEPTS, payTo: address }) };
}

test("a settlement whose answer was lost is had again, once", async () => {
  const pending = () => Response.json({ success: false, errorReason: "settlement_pending", transaction: "", network: NETWORK });
  const { sandbox, settlekit, keys, visit } = await losing((count, response) => {
    if (count === 1) throw new TypeError("the connection is closed");
    return [response, new Response("<html>", { status: 502 }), pending(), response][count - 1];
  });
  assert.equal((await paying(visit, sandbox.wallet())("http://shop.test/tea")).status, 200);
  assert.deepEqual(keys, Array(4).fill(keys[0]));
  assert.equal((await settlekit.payments.list()).total, 1);
});

test("a pending settlement whose answer arrived is not repeated", async () => {
  const { sandbox, keys, visit } = await losing(() => Response.json({ success: false, errorReason: "settlement_pending", transaction: "", network: NETWORK }));
  assert.equal((await paying(visit, sandbox.wallet())("http://shop.test/tea")).status, 402);
  assert.equal(new Set(keys).size, keys.length);
});

test("a client that has gone pays nothing", async () => {
  const { sandbox, organisation, settlekit } = await shop();
  const { address } = await settlekit.accounts.createPayInAddress({ account: "till", chain_id: 8453 });
  const resources = new x402ResourceServer(facilitator(sandbox.settings(organisation))).register(NETWORK, new ExactEvmServer());
  const leaving = new AbortController();
  const handler = paidFetch(new x402HTTPResourceServer(resources, { accepts: { ...ACCEPTS, payTo: address } }), () => {
    leaving.abort();
    return Response.json({ tea: 1 });
  });
  const visit = async (input, init) => handler(new Request(new Request(input, init), { signal: leaving.signal }));
  await paying(visit, sandbox.wallet())("http://shop.test/tea");
  await sandbox.clock.advance({ hours: 1 });
  assert.equal((await settlekit.payments.list()).total, 0);
});

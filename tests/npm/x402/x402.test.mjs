// Unmodified clients and middleware of x402 pay inside a sandbox: real signatures, no node and no network.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { decodePaymentRequiredHeader, decodePaymentResponseHeader, encodePaymentSignatureHeader, x402HTTPClient } from "@x402/core/http";
import { x402Client } from "@x402/core/client";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm";
import { ExactEvmScheme as ExactEvmServer } from "@x402/evm/exact/server";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { paymentMiddlewareFromHTTPServer, x402HTTPResourceServer, x402ResourceServer } from "@x402/hono";
import fastify from "fastify";
import { Hono } from "hono";
import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { facilitator, paidFastify, paidFetch } from "settlekit/x402";

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

const serveHono = (server) => {
  const app = new Hono();
  app.use(paymentMiddlewareFromHTTPServer(server));
  app.get("/tea", (context) => context.json(serve()));
  return async (input, init) => app.request(new Request(input, init));
};

const serveFetch = (server) => {
  const handler = paidFetch(server, ({ url }) => (new URL(url).pathname === "/broken" ? new Response("broken", { status: 500 }) : Response.json(serve())));
  return async (input, init) => handler(new Request(input, init));
};

const serveFastify = (server) => {
  const app = fastify();
  paidFastify(app, server);
  app.get("/tea", async () => serve());
  app.get("/broken", async () => {
    throw new Error("broken");
  });
  return async (input, init) => {
    const request = new Request(input, init);
    const { statusCode, headers, body } = await app.inject({ method: request.method, url: request.url, headers: Object.fromEntries(request.headers) });
    return new Response(body, { status: statusCode, headers });
  };
};

let served = 0;
const serve = () => ({ tea: ++served });

const WAYS = [
  ["the official middleware and client", official, serveHono],
  ["the official middleware and settlekit/x402", facilitator, serveHono],
  ["paidFetch of settlekit/x402, as in workers", facilitator, serveFetch],
  ["paidFastify of settlekit/x402", facilitator, serveFastify],
];

for (const [name, client, serving] of WAYS) test(`a route is paid for through the sandbox by ${name}`, async () => {
  const { sandbox, organisation, settlekit } = await shop();
  const { address } = await settlekit.accounts.createPayInAddress({ account: "till", chain_id: 8453 });
  const accepts = { scheme: "exact", price: "$0.0025", network: NETWORK, payTo: address };
  const resources = new x402ResourceServer(client(sandbox.settings(organisation))).register(NETWORK, new ExactEvmServer());
  const visit = serving(new x402HTTPResourceServer(resources, { "GET /tea": { accepts, description: "Tea" }, "GET /broken": { accepts } }));
  const url = "http://shop.test/tea";
  served = 0;
  // Routers decode a path.
  assert.equal((await visit("http://shop.test/%74ea")).status, 402);
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

  // A handler that fails is not paid.
  if (serving !== serveHono) assert.equal((await paying(visit, sandbox.wallet())("http://shop.test/broken")).status, 500);

  mock.restoreAll();
  await sandbox.clock.advance({ hours: 1 });
  const { items } = await settlekit.payments.list();
  assert.deepEqual(items.map(({ status, paid_amount }) => [status, paid_amount]), Array(2).fill(["Confirmed", "0.0025"]));
  assert.deepEqual(sandbox.verify(), []);
});

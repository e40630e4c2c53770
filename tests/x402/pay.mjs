// Unmodified clients pay a paylink and routes behind unmodified middleware whose facilitator is a Settlekit. Prints what they got.
//
// SETTLEKIT_URL, SETTLEKIT_API_KEY, PAYLINK, PAY_TO, PAYER_KEY, POOR_KEY (of a payer without money) and PYTHON are in the environment.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { serve } from "@hono/node-server";
import { wrapAxiosWithPaymentFromConfig } from "@x402/axios";
import { decodePaymentRequiredHeader, decodePaymentResponseHeader, encodePaymentSignatureHeader, x402HTTPClient } from "@x402/core/http";
import { x402Client } from "@x402/core/client";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm";
import { ExactEvmScheme as ExactEvmServer } from "@x402/evm/exact/server";
import { ExactEvmSchemeV1 } from "@x402/evm/v1";
import * as forExpress from "@x402/express";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import * as forHono from "@x402/hono";
import axios from "axios";
import express from "express";
import { Hono } from "hono";
import { privateKeyToAccount } from "viem/accounts";

const { SETTLEKIT_URL, SETTLEKIT_API_KEY, PAYLINK, PAY_TO, PAYER_KEY, POOR_KEY, PYTHON } = process.env;
const NETWORK = "eip155:8453";

const headers = { "X-API-KEY": SETTLEKIT_API_KEY };
const createAuthHeaders = async () => ({ verify: headers, settle: headers, supported: headers });
const facilitator = () => new HTTPFacilitatorClient({ url: `${SETTLEKIT_URL}/v1/x402`, createAuthHeaders });
const routes = { "GET /tea": { accepts: { scheme: "exact", price: "$0.0025", network: NETWORK, payTo: PAY_TO }, description: "Tea" } };

/** How often a route was served. */
let served = 0;

function startExpress() {
  const app = express();
  app.use(forExpress.paymentMiddleware(routes, new forExpress.x402ResourceServer(facilitator()).register(NETWORK, new ExactEvmServer())));
  app.get("/tea", (_, response) => response.json({ tea: ++served }));
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(server));
  });
}

function startHono() {
  const app = new Hono();
  app.use(forHono.paymentMiddleware(routes, new forHono.x402ResourceServer(facilitator()).register(NETWORK, new ExactEvmServer())));
  app.get("/tea", (context) => context.json({ tea: ++served }));
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(server));
  });
}

const schemes = (key) => [{ network: NETWORK, client: new ExactEvmScheme(privateKeyToAccount(key)) }];
const paying = (key = PAYER_KEY) => wrapFetchWithPaymentFromConfig(fetch, { schemes: schemes(key) });

/** The client for version 1, which reads offers from bodies. */
function payingByVersion1() {
  const withoutHeader = async (input, init) => {
    const response = await fetch(input, init);
    const headers = new Headers(response.headers);
    headers.delete("PAYMENT-REQUIRED");
    return new Response(response.body, { status: response.status, headers });
  };
  const client = new ExactEvmSchemeV1(privateKeyToAccount(PAYER_KEY));
  return wrapFetchWithPaymentFromConfig(withoutHeader, { schemes: [{ network: "base", client, x402Version: 1 }] });
}

async function byAxios(url) {
  const { status, data: body } = await wrapAxiosWithPaymentFromConfig(axios.create(), { schemes: schemes(PAYER_KEY) }).get(url);
  return { status, body };
}

async function byPython(...urls) {
  const { stdout } = await promisify(execFile)(PYTHON, [new URL("pay.py", import.meta.url).pathname, ...urls]);
  return JSON.parse(stdout);
}

async function got(response) {
  const settled = response.headers.get("PAYMENT-RESPONSE") ?? response.headers.get("X-PAYMENT-RESPONSE");
  return { status: response.status, body: await response.json(), settled: settled && decodePaymentResponseHeader(settled) };
}

/** A payment for a URL, as a header. */
async function signedFor(url) {
  const asked = await fetch(url);
  const client = new x402HTTPClient(new x402Client().register(NETWORK, new ExactEvmScheme(privateKeyToAccount(PAYER_KEY))));
  const payment = await client.createPaymentPayload(decodePaymentRequiredHeader(asked.headers.get("PAYMENT-REQUIRED")));
  return encodePaymentSignatureHeader(payment);
}

const paylink = `${SETTLEKIT_URL}/v1/x402/${PAYLINK}`;
const servers = [await startExpress(), await startHono()];
const [inExpress, inHono] = servers.map((server) => `http://127.0.0.1:${server.address().port}/tea`);
const header = await signedFor(inExpress);
const one = () => fetch(inExpress, { headers: { "PAYMENT-SIGNATURE": header } });
const results = {
  paylink: await got(await paying()(paylink)),
  version1: await got(await payingByVersion1()(paylink)),
  axios: await byAxios(paylink),
  axiosExpress: await byAxios(inExpress),
  axiosHono: await byAxios(inHono),
  express: await got(await paying()(inExpress)),
  hono: await got(await paying()(inHono)),
  ...(await byPython(paylink, inExpress, inHono)),
  ten: (await Promise.all(Array.from({ length: 10 }, one))).map((response) => response.status),
  replay: (await one()).status,
  poor: (await paying(POOR_KEY)(inExpress)).status,
  poorPaylink: (await paying(POOR_KEY)(paylink)).status,
};
console.log(JSON.stringify(results));
process.exit(0);

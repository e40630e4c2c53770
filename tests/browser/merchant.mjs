// A merchant's server: API calls with a key, and a webhook receiver.

import { createServer } from "node:http";
import { apiKey, url } from "./settings.mjs";

export async function call(method, path, body) {
  const headers = { "x-api-key": apiKey };
  if (body) headers["content-type"] = "application/json";
  const response = await fetch(`${url}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

/** An account that accepts payments; created if the organisation has none. */
export async function account() {
  // The oldest account is the default.
  const { items } = await call("GET", "/accounts?sort=asc&limit=100");
  const chain_id = 1;
  return (
    items.find((one) => one.enabled && one.currencies.includes("USDC") && one.chain_id === chain_id) ??
    (await call("POST", "/accounts", { currencies: ["USDC", "ETH"], chain_id, name: "Browser till", type: "CryptoPayIn" }))
  );
}

export const paylink = async (changes = {}) => {
  await account();
  return call("POST", "/paylinks", { amount: "12.50", currency: "USDC", name: "Filter coffee", ...changes });
};

/** Updates a customer. This response has no envelope. */
export async function rename(id, changes) {
  const response = await fetch(`${url}/v1/customers/${id}`, { method: "PATCH", headers: { "x-api-key": apiKey, "content-type": "application/json" }, body: JSON.stringify(changes) });
  if (!response.ok) throw new Error(`PATCH customer: ${response.status} ${await response.text()}`);
}

/** Deposits on the simulated chain. */
export const deposit = async (amount) => {
  const { id } = await account();
  return call("POST", "/sandbox/deposits", { account: String(id), chain_id: 1, currency: "USDC", amount });
};

/** A webhook receiver with a settable response; it records every delivery. */
export async function receiver(status) {
  const deliveries = [];
  const state = { status };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(state.status, { "content-type": "text/plain" });
      response.end(state.status < 300 ? "taken" : "the database is away");
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}/hooks`,
    deliveries,
    answer: (next) => (state.status = next),
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  };
}

/** Waits for a condition; the error names the condition and the last value `saw`. */
export async function until(what, look, { seconds = 60, saw = () => undefined } = {}) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}; saw ${JSON.stringify(saw())}`);
    await new Promise((next) => setTimeout(next, 200));
  }
}

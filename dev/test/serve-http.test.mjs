// The local service over HTTP: the API, the pages, streams and the keys of its terminal.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { Settlekit } from "settlekit";

import { session, until } from "./serve-local.mjs";

/** The messages of an event stream, as they come. */
async function stream(t, url, headers = {}) {
  const aborted = new AbortController();
  t.after(() => aborted.abort());
  const response = await fetch(url, { headers, signal: aborted.signal });
  const opened = { status: response.status, headers: response.headers, messages: [], isEnded: false };
  if (!response.ok) return opened;
  void (async () => {
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split("\n\n");
      text = parts.pop();
      for (const part of parts) opened.messages.push(JSON.parse(/^data: (.*)$/m.exec(part)[1]));
    }
    opened.isEnded = true;
  })().catch(() => {});
  return opened;
}

test("a client pays a link, and the books balance", async (t) => {
  const { credentials, service, url } = await session(t);
  const client = new Settlekit({ baseUrl: url, apiKey: credentials.api_key, signingSecret: credentials.signing_secret });
  const { items } = await client.paylinks.list();
  assert.deepEqual(items.map(({ url }) => url), [credentials.paylink_url]);
  const { options } = await client.checkout.get({ paylink_id: items[0].id });
  const { payment_id } = await client.checkout.start({ paylink_id: items[0].id, chain_id: options[0].chain.id, currency: options[0].currency });
  await client.checkout.payFromTestWallet({ payment_id });
  await client.sandbox.advanceClock({ advance_seconds: 600 });
  assert.equal((await client.payments.get({ payment_id })).status, "Confirmed");
  assert.deepEqual(service.verify(), []);
  // A signed request by a clock that is ten minutes behind the service's.
  assert.ok((await client.organisation.rotateSigningSecret()).signing_secret);
});

test("every answer has the headers of the server", async (t) => {
  const { url, call } = await session(t);
  for (const path of ["/", "/v1/chains", "/v1/none", "/healthz", "/openapi.json", "/metrics", "/missing.js", "/pay/pl_1"]) {
    const { headers } = await fetch(url + path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.match(headers.get("x-request-id"), /^req_[0-9a-f]{24}$/, path);
    assert.match(headers.get("content-security-policy"), /^default-src 'none'; /, path);
  }
  assert.equal((await call("GET", "/v1/chains")).headers.get("cache-control"), "no-store");
  assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: "ok", version: JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version });
  assert.equal((await fetch(`${url}/metrics`)).status, 404);
});

test("dashboard, payer's page, embedded page and reference are served", async (t) => {
  const { url, credentials } = await session(t);
  for (const [path, text] of [["/", "<title>"], ["/payments", "<title>"], [new URL(credentials.paylink_url).pathname, "pay/pay"], ["/embed/pl_1", "pay/pay"], ["/docs", "docs/docs"], ["/docs/signing", "sign"], ["/embed.js", "settlekit"]]) {
    const response = await fetch(url + path);
    assert.equal(response.status, 200, path);
    assert.ok((await response.text()).includes(text), path);
  }
  const document = await (await fetch(`${url}/openapi.json`)).json();
  assert.ok(Object.keys(document.paths).length > 50);
});

test("a member signs in with what the start printed", async (t) => {
  const { url, credentials } = await session(t);
  const signIn = (password) => fetch(`${url}/v1/sessions`, { method: "POST", headers: { "content-type": "application/json", origin: url }, body: JSON.stringify({ email: credentials.email, password }) });
  assert.equal((await signIn("wrong")).status, 401);
  const response = await signIn(credentials.password);
  assert.equal(response.status, 201);
  const cookie = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
  const current = await fetch(`${url}/v1/sessions/current`, { headers: { cookie } });
  assert.equal((await current.json()).data.user.email, credentials.email);
});

test("the overview is streamed to a key, refused without one, and changes with a payment", async (t) => {
  const { url, credentials, merchant } = await session(t);
  const live = `${url}/v1/overview/live`;
  assert.equal((await stream(t, live)).status, 401);
  assert.equal((await fetch(live, { method: "POST" })).status, 405);
  const open = await stream(t, live, { "x-api-key": credentials.api_key });
  assert.equal(open.headers.get("content-type"), "text/event-stream");
  assert.equal(open.headers.get("x-accel-buffering"), "no");
  await until(() => open.messages.length === 1, "the first message");
  assert.equal(open.messages[0].data.payments_processing, 0);
  await merchant.pay();
  await until(() => open.messages.some(({ data }) => data.payments_processing === 1), "the payment");
  assert.ok(!open.isEnded);
});

test("a payer's stream ends with the payment", async (t) => {
  const { url, merchant } = await session(t);
  const [, id] = /(pay_\w+)/.exec(await merchant.pay());
  const open = await stream(t, `${url}/v1/checkout/payments/${id}/live`);
  await until(() => open.messages.length === 1, "the first message");
  assert.equal(open.messages[0].data.status, "Processing");
  await merchant.advance(1);
  await until(() => open.isEnded, "the end");
  assert.equal(open.messages.at(-1).data.status, "Confirmed");
  assert.equal((await stream(t, `${url}/v1/checkout/payments/pay_00000000000070008000000000000000/live`)).status, 404);
});

test("the end of a session ends its streams", async (t) => {
  const { url, credentials, stop } = await session(t);
  const open = await stream(t, `${url}/v1/overview/live`, { "x-api-key": credentials.api_key });
  await until(() => open.messages.length === 1, "the first message");
  await stop();
  await until(() => open.isEnded, "the end");
  await assert.rejects(fetch(url));
});

test("a body that is too large, broken or empty is refused, and the service goes on", async (t) => {
  const { url, credentials } = await session(t);
  const post = (body) => fetch(`${url}/v1/paylinks`, { method: "POST", headers: { "x-api-key": credentials.api_key, "content-type": "application/json" }, body });
  const large = await post(JSON.stringify({ name: "x".repeat(2 << 20) }));
  assert.equal(large.status, 413);
  assert.equal((await large.json()).error.errors[0].reason, "BODY_TOO_LARGE");
  for (const body of ["{", "", new Uint8Array([0xff, 0xfe])]) assert.ok([400, 422].includes((await post(body)).status));
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
});

test("the keys of the terminal pay, deposit, advance and say what is missing", async (t) => {
  const { merchant, call, service } = await session(t);
  assert.match(await merchant.pay(), /^Somebody pays 5(\.0+)? USDC for Coffee: pay_/);
  assert.match(await merchant.deposit(), /^A deposit of 25 USDC to Main account: 0x/);
  assert.match(await merchant.advance(1), /^The service's clock is 1 h ahead: \d{4}-/);
  assert.match(await merchant.advance(24), /^The service's clock is 1 d 1 h ahead: /);
  const undelivered = async (status) => (await call("GET", `/v1/events?delivery_status=${status}&limit=1`)).body.data.total;
  await until(async () => (await undelivered("pending")) + (await undelivered("failed")) === 0);
  assert.equal(await merchant.retry(), "No webhook is undelivered.");
  const { body } = await call("GET", "/v1/payments");
  assert.deepEqual(body.data.items.map(({ status }) => status), ["Confirmed"]);
  // A link that asks for everything, newer than the first.
  await call("POST", "/v1/paylinks", { amount: "7", currency: "USDC", name: "Tea", metadata: { customer_ident_collection: true, shipping_address_collection: true, tax_ident_collection: true } });
  assert.match(await merchant.pay(), /7(\.0+)? USDC for Tea/);
  for (const { id } of (await call("GET", "/v1/paylinks")).body.data.items) await call("DELETE", `/v1/paylinks/${id}`);
  assert.equal(await merchant.pay(), "No payment link is open: create one in the dashboard.");
  assert.deepEqual(service.verify(), []);
});

test("a page of another site that has this machine's address is refused", async (t) => {
  const { url } = await session(t);
  const { port } = new URL(url);
  /** Status and body of a request that names a host. */
  const ask = (host, path, headers = {}) =>
    new Promise((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path, headers: { host, ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => resolve([response.statusCode, text]));
      });
      asked.on("error", reject).end();
    });
  for (const host of [`attacker.example:${port}`, "attacker.example", `127.0.0.1.attacker.example:${port}`, `localhost.attacker.example:${port}`, `notlocalhost:${port}`]) {
    for (const path of ["/", "/v1/chains", "/healthz", "/openapi.json"]) {
      const [status, text] = await ask(host, path, { origin: `http://${host}`, "sec-fetch-site": "same-origin" });
      assert.deepEqual([status, JSON.parse(text).error.errors[0].reason], [403, "ORIGIN_FOREIGN"], `${host} ${path}`);
    }
  }
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST:9000", `[::1]:${port}`, `shop.localhost:${port}`, "host.docker.internal:8080"]) assert.equal((await ask(host, "/healthz"))[0], 200, host);
});

test("the credentials are in a file that only its owner can read", async (t) => {
  const { data, credentials, url } = await session(t);
  const file = join(data, "credentials.json");
  const { api_key, signing_secret, url: written } = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual([written, api_key, signing_secret], [url, credentials.api_key, credentials.signing_secret]);
  for (const name of ["credentials.json", "clock.json", "settlekit.db"]) assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
  assert.equal(statSync(data).mode & 0o077, 0);
});

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";

import { Settlekit, SettlekitError } from "settlekit";

const SECRET = "a signing secret";
const MOVEMENT = {
  id: 1,
  account_id: 7,
  amount: "0.100000000000000001",
  currency: "ETH",
  direction: "IN",
  type: "Deposit",
  status: "Confirmed",
  created_at: "2026-01-02T03:04:05Z",
};
const ORGANISATION = { id: "org_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", name: "Shop", created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };

/** A client whose requests are recorded and answered by `answer(request, number)`. */
function mock(answer, settings = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    const request = { url: new URL(url), ...init };
    requests.push(request);
    const reply = await answer(request, requests.length);
    return new Response(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body), { status: reply.status ?? 200, headers: reply.headers });
  };
  const client = new Settlekit({ baseUrl: "https://pay.example/v1", apiKey: "sk_test", fetch, ...settings });
  return { client, requests };
}

const data = (data) => ({ body: { data, error: false } });
const refusal = (status, reason, extra = {}) => ({
  status,
  body: { error: { code: status, message: "no", errors: [{ domain: "organisation", reason, message: "no" }] } },
  ...extra,
});

/** Expected X-API-Signature, computed independently. */
function signatureOf(request) {
  const digest = createHash("sha256").update(request.body ?? "").digest("hex");
  const lines = ["v1", request.method, request.url.pathname, request.url.search.slice(1), request.headers["x-api-nonce"], request.headers["x-org-id"] ?? "", digest];
  return createHmac("sha256", SECRET).update(lines.join("\n")).digest("hex");
}

test("a call sends the operation's request with the key and returns the record", async () => {
  const { client, requests } = mock(() => data(ORGANISATION));
  const organisation = await client.organisation.get();
  assert.equal(organisation.name, "Shop");
  const [request] = requests;
  assert.equal(request.method, "GET");
  assert.equal(request.url.href, "https://pay.example/v1/orgs");
  assert.equal(request.headers["x-api-key"], "sk_test");
  assert.equal(request.headers["x-api-signature"], undefined);
});

test("an argument that JSON would write as null is refused, not dropped", async () => {
  const { client, requests } = mock(() => data({ items: [], total: 0 }));
  await assert.rejects(Promise.resolve(client.payments.list({ since: new Date(NaN) })), { reason: "TIMESTAMP_MALFORMED" });
  await assert.rejects(Promise.resolve(client.payments.list({ limit: NaN })), { reason: "WRONG_TYPE" });
  const circular = {};
  circular.properties = circular;
  await assert.rejects(client.organisation.update(circular), { reason: "BODY_MALFORMED" });
  assert.equal(requests.length, 0);
});

test("amounts keep every digit, and exact numbers are strings", async () => {
  const { client } = mock(() => ({
    body: `{"data":${JSON.stringify({ ...ORGANISATION, properties: { underpay_thresholds: { underpay_tolerance_amount: 0 } } }).replace(":0}", ":0.12345678901234567890}")},"error":false}`,
  }));
  const organisation = await client.organisation.get();
  assert.equal(organisation.properties.underpay_thresholds.underpay_tolerance_amount, "0.12345678901234567890");
});

test("a signed operation has a nonce and the signature of an independent implementation", async () => {
  const { client, requests } = mock(() => data({ balances: [] }), { signingSecret: SECRET, orgId: "org_019aa0b5c3f07c0d9f2e3b6a7d8c9e01" });
  await client.partner.listBalances({ account_ref: "till é" });
  const [request] = requests;
  assert.equal(request.url.pathname, "/v1/partners/accounts/till%20%C3%A9/balances");
  assert.match(request.headers["x-api-nonce"], /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(request.headers["x-api-signature"], signatureOf(request));
});

test("a signed operation without a signing secret is not sent", async () => {
  const { client, requests } = mock(() => data({ balances: [] }));
  await assert.rejects(client.partner.listBalances({ account_ref: "till" }), { kind: "authentication", reason: "SIGNATURE_MISSING" });
  assert.equal(requests.length, 0);
});

test("a wrong clock is corrected once by the server's time", async () => {
  const serverTime = "2030-01-01T00:00:00Z";
  const late = { headers: { "x-server-time": serverTime } };
  const timeOf = (request) => Number.parseInt(request.headers["x-api-nonce"].replace("-", "").slice(0, 12), 16);
  const { client, requests } = mock((request, number) => (number === 1 ? refusal(401, "NONCE_OUT_OF_WINDOW", late) : data({ balances: [] })), { signingSecret: SECRET });
  await client.partner.listBalances({ account_ref: "till" });
  assert.equal(requests.length, 2);
  assert.ok(Math.abs(timeOf(requests[1]) - Date.parse(serverTime)) < 5000);
  await client.partner.listBalances({ account_ref: "till" });
  assert.equal(requests.length, 3);
  assert.ok(Math.abs(timeOf(requests[2]) - Date.parse(serverTime)) < 5000);

  const stubborn = mock(() => refusal(401, "NONCE_OUT_OF_WINDOW", late), { signingSecret: SECRET });
  await assert.rejects(stubborn.client.partner.listBalances({ account_ref: "till" }), { kind: "authentication" });
  assert.equal(stubborn.requests.length, 2);
});

test("an invalid request is not sent, and all errors are listed in field order", async () => {
  const { client, requests } = mock(() => data({}));
  const call = client.paylinks.create({ amount: "-1", currency: "USDC", name: "", image_url: "ftp://x", colour: "red" });
  const error = await call.catch((error) => error);
  assert.ok(error instanceof SettlekitError);
  assert.equal(error.kind, "validation");
  assert.equal(error.status, undefined);
  assert.deepEqual(error.errors.map(({ field, reason }) => [field, reason]).sort(), [
    ["amount", "NOT_POSITIVE"],
    ["colour", "UNKNOWN_FIELD"],
    ["image_url", "URL_MALFORMED"],
    ["name", "EMPTY"],
  ]);
  assert.equal(requests.length, 0);
});

test("an amount must be a string: a number may have lost digits", async () => {
  const { client } = mock(() => data({}));
  const error = await client.paylinks.create({ amount: 0.1, currency: "USDC", name: "Tea" }).catch((error) => error);
  assert.deepEqual(error.errors.map(({ field, reason }) => [field, reason]), [["amount", "WRONG_TYPE"]]);
});

for (const [status, kind] of [[400, "validation"], [401, "authentication"], [403, "permission"], [404, "not_found"], [409, "conflict"], [422, "validation"], [429, "rate_limit"], [500, "api"]]) {
  test(`status ${status} is an error of kind ${kind}`, async () => {
    const { client } = mock(() => refusal(status, "SOME_REASON", { headers: { "x-request-id": "req-1" } }), { maxRetries: 0 });
    await assert.rejects(client.organisation.get(), { name: "SettlekitError", kind, status, reason: "SOME_REASON", requestId: "req-1" });
  });
}

test("a body with error true or invalid JSON is a failure even with status 200", async () => {
  const odd = mock(() => ({ body: { error: true, message: "no" } }));
  await assert.rejects(odd.client.organisation.get(), { kind: "api", message: "no" });
  const page = mock(() => ({ body: "<html>", status: 200 }));
  await assert.rejects(page.client.organisation.get(), { kind: "api", status: 200 });
  const wrong = mock(() => data({ id: 5 }));
  await assert.rejects(wrong.client.organisation.get(), { kind: "api" });
});

test("transient failures are retried with one idempotency key", async () => {
  const paylink = { amount: "1.50", currency: "USDC", name: "Tea" };
  const busy = mock((_, number) => (number < 3 ? refusal(503, "UNAVAILABLE", { headers: { "retry-after": "0" } }) : refusal(409, "STATE_FORBIDS")));
  await assert.rejects(busy.client.paylinks.create(paylink), { kind: "conflict" });
  assert.equal(busy.requests.length, 3);
  assert.equal(new Set(busy.requests.map((request) => request.headers["idempotency-key"])).size, 1);
  assert.equal(busy.requests[0].body, '{"amount":"1.50","currency":"USDC","name":"Tea"}');

  const broken = mock(() => refusal(500, "INTERNAL"));
  await assert.rejects(broken.client.organisation.get(), { kind: "api" });
  assert.equal(broken.requests.length, 1);
});

test("a base URL with a query, a fragment or another alphabet is refused before sending", async () => {
  const messages = {
    "https://pay.example?tenant=7": /must not have a query/,
    "https://pay.example/v1#here": /must not have a fragment/,
    "https://münchen.example": /must be ASCII.+Punycode/,
  };
  for (const [baseUrl, message] of Object.entries(messages)) {
    const { client, requests } = mock(() => data(ORGANISATION), { baseUrl });
    await assert.rejects(client.organisation.get(), { kind: "validation", reason: "REQUEST_MALFORMED", message });
    await assert.rejects(client.rawRequest("GET", "/orgs"), { kind: "validation", reason: "REQUEST_MALFORMED", message });
    assert.equal(requests.length, 0);
  }
});

test("a header value outside ASCII is refused before sending, with the name of its header", async () => {
  for (const [name, settings] of [["x-org-id", { orgId: "org_ä", signingSecret: SECRET }], ["x-api-key", { apiKey: "sk_ä" }], ["x-api-key", { apiKey: "sk_€" }]]) {
    const { client, requests } = mock(() => data(ORGANISATION), settings);
    await assert.rejects(client.organisation.get(), { kind: "validation", reason: "REQUEST_MALFORMED", message: `the value for ${name} must be printable characters of ASCII` });
    assert.equal(requests.length, 0);
  }
});

test("a path argument that would name a folder is refused by its field", async () => {
  for (const settings of [{}, { scheme: {} }]) {
    const { client, requests } = mock(() => data({}), settings);
    for (const account of [".", ".."]) {
      const errors = [{ domain: "account", reason: "REFERENCE_MALFORMED", field: "account", message: "must not be `.` or `..`" }];
      await assert.rejects(client.accounts.get({ account }), { kind: "validation", errors });
    }
    assert.equal(requests.length, 0);
  }
});

test("unreachable, timed out and aborted calls have different errors", async () => {
  const settings = { baseUrl: "https://pay.example", maxRetries: 0 };
  const gone = new Settlekit({ ...settings, fetch: async () => { throw new TypeError("fetch failed"); } });
  await assert.rejects(gone.organisation.get(), { kind: "connection" });
  const silent = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const slow = new Settlekit({ ...settings, fetch: silent, timeout: 10 });
  await assert.rejects(slow.organisation.get(), { kind: "timeout" });
  const controller = new AbortController();
  const call = new Settlekit({ ...settings, fetch: silent }).organisation.get({ signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { kind: "abort" });
});

/** A mock service with `count` movements in pages. */
function ledger(count) {
  return mock(({ url }) => {
    const [page, limit] = [Number(url.searchParams.get("page") ?? 1), Number(url.searchParams.get("limit") ?? 100)];
    const ids = Array.from({ length: count }, (_, index) => index + 1).slice((page - 1) * limit, page * limit);
    const next = page * limit < count ? { next: page + 1 } : {};
    return data({ items: ids.map((id) => ({ ...MOVEMENT, id })), total: count, ...next });
  });
}

test("awaiting a list returns the requested page", async () => {
  const { client, requests } = ledger(25);
  const page = await client.accounts.listMovements({ account: 7, limit: 10, page: 2, since: new Date("2026-01-01T00:00:00Z") });
  assert.deepEqual([page.items.length, page.total, page.next, page.items[0].id, page.items[0].amount], [10, 25, 3, 11, "0.100000000000000001"]);
  assert.equal(requests[0].url.pathname, "/v1/accounts/7/movement");
  assert.deepEqual(Object.fromEntries(requests[0].url.searchParams), { limit: "10", page: "2", since: "2026-01-01T00:00:00.000000Z" });
});

test("iterating over a list reads all pages in ascending order with one upper bound", async () => {
  const { client, requests } = ledger(25);
  const ids = [];
  for await (const movement of client.accounts.listMovements({ account: "till", limit: 10 })) ids.push(movement.id);
  assert.deepEqual(ids, Array.from({ length: 25 }, (_, index) => index + 1));
  assert.equal(requests.length, 3);
  const bounds = new Set(requests.map(({ url }) => `${url.searchParams.get("sort")} ${url.searchParams.get("until")}`));
  assert.equal(bounds.size, 1);
  assert.match([...bounds][0], /^asc \d{4}-/);
});

test("a list can be read by page, or up to a number of items", async () => {
  const { client, requests } = ledger(25);
  const sizes = [];
  for await (const page of client.accounts.listMovements({ account: 7, limit: 10 }).byPage()) sizes.push(page.items.length);
  assert.deepEqual(sizes, [10, 10, 5]);
  const items = await client.accounts.listMovements({ account: 7, limit: 10 }).toArray({ limit: 12 });
  assert.equal(items.length, 12);
  assert.equal(requests.length, 5);
});

test("hooks get every attempt and pause, and no secret", async () => {
  const seen = [];
  const hooks = Object.fromEntries(["onRequest", "onResponse", "onRetry"].map((name) => [name, (facts) => seen.push({ name, ...facts })]));
  const busy = refusal(503, "UNAVAILABLE", { headers: { "retry-after": "0" } });
  const settings = { ...hooks, signingSecret: SECRET, headers: { Authorization: "Bearer hush-hush" } };
  const { client, requests } = mock((_, number) => (number === 1 ? busy : data({ balances: [] })), settings);
  await client.partner.listBalances({ account_ref: "till" }, { headers: { cookie: "hush-hush" } });
  assert.deepEqual(seen.map(({ name, operation, attempt, status }) => [name, operation, attempt, status]), [
    ["onRequest", "ListPartnerBalances", 0, undefined],
    ["onResponse", "ListPartnerBalances", 0, 503],
    ["onRetry", "ListPartnerBalances", 0, undefined],
    ["onRequest", "ListPartnerBalances", 1, undefined],
    ["onResponse", "ListPartnerBalances", 1, 200],
  ]);
  assert.equal(seen[2].error.reason, "UNAVAILABLE");
  assert.equal(seen[2].pauseMs, 0);
  const text = JSON.stringify(seen);
  for (const secret of ["sk_test", SECRET, "hush-hush", requests[0].headers["x-api-signature"]]) assert.ok(!text.includes(secret), secret);
  assert.equal(seen[0].headers["x-api-key"], "***");
  assert.equal(seen[0].headers.Authorization, "***");
  assert.equal(seen[0].headers["x-api-nonce"], requests[0].headers["x-api-nonce"]);
});

test("an error of a hook reaches the caller without a retry", async () => {
  for (const name of ["onRequest", "onResponse"]) {
    const oops = new Error("oops");
    const { client, requests } = mock(() => data(ORGANISATION), { [name]: () => { throw oops; } });
    assert.equal(await client.organisation.get().catch((error) => error), oops);
    assert.equal(requests.length, name === "onRequest" ? 0 : 1);
  }
});

test("headers of client and call are sent, but do not override the client's own", async () => {
  const { client, requests } = mock(() => data(ORGANISATION), { headers: { "x-shop": "tea", traceparent: "one" } });
  await client.organisation.get({ headers: { traceparent: "two" } });
  assert.deepEqual([requests[0].headers["x-shop"], requests[0].headers.traceparent], ["tea", "two"]);
  for (const name of ["X-API-KEY", "x-api-signature", "Accept"]) {
    await assert.rejects(client.organisation.get({ headers: { [name]: "mine" } }), { kind: "validation", reason: "NOT_SUPPORTED" }, name);
  }
  for (const [name, value] of [["bad name", "x"], ["x-note", "line\nbreak"], ["x-note", "☕"]]) {
    await assert.rejects(client.organisation.get({ headers: { [name]: value } }), { kind: "validation", reason: "REQUEST_MALFORMED" }, value);
  }
  assert.equal(requests.length, 1);
});

test("options apply to their call only", async () => {
  const { client, requests } = mock(() => refusal(503, "UNAVAILABLE", { headers: { "retry-after": "0" } }), { signingSecret: SECRET });
  const paylink = { amount: "1.50", currency: "USDC", name: "Tea" };
  const orgId = "org_019aa0b5c3f07c0d9f2e3b6a7d8c9e01";
  await assert.rejects(client.paylinks.create(paylink, { maxRetries: 0, idempotencyKey: "order-7", orgId }), { status: 503 });
  await assert.rejects(client.paylinks.create(paylink, { maxRetries: 3 }), { status: 503 });
  assert.equal(requests.length, 5);
  assert.deepEqual([requests[0].headers["idempotency-key"], requests[0].headers["x-org-id"]], ["order-7", orgId]);
  assert.equal(requests[0].headers["x-api-signature"], signatureOf(requests[0]), "who acts for somebody signs");
  assert.ok(requests.slice(1).every(({ headers }) => headers["idempotency-key"] !== "order-7" && !("x-org-id" in headers)));
});

test("invalid options are rejected before a request is sent", async () => {
  const { client, requests } = mock(() => data(ORGANISATION));
  for (const options of [{ timeout: 0 }, { timeout: -1 }, { timeout: NaN }, { timeout: Infinity }, { maxRetries: -1 }, { maxRetries: NaN }]) {
    await assert.rejects(client.organisation.get(options), { kind: "validation", reason: "OUT_OF_RANGE" });
  }
  await assert.rejects(client.paylinks.create({ amount: "1", currency: "USDC", name: "Tea" }, { idempotencyKey: "a\nb" }), { kind: "validation" });
  assert.equal(requests.length, 0);
});

test("an aborted call sends nothing, and a pause between attempts can be aborted", async () => {
  const { client, requests } = mock(() => refusal(503, "UNAVAILABLE", { headers: { "retry-after": "30" } }));
  await assert.rejects(client.organisation.get({ signal: AbortSignal.abort("enough") }), { kind: "abort", cause: "enough" });
  assert.equal(requests.length, 0);
  const controller = new AbortController();
  const stopping = new Settlekit({ baseUrl: "https://pay.example", fetch: async () => Response.json({}, { status: 503, headers: { "retry-after": "30" } }), onRetry: () => queueMicrotask(() => controller.abort()) });
  await assert.rejects(stopping.organisation.get({ signal: controller.signal }), { kind: "abort" });
});

test("a wait of more than a minute is an error instead", async () => {
  const { client, requests } = mock(() => refusal(429, "RATE_LIMITED", { headers: { "retry-after": "61" } }));
  await assert.rejects(client.organisation.get(), { kind: "rate_limit", retryAfterSeconds: 61 });
  assert.equal(requests.length, 1);
});

test("a raw request has key, signature, idempotency key and retries, and returns the response unchanged", async () => {
  const busy = refusal(503, "UNAVAILABLE", { headers: { "retry-after": "0" } });
  const { client, requests } = mock((_, number) => (number === 1 ? busy : { body: '{"data":1.10}', headers: { "x-note": "yes" } }), { signingSecret: SECRET });
  const response = await client.rawRequest("POST", "/new-things?kind=a", { query: { limit: 5, "in": "a b" }, body: { amount: "1.50" }, signed: true });
  assert.deepEqual([response.status, response.headers.get("x-note"), await response.text()], [200, "yes", '{"data":1.10}']);
  assert.equal(requests.length, 2);
  const [, request] = requests;
  assert.equal(request.url.href, "https://pay.example/v1/new-things?kind=a&limit=5&in=a+b");
  assert.deepEqual([request.method, request.body, request.headers["x-api-key"], request.headers["content-type"]], ["POST", '{"amount":"1.50"}', "sk_test", "application/json"]);
  assert.equal(request.headers["x-api-signature"], signatureOf(request));
  assert.equal(request.headers["idempotency-key"], requests[0].headers["idempotency-key"]);
  await client.rawRequest("GET", "/v1/orgs");
  assert.equal(requests[2].url.pathname, "/v1/orgs");
  assert.equal(requests[2].headers["x-api-signature"], undefined);
});

test("a raw request fails like any call", async () => {
  const { client, requests } = mock(() => refusal(404, "NOT_FOUND", { headers: { "x-request-id": "req-2" } }));
  await assert.rejects(client.rawRequest("GET", "/nowhere"), { kind: "not_found", status: 404, reason: "NOT_FOUND", requestId: "req-2" });
  assert.equal(requests.length, 1);
  await assert.rejects(client.rawRequest("GET", "/orgs", { signed: true }), { kind: "authentication", reason: "SIGNATURE_MISSING" });
  for (const [method, path] of [["GET", "orgs"], ["GET", "@elsewhere.example/"], ["GET", "/a b"], ["NO WAY", "/orgs"]]) {
    await assert.rejects(client.rawRequest(method, path), { kind: "validation" }, path);
  }
  assert.equal(requests.length, 1);
  const page = mock(() => ({ body: "<html>", status: 502 }));
  await assert.rejects(page.client.rawRequest("GET", "/orgs", { maxRetries: 0 }), { kind: "api", status: 502 });
});

test("`toArray` handles a limit of zero and the end of the list", async () => {
  const { client, requests } = ledger(5);
  assert.deepEqual(await client.accounts.listMovements({ account: 7 }).toArray({ limit: 0 }), []);
  assert.equal(requests.length, 0);
  assert.equal((await client.accounts.listMovements({ account: 7, limit: 2 }).toArray({ limit: 100 })).length, 5);
  await assert.rejects(mock(() => refusal(403, "SCOPE_MISSING")).client.accounts.listMovements({ account: 7 }).toArray({ limit: 1 }), { kind: "permission" });
});

test("a failed page is retried during iteration without gaps or duplicates", async () => {
  let calls = 0;
  const { client } = mock(({ url }) => {
    calls += 1;
    if (calls % 2 === 1) return refusal(503, "UNAVAILABLE", { headers: { "retry-after": "0" } });
    const page = Number(url.searchParams.get("page") ?? 1);
    return data({ items: [{ ...MOVEMENT, id: page }], total: 3, ...(page < 3 ? { next: page + 1 } : {}) });
  });
  const ids = [];
  for await (const { id } of client.accounts.listMovements({ account: 7, limit: 1 })) ids.push(id);
  assert.deepEqual([ids, calls], [[1, 2, 3], 6]);
});

test("requests go to the configured service only", async () => {
  const { fetch } = globalThis;
  const seen = [];
  globalThis.fetch = async (url) => {
    seen.push(new URL(url).host);
    return Response.json({ data: ORGANISATION, error: false });
  };
  try {
    const client = new Settlekit({ baseUrl: "https://pay.example", apiKey: "sk_test" });
    await client.organisation.get();
    await client.rawRequest("GET", "/orgs");
  } finally {
    globalThis.fetch = fetch;
  }
  assert.deepEqual(seen, ["pay.example", "pay.example"]);
});

test("browsers and their workers are rejected unless allowed", () => {
  const settings = { baseUrl: "https://pay.example", apiKey: "sk_test" };
  const { navigator } = globalThis;
  const browsers = [{ window: {}, document: {} }, { importScripts: () => {}, navigator: { userAgent: "Mozilla/5.0 (X11)" } }];
  const elsewhere = [{ importScripts: () => {}, navigator: { userAgent: "Cloudflare-Workers" } }, { window: {} }];
  for (const [index, world] of [...browsers, ...elsewhere].entries()) {
    for (const [name, value] of Object.entries(world)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    try {
      if (index < browsers.length) assert.throws(() => new Settlekit(settings), { kind: "permission" });
      else assert.ok(new Settlekit(settings));
      assert.ok(new Settlekit({ ...settings, allowBrowser: true }));
    } finally {
      for (const name of Object.keys(world)) delete globalThis[name];
      if (navigator !== undefined) Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true, writable: true });
    }
  }
});

/** A scheme of another service: a counter as nonce, a message and headers of its own, signed with WebCrypto. */
function theirs(extra = {}) {
  let last = 0;
  const seen = [];
  const sign = async (request, secret) => {
    seen.push(request);
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
    const bytes = new TextEncoder().encode(`${request.nonce}.${request.body ?? ""}`);
    const signature = Buffer.from(await crypto.subtle.sign("HMAC", key, bytes)).toString("base64");
    return { "X-API-Signature": signature, "X-Signed-With": "key-7" };
  };
  return { seen, scheme: { nonce: () => String((last += 1)), sign, ...extra } };
}
const hmac512 = ({ headers, body }) => createHmac("sha512", SECRET).update(`${headers["x-api-nonce"]}.${body ?? ""}`).digest("base64");

test("a scheme gives nonce and signature of every attempt, and may be asynchronous", async () => {
  const { seen, scheme } = theirs();
  const busy = refusal(503, "UNAVAILABLE", { headers: { "retry-after": "0" } });
  const { client, requests } = mock((_, number) => (number === 1 ? busy : data({ balances: [] })), { signingSecret: SECRET, scheme });
  await client.partner.listBalances({ account_ref: "till" });
  assert.deepEqual(requests.map(({ headers }) => headers["x-api-nonce"]), ["1", "2"]);
  for (const request of requests) {
    assert.equal(request.headers["x-api-signature"], hmac512(request));
    assert.equal(request.headers["x-signed-with"], "key-7");
  }
  assert.deepEqual([seen[0].method, seen[0].url, seen[0].nonce, seen[0].headers["x-api-key"]], ["GET", requests[0].url.href, "1", "sk_test"]);
  assert.equal(seen[0].headers["x-api-signature"], undefined);
  // What need not be signed is not.
  await client.rawRequest("GET", "/orgs");
  assert.equal(requests[2].headers["x-api-nonce"], undefined);
  await client.rawRequest("POST", "/new", { body: { a: 1 }, signed: true });
  assert.equal(requests[3].headers["x-api-signature"], hmac512(requests[3]));
  assert.equal(seen.length, 3);
});

test("a scheme may replace the nonce alone, or the signature alone", async () => {
  const ours = mock(() => data({ balances: [] }), { signingSecret: SECRET, scheme: { nonce: (now, random) => `${now}-${random.length}` }, clock: () => 1_700_000_000_000 });
  await ours.client.partner.listBalances({ account_ref: "till" });
  assert.equal(ours.requests[0].headers["x-api-nonce"], "1700000000000-10");
  assert.equal(ours.requests[0].headers["x-api-signature"], signatureOf(ours.requests[0]));
  const words = mock(() => data({ balances: [] }), { signingSecret: SECRET, scheme: { sign: ({ nonce }) => `signed ${nonce}` } });
  await words.client.partner.listBalances({ account_ref: "till" });
  const { headers } = words.requests[0];
  assert.match(headers["x-api-nonce"], /^[0-9a-f-]{36}$/);
  assert.equal(headers["x-api-signature"], `signed ${headers["x-api-nonce"]}`);
});

test("hooks do not see the headers of a scheme, and a caller cannot replace them", async () => {
  const shown = [];
  const { scheme } = theirs();
  const { client, requests } = mock(() => data({ balances: [] }), { signingSecret: SECRET, scheme, onRequest: (request) => shown.push(request) });
  await client.partner.listBalances({ account_ref: "till" });
  assert.deepEqual([shown[0].headers["x-api-signature"], shown[0].headers["x-signed-with"], shown[0].headers["x-api-nonce"]], ["***", "***", "1"]);
  await assert.rejects(client.partner.listBalances({ account_ref: "till" }, { headers: { "x-signed-with": "mine" } }), { kind: "validation", reason: "NOT_SUPPORTED" });
  assert.equal(requests.length, 1);
});

test("an error of a scheme reaches the caller without a retry, and nothing is sent", async () => {
  const oops = new Error("the key is locked");
  for (const sign of [() => { throw oops; }, () => Promise.reject(oops)]) {
    const { client, requests } = mock(() => data({ balances: [] }), { signingSecret: SECRET, scheme: { sign } });
    assert.equal(await client.partner.listBalances({ account_ref: "till" }).catch((error) => error), oops);
    assert.equal(requests.length, 0);
  }
});

test("a scheme reads the service's time from its refusal, and the clock is corrected once", async () => {
  const time = Date.parse("2030-01-01T00:00:00Z");
  const serverTime = (error, headers) => (error.reason === "STALE" ? Date.parse(headers.date) : undefined);
  const stale = refusal(401, "STALE", { headers: { Date: new Date(time).toUTCString() } });
  const { client, requests } = mock((_, number) => (number === 1 ? stale : data({ balances: [] })), { signingSecret: SECRET, scheme: { nonce: String, serverTime } });
  await client.partner.listBalances({ account_ref: "till" });
  assert.equal(requests.length, 2);
  assert.ok(Math.abs(Number(requests[1].headers["x-api-nonce"]) - time) < 5000);
  const other = mock(() => refusal(401, "OTHER", { headers: { Date: new Date(time).toUTCString() } }), { signingSecret: SECRET, scheme: { nonce: String, serverTime } });
  await assert.rejects(other.client.partner.listBalances({ account_ref: "till" }), { kind: "authentication", reason: "OTHER" });
  assert.equal(other.requests.length, 1);
});

test("a client with a scheme accepts ids of any form, as written", async () => {
  const foreign = "5F0C2D4E-6a1b-4c3d-9e8f-7a6b5c4d3e2f";
  const { client, requests } = mock(() => data("done"), { scheme: {} });
  await client.paylinks.delete({ paylink_id: foreign });
  assert.equal(requests[0].url.pathname, `/v1/paylinks/${foreign}`);
  await client.paylinks.delete({ paylink_id: "a/b" });
  assert.equal(requests[1].url.pathname, "/v1/paylinks/a%2Fb");
  for (const id of ["..", "", "a b"]) await assert.rejects(client.paylinks.delete({ paylink_id: id }), { reason: "ID_MALFORMED" }, id);
  const ours = mock(() => data("done"));
  await assert.rejects(ours.client.paylinks.delete({ paylink_id: foreign }), { reason: "ID_MALFORMED" });
  assert.equal(requests.length + ours.requests.length, 2);
});

test("an operation that the service lacks is an error of kind unsupported, a missing record is not", async () => {
  const record = { payment_id: "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01" };
  const envelope = (errors) => ({ error: { code: 404, message: "no", errors } });
  const missing = envelope([{ domain: "payment", reason: "NOT_FOUND" }]);
  const path = envelope([{ domain: "request", reason: "PATH_UNKNOWN" }]);
  const one = (client) => client.payments.get(record);
  const list = (client) => client.payments.list();
  for (const [status, body, call, kind] of [
    [404, "<html>", one, "unsupported"],
    [404, { detail: "Not Found" }, one, "unsupported"],
    [404, path, one, "unsupported"],
    [404, missing, one, "not_found"],
    [404, envelope([]), one, "not_found"],
    [404, envelope([]), list, "unsupported"],
    [404, missing, list, "not_found"],
    [405, "", list, "unsupported"],
    [501, envelope([]), one, "unsupported"],
    [503, "", one, "api"],
    [400, "", one, "validation"],
  ]) {
    const { client, requests } = mock(() => ({ status, body }), { maxRetries: 0 });
    await assert.rejects(Promise.resolve(call(client)), { kind, status }, `${status} ${JSON.stringify(body)}`);
    assert.equal(requests.length, 1);
  }
  const { client } = mock(() => ({ status: 404, body: "<html>" }));
  const error = await client.rawRequest("GET", "/nowhere").catch((error) => error);
  assert.deepEqual([error.kind, error.message], ["unsupported", "the service does not have this operation"]);
});

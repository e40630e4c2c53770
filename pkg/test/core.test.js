import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Settlekit, SettlekitError } from "settlekit";
import {
  bodySchema,
  canMove,
  HEADERS,
  is,
  isFinal,
  LIMITS,
  moves,
  parse,
  querySchema,
  rawRequest,
  read,
  request,
  schema,
  sign,
  STATES,
  validate,
  validateField,
  valueSchema,
  verify,
} from "settlekit/core";
import { ENGLISH, GERMAN, isReason, REASONS } from "settlekit/reasons";
import { WebhookSigner } from "settlekit/testing";

const lines = (name) => readFileSync(new URL(`../../tests/vectors/${name}.jsonl`, import.meta.url), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const SETTINGS = { baseUrl: "https://pay.example", apiKey: "sk_1", signingSecret: "a secret", now: 1_780_000_000_000, random: new Uint8Array(10) };
const TEA = { amount: "12.50", currency: "USDC", name: "Tea" };

test("every recorded refusal of the service is made by validate", () => {
  const refusals = lines("refusals");
  assert.ok(refusals.length > 1000, String(refusals.length));
  for (const { operation, arguments: given, errors } of refusals) {
    assert.deepEqual(validate(operation, given), errors, `${operation} ${JSON.stringify(given)}`);
    assert.throws(() => request(operation, given, SETTINGS), { name: "SettlekitError", errors, kind: "validation", status: undefined });
    const { issues } = schema(operation)["~standard"].validate(given);
    assert.deepEqual(issues.map(({ message, reason }) => ({ message, reason })), errors.map(({ message, reason }) => ({ message, reason })));
  }
});

test("every recorded call is valid, and its request and its record are as recorded", () => {
  for (const { operation, arguments: { path, query, body }, request: recorded, answer } of lines("operations")) {
    const given = { ...path, ...query, ...body };
    assert.deepEqual(validate(operation, given), [], operation);
    if (body) assert.deepEqual(bodySchema(operation)["~standard"].validate(body), { value: body }, operation);
    assert.deepEqual(querySchema(operation)["~standard"].validate(query), { value: query }, operation);
    const built = request(operation, given, SETTINGS);
    const target = built.url.replace(SETTINGS.baseUrl, "");
    assert.deepEqual({ method: built.method, target, body: JSON.parse(built.body) }, recorded, operation);
    assert.equal(built.headers[HEADERS.apiKey], "sk_1");
    const { value, error } = read(operation, { status: answer.status, body: answer.body === null ? "" : JSON.stringify(answer.body) });
    assert.equal(error, undefined, operation);
    const plain = (value) => JSON.parse(JSON.stringify(value ?? null), (_, inner) => (typeof inner === "number" ? String(inner) : inner));
    assert.deepEqual(plain(value), plain(answer.body?.data ?? answer.body), operation);
  }
});

test("a field is validated alone while it is typed", () => {
  const field = (...words) => validateField(...words).map(({ field, reason }) => `${field} ${reason}`);
  assert.deepEqual(field("CreatePaylink", "amount", "12."), ["amount AMOUNT_MALFORMED"]);
  assert.deepEqual(field("CreatePaylink", "amount", "12.5"), []);
  assert.deepEqual(field("CreatePaylink", "amount", undefined), ["amount REQUIRED"]);
  assert.deepEqual(field("CreatePaylink", "no_such_field", 1), ["no_such_field UNKNOWN_FIELD"]);
  // What lies within the field belongs to it; another field that begins with its name does not.
  assert.deepEqual(field("CreatePaylink", "after_completion", { type: "redirect" }), ["after_completion.redirect_url REQUIRED"]);
  assert.deepEqual(field("CreatePaylink", "account_ref", "eu"), []);
  // Rules between fields need the others.
  assert.deepEqual(field("CreatePaylink", "account_ref", "eu", { ...TEA, account_ids: [1] }), ["account_ref EXCLUDED"]);
  assert.deepEqual(field("ListMovements", "limit", "101", { account: "till" }), ["limit OUT_OF_RANGE"]);
});

test("what JSON cannot hold is refused, and nothing throws", () => {
  const { validate: check } = bodySchema("CreatePaylink")["~standard"];
  const circular = {};
  circular.amount = circular;
  for (const given of [undefined, null, 1, "x", [], Symbol("x"), () => 1, 1n, { ...TEA, amount: Symbol("x") }, { ...TEA, amount: NaN }, circular]) {
    assert.ok(check(given).issues?.length > 0, String(typeof given));
  }
  // Null means absent: what JSON would write as null must not drop a filter.
  for (const since of [new Date(NaN), NaN, Infinity]) {
    assert.equal(querySchema("ListPayments")["~standard"].validate({ since }).issues?.[0].reason, "TIMESTAMP_MALFORMED");
    assert.throws(() => request("ListPayments", { since }, SETTINGS), { reason: "TIMESTAMP_MALFORMED" });
  }
  assert.deepEqual(validate("ListPayments", { since: new Date(0), limit: null }), []);
  assert.equal(querySchema("ListPayments")["~standard"].validate(new URLSearchParams("limit=0")).issues?.[0].reason, "OUT_OF_RANGE");
  // A bigint is exact: it is sent as text.
  assert.equal(request("CreatePaylink", { ...TEA, amount: 12n }, SETTINGS).body, JSON.stringify({ ...TEA, amount: "12" }));
  assert.throws(() => request("CreatePaylink", circular, SETTINGS), { reason: "BODY_MALFORMED" });
  assert.deepEqual(bodySchema("ListChains")["~standard"].validate(undefined), { value: undefined });
  assert.throws(() => validate("NoSuchOperation", {}), { message: /NoSuchOperation/ });
  // Half of a character has no UTF-8, and the service refuses its escape.
  assert.equal(validate("CreatePaylink", { ...TEA, name: "\ud800" })[0]?.reason, "BODY_MALFORMED");
  assert.equal(validateField("CreatePaylink", "name", "\ud800")[0]?.field, "name");
});

test("the quick check of valid arguments passes nothing that the full one refuses", () => {
  const errors = (given) => validate("CreatePaylink", { ...TEA, ...given }).map(({ field, reason }) => `${field} ${reason}`);
  // NUL, which only an escape of JSON can write, at every depth.
  assert.deepEqual(errors({ description: "a\0b" }), ["description TEXT_MALFORMED"]);
  assert.deepEqual(errors({ metadata: { shelf: { row: ["\0"] } } }), ["metadata.shelf.row[0] TEXT_MALFORMED"]);
  assert.deepEqual(errors({ metadata: { "a\0": 1 } }), ["metadata TEXT_MALFORMED"]);
  assert.deepEqual(errors({ description: 'other escapes: "\n\u0001\\', metadata: { null: "null" } }), []);
  // An explicit null means absent, a lost value does not.
  assert.deepEqual(errors({ description: null, metadata: { a: null } }), []);
  assert.deepEqual(errors({ available_quantity: NaN }), ["available_quantity WRONG_TYPE"]);
  // Longer than the buffer, which moves as the memory grows.
  assert.deepEqual(errors({ metadata: { text: "ä".repeat(4_000_000) } }), []);
  assert.deepEqual(errors({ description: "ä".repeat(2000) }), []);
  assert.deepEqual(errors({ description: "ä".repeat(2001) }), ["description TOO_LONG"]);
  assert.deepEqual(errors({}), []);
  assert.deepEqual(errors({ name: "" }), ["name EMPTY"]);
});

test("the path of an issue leads to the value", () => {
  const { issues } = bodySchema("CreateVirtualAccount")["~standard"].validate({ reference: "till", chains: [{ chain_id: 1, currencies: ["USDC"] }, {}] });
  assert.deepEqual(issues[0].path, ["chains", 1, "chain_id"]);
});

test("a request is signed as the client signs it", async () => {
  let sent;
  const fetch = async (url, { method, headers, body }) => {
    sent = { method, url, headers, body };
    return Response.json({ data: {}, error: false });
  };
  const { now, random, ...settings } = SETTINGS;
  const client = new Settlekit({ ...settings, clock: () => now, random: (length) => new Uint8Array(length), fetch, maxRetries: 0 });
  const payout = { account: "till", amount: "1", currency: "USDC", external_account_id: 7 };
  await client.payouts.create(payout, { idempotencyKey: "one" }).catch(() => {});
  const built = request("CreatePayout", payout, { ...SETTINGS, idempotencyKey: "one" });
  assert.deepEqual(built, sent);
  const { url, method, body } = built;
  const headers = sign({ url, method, body }, "a secret", { now: new Date(now), random });
  assert.deepEqual(headers, { [HEADERS.nonce]: sent.headers[HEADERS.nonce], [HEADERS.signature]: sent.headers[HEADERS.signature] });
  const other = sign({ url, method, body, orgId: "org_1" }, "a secret", { now, random });
  assert.notEqual(other[HEADERS.signature], headers[HEADERS.signature]);
  assert.throws(() => sign({ url: "not a url", method }, "a secret"), { kind: "validation" });
  assert.throws(() => sign({ url, method }, "a secret", { random: new Uint8Array(3) }), /ten random bytes/);
  assert.throws(() => request("CreatePayout", payout, { ...SETTINGS, signingSecret: undefined }), { reason: "SIGNATURE_MISSING" });
});

test("a scheme signs requests as data, and headers for a request of one's own", () => {
  const scheme = { nonce: (now) => String(now), sign: ({ method, url, nonce }, secret) => `${secret} ${nonce} ${method} ${url}` };
  const settings = { baseUrl: "https://pay.example", signingSecret: "s", now: 5, scheme };
  const built = request("ListPartnerBalances", { account_ref: "till" }, settings);
  assert.deepEqual([built.headers[HEADERS.nonce], built.headers[HEADERS.signature]], ["5", `s 5 GET ${built.url}`]);
  assert.equal(request("GetOrganisation", {}, settings).headers[HEADERS.nonce], undefined);
  assert.equal(rawRequest("GET", "/new", { ...settings, signed: true }).headers[HEADERS.signature], "s 5 GET https://pay.example/v1/new");
  const { method, url } = built;
  assert.deepEqual(sign({ method, url }, "s", { now: 5, scheme }), { [HEADERS.nonce]: "5", [HEADERS.signature]: `s 5 GET ${url}` });
  const several = { sign: () => ({ Authorization: "Signature abc" }) };
  assert.deepEqual(Object.keys(sign({ method, url, orgId: "org-1" }, "s", { scheme: several })).sort(), ["authorization", HEADERS.nonce]);
  // An asynchronous signature is added afterwards.
  assert.throws(() => request("ListPartnerBalances", { account_ref: "till" }, { ...settings, scheme: { sign: async () => "x" } }), { kind: "validation", reason: "NOT_SUPPORTED" });
  const unsigned = request("ListPartnerBalances", { account_ref: "till" }, { ...settings, scheme: { sign: () => ({}) } });
  assert.deepEqual([typeof unsigned.headers[HEADERS.nonce], unsigned.headers[HEADERS.signature]], ["string", undefined]);
  assert.equal(request("DeletePaylink", { paylink_id: "7" }, settings).url, "https://pay.example/v1/paylinks/7");
});

test("a raw request has any path", () => {
  const { method, url, headers, body } = rawRequest("POST", "/v1/new?x=1", { ...SETTINGS, body: { a: 1 }, signed: true });
  assert.deepEqual([method, url, body], ["POST", "https://pay.example/v1/new?x=1", '{"a":1}']);
  assert.ok(headers[HEADERS.signature]);
  assert.throws(() => rawRequest("GET", "new", SETTINGS), { reason: "REQUEST_MALFORMED" });
});

test("a page has the number of the next one, and an error has its kind and reason", () => {
  const page = { data: { items: [], total: 3, next: 2 }, error: false };
  const { value, next } = read("ListPaylinks", { status: 200, headers: new Headers({ "x-request-id": "r1" }), body: Buffer.from(JSON.stringify(page)) });
  assert.deepEqual([value.total, next], [3, { page: 2 }]);
  assert.equal(read("ListPaylinks", { status: 200, body: '{"data":{"items":[],"total":0},"error":false}' }).next, undefined);
  const refused = { error: { code: 429, message: "slow", errors: [{ domain: "x", reason: "RATE_LIMITED" }] } };
  for (const headers of [{ "Retry-After": "7", "X-Request-Id": "r1" }, [["retry-after", "7"], ["x-request-id", "r1"]], new Headers({ "retry-after": "7", "x-request-id": "r1" })]) {
    const { error, value } = read("ListPaylinks", { status: 429, headers, body: JSON.stringify(refused) });
    assert.ok(error instanceof SettlekitError);
    assert.deepEqual([error.kind, error.reason, error.status, error.retryAfterSeconds, error.requestId, value], ["rate_limit", "RATE_LIMITED", 429, 7, "r1", undefined]);
  }
  for (const [status, body] of [[200, "<html>"], [200, '{"data":{"items":1}}'], [502, ""], [99, "{}"], [0, ""]]) {
    assert.equal(read("ListPaylinks", { status, body }).error?.name, "SettlekitError", `${status} ${body}`);
  }
});

test("unknown fields and values of a newer service are kept", () => {
  const [{ answer }] = lines("operations").filter(({ operation }) => operation === "GetPayment");
  const data = { ...answer.body.data, status: "Teleported", new_field: { deep: [1] } };
  const { value } = read("GetPayment", { status: 200, body: JSON.stringify({ data, error: false }) });
  assert.deepEqual([value.status, value.new_field], ["Teleported", { deep: [1] }]);
});

test("values have one canonical form", () => {
  const cases = [
    ["Amount", "007.50", "7.50"],
    ["Amount", "-0", "0"],
    ["Amount", 5, "5"],
    ["Currency", "USDC", "USDC"],
    ["AccountReference", "shop-eu", "shop-eu"],
    ["AccountId", "7", 7],
    ["AccountKey", "shop-eu", "shop-eu"],
    ["Timestamp", "2026-01-02T04:04:05+01:00", "2026-01-02T03:04:05.000000Z"],
    ["PaymentId", "pay_019AA0B5-C3F0-7C0D-9F2E-3B6A7D8C9E01", "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01"],
    ["WalletAddress", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["EvmAddress", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  ];
  for (const [type, given, canonical] of cases) {
    assert.equal(parse(type, given), canonical, type);
    assert.ok(is(type, given));
    assert.deepEqual(valueSchema(type)["~standard"].validate(given), { value: canonical });
  }
  const wrong = [
    ["Amount", "1e5", "AMOUNT_MALFORMED"],
    ["Amount", "1".repeat(40), "AMOUNT_TOO_PRECISE"],
    ["Amount", 0.1, "AMOUNT_MALFORMED"],
    ["Currency", "$", "CURRENCY_MALFORMED"],
    ["AccountReference", "7", "REFERENCE_LOOKS_LIKE_ID"],
    ["AccountReference", "virtual", "REFERENCE_RESERVED"],
    ["AccountId", "0", "ID_MALFORMED"],
    ["PaymentId", "cus_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", "ID_MALFORMED"],
    ["Timestamp", "yesterday", "TIMESTAMP_MALFORMED"],
    ["EvmAddress", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee", "ADDRESS_MALFORMED"],
    ["SolanaAddress", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "ADDRESS_MALFORMED"],
  ];
  for (const [type, given, reason] of wrong) {
    assert.throws(() => parse(type, given), { name: "SettlekitError", kind: "validation", reason }, `${type} ${given}`);
    assert.ok(!is(type, given));
    assert.equal(valueSchema(type)["~standard"].validate(given).issues[0].reason, reason);
  }
  for (const given of [undefined, null, {}, [], true, NaN, 1n, Symbol("x")]) assert.ok(!is("Amount", given) && !is("AccountReference", given));
  assert.throws(() => parse("Colour", "red"), /Colour/);
});

test("states move as the service moves them", () => {
  const documented = readFileSync(new URL("../../docs/states.md", import.meta.url), "utf8");
  const rows = documented.split(/^## /m).slice(1).flatMap((section) => {
    const [title] = section.split("\n");
    const record = title.toLowerCase().replace(/ (.)/g, (_, letter) => letter.toUpperCase());
    return [...section.matchAll(/^\| (\w+) \| (\w+) \| [^|]+ \|$/gm)].filter(([, from]) => from !== "From").map(([, from, to]) => [record, from, to]);
  });
  assert.ok(rows.length > 30);
  const count = Object.values(STATES).flatMap((table) => Object.values(table).flat()).length;
  assert.equal(count, rows.length);
  for (const [record, from, to] of rows) assert.ok(canMove(record, from, to), `${record} ${from} ${to}`);
  assert.ok(canMove("payment", "Processing", "Canceled") && !canMove("payment", "Canceled", "Processing"));
  assert.ok(moves("payment", "Processing").includes("Expired"));
  assert.ok(isFinal("quote", "Expired") && !isFinal("payment", "Processing"));
  for (const unknown of ["Teleported", "constructor", "__proto__"]) {
    assert.deepEqual([moves("payment", unknown), canMove("payment", unknown, "Confirmed"), isFinal("payment", unknown)], [[], false, false]);
  }
});

test("every reason has a status and a text in both languages", () => {
  const known = [...readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8").matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.+) \|$/gm)];
  assert.deepEqual(REASONS, Object.fromEntries(known.map(([, reason, status]) => [reason, Number(status)])));
  assert.deepEqual(ENGLISH, Object.fromEntries(known.map(([, reason, , text]) => [reason, text])));
  assert.deepEqual(Object.keys(GERMAN), Object.keys(REASONS));
  assert.ok(isReason("NOT_FOUND") && !isReason("NEVER_HEARD_OF") && !isReason("constructor"));
});

test("the limits equal those of the validation", () => {
  assert.deepEqual(validate("ListPaylinks", { limit: LIMITS.pageItems }), []);
  assert.equal(validate("ListPaylinks", { limit: LIMITS.pageItems + 1 })[0].reason, "OUT_OF_RANGE");
  assert.ok(is("AccountReference", "x".repeat(LIMITS.referenceChars)) && !is("AccountReference", "x".repeat(LIMITS.referenceChars + 1)));
  assert.ok(is("AccountId", LIMITS.integerId) && !is("AccountId", String(LIMITS.integerId + 1)));
  assert.equal(validate("CreatePaylink", Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]))).length, LIMITS.errors);
});

test("webhooks are verified by the same entry", () => {
  const signer = new WebhookSigner();
  const { body, headers } = signer.sign({ type: "payment.updated", data: { id: "pay_1" } });
  assert.equal(verify(body, headers, signer.publicKey).type, "payment.updated");
  assert.throws(() => verify(`${body} `, headers, signer.publicKey), { kind: "signature" });
});

import assert from "node:assert/strict";
import { generateKeyPairSync, sign as signBytes, verify as verifyBytes } from "node:crypto";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { WebhookSigner } from "settlekit/testing";
import { SettlekitError, verify } from "settlekit/webhooks";

const NOW = Date.parse("2026-06-01T12:00:00Z");
const clock = () => NOW;
const BODY = '{"type":"payment.updated","timestamp":"2026-06-01T12:00:00Z","data":{"amount":"12.50","note":"käse"}}';

/** A webhook signed by Node's crypto. */
function signed(body = BODY, { at = NOW, id = "evt_1", pair = generateKeyPairSync("ed25519") } = {}) {
  const timestamp = String(Math.floor(at / 1000));
  const signature = signBytes(null, Buffer.from(`${id}.${timestamp}.${body}`), pair.privateKey).toString("base64");
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1a,${signature}` };
  return { body, headers, key: pair.publicKey.export({ type: "spki", format: "pem" }) };
}

test("a webhook signed by an independent implementation verifies as text, bytes and request", async () => {
  const { body, headers, key } = signed();
  for (const raw of [body, new TextEncoder().encode(body), Buffer.from(body), new TextEncoder().encode(body).buffer]) {
    assert.equal(verify(raw, headers, key, { clock }).data.amount, "12.50");
  }
  assert.equal(verify(body, new Headers(headers), [key], { clock }).type, "payment.updated");
  assert.equal(verify(body, Object.entries(headers), [key], { clock }).type, "payment.updated");
  assert.equal(verify(body, { "Webhook-Id": headers["webhook-id"], "WEBHOOK-TIMESTAMP": [headers["webhook-timestamp"]], "webhook-signature": headers["webhook-signature"] }, key, { clock }).type, "payment.updated");
  const request = () => new Request("https://shop.example/hook", { method: "POST", body, headers });
  assert.equal((await verify(request(), key, { clock })).data.note, "käse");
  const used = request();
  await used.text();
  await assert.rejects(verify(used, key, { clock }), { kind: "signature", reason: "BODY_PARSED" });
});

test("a key works with escaped or lost line breaks, and one matching key of several is enough", () => {
  const { body, headers, key } = signed();
  const other = signed().key;
  for (const pem of [key.replaceAll("\n", "\\n"), key.replaceAll("\n", "\r\n"), key.replaceAll("\n", ""), ` ${key}`]) {
    assert.ok(verify(body, headers, pem, { clock }));
  }
  assert.ok(verify(body, headers, [other, key], { clock }));
  const both = { ...headers, "webhook-signature": `${signed().headers["webhook-signature"]} ${headers["webhook-signature"]}` };
  assert.ok(verify(body, both, key, { clock }));
});

function check(reason, change) {
  const good = signed();
  const { body, headers, key, options } = { ...good, ...change(good) };
  assert.throws(
    () => verify(body, headers, key, { clock, ...options }),
    (error) => error instanceof SettlekitError && error.kind === "signature" && error.reason === reason,
    reason,
  );
}

test("modified, old, early, incomplete and foreign webhooks are rejected with different reasons", () => {
  check("SIGNATURE_INVALID", ({ body }) => ({ body: body.replace("12.50", "12.51") }));
  check("SIGNATURE_INVALID", ({ headers }) => ({ headers: { ...headers, "webhook-id": "evt_2" } }));
  check("SIGNATURE_INVALID", () => ({ key: signed().key }));
  check("SIGNATURE_INVALID", ({ headers }) => ({ headers: { ...headers, "webhook-signature": "v1,AAAA" } }));
  check("HEADER_MALFORMED", () => ({ headers: {} }));
  check("HEADER_MALFORMED", ({ headers }) => ({ headers: { ...headers, "webhook-timestamp": "soon" } }));
  check("TOO_OLD", () => ({ options: { clock: () => NOW + 301_000 } }));
  check("TOO_NEW", () => ({ options: { clock: () => NOW - 301_000 } }));
  check("TOO_OLD", () => ({ options: { clock: () => NOW + 11_000, toleranceSeconds: 10 } }));
  check("KEY_MALFORMED", () => ({ key: "no key" }));
  check("KEY_MALFORMED", () => ({ key: [] }));
  check("BODY_PARSED", ({ body }) => ({ body: JSON.parse(body) }));
});

test("parsed, unread and forged bodies have different errors", () => {
  const { body, headers, key } = signed();
  assert.throws(() => verify(JSON.parse(body), headers, key, { clock }), /parsed before.*express\.raw/);
  assert.throws(() => verify(undefined, headers, key, { clock }), /no body.*express\.raw/);
});

test("a missing key is reported", async () => {
  const { body, headers } = signed();
  for (const key of [undefined, null, [], [undefined]]) {
    assert.throws(() => verify(body, headers, key, { clock }), { kind: "signature", reason: "KEY_MALFORMED" });
    const request = new Request("https://shop.example/hook", { method: "POST", body, headers });
    await assert.rejects(verify(request, key, { clock }), { kind: "signature", reason: "KEY_MALFORMED" });
  }
});

test("bytes and headers of another realm are accepted, as in test runners", () => {
  const { body, headers, key } = signed();
  const bytes = runInNewContext("new Uint8Array(given)", { given: [...Buffer.from(body)] });
  assert.ok(!(bytes instanceof Uint8Array));
  const others = { get: (name) => headers[name] ?? null };
  assert.ok(verify(bytes, others, key, { clock }));
  assert.ok(verify(bytes.buffer, others, key, { clock }));
  // A view covers only its own range, not the whole buffer.
  const around = Buffer.from(`xx${body}xx`);
  assert.ok(verify(around.subarray(2, -2), headers, key, { clock }));
  assert.ok(verify(new DataView(around.buffer, around.byteOffset + 2, around.length - 4), headers, key, { clock }));
});

test("missing headers are rejected", () => {
  const { body, key } = signed();
  for (const headers of [undefined, null, {}, []]) {
    assert.throws(() => verify(body, headers, key, { clock }), { kind: "signature", reason: "HEADER_MALFORMED" });
  }
});

test("a webhook signed for a test verifies here and independently", () => {
  const signer = new WebhookSigner();
  const webhook = signer.sign({ type: "payment.updated", data: { amount: "1.00" }, at: new Date(NOW) });
  assert.equal(verify(webhook.body, webhook.headers, signer.publicKey, { clock }).data.amount, "1.00");
  const content = `${webhook.headers["webhook-id"]}.${webhook.headers["webhook-timestamp"]}.${webhook.body}`;
  const signature = Buffer.from(webhook.headers["webhook-signature"].slice(4), "base64");
  assert.ok(verifyBytes(null, Buffer.from(content), signer.publicKey, signature));
  assert.equal(new WebhookSigner(new Uint8Array(32)).publicKey, new WebhookSigner(new Uint8Array(32)).publicKey);
  assert.throws(() => new WebhookSigner(new Uint8Array(31)), TypeError);
});

test("a signer creates requests and can sign with a second key, as during a rotation", async () => {
  const [current, next] = [new WebhookSigner(), new WebhookSigner()];
  const webhook = { type: "payment.updated", data: {}, at: new Date(NOW), id: "evt_7" };
  const request = current.request("https://shop.example/hook", { ...webhook, also: next });
  assert.equal(request.method, "POST");
  assert.equal(request.headers.get("webhook-id"), "evt_7");
  for (const { publicKey } of [current, next]) assert.equal((await verify(request.clone(), publicKey, { clock })).type, "payment.updated");
  await assert.rejects(verify(request.clone(), new WebhookSigner().publicKey, { clock }), { reason: "SIGNATURE_INVALID" });
  await assert.rejects(verify(request, current.publicKey, { clock: () => NOW + 3_600_000 }), { reason: "TOO_OLD" });
});

test("a webhook of another service is verified by a scheme that is given, synchronous or not", async () => {
  const headers = { "X-Signature": "ok" };
  const seen = [];
  const scheme = (webhook) => {
    seen.push(webhook);
    return webhook.header("x-signature") === "ok" && new TextDecoder().decode(webhook.body) === BODY;
  };
  assert.equal(verify(BODY, headers, "a secret", { clock, scheme }).type, "payment.updated");
  const [{ keys, now, toleranceSeconds, header }] = seen;
  assert.deepEqual([keys, now, toleranceSeconds, header("X-SIGNATURE"), header("none")], [["a secret"], NOW, 300, "ok", ""]);
  assert.throws(() => verify(`${BODY} `, headers, "a secret", { clock, scheme }), { kind: "signature", reason: "SIGNATURE_INVALID" });
  assert.throws(() => verify(BODY, headers, undefined, { clock, scheme }), { reason: "KEY_MALFORMED" });

  const later = async (webhook) => scheme(webhook);
  assert.equal((await verify(BODY, headers, "a secret", { scheme: later })).data.amount, "12.50");
  await assert.rejects(verify(`${BODY} `, headers, "a secret", { scheme: later }), { kind: "signature" });
  const request = () => new Request("https://shop.example/hook", { method: "POST", body: BODY, headers });
  for (const either of [scheme, later]) assert.equal((await verify(request(), "a secret", { scheme: either })).type, "payment.updated");
  await assert.rejects(verify(request(), "a secret", { scheme: async () => false }), { kind: "signature" });
});

test("a scheme that does not answer with true or false rejects the webhook", async () => {
  for (const odd of [undefined, null, 1, "yes", {}]) {
    await assert.rejects(async () => verify(BODY, {}, "a secret", { scheme: () => odd }), { kind: "signature" });
    await assert.rejects(async () => verify(BODY, {}, "a secret", { scheme: async () => odd }), { kind: "signature" });
  }
});

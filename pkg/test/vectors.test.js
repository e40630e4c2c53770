import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Settlekit } from "settlekit";
import { WebhookSigner } from "settlekit/testing";
import { verify } from "settlekit/webhooks";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../tests/vectors/${name}.json`, import.meta.url), "utf8"));

test("request signatures equal the vectors", async (context) => {
  const { secret, nonce, nonce_at_ms: at, requests } = vectors("signing");
  const random = Buffer.from(nonce.replaceAll("-", ""), "hex").subarray(6);
  context.mock.method(crypto, "getRandomValues", (bytes) => (bytes.set(random), bytes));
  const reads = requests.filter(({ path }) => path === "/v1/partners/accounts/shop-eu/balances");
  assert.ok(reads.length >= 2);
  for (const { name, organisation, signature } of reads) {
    let sent;
    const fetch = async (_, { headers }) => {
      sent = headers;
      return Response.json({ data: { balances: [] }, error: false });
    };
    const client = new Settlekit({ baseUrl: "https://pay.example", signingSecret: secret, clock: () => at, fetch });
    await client.partner.listBalances({ account_ref: "shop-eu" }, organisation ? { orgId: organisation } : {});
    assert.deepEqual([sent["x-api-nonce"], sent["x-api-signature"]], [nonce, signature], name);
  }
});

test("webhooks of the vectors verify with any line breaks in the key, and invalid keys are rejected", () => {
  const { public_key: key, public_key_variants: variants, not_keys: others, published, deliveries, secret_hex: secret } = vectors("webhook");
  assert.equal(new WebhookSigner(Buffer.from(published.secret_hex, "hex")).publicKey, published.public_key);
  assert.equal(new WebhookSigner(Buffer.from(secret, "hex")).publicKey, key);
  for (const { name, id, timestamp, body, signature, public_key: own } of [...deliveries, { ...published, name: "published" }]) {
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    const clock = () => timestamp * 1000;
    for (const pem of own ? [own] : [key, ...variants]) {
      let outcome = "verified";
      try {
        verify(body, headers, pem, { clock });
      } catch (error) {
        // Some bodies of the vectors are not JSON; their signature is valid nevertheless.
        outcome = error.kind === "api" ? "verified" : error.message;
      }
      assert.equal(outcome, "verified", `${name} with ${JSON.stringify(pem)}`);
    }
    for (const pem of others) assert.throws(() => verify(body, headers, pem, { clock }), { reason: "KEY_MALFORMED" }, JSON.stringify(pem));
  }
});

test("requests and responses of every operation equal the vectors", async () => {
  const lines = readFileSync(new URL("../../tests/vectors/operations.jsonl", import.meta.url), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const listed = readFileSync(new URL("../js/operations.ts", import.meta.url), "utf8").matchAll(/^  \["(\w+)", "(\w+)", "(\w+)", "\w+"\],$/gm);
  const names = new Map([...listed].map(([, room, method, id]) => [id, [room, method]]));
  assert.deepEqual(lines.map(({ operation }) => operation).sort(), [...names.keys()].sort());
  for (const { operation, arguments: given, request, answer } of lines) {
    let sent;
    const fetch = async (url, { method, body }) => {
      sent = { method, target: String(url).replace("https://pay.example", ""), body: body == null ? null : JSON.parse(body) };
      return new Response(answer.body === null ? null : JSON.stringify(answer.body), { status: answer.status });
    };
    const client = new Settlekit({ baseUrl: "https://pay.example", apiKey: "sk", signingSecret: "ss", fetch });
    const [room, method] = names.get(operation);
    const values = { ...given.path, ...given.query, ...given.body };
    assert.ok(client[room]?.[method], operation);
    const takesNone = Object.keys(values).length === 0;
    const read = await (takesNone ? client[room][method]() : client[room][method](values));
    assert.deepEqual(sent, request, operation);
    const expected = answer.body?.data ?? answer.body;
    // JSON numbers with exact values become strings with every digit.
    const plain = (value) => JSON.parse(JSON.stringify(value ?? null), (_, inner) => (typeof inner === "number" ? String(inner) : inner));
    assert.deepEqual(plain(read), plain(expected), operation);
  }
});

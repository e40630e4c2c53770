import assert from "node:assert/strict";
import { createPublicKey, verify as verifyBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { verify } from "settlekit/webhooks";

/** A sandbox with one organisation and a client for it. */
function shop(settings) {
  const sandbox = new Sandbox(settings);
  const organisation = sandbox.createOrganisation({ name: "Tea House" });
  const client = new Settlekit({ baseUrl: "http://sandbox.test", fetch: sandbox.fetch, clock: sandbox.clock, ...organisation, orgId: undefined });
  return { sandbox, organisation, client };
}

test("the recording of one payment gives the same bytes in WebAssembly as natively", () => {
  const recording = readFileSync(new URL("../../tests/vectors/one_payment.jsonl", import.meta.url), "utf8").trim().split("\n");
  const sandbox = new Sandbox({ publicUrl: "http://127.0.0.1:8080" });
  // The recording begins with an empty database, and so does this one: its first step brings up to date what is.
  for (const [index, line] of recording.entries()) {
    const { step, reply } = JSON.parse(line);
    assert.deepEqual(sandbox.replay(step), reply, `line ${index + 1}: ${step.call}`);
  }
});

test("a payment link is made, paid, booked and told, all in this process", async () => {
  const { sandbox, client } = shop();
  await client.organisation.updateOrganisation({ webhook_url: "https://tea.example/hook" });
  const [chain] = await client.chain.listChains();
  const currency = chain.assets[0].symbol;
  const account = await client.account.createAccount({ currencies: [currency], reference: "till", type: "CryptoPayIn", chain_id: chain.id });
  const paylink = await client.paylink.createPaylink({ amount: "12.50", currency, name: "Tea" });
  const payment = await client.checkout.startCheckout({ paylink_id: paylink.id, chain_id: chain.id, currency });
  await client.checkout.payFromTestWallet({ payment_id: payment.payment_id });

  const key = (await client.organisation.getOrganisation()).webhook_public_key;
  const told = [];
  for (let minute = 0; minute < 60; minute += 1) {
    sandbox.advance(60);
    for (const { request } of await sandbox.deliver(() => new Response(null, { status: 204 }))) {
      const body = await request.text();
      const content = `${request.headers.get("webhook-id")}.${request.headers.get("webhook-timestamp")}.${body}`;
      const signature = Buffer.from(request.headers.get("webhook-signature").split(",")[1], "base64");
      assert.ok(verifyBytes(null, Buffer.from(content), createPublicKey(key), signature), "an independent implementation agrees");
      told.push(verify(body, request.headers, key, { clock: sandbox.clock }).type);
    }
  }
  assert.equal((await client.checkout.getCheckoutPayment({ payment_id: payment.payment_id })).status, "Confirmed");
  assert.ok(told.includes("payment.updated") || told.includes("payment.settled"), told.join());
  const movements = await client.account.listMovements({ account: account.id }).toArray({ limit: 10 });
  assert.deepEqual(movements.map(({ amount, direction, status }) => [Number(amount), direction, status]), [[12.5, "IN", "Confirmed"]]);
  assert.deepEqual(sandbox.verify(), []);
});

test("the same seed gives the same secrets, another seed others, and an image is a place to go on from", async () => {
  const [one, same, other] = [shop(), shop(), shop({ seed: 1 })];
  assert.deepEqual(one.organisation, same.organisation);
  assert.notEqual(one.organisation.apiKey, other.organisation.apiKey);
  const copy = new Sandbox({ image: one.sandbox.image(), seed: 2 });
  const client = new Settlekit({ baseUrl: "http://sandbox.test", fetch: copy.fetch, clock: copy.clock, apiKey: one.organisation.apiKey });
  assert.equal((await client.organisation.getOrganisation()).name, "Tea House");
});

test("a wrong key is refused as by the service itself", async () => {
  const { sandbox } = shop();
  const client = new Settlekit({ baseUrl: "http://sandbox.test", fetch: sandbox.fetch, clock: sandbox.clock, apiKey: "sk_wrong" });
  await assert.rejects(client.account.listAccounts(), { kind: "authentication", status: 401, reason: "KEY_INVALID" });
});

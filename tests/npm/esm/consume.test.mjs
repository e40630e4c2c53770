import assert from "node:assert/strict";
import { createPublicKey, verify as verifyBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { Settlekit, SettlekitError } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { WebhookSigner } from "settlekit/testing";
import { verify } from "settlekit/webhooks";

const baseUrl = process.env.SETTLEKIT_URL;
const { org_id: orgId, api_key: apiKey, signing_secret: signingSecret } = JSON.parse(process.env.SETTLEKIT_ORGANISATION);
const settlekit = new Settlekit({ baseUrl, apiKey, signingSecret });
const DEPOSITS = ["1.50", "0.000001", "12345.678901"];

/** A webhook receiver that records requests. */
const received = [];
const receiver = createServer(async (request, response) => {
  const chunks = await request.toArray();
  received.push({ headers: request.headers, body: Buffer.concat(chunks) });
  response.writeHead(204).end();
  receiver.emit("webhook");
});
let account;

before(async () => {
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  await settlekit.organisation.update({ webhook_url: `http://127.0.0.1:${receiver.address().port}/hook` });
  const chains = await settlekit.chains.list();
  const chain = chains.find(({ assets }) => assets.some(({ symbol }) => symbol === "USDC"));
  account = await settlekit.accounts.create({ currencies: ["USDC"], reference: "till", type: "CryptoPayIn", chain_id: chain.id });
  for (const amount of DEPOSITS) {
    await settlekit.sandbox.createDeposit({ account: "till", chain_id: chain.id, currency: "USDC", amount });
  }
});

after(() => receiver.close());

test("movements are iterated with `for await`, with exact amounts as text", async () => {
  const amounts = [];
  for await (const movement of settlekit.accounts.listMovements({ account: "till", limit: 2 })) amounts.push(movement.amount);
  assert.deepEqual(amounts.map((amount) => amount.replace(/0+$/, "")), DEPOSITS.map((amount) => amount.replace(/0+$/, "")));
  const page = await settlekit.accounts.listMovements({ account: account.id, limit: 2 });
  assert.deepEqual([page.items.length, page.total, page.next], [2, 3, 2]);
});

test("a wrong key is an error of kind authentication", async () => {
  const stranger = new Settlekit({ baseUrl, apiKey: "sk_wrong" });
  const error = await stranger.accounts.list().catch((error) => error);
  assert.ok(error instanceof SettlekitError);
  assert.deepEqual([error.kind, error.status, error.reason], ["authentication", 401, "KEY_INVALID"]);
});

test("a webhook of the service verifies here and with an independent implementation", async () => {
  const patience = AbortSignal.timeout(60_000);
  while (received.length === 0) await once(receiver, "webhook", { signal: patience });
  const { webhook_public_key: key } = await settlekit.organisation.get();
  const [{ headers, body }] = received;
  assert.equal(typeof verify(body, headers, key).type, "string");
  const content = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]);
  const signatures = headers["webhook-signature"].split(" ").map((text) => Buffer.from(text.split(",")[1], "base64"));
  assert.ok(signatures.some((signature) => verifyBytes(null, content, createPublicKey(key), signature)));
  const altered = Buffer.from(body);
  altered[altered.length - 2] ^= 1;
  assert.throws(() => verify(altered, headers, key), { kind: "signature", reason: "SIGNATURE_INVALID" });
});

test("a signed operation is accepted, and rejected for a foreign sub-merchant", async () => {
  const error = await settlekit.partner.listBalances({ account_ref: "nothing-here" }).catch((error) => error);
  assert.deepEqual([error.kind, error.status], ["not_found", 404], error.message);
  const elsewhere = settlekit.partner.listBalances({ account_ref: "till" }, { orgId: "org_019aa0b5c3f07c0d9f2e3b6a7d8c9e01" });
  await assert.rejects(elsewhere, { kind: "not_found", status: 404 });
  assert.match(orgId, /^org_/);
});

test("a clock that is an hour off is corrected by the server's time", async () => {
  const late = new Settlekit({ baseUrl, apiKey, signingSecret, clock: () => Date.now() - 3_600_000 });
  await assert.rejects(late.partner.listBalances({ account_ref: "nothing-here" }), { kind: "not_found" });
});

test("the sandbox and the signer of test webhooks work from the package", async () => {
  const sandbox = await Sandbox.start();
  const client = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
  assert.equal((await client.organisation.get()).name, "Tea House");
  const signer = new WebhookSigner();
  const webhook = signer.sign({ type: "payment.updated", data: {} });
  assert.equal(verify(webhook.body, webhook.headers, signer.publicKey).type, "payment.updated");
});

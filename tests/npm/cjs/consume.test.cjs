const assert = require("node:assert/strict");
const { test } = require("node:test");

const { Settlekit, SettlekitError } = require("settlekit");
const { Decimal } = require("settlekit/decimal");
const { Sandbox } = require("settlekit/sandbox");
const { WebhookSigner } = require("settlekit/testing");
const { verify } = require("settlekit/webhooks");

const baseUrl = process.env.SETTLEKIT_URL;
const { org_id: id, api_key: apiKey } = JSON.parse(process.env.SETTLEKIT_ORGANISATION);

test("CommonJS reads from the service", async () => {
  const settlekit = new Settlekit({ baseUrl, apiKey });
  assert.equal((await settlekit.organisation.get()).id, id);
  const accounts = [];
  for await (const account of settlekit.accounts.list()) accounts.push(account.reference);
  assert.ok(Array.isArray(accounts));
});

test("CommonJS gets typed errors", async () => {
  const error = await new Settlekit({ baseUrl, apiKey: "sk_wrong" }).accounts.list().catch((error) => error);
  assert.ok(error instanceof SettlekitError);
  assert.equal(error.kind, "authentication");
});

test("CommonJS adds exactly", () => {
  assert.equal(String(Decimal.from("0.1").plus("0.2")), "0.3");
});

test("CommonJS verifies webhooks and runs the sandbox", async () => {
  const signer = new WebhookSigner();
  const webhook = signer.sign({ type: "payment.updated", data: {} });
  assert.equal(verify(webhook.body, webhook.headers, signer.publicKey).type, "payment.updated");
  assert.match((await Sandbox.start()).createOrganisation({ name: "Tea House" }).apiKey, /^sk_/);
});

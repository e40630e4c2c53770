import { Settlekit, SettlekitError } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { verify } from "settlekit/webhooks";
import { beforeAll, beforeEach, expect, test } from "vitest";

let sandbox, settlekit, filled, paylink, key;
const told = [];

beforeAll(async () => {
  const webhooks = async (request) => {
    told.push((await verify(request, key, { clock: sandbox.clock.now })).type);
    return new Response(null, { status: 204 });
  };
  sandbox = await Sandbox.start({ webhooks });
  settlekit = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
  key = (await settlekit.organisation.update({ webhook_url: "https://tea.example/hook" })).webhook_public_key;
  const [{ id: chain_id }] = await settlekit.chains.list();
  await settlekit.accounts.create({ reference: "till", type: "CryptoPayIn", currencies: ["USDC"], chain_id });
  paylink = await settlekit.paylinks.create({ amount: "2.50", currency: "USDC", name: "Tea" });
  filled = sandbox.snapshot();
});

beforeEach(() => sandbox.restore(filled));

test("a payment reaches the webhook handler", async () => {
  const { payment_id } = await sandbox.pay(paylink);
  await sandbox.clock.advance({ minutes: 30 });
  expect((await settlekit.payments.get({ payment_id })).status).toBe("Confirmed");
  expect(told).toContain("payment.settled");
  expect(sandbox.deliveries.map(({ error }) => error).filter(Boolean)).toEqual([]);
});

test("each test starts clean, and errors have the package's types", async () => {
  expect((await settlekit.payments.list()).total).toBe(0);
  const refused = settlekit.paylinks.create({ amount: "-1", currency: "USDC", name: "Tea" });
  await expect(refused).rejects.toBeInstanceOf(SettlekitError);
});

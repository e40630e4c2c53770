import assert from "node:assert/strict";
import { createPublicKey, verify as verifyBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { verify } from "settlekit/webhooks";

const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** A sandbox with an organisation that receives webhooks, a client, an account and a paylink. */
async function shop(settings) {
  const sandbox = await Sandbox.start(settings);
  const organisation = sandbox.createOrganisation({ name: "Tea House" });
  const client = new Settlekit(sandbox.settings(organisation));
  await client.organisation.update({ webhook_url: "https://tea.example/hook" });
  const [chain] = await client.chains.list();
  const currency = chain.assets[0].symbol;
  const account = await client.accounts.create({ currencies: [currency], reference: "till", type: "CryptoPayIn", chain_id: chain.id });
  const paylink = await client.paylinks.create({ amount: "12.50", currency, name: "Tea" });
  return { sandbox, organisation, client, chain, currency, account, paylink };
}

const statusOf = async (client, { payment_id }) => {
  const { status, reason } = await client.payments.get({ payment_id });
  return reason === undefined ? [status] : [status, reason];
};

test("the recording of one payment is byte-identical in WebAssembly", async () => {
  const recording = readFileSync(new URL("../../tests/vectors/one_payment.jsonl", import.meta.url), "utf8").trim().split("\n");
  const sandbox = await Sandbox.start({ publicUrl: "http://127.0.0.1:8080" });
  // Recording and sandbox both start with an empty database; the first step runs the migrations.
  for (const [index, line] of recording.entries()) {
    const { step, reply } = JSON.parse(line);
    assert.deepEqual(sandbox.replay(step), reply, `line ${index + 1}: ${step.call}`);
  }
});

test("a payment link is paid, booked and delivered to the handler with valid signatures", async () => {
  const told = [];
  let key;
  const webhooks = async (request) => {
    const body = await request.clone().text();
    const content = `${request.headers.get("webhook-id")}.${request.headers.get("webhook-timestamp")}.${body}`;
    const signature = Buffer.from(request.headers.get("webhook-signature").split(",")[1], "base64");
    assert.ok(verifyBytes(null, Buffer.from(content), createPublicKey(key), signature), "an independent implementation agrees");
    told.push((await verify(request, key, { clock: sandbox.clock.now })).type);
    return new Response(null, { status: 204 });
  };
  const { sandbox, client, account, paylink } = await shop({ webhooks });
  key = (await client.organisation.get()).webhook_public_key;
  const payment = await sandbox.pay(paylink);
  assert.deepEqual(await statusOf(client, payment), ["Processing"]);
  await sandbox.clock.advance({ hours: 1 });
  assert.deepEqual(await statusOf(client, payment), ["Confirmed"]);
  assert.ok(told.includes("payment.settled"), told.join());
  assert.deepEqual(sandbox.deliveries.map(({ type }) => type), told);
  assert.ok(sandbox.deliveries.every(({ error, response }) => error === undefined && response.status === 204));
  const movements = await client.accounts.listMovements({ account: account.id }).toArray({ limit: 10 });
  assert.deepEqual(movements.map(({ amount, direction, status }) => [Number(amount), direction, status]), [[12.5, "IN", "Confirmed"]]);
  assert.deepEqual(sandbox.verify(), []);
});

test("underpaid and overpaid payments differ, and a deposit without a payment is booked", async () => {
  const { sandbox, organisation, client, chain, currency, paylink } = await shop();
  const less = await sandbox.pay(paylink, { amount: "12" });
  const more = await sandbox.pay(paylink.id, { amount: "13", currency, chain_id: chain.id, email: "payer@example.com" });
  await sandbox.deposit(organisation, { account: "till", chain_id: chain.id, currency, amount: "0.75" });
  await sandbox.clock.advance({ minutes: 20 });
  assert.notDeepEqual(await statusOf(client, less), ["Confirmed"]);
  assert.deepEqual(await statusOf(client, more), ["Confirmed", "Overpaid"]);
  const amounts = (await client.accounts.listMovements({ account: "till" }).toArray({ limit: 10 })).map(({ amount }) => Number(amount));
  assert.deepEqual(amounts.sort(), [0.75, 12, 13]);
  await sandbox.clock.advance({ days: 1 });
  assert.notDeepEqual(await statusOf(client, less), ["Processing"], "the price held for half an hour");
});

test("options that the link does not offer are rejected", async () => {
  const { sandbox, paylink, organisation } = await shop();
  await assert.rejects(sandbox.pay(paylink, { currency: "DOGE" }), { name: "SettlekitError" });
  await assert.rejects(sandbox.pay("pl_nothing"), { name: "SettlekitError" });
  await assert.rejects(sandbox.deposit(organisation, { account: "elsewhere", chain_id: 1, currency: "USDC", amount: "1" }), { kind: "validation" });
});

test("a failed webhook is retried as the clock advances, and a handler that throws counts as a failure", async () => {
  let calls = 0;
  const webhooks = () => {
    calls += 1;
    if (calls === 1) throw new Error("not yet");
    return new Response(null, { status: calls === 2 ? 500 : 204 });
  };
  const { sandbox, client } = await shop({ webhooks });
  await sandbox.clock.advance({ seconds: 0 });
  assert.equal(sandbox.deliveries[0].error.message, "not yet");
  await sandbox.clock.advance({ hours: 6 });
  const first = sandbox.deliveries[0].event;
  const attempts = sandbox.deliveries.filter(({ event }) => event === first);
  assert.ok(attempts.length >= 2, String(attempts.length));
  assert.equal(attempts.at(-1).response.status, 204);
  assert.equal((await client.events.listAttempts({ event_id: first })).length, attempts.length);
});

test("the seed determines ids and secrets", async () => {
  const [one, same, other] = [await shop(), await shop(), await shop({ seed: 2 ** 50 })];
  assert.deepEqual(one.organisation, same.organisation);
  assert.deepEqual(one.paylink, same.paylink);
  assert.notEqual(one.organisation.apiKey, other.organisation.apiKey);
});

test("the same seed and calls give a byte-identical database", async () => {
  const course = async (settings) => {
    const { sandbox, client, paylink, chain, currency } = await shop(settings);
    await sandbox.pay(paylink);
    await sandbox.clock.advance({ days: 2 });
    await client.payouts.create({ account: "till", amount: "3", currency, chain_id: chain.id, address: WALLET });
    return Buffer.from(sandbox.snapshot().image);
  };
  const [one, same, other] = [await course(), await course(), await course({ seed: 1 })];
  assert.ok(one.equals(same));
  assert.ok(!one.equals(other));
});

test("inspecting a request changes neither result nor database", async () => {
  const course = async (settings) => {
    const { sandbox, organisation, chain, currency, paylink } = await shop();
    const client = new Settlekit({ ...sandbox.settings(organisation), ...settings });
    const given = [];
    const note = (call) => call.then((record) => given.push(record), ({ kind, status, message, errors, requestId }) => given.push({ kind, status, message, errors, requestId }));
    await sandbox.pay(paylink);
    await sandbox.clock.advance({ hours: 1 });
    await note(client.plans.create({ name: "Box", price: "9", currency, type: "OneTime" }));
    await note(client.plans.create({ name: "", price: "much", currency, type: "OneTime" }));
    await note(client.plans.create({ name: "Box", price: "9", currency: "NONE", type: "OneTime" }, { idempotencyKey: "once" }));
    await note(client.plans.create({ name: "Box", price: "8", currency: "NONE", type: "OneTime" }, { idempotencyKey: "once" }));
    await note(client.plans.get({ plan_id: "plan_019aa0b5c3f07c0d9f2e3b6a7d8c9e01" }));
    await note(client.payments.list({ status: "Confirmed", limit: 1 }).toArray({ limit: 1 }));
    await note(client.payouts.create({ account: "till", amount: "3", currency, chain_id: chain.id, address: WALLET }));
    await note(new Settlekit({ ...sandbox.settings(organisation), ...settings, clock: () => 0 }).payouts.create({ account: "till", amount: "1", currency, chain_id: chain.id, address: WALLET }));
    await note(new Settlekit({ ...sandbox.settings(organisation), ...settings, apiKey: "sk_nobody" }).plans.list().toArray({ limit: 1 }));
    return { given, image: Buffer.from(sandbox.snapshot().image) };
  };
  let seen = 0;
  const [unseen, watched] = [await course({}), await course({ onRequest: () => (seen += 1) })];
  assert.ok(seen > 0);
  assert.deepEqual(unseen.given, watched.given);
  assert.ok(unseen.image.equals(watched.image));
});

test("idle time is skipped, and due jobs run at their times", async () => {
  const { sandbox, client, paylink, currency } = await shop();
  await sandbox.pay(paylink, { email: "ada@tea.example" });
  await sandbox.clock.advance({ hours: 1 });
  const [customer] = await client.customers.list().toArray({ limit: 1 });
  const plan = await client.plans.create({ name: "Box", price: "9", currency, type: "Recurring", recurring_interval: "Month", trial_period: "P14D" });
  const begun = sandbox.clock.now();
  await client.subscriptions.create({ customer_id: customer.id, plan_ids: [plan.id] });
  for (const days of [20, 31, 29]) {
    await sandbox.clock.advance({ days });
    const [newest] = await client.invoices.list({ sort: "desc" }).toArray({ limit: 1 });
    await sandbox.pay(newest.properties.payment_url.split("/").at(-1));
  }
  const invoices = await client.invoices.list({ sort: "asc" }).toArray({ limit: 10 });
  const days = invoices.map(({ created_at }) => (Date.parse(created_at) - begun) / 86_400_000);
  // Started in January 2026: 14 days of trial, then monthly periods.
  assert.deepEqual(days, [14, 14 + 31, 14 + 31 + 28]);
  assert.equal(sandbox.clock.now(), begun + 80 * 86_400_000);
});

test("an unaccepted quote expires with the clock", async () => {
  const sandbox = await Sandbox.start();
  const client = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House", otc: true })));
  const [chain] = await client.chains.list();
  const currencies = chain.assets.map(({ symbol }) => symbol);
  await client.accounts.create({ currencies, reference: "till", type: "CryptoPayIn", chain_id: chain.id });
  const { id, status } = await client.quotes.request({ sell_currency: ["USDC"], sell_amount: ["100"], buy_currency: "ETH" });
  assert.equal(status, "Created");
  await sandbox.clock.advance({ hours: 1 });
  assert.equal((await client.quotes.get({ quote_id: id })).status, "Expired");
  await assert.rejects(client.quotes.accept({ quote_id: id }), { kind: "conflict", reason: "QUOTE_EXPIRED" });
});

/** A sandbox with an organisation that trades, and a till with 1000 dollars. */
async function trader() {
  const sandbox = await Sandbox.start();
  const organisation = sandbox.createOrganisation({ name: "Tea House", otc: true });
  const client = new Settlekit(sandbox.settings(organisation));
  const [chain] = await client.chains.list();
  const currencies = chain.assets.map(({ symbol }) => symbol);
  await client.accounts.create({ currencies, reference: "till", type: "CryptoPayIn", chain_id: chain.id });
  await sandbox.deposit(organisation, { account: "till", chain_id: chain.id, currency: "USDC", amount: "1000" });
  await sandbox.clock.advance({ hours: 1 });
  const posted = async (currency) => (await client.accounts.listBalances({ account: "till" })).find((balance) => balance.currency === currency);
  return { sandbox, client, posted };
}

const SALE = { sell_currency: ["USDC"], sell_amount: ["100"], buy_currency: "ETH", deposit_method: "Balance" };

test("a price that is set holds for rates, quotes and what is booked from then on, and changes nothing before", async () => {
  const { sandbox, client, posted } = await trader();
  assert.equal((await posted("USDC")).amount_usd, "1000.00");
  await client.sandbox.setPrice({ currency: "USDC", usd: "0.5" });
  await client.sandbox.setPrice({ currency: "ETH", usd: "2500" });
  const { items } = await client.rates.list();
  const rate = (currency) => items.find((item) => item.currency === currency).usd;
  assert.deepEqual([rate("USDC"), rate("ETH")], ["0.5", "2500"]);
  assert.equal((await posted("USDC")).amount_usd, "500.00");
  const [deposit] = await client.accounts.listMovements({ account: "till" }).toArray({ limit: 1 });
  assert.equal(deposit.amount_usd, "1000", "what it was worth when it was booked");
  const at = async (usd) => {
    await client.sandbox.setPrice({ currency: "ETH", usd });
    return Number((await client.quotes.request(SALE)).buy_asset.amount);
  };
  const [cheap, dear] = [await at("1000"), await at("2000")];
  // 50 dollars buy about 0.05 coins at simulated prices, which move a little, and half of that at twice the price.
  assert.ok(Math.abs(cheap / 0.05 - 1) < 0.01, String(cheap));
  assert.ok(Math.abs(cheap / dear - 2) < 1e-4, `${cheap} ${dear}`);
  await assert.rejects(client.sandbox.setPrice({ currency: "USD", usd: "2" }), { kind: "validation" });
  await assert.rejects(client.sandbox.setPrice({ currency: "ETH", usd: "0" }), { kind: "validation" });
  assert.deepEqual(sandbox.verify(), []);
});

test("a venue that refuses an order fails it and gives its money back, once", async () => {
  const { sandbox, client, posted } = await trader();
  const { id } = await client.quotes.request(SALE);
  const { order_id } = await client.quotes.accept({ quote_id: id });
  const sold = async () => {
    const { posted: total, reserved } = await posted("USDC");
    return [total, reserved];
  };
  assert.deepEqual(await sold(), ["1000", "100"]);
  await client.sandbox.refuseOrder({ order_id });
  const { status, reason } = await client.trade.getOrder({ order_id });
  assert.deepEqual([status, reason], ["Failed", "VenueRefused"]);
  assert.deepEqual(await sold(), ["1000", "0"]);
  await assert.rejects(client.sandbox.refuseOrder({ order_id }), { kind: "conflict" });
  await sandbox.clock.advance({ days: 1 });
  assert.deepEqual(await sold(), ["1000", "0"], "nothing is sold later");
  assert.deepEqual(sandbox.verify(), []);
});

test("faults of every reason can be injected before or after a call", async () => {
  const { sandbox, organisation, client, currency } = await shop();
  const once = new Settlekit({ ...sandbox.settings(organisation), maxRetries: 0 });
  const list = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const refusals = [...list.matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)].map(([, reason, status]) => [reason, Number(status)]);
  assert.ok(refusals.length > 50, String(refusals.length));
  for (const [reason, status] of refusals) {
    await client.sandbox.createFault({ reason, operation: "ListChains" });
    await assert.rejects(once.chains.list(), { status, reason });
  }
  assert.ok((await once.chains.list()).length > 0);
  await client.sandbox.createFault({ reason: "UNAVAILABLE", operation: "CreatePaylink", after_commit: true });
  await assert.rejects(once.paylinks.create({ amount: "1", currency, name: "Pot" }), { status: 503 });
  assert.equal((await client.paylinks.list()).total, 2, "it was done all the same");
});

test("a reorganisation reverts a payment only before its last confirmation", async () => {
  const { sandbox, organisation, client, paylink } = await shop();
  const payment = await sandbox.pay(paylink);
  assert.equal(await sandbox.reorganise(organisation, payment), 1);
  await sandbox.clock.advance({ hours: 1 });
  assert.notDeepEqual(await statusOf(client, payment), ["Confirmed"]);
  assert.deepEqual((await client.accounts.listMovements({ account: "till" }).toArray({ limit: 5 })).map(({ status }) => status), ["Failed"]);
  const deep = await sandbox.pay(paylink);
  await sandbox.clock.advance({ hours: 1 });
  assert.equal(await sandbox.reorganise(organisation, deep), 0);
  assert.deepEqual(await statusOf(client, deep), ["Confirmed"]);
  assert.deepEqual(sandbox.verify(), []);
});

test("a lost response is retried without a duplicate, and a slow one times out", async () => {
  const { sandbox, organisation, client, currency } = await shop();
  sandbox.network.loseAnswers = 1;
  const { id } = await client.paylinks.create({ amount: "1", currency, name: "Cup" });
  const links = await client.paylinks.list().toArray({ limit: 9 });
  assert.deepEqual(links.map((link) => link.id).includes(id) && links.length, 2, "once, and the shop's own");
  sandbox.network.loseAnswers = 1;
  const once = new Settlekit({ ...sandbox.settings(organisation), maxRetries: 0 });
  await assert.rejects(once.paylinks.create({ amount: "1", currency, name: "Pot" }), { kind: "connection" });
  assert.equal((await client.paylinks.list()).total, 3, "it was done all the same");
  sandbox.network.latencyMs = 200;
  await assert.rejects(once.chains.list({ timeout: 20 }), { kind: "timeout" });
  sandbox.network.latencyMs = 0;
  assert.ok((await once.chains.list()).length > 0);
});

test("a snapshot restores database, clock, seed and deliveries", async () => {
  const { sandbox, organisation, client, paylink } = await shop();
  await sandbox.deliver();
  const snapshot = sandbox.snapshot();
  const course = async () => {
    const { payment_id } = await sandbox.pay(paylink);
    await sandbox.clock.advance({ hours: 1 });
    return [payment_id, sandbox.clock.now(), sandbox.deliveries.map(({ event }) => event)];
  };
  const first = await course();
  sandbox.restore(snapshot);
  assert.deepEqual(await course(), first, "the same calls give the same again");
  sandbox.restore(snapshot);
  assert.equal(sandbox.clock.now(), snapshot.now);
  assert.equal((await client.payments.list()).total, 0);
  assert.equal(sandbox.deliveries.length, snapshot.deliveries.length);
  const copy = await Sandbox.start({ snapshot, seed: 2 });
  assert.equal(copy.clock.now(), snapshot.now);
  assert.equal((await new Settlekit(copy.settings(organisation)).organisation.get()).name, "Tea House");
});

test("an empty sandbox is filled with a year of demo data", async () => {
  const sandbox = await Sandbox.start({ now: "2026-06-01T12:00:00Z" });
  const days = [];
  const demo = sandbox.fillWithDemo((done, of) => days.push([done, of]));
  assert.deepEqual(days.at(-1), [365, 365]);
  const client = new Settlekit(sandbox.settings(demo.merchant));
  assert.ok((await client.payments.list()).total > 1000);
  const [latest] = (await client.payments.list({ limit: 1 })).items;
  assert.match(latest.created_at, /^2026-06-01T/);
  const body = JSON.stringify({ email: demo.email, password: demo.password });
  const headers = { "content-type": "application/json" };
  const signedIn = await sandbox.fetch("http://sandbox.test/v1/sessions", { method: "POST", headers, body });
  assert.equal(signedIn.status, 201);
  assert.deepEqual(sandbox.verify(), []);
});

test("a snapshot is restored within milliseconds", async () => {
  const { sandbox } = await shop();
  const snapshot = sandbox.snapshot();
  const times = Array.from({ length: 20 }, () => {
    const since = performance.now();
    sandbox.restore(snapshot);
    return performance.now() - since;
  });
  assert.ok(Math.min(...times) < 5, times.join());
});

test("organisations are isolated, and a partner acts for its own sub-merchants only", async () => {
  const sandbox = await Sandbox.start();
  const partner = sandbox.createOrganisation({ name: "Platform" });
  const merchant = sandbox.createOrganisation({ name: "Corner Shop", partner: partner.orgId });
  const stranger = sandbox.createOrganisation({ name: "Stranger" });
  const client = new Settlekit(sandbox.settings(partner));
  const shop = new Settlekit(sandbox.settings(merchant));
  const [chain] = await shop.chains.list();
  await shop.accounts.create({ currencies: [chain.assets[0].symbol], reference: "till", type: "CryptoPayIn", chain_id: chain.id });
  assert.equal((await shop.accounts.list()).total, 1);
  assert.equal((await client.accounts.list()).total, 0);
  await assert.rejects(client.accounts.get({ account: "till" }), { kind: "not_found" });
  const reading = { account_ref: "till" };
  assert.ok((await client.partner.listBalances(reading, { orgId: merchant.orgId })).balances);
  await assert.rejects(client.partner.listBalances(reading, { orgId: stranger.orgId }), { kind: "not_found" });
});

test("the clock starts at `now`, stands still and never goes back", async () => {
  const sandbox = await Sandbox.start({ now: "2027-02-03T04:05:06Z" });
  assert.equal(sandbox.clock.now(), Date.parse("2027-02-03T04:05:06Z"));
  await sandbox.clock.advance({ days: 30, hours: 1, minutes: 1, seconds: 1 });
  assert.equal(sandbox.clock.now(), Date.parse("2027-03-05T05:06:07Z"));
  for (const by of [{ seconds: -1 }, { days: NaN }]) await assert.rejects(sandbox.clock.advance(by), RangeError);
  for (const settings of [{ now: "soon" }, { seed: -1 }, { seed: 0.5 }, { seed: 2 ** 53 }]) await assert.rejects(Sandbox.start(settings), RangeError);
});

test("only a wallet's own signature of its challenge proves it", async () => {
  const { client, chain } = await shop();
  for (let round = 0; round < 20; round += 1) {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const stranger = privateKeyToAccount(generatePrivateKey());
    const { id: account } = await client.accounts.create({ address: wallet.address, chain_id: chain.id, currencies: [chain.assets[0].symbol] });
    const { message, address } = await client.accounts.createOwnershipChallenge({ account });
    assert.equal(address, wallet.address, "the checksum (EIP-55) is the other implementation's");
    const forged = client.accounts.proveOwnership({ account, signature: await stranger.signMessage({ message }) });
    await assert.rejects(forged, { reason: "OWNERSHIP_UNPROVEN" });
    const proven = await client.accounts.proveOwnership({ account, signature: await wallet.signMessage({ message }) });
    assert.ok(proven.ownership_proven_at, message);
  }
});

test("a wrong key is rejected as by the service, and an aborted call does nothing", async () => {
  const { sandbox, client, organisation } = await shop();
  const stranger = new Settlekit(sandbox.settings({ ...organisation, apiKey: "sk_wrong" }));
  await assert.rejects(stranger.accounts.list(), { kind: "authentication", status: 401, reason: "KEY_INVALID" });
  await assert.rejects(sandbox.fetch("http://sandbox.test/v1/orgs", { signal: AbortSignal.abort() }), { name: "AbortError" });
  const response = await client.rawRequest("GET", "/orgs");
  assert.equal((await response.json()).data.name, "Tea House");
});

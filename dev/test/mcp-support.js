// What the tests of MCP share: clients of the official SDK, and arguments for every tool.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";

import { createServer } from "../dist/mcp/server.js";

export const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

/** A client of the SDK. `answer` answers elicitations; without it the client has none. */
export function clientWith(answer) {
  const asked = [];
  const client = new Client({ name: "test", version: "1" }, { capabilities: answer === undefined ? {} : { elicitation: {} } });
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return answer(params);
    });
  }
  return { client, asked, call: async (name, given = {}) => read(await client.callTool({ name, arguments: given })) };
}

export const accept = () => ({ action: "accept", content: { confirm: true } });

/** The text of a result, and its JSON unless it is an error. */
function read({ content, isError = false }) {
  const [{ text }] = content;
  return { isError, text, json: isError ? undefined : JSON.parse(text) };
}

/** A sandbox with a server in memory, and a client that is connected to it. */
export async function connected({ allow = "payout", answer, scopes, secret = true, organisation = { name: "Shop" }, live = false } = {}) {
  const sandbox = await Sandbox.start({ now: new Date() });
  const shop = sandbox.createOrganisation(organisation);
  const owner = new Settlekit(sandbox.settings(shop));
  const apiKey = scopes === undefined ? shop.apiKey : (await owner.apiKeys.create({ name: "agent", scopes })).key;
  const { signingSecret, ...settings } = sandbox.settings({ ...shop, apiKey });
  const fetch = live ? refuseSandbox(sandbox.fetch) : settings.fetch;
  const api = new Settlekit({ ...settings, fetch, ...(secret ? { signingSecret } : {}) });
  const connection = { url: "http://sandbox.test", apiKey, source: "test", ...(secret ? { signingSecret } : {}) };
  const server = createServer(connection, allow, "1.0.0", api);
  const made = clientWith(answer);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), made.client.connect(near)]);
  const tools = async () => (await made.client.listTools()).tools;
  return { ...made, sandbox, shop, owner, tools, close: () => made.client.close() };
}

/** Live mode refuses the operations of the sandbox. */
function refuseSandbox(fetch) {
  const body = JSON.stringify({ error: { code: 403, message: "only in sandbox mode", errors: [{ domain: "sandbox", reason: "SANDBOX_ONLY", message: "only in sandbox mode" }] } });
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return pathname.startsWith("/v1/sandbox/") ? new Response(body, { status: 403, headers: { "content-type": "application/json" } }) : fetch(input, init);
  };
}

/** Records of each kind, as arguments name them. */
export async function records({ owner, sandbox }) {
  const chains = [{ chain_id: 137, currencies: ["USDC", "POL"] }];
  const till = await owner.accounts.createVirtualAccount({ reference: "till", chains });
  await owner.accounts.createVirtualAccount({ reference: "spare", chains });
  await owner.sandbox.createDeposit({ account: "till", chain_id: 137, currency: "USDC", amount: "500" });
  await sandbox.clock.advance({ hours: 1 });
  const link = () => owner.paylinks.create({ name: "Coffee", amount: "12.50", currency: "USDC", account_ref: "till" });
  const paylink = await link();
  const started = () => owner.checkout.start({ paylink_id: paylink.id, chain_id: 137, currency: "USDC", email: "payer@example.com", name: "Payer" });
  const { payment_id: paid } = await started();
  await owner.checkout.payFromTestWallet({ payment_id: paid });
  await sandbox.clock.advance({ hours: 1 });
  const open = (await started()).payment_id;
  const pending = (await started()).payment_id;
  await owner.checkout.payFromTestWallet({ payment_id: pending });
  const { crypto_transactions } = await owner.payments.get({ payment_id: pending });
  const { customer_id } = await owner.payments.get({ payment_id: paid });
  const plan = await owner.plans.create({ name: "Pro", price: "9", currency: "USDC", type: "Recurring", recurring_interval: "Month", recurring_interval_count: 1 });
  const subscribed = () => owner.subscriptions.create({ customer_id, plan_ids: [plan.id] });
  const subscription = await subscribed();
  const quote = () => owner.quotes.request({ sell_currency: ["USDC"], sell_amount: ["10"], buy_currency: "POL", account_id: till.sub_accounts[0].id });
  const order = await owner.quotes.accept({ quote_id: (await quote()).id });
  const payout = await owner.payouts.create({ account: "till", chain_id: 137, currency: "USDC", amount: "5", address: WALLET });
  const external = await owner.externalAccounts.create({ type: "Digital", address: WALLET, chain_id: 137, currencies: ["USDC"], name: "Treasury" });
  const automation = await owner.automations.maintainBalance({ account: "spare", currency: "USDC", minimum_threshold_amount: "1", payout_threshold_amount: "100", payout_address: WALLET })
    .then(() => owner.automations.list({ account_ref: "spare" }));
  await owner.organisation.update({ webhook_url: "https://shop.example/hook" });
  await sandbox.deliver(() => new Response(null, { status: 500 }));
  const replay = await owner.events.createReplay({ delivery_status: "pending" });
  const own = await owner.accounts.create({ chain_id: 137, currencies: ["USDC"], address: sandbox.wallet().address });
  const key = await owner.apiKeys.create({ name: "spare" });
  return {
    till, link, started, paid, open, pending, transaction: crypto_transactions[0].transaction_hash, customer_id, plan, subscribed, subscription, quote, order, payout, external,
    automation: automation.items[0], replay, own, key, paylink,
    event: (await owner.events.list({ limit: 1 })).items[0],
    movement: (await owner.accounts.listAllMovements({ limit: 1 })).items[0],
    invoice: (await owner.invoices.list({ limit: 1 })).items[0],
  };
}

/** Arguments of tools that change something or need more than an id. */
export async function argumentsOf(made, owner) {
  const fresh = async (promise, field = "id") => (await promise)[field];
  return {
    accounts_create_ownership_challenge: { account: made.own.id },
    accounts_create_pay_in_address: { account: "till", chain_id: 137 },
    accounts_create_virtual_account: { reference: "third", chains: [{ chain_id: 10, currencies: ["USDC"] }] },
    accounts_delete: { account: await fresh(owner.accounts.create({ chain_id: 10, currencies: ["USDC"] })) },
    accounts_prove_ownership: { account: made.own.id, signature: `0x${"11".repeat(65)}` },
    accounts_update_virtual_account: { reference: "till", chains: [{ chain_id: 8453, currencies: ["USDC"] }] },
    api_keys_revoke: { key_id: made.key.id },
    automations_convert_balance: { account: "till", currency: "USDC", to_currency: "POL", threshold_amount: "100000", max_cost_bps: 50 },
    automations_delete: { automation_id: made.automation.id },
    automations_maintain_balance: { account: "till", currency: "POL", minimum_threshold_amount: "0", payout_threshold_amount: "100000", payout_address: WALLET },
    automations_update: { automation_id: made.automation.id, enabled: false },
    checkout_authorize_payment: { payment_id: made.open, from: WALLET, value: "12500000", valid_after: 0, valid_before: 4_000_000_000, signature: `0x${"11".repeat(65)}` },
    checkout_pay_from_test_wallet: { payment_id: await fresh(made.started(), "payment_id") },
    checkout_start: { paylink_id: made.paylink.id, chain_id: 137, currency: "USDC" },
    customers_update: { customer_id: made.customer_id, name: "New" },
    events_cancel_replay: { replay_id: made.replay.id },
    events_create_replay: { delivery_status: "failed" },
    events_create_test_event: { type: "Payment" },
    events_retry: { event_id: made.event.id },
    external_accounts_create: { type: "Digital", address: WALLET, chain_id: 10, currencies: ["USDC"], name: "Second" },
    external_accounts_delete: { external_account_id: made.external.id },
    find_records: { text: made.paylink.id },
    invoices_create: { subscription_id: made.subscription.id, due_date: "2099-01-01T00:00:00Z", title: "Extra" },
    organisation_rotate_webhook_key: {},
    organisation_update: { name: "Shop" },
    overview_get_series: { metric: "balance" },
    paylinks_create: { name: "Tea", amount: "3", currency: "USDC" },
    paylinks_delete: { paylink_id: await fresh(made.link()) },
    paylinks_update: { items: [{ id: made.paylink.id, plan: { name: "Espresso" } }] },
    payments_cancel: { payment_id: await fresh(made.started(), "payment_id") },
    payments_create: { amount: "3", currency: "USDC", chain_id: 137 },
    payments_refund: { payment_id: made.paid, amount: "1" },
    payouts_create: { account: "till", chain_id: 137, currency: "USDC", amount: "2", external_account_id: made.external.id },
    payouts_estimate: { account: "till", chain_id: 137, currency: "USDC", amount: "2" },
    plans_create: { name: "Once", price: "1", currency: "USDC", type: "OneTime" },
    quotes_accept: { quote_id: await fresh(made.quote()) },
    quotes_reject: { quote_id: await fresh(made.quote()) },
    quotes_request: { sell_currency: ["USDC"], sell_amount: ["10"], buy_currency: "POL" },
    sandbox_advance_clock: { advance_seconds: 1 },
    sandbox_create_deposit: { account: "till", chain_id: 137, currency: "USDC", amount: "1" },
    sandbox_create_fault: { reason: "INTERNAL", operation: "CreateSession" },
    sandbox_empty_inbox: {},
    sandbox_fail_payout: { payment_id: made.payout.id },
    sandbox_refuse_order: { order_id: made.order.order_id },
    sandbox_reorganise_chain: { transaction_hash: made.transaction },
    sandbox_set_price: { currency: "POL", usd: "0.5" },
    subscriptions_cancel: { subscription_id: await fresh(made.subscribed()) },
    subscriptions_create: { customer_id: made.customer_id, plan_ids: [made.plan.id] },
    subscriptions_pause: { subscription_id: await fresh(made.subscribed()) },
    subscriptions_resume: { subscription_id: await paused(made, owner) },
    trade_create_quick_trade: { currency: "USDC", to_currency: "POL", amount: "10", chain_id: 137 },
    trade_list_tradable_assets: { currency: "USDC" },
  };
}

async function paused(made, owner) {
  const { id: subscription_id } = await made.subscribed();
  await owner.subscriptions.pause({ subscription_id });
  return subscription_id;
}

/** Ids of records by the names of path parameters. */
export const idsOf = (made) => ({
  account: "till", account_ref: "till", currency: "USDC", movement_id: made.movement.id, paylink_id: made.paylink.id, payment_id: made.paid, customer_id: made.customer_id, replay_id: made.replay.id,
  event_id: made.event.id, external_account_id: made.external.id, invoice_id: made.invoice.id, plan_id: made.plan.id, quote_id: made.order.quote_id, subscription_id: made.subscription.id,
  order_id: made.order.order_id,
});

/** Tools in an order in which each can succeed: a replay is canceled before it is done, and what others read is deleted last. */
export function inOrder(names) {
  const rank = (name) => (name === "events_cancel_replay" ? 0 : ["accounts_delete", "external_accounts_delete", "automations_delete", "sandbox_create_fault", "sandbox_advance_clock"].includes(name) ? 2 : 1);
  return [...names].sort((one, other) => rank(one) - rank(other));
}

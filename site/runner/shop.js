// The merchant whose sandbox the examples use. A sandbox is deterministic: the same steps give the same ids in the build, in the
// tests and in the reader's tab, so an example may name a payment by its id.

/** Address of the service in the examples. */
export const URL_OF_SERVICE = "https://pay.example";
export const WEBHOOK_URL = "https://tea.example/hook";
export const PASSWORD = "correct horse battery staple";
/** Key of a customer's wallet: anybody may know it. */
export const WALLET_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const DESTINATION = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BASE = 8453;
const OPENED_AT = "2026-11-20T09:30:00Z";

/** The names of the environment that the examples read. */
function environment({ organisation, partner, webhookKey, payTo }) {
  return {
    SETTLEKIT_URL: URL_OF_SERVICE,
    SETTLEKIT_API_KEY: organisation.apiKey,
    SETTLEKIT_SIGNING_SECRET: organisation.signingSecret,
    SETTLEKIT_PARTNER_API_KEY: partner.apiKey,
    SETTLEKIT_PARTNER_SIGNING_SECRET: partner.signingSecret,
    SETTLEKIT_WEBHOOK_KEY: webhookKey,
    PAY_TO: payTo,
    WALLET_KEY,
  };
}

/** Opens a shop with one account and nothing else. `webhooks` receives its webhooks. */
export async function openShop({ Sandbox, Settlekit }, webhooks) {
  const sandbox = await Sandbox.start({ now: OPENED_AT, seed: 1, publicUrl: URL_OF_SERVICE, webhooks });
  const partner = sandbox.createOrganisation({ name: "Harbour Platform" });
  const organisation = sandbox.createOrganisation({ name: "Tea House", partner: partner.orgId, otc: true });
  const settlekit = new Settlekit(sandbox.settings(organisation));
  const { webhook_public_key } = await settlekit.organisation.update({ webhook_url: WEBHOOK_URL });
  const till = await settlekit.accounts.create({ reference: "till", type: "CryptoPayIn", currencies: ["USDC"], chain_id: BASE });
  const { address: payTo } = await settlekit.accounts.createPayInAddress({ account: "till", chain_id: BASE });
  await sandbox.deliver();
  return {
    sandbox, partner, organisation, settlekit,
    platform: new Settlekit(sandbox.settings(partner)),
    environment: environment({ organisation, partner, webhookKey: webhook_public_key, payTo }),
    ids: { orgId: organisation.orgId, partnerId: partner.orgId, chain_id: BASE, accountId: till.id, address: DESTINATION },
  };
}

/** Fills it with a record of each kind, for the reference. Adds their ids to `ids`. */
export async function fillShop({ sandbox, partner, organisation, settlekit, platform, ids }) {
  const paylink = await settlekit.paylinks.create({ name: "Oolong, 100 g", amount: "12.50", currency: "USDC", reference: "order-1001" });
  const paid = await sandbox.pay(paylink, { name: "Ada Lovelace", email: "ada@example.com" });
  await sandbox.deposit(organisation, { account: "till", chain_id: BASE, currency: "USDC", amount: "900" });
  await sandbox.clock.advance({ hours: 1 });
  const { customer_id } = await settlekit.payments.get({ payment_id: paid.payment_id });
  const plan = await settlekit.plans.create({ name: "A box of tea each month", price: "9", currency: "USDC", type: "Recurring", recurring_interval: "Month" });
  const subscribed = { customer_id, plan_ids: [plan.id] };
  const subscription = await settlekit.subscriptions.create(subscribed);
  const paused = await settlekit.subscriptions.create(subscribed);
  await sandbox.clock.advance({ hours: 1 });
  await settlekit.subscriptions.pause({ subscription_id: paused.id });
  const [invoice] = (await settlekit.invoices.list({ limit: 1 })).items;

  await settlekit.accounts.create({ reference: "euros", type: "CryptoPayIn", currencies: ["USDC", "EURC"], chain_id: 1 });
  await settlekit.accounts.create({ reference: "harbour", type: "CryptoPayIn", currencies: ["USDC"], chain_id: 10 });
  await settlekit.accounts.create({ reference: "ether", type: "CryptoPayIn", currencies: ["ETH"], chain_id: BASE });
  const wallet = await settlekit.accounts.create({ reference: "wallet", type: "CryptoPayIn", currencies: ["USDC"], chain_id: BASE, address: WALLET });
  await settlekit.accounts.create({ reference: "closed", type: "CryptoPayIn", currencies: ["USDC"], chain_id: 1 });
  await settlekit.accounts.createVirtualAccount({ reference: "market", chains: [{ chain_id: BASE, currencies: ["USDC"] }] });
  const external = await settlekit.externalAccounts.create({ name: "Savings", type: "Digital", address: DESTINATION, chain_id: BASE, currencies: ["USDC"] });

  const destination = { account: "till", address: DESTINATION, chain_id: BASE, currency: "USDC" };
  await settlekit.payouts.create({ ...destination, amount: "20" });
  await sandbox.clock.advance({ hours: 1 });
  const payout = await settlekit.payouts.create({ ...destination, amount: "25" });

  const open = await settlekit.paylinks.create({ name: "Teapot", amount: "39", currency: "USDC" });
  const started = await settlekit.checkout.start({ paylink_id: open.id, chain_id: BASE, currency: "USDC", email: "grace@example.com" });
  const unconfirmed = await sandbox.pay(open, { email: "alan@example.com" });
  const { crypto_transactions } = await settlekit.payments.get({ payment_id: unconfirmed.payment_id });

  const quick = await settlekit.trade.createQuickTrade({ account_id: ids.accountId, amount: "10", currency: "USDC", to_currency: "ETH" });
  const wanted = { sell_amount: ["10"], sell_currency: ["USDC"], buy_currency: "ETH", deposit_method: "Balance", account_id: ids.accountId };
  const quote = await settlekit.quotes.request(wanted);

  const as = { orgId: organisation.orgId };
  await platform.automations.maintainBalance(
    { account: ids.accountId, currency: "USDC", minimum_threshold_amount: "100", payout_threshold_amount: "5000", payout_address: DESTINATION }, as);
  const [automation] = (await platform.automations.list({ account_ref: "till" }, as)).items;
  const replay = await settlekit.events.createReplay({ delivery_status: "succeeded" });
  const key = await settlekit.apiKeys.create({ name: "Monthly report", scopes: ["read"] });
  await sandbox.deliver();
  const [event] = (await settlekit.events.list({ limit: 1, sort: "asc" })).items;
  const [movement] = (await settlekit.accounts.listMovements({ account: "till", limit: 1 })).items;
  Object.assign(ids, {
    paylink_id: paylink.id, payment_id: paid.payment_id, customer_id, plan_id: plan.id, subscription_id: subscription.id,
    pausedSubscription: paused.id, invoice_id: invoice.id, external_account_id: external.id, payout: payout.id, openPaylink: open.id, startedPayment: started.payment_id, unconfirmedPayment: unconfirmed.payment_id,
    transaction_hash: crypto_transactions[0].transaction_hash, order_id: quick.order_id, quote_id: quote.id,
    automation_id: automation.id, replay_id: replay.id, key_id: key.id, event_id: event.id, movement_id: movement.id,
    walletAccount: wallet.id,
  });
  return ids;
}

const ASK_HEADERS = { SETTLEKIT_SESSION: "cookie", SETTLEKIT_CSRF_TOKEN: "x-csrf-token", SETTLEKIT_STEP_UP: "x-step-up" };

/** Adds members, signs one in and invites another. The environment gets the session. */
export async function signIn({ sandbox, organisation, environment, ids }) {
  const person = (email, name, role, byte) =>
    sandbox.replay({ call: "create_person", organisation: organisation.orgId, email, name, password: PASSWORD, role, now: new Date(sandbox.clock.now()).toISOString(), seed: byte.repeat(32) });
  person("ada@tea.example", "Ada", "owner", "a1");
  person("grace@tea.example", "Grace", "viewer", "b2");
  for (const name of Object.keys(ASK_HEADERS)) delete environment[name];
  // Not by `fetch`: a page's responses have no cookies.
  const service = sandbox.fetch[Symbol.for("settlekit.in-process")];
  const ask = (method, path, body) => {
    const session = Object.entries(ASK_HEADERS).filter(([name]) => environment[name]).map(([name, header]) => [header, environment[name]]);
    const headers = { "content-type": "application/json", ...Object.fromEntries(session) };
    const answer = service.answer(`${URL_OF_SERVICE}/v1${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    const cookies = [...answer.headers].filter(([name]) => name === "set-cookie").map(([, value]) => value.split(";", 1)[0]);
    return { cookies, ...JSON.parse(new TextDecoder().decode(answer.bytes)).data };
  };
  const { cookies, csrf_token } = ask("POST", "/sessions", { email: "ada@tea.example", password: PASSWORD });
  environment.SETTLEKIT_SESSION = cookies.find((cookie) => cookie.includes("settlekit_session"));
  environment.SETTLEKIT_CSRF_TOKEN = csrf_token;
  ids.user_id = ask("GET", "/members").items.find(({ email }) => email === "grace@tea.example").id;
  environment.SETTLEKIT_STEP_UP = ask("POST", "/sessions/step-up", { password: PASSWORD }).token;
  const { invitation_url } = ask("POST", "/members", { email: "alan@tea.example", role: "viewer" });
  ids.token = invitation_url?.split("#")[1];
  if (ids.payment_id === undefined) return;
  ids.note_id = ask("POST", "/notes", { record_type: "Payment", record_id: ids.payment_id, text: "Paid from an exchange." }).id;
  ids.saved_view_id = ask("POST", "/saved-views", { page: "/payments", name: "Failed", query: "status=Failed" }).id;
}

// The arguments of each operation's examples: those of the recorded request, with ids and names of the shop's records, so that the
// example works.

/** Values by the name of the field. */
const byName = (ids) => ({
  account: "till", account_ref: "till", chain_id: ids.chain_id, customer_id: ids.customer_id, paylink_id: ids.paylink_id,
  payment_id: ids.payment_id, plan_id: ids.plan_id, subscription_id: ids.subscription_id, invoice_id: ids.invoice_id,
  event_id: ids.event_id, replay_id: ids.replay_id, key_id: ids.key_id, quote_id: ids.quote_id, order_id: ids.order_id,
  automation_id: ids.automation_id, movement_id: ids.movement_id, external_account_id: ids.external_account_id, user_id: ids.user_id,
  note_id: ids.note_id, saved_view_id: ids.saved_view_id, transaction_hash: ids.transaction_hash, token: ids.token, plan_ids: [ids.plan_id],
  org_id: ids.orgId, email: "ada@tea.example", password: ids.password, new_password: "a new and long enough password", address: ids.address,
});

/** Changes of single operations: fields to set, or none at all with `only`. */
const CHANGES = {
  CreateAccount: () => ({ body: { reference: "market-hall", type: "CryptoPayIn" } }),
  CreateOwnershipChallenge: () => ({ path: { account: "wallet" } }),
  ProveOwnership: () => ({ path: { account: "wallet" } }),
  CreateVirtualAccount: ({ chain_id }) => ({ only: { reference: "online", chains: [{ chain_id, currencies: ["USDC"] }] } }),
  UpdateVirtualAccount: () => ({ only: { reference: "market", chains: [{ chain_id: 10, currencies: ["USDC"] }] } }),
  ConvertBalance: () => ({ path: { account: "euros" }, body: { currency: "USDC", to_currency: "EURC" } }),
  MaintainBalance: () => ({ path: { account: "harbour" } }),
  DeleteAccount: () => ({ path: { account: "closed" } }),
  CreateApiKey: () => ({ body: { name: "Warehouse", scopes: ["read"] } }),
  UpdateAutomation: () => ({ only: { enabled: false } }),
  PayFromTestWallet: ({ startedPayment }) => ({ path: { payment_id: startedPayment }, only: { amount: "39" } }),
  AuthorizePayment: ({ startedPayment }) => ({ path: { payment_id: startedPayment } }),
  GetCheckoutPayment: ({ startedPayment }) => ({ path: { payment_id: startedPayment } }),
  StreamCheckoutPayment: ({ startedPayment }) => ({ path: { payment_id: startedPayment } }),
  GetCheckout: ({ openPaylink }) => ({ path: { paylink_id: openPaylink } }),
  StartCheckout: ({ openPaylink }) => ({ path: { paylink_id: openPaylink }, body: { email: "grace@example.com" } }),
  UpdateCustomer: () => ({ only: { name: "Ada King", customer_ident: "C-1815" } }),
  CountReplay: () => ({ query: { delivery_status: "failed" } }),
  CreateReplay: () => ({ only: { delivery_status: "failed", since: "2026-11-20T00:00:00Z" } }),
  CreateTestEvent: () => ({ only: { type: "Payment" } }),
  CreateExternalAccount: () => ({ body: { name: "Treasury" } }),
  FindRecords: () => ({ query: { text: "order-1001" } }),
  CreateInvoice: () => ({ only: { title: "Tasting for two", due_date: "2026-12-01T00:00:00Z" } }),
  AcceptInvitation: () => ({ body: { name: "Alan", password: "a long enough password" } }),
  InviteMember: () => ({ only: { email: "edsger@tea.example", role: "viewer" } }),
  UpdateMember: () => ({ only: { role: "operator" } }),
  UpdateOrganisation: () => ({ only: { webhook_url: "https://tea.example/webhooks", checkout_style: { accent_color: "#0a6b3d", note: { en: "We ship within two days." } } } }),
  RotateSigningSecret: () => ({ only: { revoke_old: false } }),
  RotateWebhookKey: () => ({ only: { revoke_old: false } }),
  CreateNote: ({ payment_id }) => ({ only: { record_type: "Payment", record_id: payment_id, text: "Called: wants an invoice." } }),
  ListNotes: ({ payment_id }) => ({ query: { record_type: "Payment", record_id: payment_id } }),
  CreateSavedView: () => ({ only: { page: "/payments", name: "Underpaid", query: "status=Failed" } }),
  UpdateSavedView: () => ({ only: { name: "To look at" } }),
  GetOverviewSeries: () => ({ query: { metric: "in", period: "30" } }),
  CreatePaylink: () => ({ body: { name: "Oolong, 100 g", reference: "order-1002" } }),
  DeletePaylink: ({ openPaylink }) => ({ path: { paylink_id: openPaylink } }),
  UpdatePaylinks: ({ paylink_id }) => ({ only: { items: [{ id: paylink_id, enabled: false }] } }),
  CancelPayment: ({ startedPayment }) => ({ path: { payment_id: startedPayment } }),
  CreatePayment: () => ({ body: { account: "till" } }),
  RefundPayment: () => ({ body: { amount: "2.50", reason: "One tin was damaged" } }),
  ApprovePayout: ({ payout }) => ({ path: { payment_id: payout } }),
  RefusePayout: ({ payout }) => ({ path: { payment_id: payout } }),
  CreatePlan: () => ({ only: { name: "A box of tea each month", price: "9", currency: "USDC", type: "Recurring", recurring_interval: "Month" } }),
  AcceptQuote: () => ({ body: { reference: "hedge-7" } }),
  RequestQuote: () => ({ only: { sell_currency: ["USDC"], sell_amount: ["10"], buy_currency: "ETH", account_id: 1, deposit_method: "Balance" } }),
  ListRateHistory: () => ({ path: { currency: "ETH" } }),
  AdvanceClock: () => ({ body: { advance_seconds: 3600 } }),
  CreateFault: () => ({ body: { operation: "ListPlans" } }),
  FailPayout: ({ payout }) => ({ body: { payment_id: payout } }),
  SetPrice: () => ({ body: { currency: "ETH", usd: "2000" } }),
  ResumeSubscription: ({ pausedSubscription }) => ({ path: { subscription_id: pausedSubscription } }),
  CreateQuickTrade: () => ({ body: { account_id: 1, amount: "10" } }),
  CreateWalletLink: () => ({}),
  DeleteWalletLink: () => ({ path: { name: "House Wallet" } }),
};

/** The first page shows enough. */
const LIMIT = 10;

function named(values, ids) {
  const records = byName(ids);
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, records[name] ?? value]));
}

/** Parameters of a path that has no recorded request. */
const parametersOf = (path) => Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, null]));

/** Path, query and body of an operation's examples. */
export function sampleOf(id, recorded, { path, ids }) {
  const change = CHANGES[id]?.(ids) ?? {};
  const { sort, ...query } = recorded?.query ?? {};
  if (query.limit) query.limit = LIMIT;
  const own = (part) => (typeof change.only === "object" ? change.only : { ...named(part, ids), ...change.body, ...change.query });
  const hasBody = recorded?.body !== null && recorded?.body !== undefined;
  // A query is replaced like a body where the operation has no body.
  return {
    sample: {
      path: { ...named(recorded?.path ?? parametersOf(path), ids), ...change.path },
      query: hasBody ? named(query, ids) : own(query),
      body: hasBody || change.body ? own(recorded?.body) : undefined,
    },
  };
}

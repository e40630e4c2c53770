import { randomBytes } from "node:crypto";

import type { Account, Paylink, Payment, Settlekit, Subscription } from "settlekit";

import { Failure } from "../failure.js";

/** A chain and a currency that it has. */
interface Asset {
  chain_id: number;
  currency: string;
  /** A second currency of the chain, for conversions. */
  other: string;
  /** Time until a transfer is confirmed, in seconds. */
  confirmedAfter: number;
}

/** Prices in US dollars are nearly the same as in these. */
const STABLE = ["USDC", "USDT", "EURC"];

/** A wallet of nobody, for payouts on simulated chains. */
export const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

/** Steps of the clock while a transfer is awaited. */
const CLOCK_STEPS_MAX = 24;

/** What the steps of a trigger make, each named in the output. */
export class Scene {
  readonly #say: (line: string) => void;
  /** Part of the name of everything that is made. */
  readonly #name = `trigger-${randomBytes(4).toString("hex")}`;
  #asset: Promise<Asset> | undefined;
  #count = 0;

  constructor(
    readonly client: Settlekit,
    say: (line: string) => void,
    readonly signal: AbortSignal,
  ) {
    this.#say = say;
  }

  /** Says what a step did. */
  say(line: string): void {
    this.#say(line);
  }

  /** A name for a record that is made. */
  name(): string {
    this.#count += 1;
    return this.#count === 1 ? this.#name : `${this.#name}-${this.#count}`;
  }

  /** The chain that confirms soonest, with a stable currency. */
  asset(): Promise<Asset> {
    return (this.#asset ??= this.#findAsset());
  }

  async #findAsset(): Promise<Asset> {
    const chains = await this.client.chains.list();
    const assets = chains.flatMap(({ id, assets, confirmations_required, block_seconds }): Asset[] => {
      const symbols = (assets ?? []).map(({ symbol }) => symbol as string);
      const currency = STABLE.find((symbol) => symbols.includes(symbol));
      const other = symbols.find((symbol) => symbol !== currency);
      const seconds = (Number(confirmations_required ?? 12) + 1) * Number(block_seconds ?? 12);
      return currency === undefined || other === undefined ? [] : [{ chain_id: id, currency, other, confirmedAfter: seconds }];
    });
    const [soonest] = assets.sort((one, other) => one.confirmedAfter - other.confirmedAfter);
    if (soonest === undefined) throw new Failure("The service has no chain with a stable currency and a second one.");
    return soonest;
  }

  /** Advances the clock of the sandbox, which all its organisations share. */
  async clock(seconds: number): Promise<void> {
    const { now } = await this.client.sandbox.advanceClock({ advance_seconds: seconds });
    this.say(`advanced the clock by ${duration(seconds)}, to ${now}`);
  }

  /** Advances the clock until `isDone`, as transfers are confirmed. */
  async clockUntil(isDone: () => Promise<boolean>): Promise<void> {
    const { confirmedAfter } = await this.asset();
    for (let step = 0; step < CLOCK_STEPS_MAX; step += 1) {
      if (await isDone()) return;
      this.signal.throwIfAborted();
      await this.clock(confirmedAfter + 1);
    }
    throw new Failure("The simulated chain did not confirm the transfer.");
  }

  /** An account that takes payments on one chain. */
  async account(): Promise<Account> {
    const { chain_id, currency, other } = await this.asset();
    const account = await this.client.accounts.createVirtualAccount({ reference: this.name(), chains: [{ chain_id, currencies: [currency, other] }] });
    this.say(`created the account ${account.reference} (id ${account.id})`);
    return account;
  }

  /** A deposit that is confirmed, so that the account has money. */
  async deposit(account: Account, amount: string): Promise<void> {
    const { chain_id, currency } = await this.asset();
    const before = await this.#settled(account);
    const { transaction_hash } = await this.client.sandbox.createDeposit({ account: account.reference as string, chain_id, currency, amount });
    this.say(`sent a deposit of ${amount} ${currency} (transaction ${transaction_hash})`);
    await this.clockUntil(async () => (await this.#settled(account)) > before);
  }

  async #settled(account: Account): Promise<number> {
    const { items } = await this.client.accounts.listMovements({ account: account.reference as string });
    return items.filter(({ status }) => status === "Confirmed").length;
  }

  /** A payment link with an account of its own. */
  async paylink(): Promise<Paylink> {
    const account = await this.account();
    const { currency } = await this.asset();
    const paylink = await this.client.paylinks.create({ name: this.name(), amount: "12.50", currency, account_ref: account.reference as string });
    this.say(`created the payment link ${paylink.id} (${paylink.url}) with the plan ${paylink.plan_id}`);
    return paylink;
  }

  /** A payment that a payer starts. */
  async payment(paylink?: { id: string }): Promise<Payment> {
    const { id: paylink_id } = paylink ?? (await this.paylink());
    const { chain_id, currency } = await this.asset();
    const { payment_id } = await this.client.checkout.start({ paylink_id, chain_id, currency, email: `${this.name()}@example.com`, name: "Trigger" });
    this.say(`started the payment ${payment_id} as a payer`);
    return this.client.payments.get({ payment_id });
  }

  /** A payment that the payer's test wallet has sent. */
  async paid(paylink?: { id: string }): Promise<Payment> {
    const { id: payment_id } = await this.payment(paylink);
    await this.client.checkout.payFromTestWallet({ payment_id });
    this.say(`paid ${payment_id} from the test wallet`);
    return this.client.payments.get({ payment_id });
  }

  /** A payment that is confirmed. */
  async confirmed(paylink?: { id: string }): Promise<Payment> {
    const { id: payment_id } = await this.paid(paylink);
    await this.clockUntil(async () => (await this.client.payments.get({ payment_id })).status === "Confirmed");
    return this.client.payments.get({ payment_id });
  }

  /** A confirmed payment with a refund of a part of it under way. */
  async refund(): Promise<Payment> {
    const { id: payment_id } = await this.confirmed();
    await this.client.payments.refund({ payment_id, amount: "2" });
    const { items } = await this.client.payouts.list({ limit: 1 });
    this.say(`refunded 2 of ${payment_id}, by the payout ${items[0]?.id}`);
    return this.client.payments.get({ payment_id });
  }

  /** A customer, whom the first payment makes. */
  async customer(): Promise<string> {
    const { customer_id } = await this.payment();
    if (customer_id === undefined) throw new Failure("The payment has no customer.");
    this.say(`the payer is the customer ${customer_id}`);
    return customer_id;
  }

  /** A subscription that is billed monthly by invoice. */
  async subscription(): Promise<Subscription> {
    const customer_id = await this.customer();
    const { currency } = await this.asset();
    const plan = await this.client.plans.create({ name: this.name(), price: "9", currency, type: "Recurring", recurring_interval: "Month", recurring_interval_count: 1 });
    this.say(`created the plan ${plan.id}`);
    const subscription = await this.client.subscriptions.create({ customer_id, plan_ids: [plan.id] });
    this.say(`created the subscription ${subscription.id}`);
    return subscription;
  }

  /** The invoice of the subscription's first month. */
  async invoice(subscription: Subscription): Promise<{ id: string; paylink: string; due_at: string }> {
    // Newest first, so it is on the first page.
    const { items } = await this.client.invoices.list({ sort: "desc" });
    for (const invoice of items) {
      const properties = (invoice.properties ?? {}) as { subscription_id?: string; payment_link_id?: string };
      if (properties.subscription_id !== subscription.id || properties.payment_link_id === undefined) continue;
      this.say(`its invoice is ${invoice.id}, due at ${invoice.due_at}`);
      return { id: invoice.id, paylink: properties.payment_link_id, due_at: invoice.due_at };
    }
    throw new Failure("The subscription has no invoice.");
  }

  /** A quote for a trade that the account's balance would fund. */
  async quote(): Promise<{ id: string }> {
    const account = await this.account();
    await this.deposit(account, "50");
    const { chain_id, currency, other } = await this.asset();
    const quote = await this.client.quotes.request({ sell_currency: [currency], sell_amount: ["10"], sell_chain_ids: [chain_id], buy_currency: other, buy_chain_id: chain_id, account_id: fundingId(account) });
    this.say(`requested the quote ${quote.id}`);
    return quote;
  }

  /** An automation that has sold the balance of an account. */
  async conversion(): Promise<void> {
    const account = await this.account();
    const { currency, other } = await this.asset();
    const automation = await this.client.automations.convertBalance({ account: account.reference as string, currency, to_currency: other, threshold_amount: "1", max_cost_bps: 1000 });
    this.say(`created the automation ${automation.id}, which sells the balance`);
    try {
      const [latest] = (await this.client.events.list({ limit: 1 })).items;
      const before = latest?.event_id ?? 0;
      await this.deposit(account, "50");
      await this.clock(60);
      const { items } = await this.client.events.list({ type: "Transaction", sort: "desc" });
      const made = items.filter(({ event_id }) => event_id > before).map(({ data }) => data as { id?: unknown; order_id?: string });
      // The id of a movement is a number.
      const ids = made.map(({ id, order_id }) => order_id ?? (typeof id === "string" && id.startsWith("quo_") ? id : undefined)).filter((id) => id !== undefined);
      this.say(`it traded: ${[...new Set(ids)].join(", ")}`);
    } finally {
      await this.client.automations.delete({ automation_id: automation.id });
      this.say(`deleted the automation ${automation.id}`);
    }
  }
}

/** The account on the chain, below a virtual one. */
function fundingId({ id, sub_accounts }: Account): number {
  return sub_accounts?.[0]?.id ?? id;
}

/** `8 d 2 h`, `61 s`. */
export function duration(seconds: number): string {
  const parts = [["d", 86_400], ["h", 3600], ["min", 60], ["s", 1]] as const;
  let rest = seconds;
  const shown = parts.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return shown.length === 0 ? "0 s" : shown.join(" ");
}

// What a person at the keyboard does to the service: somebody pays, money arrives, time passes. All of it over the API.

import { Settlekit } from "settlekit/slim";

import { printable } from "../commands/printable.js";
import type { Credentials } from "./data-folder.js";
import type { LocalService } from "./service.js";

const HOUR_SECONDS = 3_600;
/** The largest page of a list. */
const PAGE = 100;
/** The reference of the account that a first start creates. */
const ACCOUNT = "main";
const DEPOSIT = "25";
/** Webhooks of an organisation with this URL are kept by the service. */
const INBOX_URL = "https://inbox.invalid/";

/** The merchant of the data, and a payer. */
export class Merchant {
  readonly #client: Settlekit;
  readonly #payer: Settlekit;

  constructor(service: LocalService, { url, api_key, signing_secret }: Pick<Credentials, "url" | "api_key" | "signing_secret">) {
    // A failed call is shown at once.
    const host = { baseUrl: url, fetch: service.fetch, maxRetries: 0, clock: () => service.now() };
    this.#client = new Settlekit({ ...host, apiKey: api_key, signingSecret: signing_secret });
    this.#payer = new Settlekit(host);
  }

  /** Creates an account and a payment link; returns the URL of its page. */
  async openShop(): Promise<string> {
    const [chain] = await this.#client.chains.list();
    const [asset] = chain?.assets.filter(({ symbol }) => symbol === "USDC") ?? [];
    if (chain === undefined || asset === undefined) throw new Error("the first chain of the sandbox has no USDC");
    await this.#client.accounts.create({ chain_id: chain.id, currencies: [asset.symbol], reference: ACCOUNT, name: "Main account" });
    const { url } = await this.#client.paylinks.create({ amount: "5.00", currency: asset.symbol, name: "Coffee" });
    return url;
  }

  /** Public key that verifies webhooks, PEM. */
  async webhookKey(): Promise<string> {
    return (await this.#client.organisation.get()).webhook_public_key ?? "";
  }

  /** Where webhooks go; nothing if the service keeps them. Sets `forwardTo` if they went nowhere: without a URL nothing is sent. */
  async webhookUrl(forwardTo: string | undefined): Promise<string | undefined> {
    const { webhook_url: current } = await this.#client.organisation.get();
    if (current !== undefined && current !== INBOX_URL) return current;
    if (forwardTo === undefined) return undefined;
    return (await this.#client.organisation.update({ webhook_url: forwardTo })).webhook_url;
  }

  /** Pays the newest open payment link exactly; returns what happened. */
  async pay(): Promise<string> {
    const [paylink] = (await this.#client.paylinks.list({ status: "Open", limit: 1 })).items;
    if (paylink === undefined) return "No payment link is open: create one in the dashboard.";
    const { options } = await this.#payer.checkout.get({ paylink_id: paylink.id });
    const [option] = options;
    const name = printable(paylink.plan?.name ?? paylink.id);
    if (option === undefined) return `${name} cannot be paid: no account takes its currency.`;
    const facts = {
      name: "Sam Payer",
      email: "sam@example.com",
      ...(paylink.customer_ident_collection ? { customer_ident: "sam" } : {}),
      ...(paylink.shipping_address_collection ? { shipping_address: "1 Example Street, Exampletown" } : {}),
      ...(paylink.tax_ident_collection ? { tax_ident: "DE123456789" } : {}),
    };
    const { payment_id } = await this.#payer.checkout.start({ paylink_id: paylink.id, chain_id: option.chain.id, currency: option.currency, ...facts });
    const { amount, currency } = await this.#payer.checkout.payFromTestWallet({ payment_id });
    return `Somebody pays ${amount} ${currency} for ${name}: ${payment_id}`;
  }

  /** Sends a deposit to an account of the merchant; returns what happened. */
  async deposit(): Promise<string> {
    const { items } = await this.#client.accounts.list({ limit: PAGE });
    for (const { id, name, reference, chain_id, currencies } of items) {
      const [currency] = currencies ?? [];
      if (chain_id === undefined || currency === undefined) continue;
      const deposit = await this.#client.sandbox.createDeposit({ account: id, chain_id, currency, amount: DEPOSIT });
      return `A deposit of ${deposit.amount} ${deposit.currency} to ${printable(String(name ?? reference ?? id))}: ${deposit.transaction_hash}`;
    }
    return "No account takes deposits: create one in the dashboard.";
  }

  /** Moves the clock forward; returns what happened. */
  async advance(hours: number): Promise<string> {
    const { now, ahead_seconds } = await this.#client.sandbox.advanceClock({ advance_seconds: hours * HOUR_SECONDS });
    return `The service's clock is ${duration(Number(ahead_seconds))} ahead: ${now.slice(0, 19).replace("T", " ")} UTC`;
  }

  /** Sends undelivered webhooks again now; returns what happened. */
  async retry(): Promise<string> {
    const lists = (["failed", "pending"] as const).map((delivery_status) => this.#client.events.list({ delivery_status, limit: PAGE }));
    const events = (await Promise.all(lists)).flatMap(({ items }) => items);
    for (const { id } of events) await this.#client.events.retry({ event_id: id });
    if (events.length === 0) return "No webhook is undelivered.";
    return events.length === 1 ? "1 webhook is sent again." : `${events.length} webhooks are sent again.`;
  }
}

function duration(seconds: number): string {
  const hours = Math.round(seconds / HOUR_SECONDS);
  const days = Math.floor(hours / 24);
  const parts = [days > 0 ? `${days} d` : "", hours % 24 > 0 || days === 0 ? `${hours % 24} h` : ""];
  return parts.filter((part) => part !== "").join(" ");
}

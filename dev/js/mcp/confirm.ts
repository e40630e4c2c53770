import type { Settlekit } from "settlekit";

import type { Operation } from "../commands/catalogue.js";
import { printable } from "../commands/printable.js";

type Given = Record<string, unknown>;
type Line = [label: string, value: unknown];

/** What a person confirms: amount, currency and destination first. */
type Describe = (given: Given, client: Settlekit) => Promise<Line[]> | Line[];

/** How the calls of each operation are shown. Records that a call only names are read, so that a person sees amounts, not ids. */
const DESCRIBED: Record<string, Describe> = {
  CreatePayout: async ({ amount, currency, address, external_account_id, chain_id }, client) => [
    ["Amount", amount],
    ["Currency", currency],
    ["Destination", external_account_id === undefined ? address : await destination(client, external_account_id)],
    ["Chain", chain_id],
  ],
  RefundPayment: async ({ payment_id, amount, address }, client) => {
    const payment = await client.payments.get({ payment_id: payment_id as string });
    const back = [payment.refunded_amount, payment.refunding_amount].filter((amount) => amount !== undefined && !/^[0.]*$/.test(amount));
    const all = `all that is left of ${payment.paid_amount ?? payment.amount}${back.length === 0 ? "" : `, after refunds of ${back.join(" and ")}`}`;
    return [
      ["Amount", amount ?? all],
      ["Currency", payment.currency],
      ["Destination", address ?? payment.sender_address ?? "the payer's address"],
    ];
  },
  AcceptQuote: async ({ quote_id }, client) => {
    const { sell_assets, buy_asset, settlement_instruction } = await client.quotes.get({ quote_id: quote_id as string });
    const { address, account_id } = settlement_instruction ?? {};
    return [
      ["Sells", sell_assets.map(({ amount, symbol }) => `${amount} ${symbol}`).join(", ")],
      ["Buys", `${buy_asset.amount} ${buy_asset.symbol}`],
      ["Destination", address ?? (account_id === undefined ? undefined : `account ${account_id}`)],
    ];
  },
  CreateQuickTrade: ({ amount, currency, to_currency, settlement_address, settlement_account_id }) => [
    ["Sells", `${amount} ${currency}`],
    ["Buys", to_currency],
    ["Destination", settlement_address ?? (settlement_account_id === undefined ? "the account that sells" : `account ${settlement_account_id}`)],
  ],
  ConvertBalance: ({ account, currency, to_currency, threshold_amount }) => [
    ["Amount", `from now on, all of the balance above ${threshold_amount}`],
    ["Currency", `${currency}, sold for ${to_currency}`],
    ["Destination", `account ${account}`],
  ],
  MaintainBalance: ({ currency, payout_threshold_amount, minimum_threshold_amount, payout_address }) => [
    ["Amount", `from now on, what is above ${minimum_threshold_amount} once the balance is above ${payout_threshold_amount}`],
    ["Currency", currency],
    ["Destination", payout_address],
  ],
  AuthorizePayment: async ({ payment_id }, client) => {
    const { amount, currency, address } = await client.checkout.getPayment({ payment_id: payment_id as string });
    return [["Amount", amount], ["Currency", currency], ["Destination", address]];
  },
  CreateExternalAccount: ({ address, account_number, bank_name, currencies }) => [
    ["Destination", address ?? [account_number, bank_name].filter((part) => part !== undefined).join(", ")],
    ["Currency", currencies],
  ],
  DeleteExternalAccount: async ({ external_account_id }, client) => [["Destination", await destination(client, external_account_id)]],
  CreateVirtualAccount: ({ deposit_splits }) => splits(deposit_splits),
  UpdateVirtualAccount: ({ deposit_splits }) => splits(deposit_splits),
  UpdateOrganisation: ({ webhook_url }) => [["Webhooks", webhook_url === "" ? "to no URL" : webhook_url]],
};

async function destination(client: Settlekit, id: unknown): Promise<string> {
  const { name, address, account_number_hint, bank_name, chain_id } = await client.externalAccounts.get({ external_account_id: id as never });
  const where = address ?? [account_number_hint, bank_name].filter((part) => part !== undefined).join(", ");
  // The name last and quoted: it may look like another address.
  const named = name === undefined ? undefined : `named ${JSON.stringify(name)}`;
  return [where, chain_id === undefined ? undefined : `chain ${chain_id}`, `external account ${id}`, named].filter((part) => part !== undefined).join(", ");
}

function splits(given: unknown): Line[] {
  if (!Array.isArray(given)) return [];
  return given.map((split: Given): Line => ["Destination", `${split["pct"]} % of each deposit to ${split["address"] ?? split["account_ref"] ?? `account ${split["account_id"]}`}`]);
}

/** Where a call goes, for a person. */
export interface Place {
  url: string;
  organisation: string;
  mode: string;
}

/** The question to a person. Every argument is in it, as it is sent. */
export async function question(operation: Operation, given: Given, client: Settlekit, { url, organisation, mode }: Place): Promise<string> {
  const described = (await DESCRIBED[operation.id]?.(given, client)) ?? [];
  const lines: Line[] = [
    ...described.filter(([, value]) => value !== undefined),
    ...Object.entries(given).filter(([name]) => name !== "idempotency_key").map(([name, value]): Line => [`(${name})`, value]),
    ["Organisation", `${organisation}, ${mode}, ${url}`],
  ];
  return [operation.summary, ...lines.map(([label, value]) => `${label}: ${printable(typeof value === "string" ? value : JSON.stringify(value))}`)].join("\n");
}

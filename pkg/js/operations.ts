// Printed from the catalogue of settlekit-core by `cargo xtask print`; do not edit. @generated

import type { Listing, Options, Page } from "./client.js";

/** These values; new ones may appear. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [key: string]: Json };

declare const kind: unique symbol;

/** A branded type: accepts plain strings and numbers, rejects values of another kind. */
export type Branded<T, Kind extends string> = T & { readonly [kind]?: Kind };

/** A settlement or virtual account. */
export interface Account {
  /** Bank account numbers, if any. */
  account_number?: string[];
  account_type: AccountType;
  /** The wallet's address; of an extended public key, the first one. */
  address?: string;
  /** Booked balance in US dollars, of a virtual account that of its chain accounts. Only in the list of accounts; absent without a
   * price, and on a test network. */
  balance_usd?: Amount;
  chain?: Chain;
  chain_id?: ChainId;
  created_at: Timestamp;
  /** User or API key that created it. */
  created_by?: string;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  /** Shares of each deposit to forward. */
  deposit_splits?: DepositSplit[];
  /** Whether it accepts payments. */
  enabled: boolean;
  id: AccountId;
  name?: string;
  /** Organisation that owns it. */
  org_id: OrganisationId;
  /** Time a wallet signature proved ownership; absent for watched wallets and for wallets held by the service. */
  ownership_proven_at?: Timestamp;
  /** Parent settlement account. */
  parent?: AccountSummary;
  /** Parent settlement account. */
  parent_id?: AccountId;
  /** Fee on incoming payments, in percent. */
  payin_fee_pct?: ExactNumber;
  /** Fee on payouts, in percent. */
  payout_fee_pct?: ExactNumber;
  properties?: JsonObject;
  /** Holder of the wallet's keys. */
  provider: AccountProvider;
  /** Merchant-defined reference; bundles one account per chain. */
  reference?: AccountReference;
  /** The part of `balance_usd` that is reserved for operations in progress. */
  reserved_usd?: Amount;
  /** Bank sort codes, if any. */
  sort_code?: string[];
  /** Current state. */
  state: AccountState;
  /** Sub-accounts. */
  sub_accounts?: AccountSummary[];
  updated_at: Timestamp;
  /** Extended public key of the wallet, from which each payment gets an address of its own. */
  xpub?: ExtendedPublicKey;
}

/** Balance of one account in one currency. A virtual account has no balance itself: its chains' accounts have. */
export interface AccountBalance {
  /** Account that holds the balance. */
  account_id: AccountId;
  /** `available` in US dollars; absent without a price, and on a test network. */
  amount_usd?: Amount;
  /** `posted` minus `reserved`. */
  available: Amount;
  chain: Chain;
  currency: Currency;
  /** Time of the last known price. */
  last_amount_at?: Timestamp;
  /** `available` in US dollars at the last known price, only while there is no current one, and for display only. Absent on a test network. */
  last_amount_usd?: Amount;
  /** Booked balance. */
  posted: Amount;
  /** Reserved for operations in progress. */
  reserved: Amount;
}

/** An integer id. */
export type AccountId = Branded<number, "AccountId">;

/** An account's integer id, or its reference. */
export type AccountKey = string | number;

export type AccountProvider = OpenEnum<"External" | "Managed">;

/** An account reference. */
export type AccountReference = Branded<string, "AccountReference">;

export type AccountState = OpenEnum<"Unknown" | "Active" | "Disabled" | "Deleted">;

/** An account as embedded in other records. */
export interface AccountSummary {
  account_type: AccountType;
  /** The wallet's address. */
  address?: string;
  chain_id?: ChainId;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Whether it accepts payments. */
  enabled: boolean;
  id: AccountId;
  name?: string;
  reference?: AccountReference;
}

export type AccountType = OpenEnum<"CryptoPayIn" | "Virtual">;

export type ActionType = OpenEnum<"Sweep" | "MaintainBalance" | "Convert">;

/** Message and redirects for the payer after paying. */
export interface AfterCompletion {
  /** Message to the payer. */
  custom_message?: string;
  /** Redirect URL after failure. */
  failure_redirect_url?: string;
  /** Redirect URL after success. */
  redirect_url?: string;
  /** Action. */
  type?: AfterCompletionType;
}

export type AfterCompletionType = OpenEnum<"redirect">;

/** An exact decimal as text. */
export type Amount = Branded<string, "Amount">;

/** An API key. */
export interface ApiKey {
  created_at: Timestamp;
  /** Expiry time. */
  expires_at?: Timestamp;
  /** Unique id; not the secret. */
  id: ApiKeyId;
  /** The secret; only in the answer to its creation. */
  key?: string;
  /** Time of last use, to the minute. */
  last_used_at?: Timestamp;
  name: string;
  /** Warning about the scopes `payout` and `manage`; only in the answer to its creation. */
  notice?: string;
  /** First characters of the secret. */
  prefix: string;
  /** Revocation time; absent unless revoked. */
  revoked_at?: Timestamp;
  /** Scopes: `read`, `write`, `payout`, `manage`. */
  scopes: string[];
}

/** An id that begins with key_. */
export type ApiKeyId = Branded<string, "ApiKeyId">;

export type Appearance = OpenEnum<"System" | "Light" | "Dark">;

/** A price in the payer's own currency, only to be read: it is neither paid nor guaranteed. */
export interface ApproximateAmount {
  /** Amount, rounded to two decimal places. */
  amount: Amount;
  currency: Currency;
}

/** An asset on a chain. */
export interface Asset {
  /** Decimal places of the smallest unit. */
  scale: number;
  symbol: Currency;
  /** Contract address of the token; absent for the native asset. */
  token_address?: string;
}

/** A delivery attempt of an event. */
export interface Attempt {
  /** Duration, in milliseconds. */
  duration_ms: number;
  /** Error, if there was no response. */
  error?: string;
  /** Attempt number, counted from 1. */
  number: number;
  /** Request sent. */
  request: string;
  /** Response, truncated to 16 KiB. */
  response?: string;
  /** Time of the attempt. */
  sent_at: Timestamp;
  /** HTTP status of the response. */
  status?: number;
  /** URL called. */
  url: string;
}

/** A `TransferWithAuthorization` (EIP-3009, EIP-712) that pays the amount due. `validAfter` is 0. */
export interface AuthorizationRequest {
  /** Decimal places of the token. */
  decimals: number;
  /** `name` of the domain. */
  domain_name: string;
  /** `version` of the domain. */
  domain_version: string;
  /** 32 bytes, hexadecimal. */
  nonce: string;
  /** The receiver: the account's wallet, or the service's hot wallet. */
  to: string;
  /** `verifyingContract` of the domain. */
  token_address: string;
  /** Valid before this time, in seconds since 1970. */
  valid_before: number;
  /** The amount due in the token's smallest unit, decimal. */
  value: string;
}

export type AuthorizationStatus = OpenEnum<"Accepted" | "Sent" | "Failed" | "Executed">;

/** An automation of an account. */
export interface Automation {
  /** Account it applies to. */
  account_id: AccountId;
  /** Parameters: `minimum_threshold_amount`, `payout_threshold_amount` and `payout_address`; of a conversion `to_currency`,
   * `threshold_amount` and `max_cost_bps`. */
  action?: Json;
  action_type: ActionType;
  /** Condition for acting. */
  condition?: AutomationCondition;
  created_at: Timestamp;
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  /** Whether it runs. */
  enabled: boolean;
  id: AutomationId;
  /** Time of the last run. */
  last_run_at?: Timestamp;
  /** End of the pause after a failed payout or conversion. */
  paused_until?: Timestamp;
  /** Why payouts from an account or its conversions are paused, or the automation is disabled. */
  reason?: AutomationReason;
  /** Rule it belongs to. */
  rule_id?: RuleId;
  /** Schedule of checks. */
  schedule?: AutomationSchedule;
  updated_at: Timestamp;
}

/** Condition for an automation to act. */
export interface AutomationCondition {
  /** Threshold. */
  amount: Amount;
  amount_currency: Currency;
  /** Asset of the comparison. */
  asset_symbol?: Currency;
  /** Comparison with `amount`. */
  comparison: Comparison;
  /** Subject of the comparison. */
  entity: ConditionEntity;
}

/** An integer id. */
export type AutomationId = Branded<number, "AutomationId">;

export type AutomationReason = OpenEnum<"PayoutFailed" | "CostTooHigh" | "NoQuote" | "VenueRefused">;

/** Schedule of an automation's checks. */
export interface AutomationSchedule {
  frequency: Frequency;
  /** Day of the week or month, counted from 0. */
  offset?: number;
  /** Time of day in UTC, `HH:MM`. */
  time?: string;
}

/** Balance of an account in one currency on one chain. */
export interface Balance {
  account_id: AccountId;
  /** Available balance: posted minus reserved. */
  amount: Amount;
  /** `amount` in US dollars; absent without a price, and on a test network. */
  amount_usd?: Amount;
  chain: Chain;
  currency: Currency;
  /** Contract address of the token; absent for the native asset. */
  token_address?: string;
}

/** Balances of an account. */
export interface Balances {
  /** Balances, one per currency and chain. */
  balances: Balance[];
}

export type BeneficiaryType = OpenEnum<"individual" | "business">;

export type BillingScheme = OpenEnum<"FlatFee">;

/** A chain, as embedded in other records (contract, "Chain"). */
export interface Chain {
  /** Chain id; the EIP-155 id on EVM chains. */
  id: ChainId;
  name: string;
  /** Symbol of the asset that pays network fees. */
  native_currency_symbol: Currency;
}

/** A comparison of the books with a chain (`settlekit verify --chain`). */
export interface ChainComparison {
  /** Number of balances compared. */
  balances: number;
  /** Block at which balances were compared; absent if only sums were. */
  block?: number;
  /** Time of the comparison. */
  compared_at: Timestamp;
  /** Number of differences. */
  difference_count: number;
  /** The first differences, in words. */
  differences: string[];
}

/** A chain with its parameters and assets. */
export interface ChainDetail {
  /** Supported assets. */
  assets: Asset[];
  /** Typical block interval, in seconds. */
  block_seconds: number;
  /** Confirmations required to confirm a payment. */
  confirmations_required: number;
  /** Block explorer; it shows a transaction at `/tx/{hash}` and an address at `/address/{address}` (EIP-3091). */
  explorer_url?: string;
  /** Address family: `evm`, `bitcoin` or `solana`. */
  family: string;
  id: ChainId;
  name: string;
  /** Symbol of the asset that pays network fees. */
  native_currency_symbol: Currency;
  /** Network fees that the operator pays for the organisation's payers who sign (EIP-3009); absent if it pays none. */
  payer_fees?: PayerFees;
  /** True on a test network, whose money has no value. */
  test_network?: boolean;
}

/** An integer id. */
export type ChainId = Branded<number, "ChainId">;

/** Report of the server that watches a chain. */
export interface ChainReport {
  /** Time when the latest recorded block last changed. */
  head_at: Timestamp;
  /** Latest block of the most advanced node. */
  node_head?: number;
  /** Why no blocks of the chain are recorded. */
  problem?: string;
  /** Providers, in the order of preference. */
  providers: ProviderReport[];
  /** Time of the report. An old one means that no server watches the chain. */
  reported_at: Timestamp;
}

/** A paylink as shown to the payer. */
export interface Checkout {
  /** What the payer sees after paying. */
  after_completion?: AfterCompletion;
  /** Price. */
  amount: Amount;
  /** The price in the currencies that the query names, approximately. Currencies without a current price are missing. */
  amounts_in?: ApproximateAmount[];
  /** Data requested from the payer. */
  collect: Collect;
  /** Currency of the price. */
  currency: Currency;
  /** Product description. */
  description?: string;
  /** The link stops accepting payments at this time. */
  expires_at?: Timestamp;
  image_url?: string;
  /** Payee. */
  merchant: Merchant;
  /** Product name. */
  name: string;
  /** Available chains and currencies. Those of test networks only if the paylink lists their accounts, or if the merchant has
   * never had others. */
  options: CheckoutOption[];
  paylink_id: PaylinkId;
  /** Billing interval of a recurring plan; paying starts a subscription. */
  recurring_interval?: RecurringInterval;
  /** Number of intervals in a billing period. */
  recurring_interval_count?: number;
  /** Whether the service runs in sandbox mode. */
  sandbox: boolean;
  /** State of the paylink. */
  state: PaylinkState;
  /** Look and texts of the page; absent for the default ones. */
  style?: ResolvedCheckoutStyle;
  /** Free trial, ISO 8601 (`P14D`); the first payment then has amount 0. */
  trial_period?: string;
}

/** A chain and currency to pay with. */
export interface CheckoutOption {
  /** Price in that currency. */
  amount: Amount;
  chain: Chain;
  currency: Currency;
  /** True on a test network, whose money has no value. */
  test_network?: boolean;
}

/** A payment as shown to the payer. */
export interface CheckoutPayment {
  /** Deposit address. */
  address: string;
  /** `address` as a QR code, for wallets that do not read links. */
  address_qr: QrCode;
  /** Page of the deposit address at a block explorer. */
  address_url?: string;
  /** What the payer sees after paying. */
  after_completion?: AfterCompletion;
  /** Amount due. */
  amount: Amount;
  /** The amount due as a QR code, for the same. */
  amount_qr: QrCode;
  /** Transfer that the payer can sign to pay without network fee. */
  authorization?: AuthorizationRequest;
  /** Status of the payer's latest authorization; absent when it has expired. */
  authorization_status?: AuthorizationStatus;
  /** Block of the payer's transaction. */
  block_number?: number;
  /** Chain to send on. */
  chain: Chain;
  /** Confirmations of the payer's transaction. */
  confirmations: number;
  confirmations_required: number;
  /** Time of confirmation, for the receipt. */
  confirmed_at?: Timestamp;
  /** Currency to send. */
  currency: Currency;
  /** The price is valid until this time. */
  expires_at: Timestamp;
  /** Block explorer of the chain. */
  explorer_url?: string;
  /** Amount received. */
  paid_amount: Amount;
  /** Paylink that created it. */
  paylink_id?: PaylinkId;
  payment_id: PaymentId;
  /** Deposit as a URI that wallets open. */
  payment_uri: string;
  /** Public node of the chain, for a wallet that does not know the chain (EIP-3085). */
  public_rpc_url?: string;
  /** `payment_uri` as a QR code. */
  qr: QrCode;
  /** Why the payment needs attention. */
  reason?: PaymentReason;
  refunded_amount?: Amount;
  /** Whether the service runs in sandbox mode. */
  sandbox: boolean;
  /** Server time, for the countdown. */
  server_time: Timestamp;
  status: PaymentStatus;
  /** True on a test network, whose money has no value. */
  test_network?: boolean;
  /** Hash of the payer's transaction, once seen. */
  transaction_hash?: string;
  /** Page of the transaction at a block explorer. */
  transaction_url?: string;
  /** The transaction that pays the amount due, for a wallet in the browser. Only on a real chain, while the payment awaits money. */
  unsigned_transaction?: UnsignedTransaction;
  /** Links that open a wallet on the payer's device, for a phone whose browser has none. Only on a real chain, while the payment
   * awaits money. */
  wallet_links?: WalletLink[];
}

/** Look and texts of an organisation's checkout pages. */
export interface CheckoutStyle {
  /** Colour of buttons and links, `#rrggbb`, with a contrast of at least 4.5:1 with white. Dark pages use the nearest tint with
   * that contrast on their background. */
  accent_color?: string;
  /** Colour scheme; without it, that of the payer's device. A page that embeds the checkout decides for itself. */
  appearance?: Appearance;
  /** Language for payers whose browser asks for none of the page's; without it, English. */
  language?: PageLanguage;
  /** Plain text above the ways to pay, at most 200 characters. */
  note?: LocalizedText;
  /** Plain text below all steps, on receipts too: how payers reach the merchant. At most 200 characters. */
  support?: LocalizedText;
}

/** Clock of the service. */
export interface Clock {
  /** Seconds ahead of the host's clock. */
  ahead_seconds: number;
  /** Current time of the service. */
  now: Timestamp;
}

/** Data requested from the payer. */
export interface Collect {
  /** Whether to ask for the customer's identity. */
  customer_ident: boolean;
  /** Whether to ask for a shipping address. */
  shipping_address: boolean;
  /** Whether to ask for a tax number. */
  tax_ident: boolean;
}

export type Comparison = OpenEnum<"GreaterThan" | "LessThan">;

export type ConditionEntity = OpenEnum<"Balance">;

export type CountsBy = OpenEnum<"status">;

/** An on-chain transaction (contract, "CryptoTransaction"). */
export interface CryptoTransaction {
  /** Block that it is in; absent before. */
  block_number?: number;
  chain_id: ChainId;
  /** Number of confirmations: its own block and the blocks on top. */
  confirmations?: number;
  confirmations_required?: number;
  /** Time it was first seen. */
  created_at: Timestamp;
  /** Currency of `value`. */
  currency?: Currency;
  /** Id of the object it belongs to. */
  entity_id?: string;
  /** Network fee paid by the sender. */
  fee_amount?: Amount;
  fee_currency?: Currency;
  /** Sending address. */
  from?: string;
  id: number;
  /** Payment it belongs to. */
  payment_id?: PaymentId;
  /** Raw transaction, as on the chain. */
  raw?: string;
  /** Sequence number among the sender's transactions. */
  sequence?: number;
  /** Reporter. */
  source: TransactionSource;
  status: TransactionStatus;
  /** Receiving address, of a payment or an account. */
  to?: string;
  transaction_hash: string;
  /** Token transfers of the transaction. */
  transfer_logs?: TransferLog[];
  /** Purpose. */
  type: TransactionType;
  updated_at: Timestamp;
  /** Amount transferred, in `currency`. */
  value: Amount;
}

/** A currency symbol. */
export type Currency = string;

/** Number and sum of records in one currency. */
export interface CurrencyTotal {
  /** Sum of their amounts. Amounts of 79 billion and more are counted and not added. */
  amount: Amount;
  /** `amount` in US dollars; absent without a price. */
  amount_usd?: Amount;
  /** Number of records. */
  count: number;
  currency: Currency;
}

/** A customer, as returned by an update and embedded in other records. */
export interface Customer {
  created_at: Timestamp;
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  email?: string;
  id: CustomerId;
  metadata?: JsonObject;
  name?: string;
  /** Organisation that owns the record. */
  org_id: OrganisationId;
  /** Phone number, E.164 preferred. */
  phone?: string;
  properties?: JsonObject;
  reference?: string;
  updated_at: Timestamp;
  wallet_address?: string;
}

/** An id that begins with cus_. */
export type CustomerId = Branded<string, "CustomerId">;

/** A customer, as listed. */
export interface CustomerItem {
  created_at: Timestamp;
  customer_ident?: string;
  email?: string;
  /** Whether the customer paid without giving an identity. */
  guest: boolean;
  id: CustomerId;
  /** Whether the record was deleted. */
  is_deleted: boolean;
  /** Time of the last payment. */
  last_payment_date?: Timestamp;
  metadata?: JsonObject;
  name?: string;
  /** Organisation that owns the record. */
  organisation_id: OrganisationId;
  /** Number of payments. */
  payments_count: number;
  /** Phone number. */
  phone?: string;
  properties?: JsonObject;
  /** What they paid in US dollars: the worth of the deposits of confirmed payments when they were booked, less what was refunded.
   * Deposits that had no price then are left out; absent without a price source. */
  spent_usd?: Amount;
  updated_at: Timestamp;
  wallet_address?: string;
}

/** Volume of one day. */
export interface DayVolume {
  /** Number of confirmed movements. */
  count: number;
  /** Day in UTC, `2026-11-21`. */
  date: string;
  /** Incoming volume in US dollars, without money of test networks; absent without a price source. */
  in_usd?: Amount;
  /** Outgoing volume in US dollars, without money of test networks; absent without a price source. */
  out_usd?: Amount;
}

export type DeliveryStatus = OpenEnum<"pending" | "succeeded" | "failed" | "skipped">;

/** A pending deposit on the simulated chain. */
export interface Deposit {
  /** Receiving account. */
  account_id: AccountId;
  amount: Amount;
  chain_id: ChainId;
  /** Time it was sent. */
  created_at: Timestamp;
  currency: Currency;
  /** Hash of the simulated transaction. */
  transaction_hash: string;
}

/** How the sold assets are delivered. */
export interface DepositInstruction {
  /** Account it is taken from or deposited to. */
  account_id?: AccountId;
  /** Deposit method. */
  payment_method: DepositMethod;
}

export type DepositMethod = OpenEnum<"Unknown" | "Deposit" | "Balance">;

/** A share of each deposit, forwarded to another account or address. */
export interface DepositSplit {
  /** Receiving account, by id. */
  account_id?: AccountId;
  /** Receiving account, by reference. */
  account_ref?: string;
  /** Receiving address. */
  address?: string;
  /** Share in percent, exact. */
  pct: Amount;
}

export type Direction = OpenEnum<"IN" | "OUT">;

export type DunningStatus = OpenEnum<"Unknown" | "None" | "Overdue" | "Reminded" | "GivenUp">;

/** Result of emptying the inbox. */
export interface EmptiedInbox {
  /** Number of deleted webhooks. */
  deleted: number;
}

/** An event with its latest delivery attempt. */
export interface Event {
  action: EventAction;
  /** The record at the time of the event. */
  data: Json;
  /** Outcome of the latest attempt. */
  delivery_status?: DeliveryStatus;
  /** Human-readable id. */
  display_id: string;
  /** Position in the organisation's log, counted from 1. */
  event_id: number;
  /** Unique id, also the `webhook-id`. */
  id: EventId;
  /** Earliest time of the next attempt. While one is under way, the time of its repetition if its outcome stays unknown. Absent if
   * none is due, or if an older event of the same record comes first. */
  next_attempt_at?: Timestamp;
  /** True for a test event, whose record is an example; absent otherwise. */
  test?: boolean;
  /** Time of the event. */
  timestamp: Timestamp;
  /** Subject. */
  type: EventType;
  /** Request sent. */
  webhook_request?: string;
  /** Response received. */
  webhook_response?: string;
  /** Error, if there was no response. */
  webhook_response_error?: string;
  /** HTTP status of the response. */
  webhook_response_status?: number;
  /** Time of the latest attempt. */
  webhook_sent_at?: Timestamp;
  /** URL of the latest attempt. */
  webhook_url?: string;
}

export type EventAction = OpenEnum<"Unknown" | "Created" | "Updated" | "Queued" | "Processed" | "Disabled" | "Enabled" | "Canceled" | "Refunded" | "Overdue" | "Delayed" | "Settled" | "LowBalanceDetected" | "VirtualAccountAlert">;

/** An id that begins with evt_. */
export type EventId = Branded<string, "EventId">;

export type EventOrder = OpenEnum<"delivered_at">;

export type EventType = OpenEnum<"Unknown" | "Org" | "MerchantContract" | "Customer" | "Payment" | "Plan" | "Subscription" | "Invoice" | "Transaction" | "OfframpTransaction" | "CryptoTransaction" | "Account">;

/** The extended public key of a wallet's account (BIP 32), at m/44'/60'/0'. */
export type ExtendedPublicKey = string;

/** A payout destination. Holder name and account number are shown as hints only. */
export interface ExternalAccount {
  /** First characters of the holder's name. */
  account_holder_name_hint?: string;
  /** Last characters of the account number. */
  account_number_hint?: string;
  /** Wallet address. */
  address?: string;
  bank_name?: string;
  beneficiary_type?: BeneficiaryType;
  /** Chain of the address. */
  chain_id?: ChainId;
  /** Country of the bank. */
  country?: string;
  created_at: Timestamp;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Whether payouts may name it. */
  enabled: boolean;
  id: ExternalAccountId;
  name?: string;
  payment_rail?: PaymentRail;
  reference?: string;
  /** Digital or fiat. */
  type: ExternalAccountType;
}

/** An integer id. */
export type ExternalAccountId = Branded<number, "ExternalAccountId">;

export type ExternalAccountType = OpenEnum<"Digital" | "Fiat">;

/** An injected fault. */
export interface Fault {
  /** Whether the change is committed. */
  after_commit: boolean;
  /** Number of calls left to fail. */
  calls: number;
  /** Only calls of this operation. */
  operation?: string;
  /** Error reason. */
  reason: string;
}

/** A found record. */
export interface Found {
  /** Account of a movement. */
  account_id?: AccountId;
  /** Its amount or price; of an account its booked balance in US dollars. */
  amount?: Amount;
  /** Chain of an account: those of a virtual account may have the same name. */
  chain?: Chain;
  /** Currency of the amount. */
  currency?: Currency;
  /** Record id. */
  id: string;
  /** Record type. */
  kind: FoundKind;
  /** Its status, as the record has it. */
  status?: string;
  /** Name or reference, if any. */
  title?: string;
}

export type FoundKind = OpenEnum<"Account" | "Customer" | "Event" | "ExternalAccount" | "Invoice" | "Movement" | "Order" | "Paylink" | "Payment" | "Plan" | "Quote" | "Subscription">;

export type Frequency = OpenEnum<"Hourly" | "Daily" | "Weekly" | "Monthly">;

/** The operator's own native coins on a chain, which pay the network. */
export interface GasMoney {
  /** The operator's balance, less `reserved`. */
  available: Amount;
  chain_id: ChainId;
  /** Native coin. */
  currency: Currency;
  /** Whether `available` is below the mark. */
  low: boolean;
  /** Payouts that `available` pays for at the current fees, at most a million; absent if they cost nothing. */
  payouts_left?: number;
  /** The most that pending transactions may take. */
  reserved: Amount;
  /** Mark: below it, top up the wallet. */
  warn_below: Amount;
}

/** A hot wallet. */
export interface HotWallet {
  /** Address, the same on every EVM chain. */
  address: string;
  /** The money that pays the network, by chain. */
  gas: GasMoney[];
  /** Settled balances. */
  holdings: HotWalletHolding[];
  /** When another one replaced it; absent for the one in use. */
  retired_at?: Timestamp;
}

/** Settled balance of a hot wallet in a currency. */
export interface HotWalletHolding {
  amount: Amount;
  chain_id: ChainId;
  currency: Currency;
}

/** The last price that was used in an hour. */
export interface HourlyRate {
  /** Start of the hour. */
  at: Timestamp;
  /** US dollars per whole unit. */
  usd: Amount;
}

/** A header of a received webhook. */
export interface InboxHeader {
  /** Name in lower case. */
  name: string;
  value: string;
}

/** A webhook that the inbox received. */
export interface InboxMessage {
  /** Body, byte for byte as signed. */
  body: string;
  /** The delivered event, as in `webhook-id`. */
  event_id: EventId;
  /** All headers of the delivery, the signature included. */
  headers: InboxHeader[];
  id: number;
  /** Time it was received. */
  received_at: Timestamp;
  /** Event type and action, as in the body. */
  type: string;
}

/** A connected chain, as its operator needs to see it. */
export interface InstallationChain {
  /** Currencies, the native coin among them. */
  assets: Asset[];
  /** Base fee of the latest block, in gwei per gas. */
  base_fee_gwei?: Amount;
  /** Typical block interval, in seconds. */
  block_seconds: number;
  /** Result of the latest comparison of the books with the chain; absent until the first. */
  comparison?: ChainComparison;
  /** Confirmations after which a block is settled; the usual ones of the chain with `finality`. */
  confirmations_required: number;
  /** Block explorer; it shows a transaction at `/tx/{hash}` and an address at `/address/{address}` (EIP-3091). */
  explorer_url?: string;
  /** Whether a block is settled when the nodes call it final. */
  finality: boolean;
  /** Latest recorded block. */
  head: number;
  id: ChainId;
  /** Blocks of the nodes that are not recorded yet; absent until a server has reported it. */
  lag?: number;
  name: string;
  /** Symbol of the native coin. */
  native_currency_symbol: Currency;
  /** Creation time of the oldest of them. */
  oldest_transaction_at?: Timestamp;
  /** Whether the chain is neither read nor paid on. */
  paused: boolean;
  /** Latest report of the server that watches the chain; absent until the first. */
  report?: ChainReport;
  /** Latest settled block; absent until the first. */
  settled_block?: number;
  /** True on a test network, whose money has no value. */
  test_network?: boolean;
  transactions_under_way: number;
  /** Tokens that the chain does not take and that somebody sent to an address of the service, the latest first. */
  unconfigured_tokens: UnconfiguredToken[];
  /** Money at proxy wallets, by currency. */
  unswept: Unswept[];
}

/** A pair traded on a venue. */
export interface Instrument {
  /** Base currency. */
  base: Currency;
  /** Chain of the base currency, if it is traded on a single chain. */
  base_chain?: ChainId;
  /** The pool's reserve of `base`, of a venue that trades in pools. `max_size` is the part of it near the price. */
  base_liquidity?: ExactNumber;
  /** Estimated cost of a trade, in basis points. */
  estimated_cost_bps: ExactNumber;
  /** Estimated duration of a trade, in milliseconds. */
  estimated_delay_ms: ExactNumber;
  id: InstrumentId;
  /** Latest price of one `base` in `quote`. */
  last_price: ExactNumber;
  /** Maximum order size, in `base`. */
  max_size: ExactNumber;
  /** Minimum order size, in `base`. */
  min_size: ExactNumber;
  /** Quote currency. */
  quote: Currency;
  /** Chain of the quote currency, if it is traded on a single chain. */
  quote_chain?: ChainId;
  /** The pool's reserve of `quote`. */
  quote_liquidity?: ExactNumber;
  /** Bid-ask spread, in basis points. */
  spread_bps: ExactNumber;
  venue_id: VenueId;
  /** Display name of the venue. */
  venue_name: string;
}

/** An integer id. */
export type InstrumentId = Branded<number, "InstrumentId">;

/** An invitation, as shown to the holder of its link. */
export interface Invitation {
  /** E-mail address of the invited person. */
  email: string;
  /** Expiry time. */
  expires_at: Timestamp;
  /** True if the address has an account already, as a member of another organisation: its password accepts the invitation. */
  has_account?: boolean;
  /** Name of an existing member who only sets a new password. */
  name?: string;
  /** Organisation name. */
  org_name: string;
  /** Role after joining. */
  role: Role;
}

/** An invoice. */
export interface Invoice {
  /** Amount due, in `currency`. */
  amount: Amount;
  created_at: Timestamp;
  currency: Currency;
  /** Customer who owes it. */
  customer_id: CustomerId;
  /** Due date. */
  due_at: Timestamp;
  dunning_status: DunningStatus;
  id: InvoiceId;
  /** Issue date, past or planned. */
  issuing_at: Timestamp;
  /** Organisation it is owed to. */
  org_id: OrganisationId;
  payment_status: InvoicePaymentStatus;
  properties?: JsonObject;
  /** Invoice number: `INV-` and a sequence number within the organisation. */
  reference?: string;
  /** Origin of the record. */
  source?: Source;
  /** Document status. */
  status: InvoiceStatus;
  updated_at: Timestamp;
}

/** An id that begins with inv_. */
export type InvoiceId = Branded<string, "InvoiceId">;

export type InvoicePaymentStatus = OpenEnum<"Unknown" | "Pending" | "Succeeded" | "Failed">;

export type InvoiceStatus = OpenEnum<"Unknown" | "Draft" | "Finalized" | "Voided">;

/** Check of the company (KYB). */
export interface Kyb {
  /** Start of the check. */
  createdAt?: string;
  /** Company data as corrected. */
  fixedInfo?: KybInfo;
  /** Company data as submitted. */
  info?: KybInfo;
  review?: KybReview;
}

/** Company data. */
export interface KybInfo {
  /** Company. */
  companyInfo?: NamedCompany;
}

/** Review of a company. */
export interface KybReview {
  /** Number of attempts. */
  attemptCnt?: number;
  /** Id of this attempt. */
  attemptId?: string;
  createDate?: string;
  /** Milliseconds since the review became pending. */
  elapsedSincePendingMs?: number;
  /** Milliseconds since the review was queued. */
  elapsedSinceQueuedMs?: number;
  /** Automatic check mode of the level. */
  levelAutoCheckMode?: Json;
  /** Name of the level. */
  levelName?: string;
  priority?: number;
  /** Whether the review is being repeated. */
  reprocessing?: boolean;
  /** End of the review. */
  reviewDate?: string;
  /** Review id. */
  reviewId?: string;
  /** Result. */
  reviewResult?: KybReviewResult;
  /** Numeric status. */
  reviewStatus?: number;
}

/** Result of a review. */
export interface KybReviewResult {
  /** Ids of the buttons pressed. */
  buttonIds?: string[];
  /** Comment for the client. */
  clientComment?: string;
  /** Comment for the moderator. */
  moderationComment?: string;
  /** Reasons for rejection. */
  rejectLabels?: string[];
  /** Answer. */
  reviewAnswer?: string;
  /** Type of rejection. */
  reviewRejectType?: string;
}

/** Identity check (KYC) of the owner. */
export interface Kyc {
  applicant_id?: string;
  comment?: string;
  /** Start of the check. */
  created_at?: string;
  /** Result of the review. */
  review_answer?: string;
  status?: string;
}

/** A text of a checkout page by language. A page without a text in its language shows the other. */
export interface LocalizedText {
  /** German. */
  de?: string;
  /** English. */
  en?: string;
}

/** A maintain-balance automation. */
export interface MaintainedBalance {
  account: AccountSummary;
  /** Currency of the balance and of both thresholds. */
  currency: Currency;
  /** Below this balance a `LowBalanceDetected` event is sent. */
  minimum_threshold_amount: ExactNumber;
  /** Destination of the surplus. */
  payout_account: AccountSummary;
  /** Above this balance the surplus over the minimum is paid out. */
  payout_threshold_amount: ExactNumber;
}

/** A member of an organisation: invited until `joined_at`, former since `removed_at`. */
export interface Member {
  /** Time of the first invitation. */
  created_at: Timestamp;
  /** E-mail address, in lower case. */
  email: string;
  id: UserId;
  /** True for a member who also operates the installation: its chains and its hot wallet. Set from the command line only. */
  installation_operator?: boolean;
  /** Expiry of the open invitation; also set for a joined member who was invited again. */
  invitation_expires_at?: Timestamp;
  /** Invitation link; only in the answer to the invitation. */
  invitation_url?: string;
  /** Time the invitation was accepted. */
  joined_at?: Timestamp;
  /** Time of the last sign-in. */
  last_signed_in_at?: Timestamp;
  /** Display name; set when the invitation is accepted. */
  name?: string;
  /** Removal time; absent unless removed. */
  removed_at?: Timestamp;
  role: Role;
}

/** An organisation that a user is a member of. */
export interface Membership {
  /** Organisation. */
  org_id: OrganisationId;
  /** Name of the organisation. */
  org_name: string;
  /** Role of the user in it. */
  role: Role;
}

/** Payee. */
export interface Merchant {
  logo_url?: string;
  /** Organisation name. */
  name: string;
}

/** One entry of an account's ledger (contract, "Movement"). */
export interface Movement {
  /** Account it was booked on: the requested account or a sub-account. */
  account_id: AccountId;
  /** Reference of that account, if it has one. */
  account_reference?: AccountReference;
  /** Amount in `currency`. */
  amount: Amount;
  /** Worth of `amount` in US dollars when it was booked, to the millionth; absent until it is booked, without a price, and on
   * a test network. */
  amount_usd?: Amount;
  /** Chain of an on-chain movement. */
  chain?: Chain;
  /** Time of external confirmation, once confirmed. */
  confirmed_at?: Timestamp;
  created_at: Timestamp;
  currency: Currency;
  /** Direction relative to the account. */
  direction: Direction;
  /** Id of the causing object; absent for internal operations. */
  entity_id?: string;
  /** Why it failed; absent unless `status` is Failed. */
  failure?: MovementFailure;
  /** Fee charged on top of `amount`, if any. */
  fee?: Amount;
  /** Currency of `fee`. */
  fee_currency?: Currency;
  /** Source address of an incoming on-chain movement. */
  from_address?: string;
  id: MovementId;
  /** Worth of `amount` in `reporting_currency` when it was booked, to the millionth; absent when `amount_usd` is, and if
   * the organisation had no currency of its own. */
  reporting_amount?: Amount;
  /** The organisation's own currency when it was booked (`properties.currency`). */
  reporting_currency?: Currency;
  status: MovementStatus;
  /** Destination address of an outgoing on-chain movement. */
  to_address?: string;
  /** Transaction hash, once broadcast. */
  transaction_hash?: string;
  /** Cause. */
  type: MovementType;
}

export type MovementFailure = OpenEnum<"Reverted" | "Dropped" | "NotAccepted" | "ApprovalRefused" | "Canceled" | "NotExecuted" | "AmountTooLarge">;

/** An integer id. */
export type MovementId = Branded<number, "MovementId">;

export type MovementStatus = OpenEnum<"Pending" | "Processing" | "Confirmed" | "Failed" | "Refunded" | "PartialRefunded">;

export type MovementType = OpenEnum<"Deposit" | "Withdraw" | "Transfer" | "Swap" | "NetworkFee" | "ServiceFee" | "Adjustment">;

/** A company name. */
export interface NamedCompany {
  /** Name. */
  companyName?: string;
}

export type NextAction = OpenEnum<"ChooseMethod" | "SendFunds" | "SignTransaction" | "Wait" | "None">;

/** A note of a member on a record. It can be deleted, not changed. */
export interface Note {
  /** Name of the author when the note was written. */
  author: string;
  /** Time of writing. */
  created_at: Timestamp;
  id: NoteId;
  /** Whether the caller may delete it. */
  may_delete: boolean;
  record_id: string;
  record_type: NotedRecord;
  text: string;
  /** The author; absent if the note was imported from another installation. */
  user_id?: UserId;
}

/** An id that begins with note_. */
export type NoteId = Branded<string, "NoteId">;

export type NotedRecord = OpenEnum<"Account" | "Customer" | "Invoice" | "Movement" | "Payment" | "Paylink" | "Subscription">;

/** An exact decimal. The service sends a JSON number; here it is text, so that no digit is lost. */
export type ExactNumber = Amount;

/** An id that begins with ord_. */
export type OrderId = Branded<string, "OrderId">;

export type OrderReason = OpenEnum<"AccountDeleted" | "AmountTooLarge" | "InsufficientFunds" | "PayoutFailed" | "VenueRefused">;

export type OrderStatus = OpenEnum<"Open" | "Processing" | "Settled" | "Failed" | "Canceled">;

/** A merchant organisation. */
export interface Organisation {
  created_at: Timestamp;
  id: OrganisationId;
  logo_url?: string;
  name: string;
  owner_user_id?: string;
  /** Managing partner; absent if none. */
  partner_id?: OrganisationId;
  /** Settings. */
  properties?: OrganisationProperties;
  /** Previous signing secrets stay valid until this time; absent if there are none. */
  signing_secret_overlap_until?: Timestamp;
  updated_at: Timestamp;
  /** Type not stated by the contract. */
  v1?: Json;
  /** The previous key also signs until this time; absent if there is none. */
  webhook_key_overlap_until?: Timestamp;
  /** Time webhooks were paused because the endpoint is gone; setting the URL resumes them. */
  webhook_paused_at?: Timestamp;
  /** Public key for webhook signatures, SPKI PEM; absent until configured. */
  webhook_public_key?: string;
  /** Webhook endpoint. */
  webhook_url?: string;
}

/** An id that begins with org_. */
export type OrganisationId = Branded<string, "OrganisationId">;

/** Settings of an organisation. */
export interface OrganisationProperties {
  /** Look and texts of the checkout pages; absent for the default ones. */
  checkout_style?: CheckoutStyle;
  /** Reporting currency of the merchant. Totals of the service are in US dollars. */
  currency?: Currency;
  /** E-mail preferences, free-form. Stored only: the service sends no e-mail. */
  email_notification_options?: JsonObject;
  /** Payer of the service fees: `merchant` or `payer`. */
  fee_payer?: string;
  /** E-mail addresses for copies. Stored only: the service sends no e-mail. */
  forwarded_email_recipients?: string[];
  /** Whether the organisation is suspended. */
  is_suspended?: boolean;
  /** Check of the company. */
  kyb?: Kyb;
  /** Identity check of the owner. */
  kyc?: Kyc;
  /** Reason of the suspension. */
  suspension_type?: string;
  /** IANA time zone of the organisation, e.g. `Europe/Berlin`. */
  time_zone?: string;
  /** Tolerated underpayment. */
  underpay_thresholds?: UnderpayThresholds;
}

export type OutgoingPurpose = OpenEnum<"payout" | "sweep" | "deploy" | "move" | "gas_money" | "approval" | "swap" | "revocation" | "operator_withdrawal" | "unknown">;

export type OutgoingStatus = OpenEnum<"Queued" | "Unsigned" | "Signed" | "Sent" | "Abandoned" | "Mined">;

/** A transaction of a hot wallet. */
export interface OutgoingTransaction {
  /** Amount that leaves the wallet. */
  amount: Amount;
  /** Number of signed forms: the first, and replacements with higher fees. */
  attempts: number;
  /** Block that it is in. */
  block_number?: number;
  /** Whether its fee can be raised: it is signed, in no block, and the next that the network waits for. */
  can_raise_fee: boolean;
  chain_id: ChainId;
  created_at: Timestamp;
  currency: Currency;
  /** Hot wallet. */
  from: string;
  id: TransactionId;
  /** Most that the network can take for it, in the native coin. */
  max_fee?: Amount;
  /** Highest fee that the latest form offers, in gwei per gas. */
  max_fee_gwei?: Amount;
  /** Sequence number among the wallet's transactions; absent until it is signed. */
  nonce?: number;
  /** Organisation of the payout. */
  org_id?: OrganisationId;
  /** Payment of the payout. */
  payment_id?: PaymentId;
  purpose: OutgoingPurpose;
  /** State. */
  status: OutgoingStatus;
  /** Receiver, or contract called. */
  to: string;
  /** Hash of the latest signed form. */
  transaction_hash?: string;
  updated_at: Timestamp;
}

/** A part of the transactions under way, oldest first. */
export interface OutgoingTransactionList {
  /** The transactions. */
  items: OutgoingTransaction[];
  /** For `after`, if there are more. */
  next?: number;
}

/** Overview of the organisation. */
export interface Overview {
  /** Up to ten accounts with the largest balances, largest first, without test networks; empty without a price source. */
  accounts: OverviewAccount[];
  /** Balances, one per currency and chain. */
  balances: OverviewBalance[];
  /** Number of events whose delivery failed permanently. */
  deliveries_failed: number;
  /** Number of events waiting for delivery. */
  deliveries_pending: number;
  /** Account of the latest failed movement. */
  failed_account_id?: AccountId;
  /** Whether the organisation is suspended. */
  is_suspended: boolean;
  /** Result of the company check, if any. */
  kyb_status?: string;
  /** Status of the owner's identity check, if any. */
  kyc_status?: string;
  /** Time of the oldest of these prices. */
  last_total_at?: Timestamp;
  /** The total at the last known prices, while a currency has none now. To be shown only: nothing is booked or quoted with it. */
  last_total_usd?: Amount;
  /** Number of movements of the last 30 days with status Failed. */
  movements_failed: number;
  /** Number of movements with status Pending or Processing. */
  movements_pending: number;
  /** Time of the service at the answer. A sandbox's clock may be ahead of the browser's. */
  now: Timestamp;
  /** Number of paylinks that accept payments. */
  paylinks_active: number;
  /** Number of payments with status Processing, without payouts. */
  payments_processing: number;
  /** Number of payouts that wait for a second member's approval. */
  payouts_awaiting_approval: number;
  /** Expiry of the first of them. */
  quote_expires_at?: Timestamp;
  /** Number of firm quotes that can be accepted. */
  quotes_open: number;
  /** Total of `reserved` in US dollars, without money of test networks; absent without the price of one of its currencies. */
  reserved_usd?: Amount;
  /** Increases with every event; an older overview is out of date. */
  revision: number;
  /** Reason of the suspension. */
  suspension_type?: string;
  /** Total of `available` in US dollars, without money of test networks; absent without a price source. */
  total_usd?: Amount;
  /** Confirmed daily volume of the last 30 days, oldest first. */
  volume: DayVolume[];
}

/** Balance of one account. */
export interface OverviewAccount {
  account_id: AccountId;
  /** Available balance in US dollars. */
  amount_usd: Amount;
  chain?: Chain;
  name?: string;
  reference?: AccountReference;
}

/** Balance of the organisation in one currency on one chain. */
export interface OverviewBalance {
  /** `available` in US dollars; absent without a price, and on a test network. */
  amount_usd?: Amount;
  /** `posted` minus `reserved`. */
  available: Amount;
  chain: Chain;
  currency: Currency;
  /** Booked balance. */
  posted: Amount;
  /** Reserved for operations in progress. */
  reserved: Amount;
}

/** Recurring revenue, churn, conversion of paylinks, and money that is due. */
export interface OverviewBusiness {
  /** Number of payments of paylinks that were confirmed in these days. */
  checkouts_paid: number;
  /** Number of checkouts of paylinks that were started in these days. */
  checkouts_started: number;
  /** `subscriptions_ended` in percent of `subscriptions_running_before`, to two decimal places; absent if none ran before. Above 100
   * if subscriptions of these days have ended, too. */
  churn_pct?: Amount;
  /** `checkouts_paid` in percent of `checkouts_started`, to two decimal places; absent if no checkout was started. Above 100 if
   * checkouts of earlier days were paid. */
  conversion_pct?: Amount;
  /** Number of times that pages of paylinks were opened in the last 30 days (UTC, today included). */
  link_visits: number;
  /** Monthly recurring revenue by currency: the prices of the active subscriptions, each divided by the months of its period. A period
   * of days or weeks is measured in months of a twelfth of 365 days. */
  monthly_revenue: CurrencyTotal[];
  /** Monthly recurring revenue in US dollars; absent without the price of one of its currencies. */
  monthly_revenue_usd?: Amount;
  /** Payouts that are not confirmed yet, by currency, without money of test networks. All of them are due: none can be scheduled. */
  payouts: CurrencyTotal[];
  /** Invoices of the next seven days (UTC, today included) for the next period of active subscriptions, and for the first one after a
   * trial, by currency. */
  renewals: CurrencyTotal[];
  /** Number of running subscriptions that ended in these days. */
  subscriptions_ended: number;
  /** Number of subscriptions whose first period has begun and that have not ended, paused ones included. */
  subscriptions_running: number;
  /** Number of these at the start of the last 30 days (UTC, today included). */
  subscriptions_running_before: number;
}

/** A figure of the organisation per day. */
export interface OverviewSeries {
  /** The days until today. */
  current: SeriesPart;
  /** Figure. */
  metric: SeriesMetric;
  /** As many days before them, if asked for. */
  previous?: SeriesPart;
}

/** A message that a wallet signs to prove ownership of an account's address. */
export interface OwnershipChallenge {
  account_id: AccountId;
  /** The wallet's address. */
  address: string;
  chain_id: ChainId;
  /** Expiry time. A signature is accepted once, before this time. */
  expires_at: Timestamp;
  /** Message to sign verbatim with `personal_sign` (EIP-191). */
  message: string;
}

export type PageLanguage = OpenEnum<"en" | "de">;

/** A permanent address, valid for the lifetime of its account. */
export interface PayInAddress {
  /** Account credited with its payments. */
  account_id: AccountId;
  /** The wallet's address. */
  address: string;
  chain_id: ChainId;
  created_at: Timestamp;
  /** Accepted currency symbols. */
  currencies: Currency[];
  /** Customer whose payments it receives. */
  customer_id?: CustomerId;
  reference?: string;
}

/** Network fees of a day (UTC) that the operator pays for the payers of an organisation, in the chain's native coin. */
export interface PayerFees {
  /** Transfers are accepted while the fees reserved in a day fit it. Above it, payers pay the network themselves. */
  limit_per_day: Amount;
  /** What today has cost, or may cost for transactions that are in no block yet. */
  used_today: Amount;
}

/** A payment link. */
export interface Paylink {
  /** What the payer sees after paying. */
  after_completion?: AfterCompletion;
  created_at: Timestamp;
  /** User or API key that created it. */
  created_by?: string;
  /** Whether the payer is asked for their identity. */
  customer_ident_collection: boolean;
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  /** Whether the link is enabled. */
  enabled: boolean;
  id: PaylinkId;
  /** Invoice it collects; absent if none. */
  invoice_id?: InvoiceId;
  metadata?: JsonObject;
  /** The plan it sells, where embedded. */
  plan?: Plan;
  /** Id of the plan it sells. */
  plan_id: PlanId;
  properties?: JsonObject;
  /** Whether the payer is asked for a shipping address. */
  shipping_address_collection: boolean;
  /** Origin of the record. */
  source?: Source;
  /** Whether it accepts payments at the time of the answer, given `enabled` and its plan. Absent in embedded records. */
  state?: PaylinkState;
  /** Visits, checkouts and payments of the last 30 days (UTC, today included). Only in the answer for one paylink; absent without any. */
  statistics?: PaylinkStatistics;
  /** Whether the payer is asked for a tax number. */
  tax_ident_collection: boolean;
  updated_at: Timestamp;
  /** User or API key that last changed it. */
  updated_by?: string;
  /** URL of the payer's page. */
  url: string;
}

/** How often a paylink was opened, checked out and paid on one day. */
export interface PaylinkDay {
  /** Number of checkouts that were started. */
  checkouts_started: number;
  /** Day in UTC, `2026-11-21`. */
  date: string;
  /** Number of payments that were confirmed. */
  payments: number;
  /** Number of times its page was opened. */
  visits: number;
}

/** An id that begins with pl_. */
export type PaylinkId = Branded<string, "PaylinkId">;

/** Paylink metadata keys with a defined meaning. */
export interface PaylinkMetadata {
  /** What the payer sees after paying. */
  after_completion?: AfterCompletion;
  /** Data requested from the payer. */
  customer_fields?: string[];
  /** Whether a duplicate payment needs no confirmation by the payer. */
  omit_possible_duplicate_acknowledgement?: boolean;
  /** Allowed payment methods. */
  payment_method_types?: string[];
  /** Whether the payer chooses the amount. */
  variable_mode_only?: boolean;
}

/** Changes to the product shown to the payer. */
export interface PaylinkPlanUpdate {
  /** Product description. */
  description?: string;
  /** Product image URL. */
  image_url?: string;
  /** Product name. */
  name?: string;
}

export type PaylinkState = OpenEnum<"Open" | "Disabled" | "Expired" | "SoldOut" | "Paid" | "Deleted">;

/** How often a paylink was opened, checked out and paid. */
export interface PaylinkStatistics {
  /** Number of checkouts that were started. */
  checkouts_started: number;
  /** `payments` in percent of `checkouts_started`, to two decimal places; absent if no checkout was started. */
  conversion_pct?: Amount;
  /** The days on which something happened, oldest first. */
  days: PaylinkDay[];
  /** Number of payments that were confirmed. */
  payments: number;
  /** Number of times its page was opened. */
  visits: number;
}

/** Changes to one paylink; absent fields stay unchanged. */
export interface PaylinkUpdate {
  /** What the payer sees after paying. */
  after_completion?: AfterCompletion;
  /** Whether it accepts payments. */
  enabled?: boolean;
  /** Paylink id. */
  id: PaylinkId;
  /** Metadata to set; other keys stay unchanged. */
  metadata?: PaylinkMetadata;
  /** Changes to the product shown to the payer. */
  plan?: PaylinkPlanUpdate;
}

/** A payment. */
export interface Payment {
  /** Amount due, in `currency`. */
  amount: Amount;
  /** Amount due in US dollars, at the rate at creation; absent without a price, and on a test network. */
  amount_usd?: Amount;
  /** Approval of a payout above a limit. */
  approval?: PayoutApproval;
  cf_headers?: JsonObject;
  /** Chain it is sent on. */
  chain_id?: ChainId;
  created_at: Timestamp;
  /** Transaction that paid it. */
  crypto_transaction?: TransactionSummary;
  /** All transactions of the payment. */
  crypto_transactions?: CryptoTransaction[];
  /** Currency the payer sends. */
  currency: Currency;
  /** Paying customer. */
  customer?: Customer;
  /** Paying customer. */
  customer_id?: CustomerId;
  /** Address to pay to. */
  deposit_address?: string;
  /** The price is valid until this time. */
  expires_at?: Timestamp;
  /** Fees of it in `currency`: that of the service, and for a payout that of the network if it was paid in `currency`. */
  fee_amount?: Amount;
  /** Sending account, if it belongs to the organisation. */
  from_account?: AccountSummary;
  /** Amount confirmed, in `currency`; for a payout, what left the account for it. With `fee_amount` and `net_amount` only where one
   * payment is read, and absent before a confirmation. */
  gross_amount?: Amount;
  id: PaymentId;
  /** Invoice it pays; absent if none. */
  invoice_id?: InvoiceId;
  metadata?: JsonObject;
  /** `gross_amount` without `fee_amount`. */
  net_amount?: Amount;
  /** Network fee that the operator of the service paid for the payer's signed transfers (EIP-3009), in all their transactions that
   * are in a block. Neither payer nor merchant pays it. */
  network_fee?: Amount;
  /** Currency of `network_fee`: the native coin of the chain. */
  network_fee_currency?: Currency;
  /** Worth of `network_fee` in US dollars when its block was read, to the millionth; absent if there was no price, and on a
   * test network. */
  network_fee_usd?: Amount;
  /** Next step: for the payer, or for the merchant whose own wallet pays out. */
  next_action?: NextAction;
  /** Organisation that receives the payment. */
  org_id: OrganisationId;
  /** Amount received, confirmed or pending. */
  paid_amount: Amount;
  /** Parent payment; absent if none. */
  parent_id?: PaymentId;
  /** Paylink that created it. */
  payment_link?: Paylink;
  payment_method: PaymentMethod;
  /** Destinations of a payout. */
  payout_splits?: PayoutSplit[];
  /** Transaction to be signed by the merchant's own wallet, while `next_action` is `SignTransaction`. */
  prepared_transaction?: PreparedTransaction;
  properties?: JsonObject;
  /** Why the payment needs attention. */
  reason?: PaymentReason;
  reference?: string;
  refunded_amount?: Amount;
  /** Amount of refunds under way: not confirmed yet. */
  refunding_amount?: Amount;
  /** Scheduled execution time, Unix seconds. */
  scheduled_time?: number;
  /** Payer's address, once seen. */
  sender_address?: string;
  /** Transaction that settled it. */
  settlement_transaction?: TransactionSummary;
  /** Origin of the record. */
  source?: Source;
  status: PaymentStatus;
  /** True on a test network, whose money has no value. */
  test_network?: boolean;
  /** Status changes with their times. */
  timeline?: TimelineEntry[];
  /** Receiving account. */
  to_account?: AccountSummary;
  updated_at: Timestamp;
}

/** An id that begins with pay_. */
export type PaymentId = Branded<string, "PaymentId">;

export type PaymentMethod = OpenEnum<"ProxyWallet" | "Direct" | "Payout">;

export type PaymentRail = OpenEnum<"SEPA" | "SWIFT" | "ACH" | "FPS">;

export type PaymentReason = OpenEnum<"Underpaid" | "Overpaid" | "PaidLate" | "ApprovalRequired" | "ApprovalRefused">;

export type PaymentStatus = OpenEnum<"Pending" | "Processing" | "Confirmed" | "Failed" | "Expired" | "Canceled" | "Refunded" | "PartialRefunded">;

/** An entry of a payment's timeline. `type` names the part that is present; the others are absent. */
export interface PaymentTimelineEntry {
  /** Time when it happened. */
  at: Timestamp;
  event?: TimelineEvent;
  note?: Note;
  refund?: TimelineRefund;
  /** New status of the payment. */
  status?: PaymentStatus;
  transaction?: TimelineTransaction;
  /** What happened. */
  type: TimelineType;
}

/** Why a payout waits for a second member, and who decided. */
export interface PayoutApproval {
  /** Time of the decision. */
  decided_at?: Timestamp;
  /** Member who approved or refused it. */
  decided_by?: UserId;
  /** Amount above the limit. Absent if it would reveal payouts of other organisations. */
  excess?: Amount;
  /** Limit that the payout is above, in its currency. */
  limit: Amount;
  /** Whose payouts the limit counts. */
  limit_scope: PayoutLimitScope;
  /** Payouts that the limit counts. */
  limit_type: PayoutLimitType;
  /** Member who created the payout, who can't decide; absent for an API key or an automation. */
  requested_by?: UserId;
}

/** Cost of a payout. */
export interface PayoutEstimate {
  /** Amount received by the destination. */
  amount: Amount;
  /** Available balance of the account in `currency`; with an extended public key, the most that one address can pay. */
  available: Amount;
  /** Whether the balance covers amount and fees. */
  covered: boolean;
  currency: Currency;
  /** Network fee. */
  fee: Amount;
  /** Currency of `fee`. */
  fee_currency: Currency;
  /** Service fee in `currency`: the account's payout percentage, rounded down. */
  service_fee: Amount;
}

export type PayoutLimitScope = OpenEnum<"Organisation" | "Installation">;

export type PayoutLimitType = OpenEnum<"PerPayout" | "PerDay">;

/** A destination of a payout. */
export interface PayoutSplit {
  /** Receiving address. */
  address?: string;
  /** Amount, in `currency`. */
  amount: Amount;
  /** Chain it is sent on. */
  chain_id?: ChainId;
  currency: Currency;
  /** Receiving account. */
  destination_account_id?: AccountId;
  reference?: string;
}

/** A billing plan. */
export interface Plan {
  /** Quantity still for sale; absent when unlimited. */
  available_quantity?: number;
  billing_scheme: BillingScheme;
  created_at: Timestamp;
  /** User or API key that created it. */
  created_by?: string;
  /** Currency of `price`. */
  currency: Currency;
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  /** Description shown to the payer. */
  description?: string;
  /** Whether it is for sale. */
  enabled: boolean;
  /** Sales end at this time. */
  expires_at?: Timestamp;
  /** Quantity reserved by unpaid checkouts; absent when unlimited. */
  held_quantity?: number;
  id: PlanId;
  image_url?: string;
  metadata?: JsonObject;
  name: string;
  /** Organisation that owns it. */
  org_id: OrganisationId;
  /** Its paylink, without the embedded plan. */
  payment_link?: Paylink;
  price: Amount;
  properties?: JsonObject;
  /** Interval of a billing period. */
  recurring_interval: RecurringInterval;
  /** Number of intervals in a billing period. */
  recurring_interval_count?: number;
  /** How usage is measured. */
  recurring_usage_type: RecurringUsageType;
  reference?: string;
  /** Origin of the record. */
  source?: Source;
  /** Free trial before the first period, ISO 8601 (`P14D`). */
  trial_period?: string;
  type: PlanType;
  updated_at: Timestamp;
}

/** An id that begins with plan_. */
export type PlanId = Branded<string, "PlanId">;

export type PlanType = OpenEnum<"Unknown" | "OneTime" | "Recurring">;

/** The transaction of a payout from the merchant's own wallet: the fields of `eth_sendTransaction`, to be signed there. */
export interface PreparedTransaction {
  /** EIP-155 chain id. */
  chain_id: ChainId;
  /** The contract's call, hexadecimal; `0x` if none. */
  data: string;
  /** Number of `from` below the account's extended public key, from 0; absent for a wallet connected by its address. */
  derivation_index?: number;
  /** The wallet that signs. */
  from: string;
  /** Link that opens a wallet with the transfer (EIP-681). */
  link: string;
  /** The receiver, or the token's contract. */
  to: string;
  /** Native coins to send, in wei, hexadecimal. */
  value: string;
}

/** The health of a provider. */
export interface ProviderReport {
  /** Latest block that it reported. */
  head?: number;
  /** Host name. The rest of the URL may contain a key. */
  host: string;
  /** Blocks behind the most advanced provider. */
  lag?: number;
  /** Latest error. */
  last_error?: string;
  /** Time of that error. */
  last_error_at?: Timestamp;
  /** Time of its latest good answer. */
  last_success_at?: Timestamp;
  /** Whether it answers. */
  ready: boolean;
}

/** A QR code as an SVG path with a view box of `size` by `size`. */
export interface QrCode {
  /** Dark modules as an SVG path. */
  path: string;
  /** Modules per side, quiet zone included. */
  size: number;
}

/** Result of a quick trade, actual or estimated. */
export interface QuickTrade {
  /** Account that funds the trade. */
  account_id?: AccountId;
  created_at: Timestamp;
  /** How the sold assets are delivered. Of a basket also `sell_assets`: the sold amount of each asset. */
  deposit_instruction?: JsonObject;
  /** Bought amount per unit sold. */
  effective_rate: Amount;
  /** Fees by name. */
  fees?: JsonObject;
  /** Amount sold, of a basket that of its first asset. */
  from_amount: Amount;
  /** Chain of the sold asset. */
  from_chain_id?: ChainId;
  /** Currency sold. */
  from_currency: Currency;
  /** Order id; absent for a dry run. */
  order_id?: OrderId;
  /** What its quote says of the venue: `properties` of the quote. */
  properties?: JsonObject;
  /** Id of the accepted quote; absent for a dry run. */
  quote_id?: QuoteId;
  /** Why it failed or was canceled. */
  reason?: OrderReason;
  reference?: string;
  /** How the bought asset is delivered. */
  settlement_instruction?: JsonObject;
  side: TradeSide;
  status: OrderStatus;
  /** Amount bought. */
  to_amount: Amount;
  /** Chain of the bought asset. */
  to_chain_id?: ChainId;
  /** Currency bought. */
  to_currency: Currency;
}

/** A quote. */
export interface Quote {
  /** Acceptance time; absent unless accepted. */
  accepted_at?: Timestamp;
  /** Account that funds the trade. */
  account_id?: AccountId;
  /** Bought asset. */
  buy_asset: QuoteAsset;
  created_at: Timestamp;
  /** How the sold assets are delivered. */
  deposit_instruction?: DepositInstruction;
  /** Deadline for acceptance. */
  expires_at?: Timestamp;
  /** Fees in addition to the rate. */
  fees?: QuoteFees;
  id: QuoteId;
  internal?: JsonObject;
  /** Side with the exact amount. */
  mode: QuoteMode;
  /** Organisation that requested it. */
  org_id: OrganisationId;
  /** `offers`: the amount that each venue gives or takes, the best first (`sell_currency`, `venue`, `amount`, `chosen`). Of a swap on a
   * chain also `expected_amount`, `price_impact_bps`, `slippage_bps`, `network_fee` and `network_fee_currency`; of a basket the
   * sums of its parts, and the impact of the worst swap. Of an automation `automation_id`. */
  properties?: JsonObject;
  rate?: QuoteRate;
  /** Rejection time; absent unless rejected. */
  rejected_at?: Timestamp;
  /** Sold assets; several in a basket. */
  sell_assets: QuoteAsset[];
  /** How the bought asset is delivered. */
  settlement_instruction?: SettlementInstruction;
  /** Origin of the record. */
  source?: string;
  status: QuoteStatus;
  /** Deadline for funding an accepted quote. */
  ttl_at?: Timestamp;
  /** How it was priced. */
  type: QuoteType;
  updated_at: Timestamp;
}

/** A bought or sold asset. */
export interface QuoteAsset {
  amount: ExactNumber;
  chain_id?: ChainId;
  symbol: Currency;
  /** Contract address of the token; absent for the native asset. */
  token_address?: string;
}

/** Fees of a quote in addition to the rate. */
export interface QuoteFees {
  /** Fees by name. */
  breakdown?: JsonObject;
  /** Currency of the fees. */
  fee_currency?: Currency;
  /** Total of all fees. */
  total_fee: ExactNumber;
}

/** An id that begins with quo_. */
export type QuoteId = Branded<string, "QuoteId">;

export type QuoteMode = OpenEnum<"SellExact" | "BuyExact">;

/** Rate of a quote. */
export interface QuoteRate {
  /** Canadian dollars per unit of the bought asset. */
  buy_currency_cad_rate?: ExactNumber;
  /** Value of the trade in Canadian dollars; absent without a price, and on a test network. */
  cad_value?: ExactNumber;
  /** Bought amount per unit sold. */
  effective_rate: ExactNumber;
  /** Canadian dollars per unit of each sold asset. */
  sell_currency_cad_rates?: JsonObject;
  /** Value of the trade in US dollars; absent without a price, and on a test network. */
  usd_value?: ExactNumber;
}

export type QuoteStatus = OpenEnum<"Created" | "Accepted" | "Rejected" | "Expired">;

export type QuoteType = OpenEnum<"Automatic" | "Manual">;

/** Price of a currency. */
export interface Rate {
  currency: Currency;
  /** Why there is no price now. */
  gap?: RateGap;
  /** The time of the last price. */
  last_at?: Timestamp;
  /** When there is no price now: the last one, only to be shown. */
  last_usd?: Amount;
  /** The time of the oldest of them. */
  priced_at?: Timestamp;
  /** Price of each source that quotes the currency, by name. */
  sources: SourceRate[];
  /** US dollars per whole unit, the median of the fresh prices; absent when there is none now. */
  usd?: Amount;
}

export type RateGap = OpenEnum<"Stale" | "Alone" | "Disagree">;

/** The rates of all currencies, and their sources. */
export interface RateList {
  /** The rates, by symbol; empty without a price source. */
  items: Rate[];
  /** The connected price sources, by name. */
  sources: RateSource[];
}

export type RatePeriod = OpenEnum<"Day" | "Week" | "Month" | "Year">;

/** A connected price source. */
export interface RateSource {
  /** Since when it fails. */
  failing_since?: Timestamp;
  /** Latest error. A success with one is partial. */
  last_error?: string;
  /** Until when it asked for no requests. */
  paused_until?: Timestamp;
  /** Name. */
  source: string;
  /** State. */
  status: RateSourceStatus;
  /** When it last answered with prices. */
  succeeded_at?: Timestamp;
}

export type RateSourceStatus = OpenEnum<"Waiting" | "Healthy" | "Failing" | "Paused">;

export type RecurringInterval = OpenEnum<"Unknown" | "Day" | "Week" | "Month" | "Year">;

export type RecurringUsageType = OpenEnum<"Unknown" | "Licensed" | "Metered">;

/** A replay. */
export interface Replay {
  created_at: Timestamp;
  id: ReplayId;
  /** Events queued so far. */
  queued: number;
  status: ReplayStatus;
  /** Events to redeliver. */
  total: number;
  /** Time of the last progress. */
  updated_at: Timestamp;
}

/** Number of events in a replay. */
export interface ReplayCount {
  /** Matching events. */
  count: number;
}

/** An id that begins with rpl_. */
export type ReplayId = Branded<string, "ReplayId">;

export type ReplayStatus = OpenEnum<"Running" | "Done" | "Canceled">;

/** Look and texts of a checkout page, as it shows them. */
export interface ResolvedCheckoutStyle {
  /** Colour of buttons and links on a light page, `#rrggbb`. */
  accent_color?: string;
  /** The same on a dark page. */
  accent_color_dark?: string;
  /** Colour scheme. */
  appearance?: Appearance;
  /** Language for payers whose browser asks for none of the page's. */
  language?: PageLanguage;
  /** Text above the ways to pay. */
  note?: LocalizedText;
  /** Text below all steps. */
  support?: LocalizedText;
}

export type Role = OpenEnum<"owner" | "operator" | "viewer">;

/** An integer id. */
export type RuleId = Branded<number, "RuleId">;

/** A saved view. */
export interface SavedView {
  created_at: Timestamp;
  id: SavedViewId;
  /** Whether the caller may change and delete it. */
  may_change: boolean;
  name: string;
  /** Path of the dashboard's page. */
  page: string;
  /** Query of the page's URL, without the question mark. */
  query: string;
  /** Whether all members of the organisation see it. */
  shared: boolean;
  updated_at: Timestamp;
  /** Member who saved it; absent for a shared view whose author was removed. */
  user_id?: UserId;
}

/** An id that begins with sv_. */
export type SavedViewId = Branded<string, "SavedViewId">;

export type SeriesMetric = OpenEnum<"balance" | "in" | "out">;

/** A figure on the days of a period. */
export interface SeriesPart {
  /** First day in UTC. */
  from: string;
  /** Number of missing days. */
  missing_days: number;
  /** The figure on each day, oldest first, without money of test networks. Days on which some of the money had no price are missing. */
  points: SeriesPoint[];
  /** Sum of `points`; absent for a balance, and if all days are missing. */
  sum_usd?: Amount;
  /** Last day in UTC. */
  to: string;
}

export type SeriesPeriod = OpenEnum<"7" | "30" | "90" | "365">;

/** A figure on one day. */
export interface SeriesPoint {
  /** US dollars, exact to the millionth. */
  amount_usd: Amount;
  /** Day in UTC, `2026-11-21`. */
  date: string;
}

/** A dashboard session. Its token exists only in the cookie. */
export interface Session {
  /** Whether a chain is connected; without one, nothing can be received or sent. */
  chains_connected: boolean;
  /** Token for the header `X-CSRF-Token`, required for every method but GET. */
  csrf_token: string;
  /** End of the session. */
  expires_at: Timestamp;
  /** Whether the user also operates the installation: its chains and its hot wallet. */
  installation_operator?: boolean;
  /** Time of the service at the answer. A sandbox's clock may be ahead of the browser's. */
  now: Timestamp;
  /** Current organisation. */
  org_id: OrganisationId;
  /** Name of the organisation. */
  org_name: string;
  /** Organisations of the user, by name; the session is in one of them. */
  organisations?: Membership[];
  /** Whether the service runs in sandbox mode. */
  sandbox: boolean;
  /** Signed-in user. */
  user: User;
  /** Whether a trading venue is connected. */
  venues_connected: boolean;
}

/** How the bought asset is delivered. */
export interface SettlementInstruction {
  /** Receiving account. */
  account_id?: AccountId;
  /** Receiving address. */
  address?: string;
  /** Receiving chain. */
  chain_id?: ChainId;
  /** Settlement type. */
  type: SettlementType;
}

export type SettlementType = OpenEnum<"Manual" | "Automatic">;

/** The organisation with its signing secret, without `properties`. */
export interface SigningSecret {
  created_at: Timestamp;
  id: OrganisationId;
  logo_url?: string;
  name: string;
  owner_user_id?: string;
  /** Managing partner; absent if none. */
  partner_id?: OrganisationId;
  /** Secret for request signatures (HMAC-SHA256). */
  signing_secret: string;
  /** Previous secrets stay valid until this time; absent if there are none. */
  signing_secret_overlap_until?: Timestamp;
  updated_at: Timestamp;
  /** Public key for webhook signatures, SPKI PEM. */
  webhook_public_key?: string;
  /** Webhook endpoint. */
  webhook_url?: string;
}

/** A simulated price. */
export interface SimulatedPrice {
  currency: Currency;
  /** US dollars per whole unit. */
  usd: Amount;
}

export type Source = OpenEnum<"Api" | "Dashboard" | "Checkout" | "Subscription" | "Automation" | "X402">;

/** Price of a currency by a source. */
export interface SourceRate {
  /** The time that the age of the price counts from. */
  priced_at?: Timestamp;
  /** Name of the source. */
  source: string;
  /** Whether it counts. */
  status: SourceRateStatus;
  /** US dollars per whole unit; absent before the first answer. */
  usd?: Amount;
}

export type SourceRateStatus = OpenEnum<"Fresh" | "Old" | "HeldBack" | "Stray" | "Missing">;

/** Number of a list's records with a status. */
export interface StatusCount {
  /** Number of records with it, on all pages. */
  count: number;
  /** The status, as the list's filter takes it. */
  status: string;
}

/** A step-up token, fresh proof of identity. */
export interface StepUp {
  /** Expiry time. */
  expires_at: Timestamp;
  /** Token for the header `X-Step-Up`. */
  token: string;
}

/** An organisation managed by a partner. */
export interface SubMerchant {
  /** Booked balance of all accounts in US dollars, without test networks; absent without a price. */
  balance_usd?: Amount;
  created_at: Timestamp;
  /** Organisation id, for `X-ORG-ID`. */
  id: OrganisationId;
  name: string;
  /** The part of `balance_usd` that is reserved for operations in progress. */
  reserved_usd?: Amount;
  /** Whether it is suspended: it can read, but not sell, trade or send. */
  suspended: boolean;
}

/** A subscription. */
export interface Subscription {
  /** Whether it ends with the current period. */
  cancel_at_period_end: boolean;
  created_at: Timestamp;
  /** Billing currency. */
  currency: Currency;
  /** Subscribing customer. */
  customer?: Customer;
  /** Subscribing customer. */
  customer_id: CustomerId;
  id: SubscriptionId;
  /** Whether an invoice is overdue. */
  is_overdue: boolean;
  /** Plans of the subscription. */
  items: SubscriptionItem[];
  metadata?: JsonObject;
  /** Organisation that owns it. */
  org_id: OrganisationId;
  payment_method: SubscriptionPaymentMethod;
  /** End of the running period or of the trial: the time of the next invoice, or of the end of a subscription that is canceled at its
   * period's end. Not in events; absent while the subscription is paused, and after its end. */
  period_end?: Timestamp;
  properties?: JsonObject;
  reference?: string;
  /** Origin of the record. */
  source?: Source;
  /** Start time. */
  start_at: Timestamp;
  status: SubscriptionStatus;
  /** End of the trial; absent after it. Not in events. */
  trial_ends_at?: Timestamp;
  updated_at: Timestamp;
  /** Type not stated by the contract. */
  v1?: Json;
}

/** An id that begins with sub_. */
export type SubscriptionId = Branded<string, "SubscriptionId">;

/** A plan of a subscription. */
export interface SubscriptionItem {
  created_at: Timestamp;
  id: SubscriptionItemId;
  plan?: Plan;
  plan_id: PlanId;
  properties?: JsonObject;
  /** Subscription it belongs to. */
  subscription_id: SubscriptionId;
  updated_at: Timestamp;
  /** Type not stated by the contract. */
  v1?: Json;
}

/** An id that begins with si_. */
export type SubscriptionItemId = Branded<string, "SubscriptionItemId">;

export type SubscriptionPaymentMethod = OpenEnum<"Unknown" | "Invoice">;

export type SubscriptionStatus = OpenEnum<"Unknown" | "Pending" | "Future" | "InTrial" | "Active" | "Paused" | "Expired" | "Canceled">;

export type TestEventType = OpenEnum<"Payment" | "Customer" | "Plan" | "MerchantContract" | "Subscription" | "Invoice" | "Transaction" | "CryptoTransaction" | "Account" | "Org">;

/** A status change of a payment. */
export interface TimelineEntry {
  /** Time of the change. */
  at: Timestamp;
  /** New status. */
  status: PaymentStatus;
}

/** An event on a timeline. */
export interface TimelineEvent {
  action: EventAction;
  /** Number of attempts. */
  attempts: number;
  /** Outcome of the latest attempt. */
  delivery_status: DeliveryStatus;
  id: EventId;
  /** Earliest time of the next attempt; absent if none is due, or if an older event of the same record comes first. */
  next_attempt_at?: Timestamp;
  /** Subject: the payment, or one of its movements and transactions. */
  type: EventType;
  /** Time of the latest attempt. */
  webhook_sent_at?: Timestamp;
}

/** A refund on a timeline. */
export interface TimelineRefund {
  /** Amount, in `currency`. */
  amount: Amount;
  currency: Currency;
  /** The payout that sends the money back. */
  payment_id: PaymentId;
  /** Why the payout needs attention. */
  reason?: PaymentReason;
  /** Status of the payout. */
  status: PaymentStatus;
}

/** A transaction on a timeline. */
export interface TimelineTransaction {
  /** Amount transferred, in `currency`. */
  amount: Amount;
  /** Block that it is in; absent before. */
  block_number?: number;
  chain_id: ChainId;
  /** Number of confirmations: its own block and the blocks on top. */
  confirmations?: number;
  confirmations_required?: number;
  currency: Currency;
  status: TransactionStatus;
  transaction_hash: string;
  /** Purpose. */
  type: TransactionType;
}

export type TimelineType = OpenEnum<"Status" | "Transaction" | "Refund" | "Event" | "Note">;

/** A timestamp, RFC 3339. */
export type Timestamp = string;

/** A currency on a chain, as the target of an exchange. */
export interface TradableAsset {
  chain_id: ChainId;
  currency: Currency;
}

/** Tradable currencies and deposit methods. The contract does not define its shape. */
export interface TradeCurrencies {
  /** Tradable currencies. */
  currencies: TradeCurrency[];
  /** Deposit methods for the sold asset. */
  payment_methods: DepositMethod[];
}

/** A tradable currency. */
export interface TradeCurrency {
  /** Chains on which it can be traded. */
  chain_ids: ChainId[];
  /** Decimal places of the smallest unit. */
  scale: number;
  symbol: Currency;
}

export type TradeSide = OpenEnum<"Buy" | "Sell">;

/** An integer id. */
export type TransactionId = Branded<number, "TransactionId">;

export type TransactionSource = OpenEnum<"Unknown" | "Observed" | "Simulated">;

export type TransactionStatus = OpenEnum<"Pending" | "Success" | "Failed">;

/** A transaction, as embedded in a payment. */
export interface TransactionSummary {
  /** Block that it is in; absent before, and for payouts of a sandbox. */
  block_number?: number;
  chain_id: ChainId;
  /** Number of confirmations: its own block and the blocks on top. */
  confirmations?: number;
  confirmations_required?: number;
  /** Time it was first seen. */
  created_at: Timestamp;
  /** Payment it belongs to. */
  payment_id: PaymentId;
  status: TransactionStatus;
  transaction_hash: string;
  /** Purpose. */
  type: TransactionType;
  updated_at: Timestamp;
}

export type TransactionType = OpenEnum<"Unknown" | "Payment" | "Settlement" | "Payout">;

/** A token transfer of a transaction. */
export interface TransferLog {
  /** Contract address of the token. */
  address: string;
  recipient: string;
  sender: string;
  /** Amount, in the token's smallest unit. */
  value: string;
}

/** A token that a chain does not take. It is seen in plain transfers to addresses of the service, and never booked: it stays
 * where it was sent. */
export interface UnconfiguredToken {
  /** Contract. Anybody can make one that calls itself anything. */
  contract: string;
  /** Block of the latest one. */
  last_block: number;
  /** Number of transfers seen. */
  transfers: number;
}

/** Tolerated underpayment. */
export interface UnderpayThresholds {
  /** Tolerance in `underpay_tolerance_currency`. */
  underpay_tolerance_amount?: ExactNumber;
  underpay_tolerance_currency?: Currency;
  /** Tolerance in US dollars. */
  underpay_tolerance_usd?: ExactNumber;
}

/** A transaction for the payer's wallet to sign and send (EIP-1193, `eth_sendTransaction`). */
export interface UnsignedTransaction {
  /** The contract's call, hexadecimal; `0x` if none. */
  data: string;
  /** Decimal places of the currency on the chain. */
  decimals: number;
  /** The deposit address, or the token's contract. */
  to: string;
  /** The token's contract; absent for the native coin. */
  token_address?: string;
  /** The amount due in the currency's smallest unit, decimal. */
  units: string;
  /** Native coins to send, in wei, hexadecimal. */
  value: string;
}

/** Money of a currency at proxy wallets. */
export interface Unswept {
  /** Sum. */
  amount: Amount;
  currency: Currency;
  /** Number of proxy wallets. */
  proxies: number;
}

/** Money at a proxy wallet. */
export interface UnsweptProxy {
  /** Proxy wallet. */
  address: string;
  amount: Amount;
  currency: Currency;
  /** Only address that it can pay. */
  destination: string;
  /** When it is swept, unless a payout needs it before. */
  sweep_at: Timestamp;
}

/** A part of the proxy wallets that are not swept, the next to be swept first. */
export interface UnsweptProxyList {
  /** The proxy wallets. */
  items: UnsweptProxy[];
  /** For `after`, if there are more. */
  next?: string;
}

/** A dashboard user. */
export interface User {
  email: string;
  id: UserId;
  name: string;
  role: Role;
}

/** An id that begins with usr_. */
export type UserId = Branded<string, "UserId">;

/** An integer id. */
export type VenueId = Branded<number, "VenueId">;

/** A chain of a virtual account and the currencies it accepts there. */
export interface VirtualChain {
  /** Address of the self-custody wallet; without `address` and `xpub` the service holds the wallet's keys. */
  address?: WalletAddress;
  chain_id: ChainId;
  /** Currency symbols accepted on the chain. */
  currencies: Currency[];
  /** Extended public key of the self-custody wallet, from which each payment gets an address of its own. */
  xpub?: ExtendedPublicKey;
}

export type VisitType = OpenEnum<"first-time" | "repeat">;

/** A wallet's address with its checksum. */
export type WalletAddress = string;

/** A link that opens a wallet on the payer's device. */
export interface WalletLink {
  /** Name of the wallet. */
  name: string;
  /** An https URL, or a URL with the wallet's own scheme. */
  url: string;
}

/** A link that opens a wallet on the payer's device, with placeholders for the payment. */
export interface WalletLinkTemplate {
  /** Name of the wallet, on the button. */
  name: string;
  /** An https URL, or a URL with the wallet's own scheme. `{page_address}`, at the end of the path, is the address of the payer's
   * page without `https://`, `{page_url}` its percent-encoded URL, `{page_url_twice}` the same encoded once more, for a link
   * within a link, and `{payment_uri}` the percent-encoded EIP-681 link. */
  template: string;
}

/** Arguments of every list. */
export interface PageArguments {
  /** Page size, 1 to 100; default 100. */
  limit?: number;
  /** Page number from 1; default 1. */
  page?: number;
  /** Created at or after this time. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; default `desc`. */
  sort?: "asc" | "desc";
  /** Created at or before this time. */
  until?: Timestamp | Date;
}

export interface CreateAccountArguments {
  /** Address of the self-custody wallet; `address` or `xpub` is required if `managed_account` is false. */
  address?: WalletAddress;
  chain_id: ChainId;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Whether the service holds the wallet's keys; by default true without `address` and `xpub`, else false. */
  managed_account?: boolean;
  name?: string;
  /** Parent settlement account, by id or reference. */
  parent_account_id?: AccountKey;
  reference?: AccountReference;
  /** Only `CryptoPayIn`. */
  type?: AccountType;
  /** Extended public key of the self-custody wallet, from which each payment gets an address of its own. */
  xpub?: ExtendedPublicKey;
}

export interface CreateOwnershipChallengeArguments {
  account: AccountKey;
}

export interface CreatePayInAddressArguments {
  account: AccountKey;
  chain_id: ChainId;
  /** Customer whose payments it receives. */
  customer_id?: CustomerId;
  reference?: string;
}

export interface CreateVirtualAccountArguments {
  /** Chains of the account. */
  chains: VirtualChain[];
  /** Shares of each deposit to forward; the rest stays on the account. */
  deposit_splits?: DepositSplit[];
  name?: string;
  /** Merchant-defined reference, shared by the accounts of all chains. */
  reference: AccountReference;
}

export interface DeleteAccountArguments {
  account: AccountKey;
}

export interface GetAccountArguments {
  account: AccountKey;
}

export interface GetMovementArguments {
  movement_id: MovementId;
}

export type ListAccountsArguments = PageArguments;

export interface ListAllMovementsArguments extends PageArguments {
  /** Only movements of at least this amount; requires `currency`. */
  amount_from?: Amount;
  /** Only movements of at most this amount; requires `currency`. */
  amount_to?: Amount;
  /** Only movements on accounts on one of these chains. */
  chain_id?: ChainId[];
  /** `status` also counts the movements with each status. Only in the list of all accounts, and absent with a filter other than
   * `status`, `since` and `until`. */
  counts?: CountsBy;
  /** Only movements in one of these currencies. */
  currency?: Currency[];
  /** Only incoming or only outgoing movements. */
  direction?: Direction;
  /** A complete transaction hash, deposit address, payout destination, movement id, or payment's id or reference. */
  search?: string;
  /** Only movements with one of these statuses. */
  status?: MovementStatus[];
  /** Only movements of one of these types. */
  type?: MovementType[];
}

export interface ListBalancesArguments {
  account: AccountKey;
}

export interface ListMovementsArguments extends ListAllMovementsArguments {
  account: AccountKey;
}

export interface ListPayInAddressesArguments extends PageArguments {
  account: AccountKey;
}

export interface ProveOwnershipArguments {
  account: AccountKey;
  /** Signature by `personal_sign` (EIP-191): `0x` and 65 bytes in hex. */
  signature: string;
}

export interface UpdateVirtualAccountArguments {
  /** Chains to add or enable, with their currencies. */
  chains?: VirtualChain[];
  /** New deposit splits; an empty list removes them. */
  deposit_splits?: DepositSplit[];
  /** Chains to disable. */
  disable_chains?: ChainId[];
  /** Reference of the virtual account; the organisation's primary one when absent. */
  reference?: AccountReference;
}

export interface CreateApiKeyArguments {
  /** Expiry time; never when absent. */
  expires_at?: Timestamp;
  name: string;
  /** Scopes: `read`, `write`, `payout`, `manage`, at most those of the creator; `read` and `write` when absent. */
  scopes?: string[];
}

export type ListApiKeysArguments = PageArguments;

export interface RevokeApiKeyArguments {
  key_id: ApiKeyId;
}

export interface ConvertBalanceArguments {
  account: AccountKey;
  /** Currency that is sold. */
  currency: Currency;
  /** The most that a conversion may cost by the price sources, in basis points of the sold amount: fees, price impact and
   * slippage together. */
  max_cost_bps: number;
  /** Above this available balance on a chain, all of it is sold. */
  threshold_amount: ExactNumber;
  /** Currency that is bought. */
  to_currency: Currency;
}

export interface DeleteAutomationArguments {
  automation_id: AutomationId;
}

export interface ListAutomationsArguments extends PageArguments {
  account_ref: AccountKey;
}

export interface MaintainBalanceArguments {
  account: AccountKey;
  /** Currency of the balance and of both thresholds. */
  currency: Currency;
  /** Below this balance a `LowBalanceDetected` event is sent; with 0 the automation is a sweep. */
  minimum_threshold_amount: ExactNumber;
  /** Destination address of the surplus. */
  payout_address: WalletAddress;
  /** Above this balance the surplus over the minimum is paid out. */
  payout_threshold_amount: ExactNumber;
}

export interface UpdateAutomationArguments {
  automation_id: AutomationId;
  /** New threshold of the condition: the threshold of a sweep or a conversion, else the minimum. */
  amount?: Amount;
  /** Whether it runs. */
  enabled?: boolean;
  /** New schedule. */
  schedule?: AutomationSchedule;
}

export interface GetCheckoutArguments {
  paylink_id: PaylinkId;
  /** Currencies for `amounts_in`, separated by commas, at most 8. */
  currency?: Currency[];
}

export interface GetCheckoutPaymentArguments {
  payment_id: PaymentId;
}

export interface PayFromTestWalletArguments {
  payment_id: PaymentId;
  /** Amount; the amount still due when absent. */
  amount?: Amount;
}

export interface AuthorizePaymentArguments {
  payment_id: PaymentId;
  /** The payer's address, which signed. */
  from: WalletAddress;
  /** The signature (EIP-712) of 65 bytes, hexadecimal. */
  signature: string;
  /** Valid after this time, in seconds since 1970. */
  valid_after: number;
  /** Valid before this time, in seconds since 1970. */
  valid_before: number;
  /** Amount in the token's smallest unit, decimal. */
  value: string;
}

export interface StartCheckoutArguments {
  paylink_id: PaylinkId;
  chain_id: ChainId;
  currency: Currency;
  /** Merchant-defined reference of the payer. */
  customer_ident?: string;
  /** Payer's e-mail address. */
  email?: string;
  /** Payer's name. */
  name?: string;
  shipping_address?: string;
  /** Payer's tax number. */
  tax_ident?: string;
}

export interface GetCustomerArguments {
  customer_id: CustomerId;
}

export interface ListCustomersArguments extends PageArguments {
  /** Part of a name, e-mail or reference; ignores case and accents. */
  search?: string;
  /** First-time or repeat customers only. */
  visit_type?: VisitType;
}

export interface UpdateCustomerArguments {
  customer_id: CustomerId;
  customer_ident?: string;
  /** Discord name, stored in the customer's properties. */
  discord?: string;
  email?: string;
  name?: string;
  /** Phone number, E.164 preferred. */
  number?: string;
  /** Twitter name, stored in the customer's properties. */
  twitter?: string;
  wallet_address?: string;
}

export interface CancelReplayArguments {
  replay_id: ReplayId;
}

export interface CountReplayArguments {
  /** Only events of this action. */
  action?: EventAction;
  /** Only events with this latest delivery outcome; `failed` if absent. */
  delivery_status?: DeliveryStatus;
  /** Only events at or after this time. */
  since?: Timestamp | Date;
  /** Only events of this type. */
  type?: EventType;
  /** Only events at or before this time. */
  until?: Timestamp | Date;
}

export interface CreateReplayArguments {
  /** Only events of this action. */
  action?: EventAction;
  /** Only events with this latest delivery outcome; `failed` if absent. */
  delivery_status?: DeliveryStatus;
  /** Only events at or after this time. */
  since?: Timestamp;
  /** Only events of this type. */
  type?: EventType;
  /** Only events at or before this time; now if absent. */
  until?: Timestamp;
}

export interface CreateTestEventArguments {
  /** Subject. */
  type: TestEventType;
}

export interface GetEventArguments {
  event_id: EventId;
}

export interface GetReplayArguments {
  replay_id: ReplayId;
}

export interface ListAttemptsArguments {
  event_id: EventId;
}

export interface ListEventsArguments extends PageArguments {
  /** Only events of this action. */
  action?: EventAction;
  /** `status` also counts the events with each delivery status. Absent with `document_id`. */
  counts?: CountsBy;
  /** Only events with this latest delivery outcome. */
  delivery_status?: DeliveryStatus;
  /** Only events about the record with this id. For a payment, includes events of its movements and transactions. */
  document_id?: string;
  /** Order by delivery time instead of log position. */
  order_by?: EventOrder;
  /** Only events of this type. */
  type?: EventType;
}

export interface RetryEventArguments {
  event_id: EventId;
}

export interface CreateExternalAccountArguments {
  /** Full name of the account holder; answers show only a hint. */
  account_holder_name?: string;
  /** Full account number; answers show only a hint. */
  account_number?: string;
  /** Wallet address; digital only. */
  address?: WalletAddress;
  bank_name?: string;
  beneficiary_type?: BeneficiaryType;
  /** Chain of the address; digital only. */
  chain_id?: ChainId;
  /** Country of the bank, ISO 3166 alpha-2. */
  country?: string;
  /** Accepted currency symbols. */
  currencies: Currency[];
  name?: string;
  /** Payment rail; fiat only. */
  payment_rail?: PaymentRail;
  reference?: string;
  /** Digital or fiat. */
  type: ExternalAccountType;
}

export interface DeleteExternalAccountArguments {
  external_account_id: ExternalAccountId;
}

export interface GetExternalAccountArguments {
  external_account_id: ExternalAccountId;
}

export type ListExternalAccountsArguments = PageArguments;

export interface FindRecordsArguments {
  /** A complete id, reference, address or transaction hash; the beginning of an id, hash or address, from six characters after
   * its prefix; or a part of the name of an account, plan or payout destination, from three characters. */
  text?: string;
}

export interface CreateWalletLinkArguments {
  /** Name of the wallet, on the button. */
  name: string;
  /** An https URL, or a URL with the wallet's own scheme, with at least one of the placeholders `{page_address}`, `{page_url}`,
   * `{page_url_twice}` and `{payment_uri}`. */
  template: string;
}

export interface DeleteWalletLinkArguments {
  name: string;
}

export interface ListOutgoingTransactionsArguments {
  /** The `next` of the part before. */
  after?: number;
  /** Filter by chain. */
  chain_id?: ChainId;
  /** Most transactions of this part, 1 to 100; default 100. */
  limit?: number;
}

export interface ListUnsweptProxiesArguments {
  chain_id: ChainId;
  /** The `next` of the part before. */
  after?: string;
  /** Most proxy wallets of this part, 1 to 100; default 100. */
  limit?: number;
}

export interface RaiseTransactionFeeArguments {
  transaction_id: TransactionId;
  /** The transaction's `attempts`, as read: a form that was replaced since is not replaced again. */
  attempts: number;
}

export interface UpdateInstallationChainArguments {
  chain_id: ChainId;
  /** Whether reading and sending are paused. Resumed, the service first reads the blocks that were mined during the pause. */
  paused: boolean;
}

export interface CreateInvoiceArguments {
  subscription_id: SubscriptionId;
  /** Due date, unique per subscription; the end of the current period when absent. */
  due_date?: Timestamp;
  properties?: JsonObject;
  title?: string;
}

export interface GetInvoiceArguments {
  invoice_id: InvoiceId;
}

export interface ListInvoicesArguments extends PageArguments {
  /** `status` also counts the invoices with each payment status. Absent with a customer or a subscription. */
  counts?: CountsBy;
  /** Filter by customer. */
  customer_id?: CustomerId;
  /** Filter by payment status. */
  payment_status?: InvoicePaymentStatus;
  /** Filter by subscription. */
  subscription_id?: SubscriptionId;
}

export interface AcceptInvitationArguments {
  /** Display name; ignored for an existing member or account. */
  name: string;
  /** New password, at least 12 characters; of an existing account its password. */
  password: string;
  /** The token after `#` in the invitation link. */
  token: string;
}

export interface InviteMemberArguments {
  email: string;
  role: Role;
}

export interface InviteMemberAgainArguments {
  user_id: UserId;
}

export type ListMembersArguments = PageArguments;

export interface OpenInvitationArguments {
  /** The token after `#` in the invitation link. */
  token: string;
}

export interface RemoveMemberArguments {
  user_id: UserId;
}

export interface UpdateMemberArguments {
  user_id: UserId;
  /** New role. */
  role: Role;
}

export interface CreateNoteArguments {
  /** Id of the record, as text for accounts and movements too. */
  record_id: string;
  record_type: NotedRecord;
  /** Text of at most 2 000 characters. */
  text: string;
}

export interface DeleteNoteArguments {
  note_id: NoteId;
}

export interface ListNotesArguments {
  record_id?: string;
  record_type?: NotedRecord;
}

export interface RotateSigningSecretArguments {
  /** Revokes the previous secrets immediately, e.g. after a leak; otherwise they stay valid for 24 hours. */
  revoke_old?: boolean;
}

export interface RotateWebhookKeyArguments {
  /** Revokes the previous keys immediately, e.g. after a leak; otherwise they also sign for 24 hours. */
  revoke_old?: boolean;
}

export interface UpdateOrganisationArguments {
  /** Look and texts of the checkout pages, replaced as a whole; `{}` resets them. */
  checkout_style?: CheckoutStyle;
  /** Reporting currency; the service must have a rate for it. */
  currency?: Currency;
  /** E-mail preferences, free-form. Stored only: the service sends no e-mail. */
  email_notification_options?: JsonObject;
  /** Payer of the service fees: `merchant` or `payer`. With `payer`, prices on the payer's page include the fee. */
  fee_payer?: string;
  /** E-mail addresses for copies. Stored only: the service sends no e-mail. */
  forwarded_email_recipients?: string[];
  logo_url?: string;
  name?: string;
  /** IANA time zone of the organisation, e.g. `Europe/Berlin`. */
  time_zone?: string;
  /** Tolerated underpayment. */
  underpay_thresholds?: UnderpayThresholds;
  /** Webhook URL, HTTPS. Plain HTTP is for development only and must be enabled on the server. */
  webhook_url?: string;
}

export interface GetOverviewSeriesArguments {
  /** Whether to read as many days before them, too; false when absent. */
  compare?: boolean;
  /** Figure. */
  metric?: SeriesMetric;
  /** Number of days; 30 when absent. */
  period?: SeriesPeriod;
}

export interface GetPartnerAccountArguments {
  account_ref: AccountKey;
}

export interface ListPartnerBalancesArguments {
  account_ref: AccountKey;
}

export interface ListSubMerchantsArguments extends PageArguments {
  /** Part of the name, ignoring case and accents, or a complete organisation id. */
  search?: string;
}

export interface CreatePaylinkArguments {
  /** Accounts that may receive the payment, by id; every account that supports it when absent. In live mode an account on a
   * test network is offered only if it is listed here, or if the organisation has never had others. */
  account_ids?: AccountId[];
  /** Accounts that may receive the payment, by reference. */
  account_ref?: AccountReference;
  /** What the payer sees after paying. */
  after_completion?: AfterCompletion;
  /** Price. */
  amount: Amount;
  /** Quantity for sale; unlimited if absent. */
  available_quantity?: number;
  /** Currency of the price. */
  currency: Currency;
  /** Product description shown to the payer. */
  description?: string;
  /** The link stops accepting payments at this time. */
  expires_at?: Timestamp;
  /** Product image URL, shown to the payer. */
  image_url?: string;
  /** Interval of a billing period; recurring plans only. */
  interval?: RecurringInterval;
  /** Number of intervals in a billing period. */
  intervalCount?: number;
  /** Free-form JSON object. `customer_ident_collection`, `shipping_address_collection` and `tax_ident_collection` set to
   * true request these data from the payer. */
  metadata?: JsonObject;
  /** Product name. */
  name: string;
  reference?: string;
  /** Free trial before the first period, ISO 8601 (`P14D`). */
  trial_period?: string;
  /** One-time or recurring. */
  type?: PlanType;
}

export interface DeletePaylinkArguments {
  paylink_id: PaylinkId;
}

export interface GetPaylinkArguments {
  paylink_id: PaylinkId;
}

export interface ListPaylinksArguments extends PageArguments {
  /** `status` also counts the paylinks with each status. Absent with a search. */
  counts?: CountsBy;
  /** Part of the name or of the reference of the plan; ignores case and accents. */
  search?: string;
  /** Only paylinks whose `state` is this one. Those of invoices alone are ever `Paid`. */
  status?: PaylinkState;
}

export interface UpdatePaylinksArguments {
  /** One item per paylink. The batch is all or nothing. */
  items: PaylinkUpdate[];
}

export interface CancelPaymentArguments {
  payment_id: PaymentId;
}

export interface CreatePaymentArguments {
  /** Receiving account, by id or reference; the first account that supports chain and currency when absent. */
  account?: AccountKey;
  /** Amount due, in `currency`. */
  amount: Amount;
  chain_id: ChainId;
  /** Currency the payer sends. */
  currency: Currency;
  /** Paying customer. */
  customer_id?: CustomerId;
  metadata?: JsonObject;
  reference?: string;
}

export interface GetPaymentArguments {
  payment_id: PaymentId;
}

export interface GetPaymentTimelineArguments extends PageArguments {
  payment_id: PaymentId;
}

export interface ListPaymentsArguments extends PageArguments {
  /** Only payments of at least this amount; requires `currency`. */
  amount_from?: Amount;
  /** Only payments of at most this amount; requires `currency`. */
  amount_to?: Amount;
  /** `status` also counts the payments with each status. Absent with a customer, a paylink, an amount or a search. */
  counts?: CountsBy;
  /** Only payments in one of these currencies, separated by commas. */
  currency?: Currency[];
  /** Filter by customer. */
  customer_id?: CustomerId;
  /** Filter by paylink. */
  paylink_id?: PaylinkId;
  /** Only payments with one of these methods, separated by commas. `ProxyWallet,Direct` leaves payouts out. */
  payment_method?: PaymentMethod[];
  /** Part of the customer's name, e-mail or reference or of the paylink's name, ignoring case and accents; the beginning of
   * the payment's reference; or a complete payment id, transaction hash, deposit address or payout destination. */
  search?: string;
  /** Filter by status. */
  status?: PaymentStatus;
}

export interface RefundPaymentArguments {
  payment_id: PaymentId;
  /** Destination; the sender's address when absent. */
  address?: WalletAddress;
  /** Amount in the payment's currency; the whole remainder when absent. */
  amount?: Amount;
  /** Note for the merchant's own records. */
  reason?: string;
}

export interface ApprovePayoutArguments {
  payment_id: PaymentId;
}

export interface CreatePayoutArguments {
  /** Source account, by id or reference. */
  account: AccountKey;
  /** Destination, by address. */
  address?: WalletAddress;
  /** Amount received by the destination; fees are charged on top. */
  amount: Amount;
  /** Chain id; the destination's chain when absent. */
  chain_id?: ChainId;
  currency: Currency;
  /** Destination, by external account id. */
  external_account_id?: ExternalAccountId;
  metadata?: JsonObject;
  reference?: string;
}

export interface EstimatePayoutArguments {
  /** Source account, by id or reference. */
  account?: AccountKey;
  /** Amount received by the destination. */
  amount?: Amount;
  chain_id?: ChainId;
  currency?: Currency;
}

export interface ListPayoutsArguments extends PageArguments {
  /** `status` also counts the payouts with each status. Absent with a reason. */
  counts?: CountsBy;
  /** Filter by reason: `ApprovalRequired` for payouts that wait for a second member, `ApprovalRefused` for refused ones.
   * Excludes `status`. */
  reason?: PaymentReason;
  /** Filter by status. */
  status?: PaymentStatus;
}

export interface RefusePayoutArguments {
  payment_id: PaymentId;
}

export interface CreatePlanArguments {
  /** Quantity for sale; unlimited if absent. */
  available_quantity?: number;
  /** Currency of `price`. */
  currency: Currency;
  /** Description shown to the payer. */
  description?: string;
  /** Sales end at this time. */
  expires_at?: Timestamp;
  image_url?: string;
  metadata?: JsonObject;
  name: string;
  price: Amount;
  /** Interval of a billing period; recurring plans only. */
  recurring_interval?: RecurringInterval;
  /** Number of intervals in a billing period. */
  recurring_interval_count?: number;
  reference?: string;
  /** Free trial before the first period, ISO 8601 (`P14D`). */
  trial_period?: string;
  /** One-time or recurring. */
  type?: PlanType;
}

export interface GetPlanArguments {
  plan_id: PlanId;
}

export type ListPlansArguments = PageArguments;

export interface AcceptQuoteArguments {
  quote_id: QuoteId;
  /** Merchant-defined reference of the order. */
  reference?: string;
}

export interface GetQuoteArguments {
  quote_id: QuoteId;
}

export type ListQuotesArguments = PageArguments;

export interface RejectQuoteArguments {
  quote_id: QuoteId;
}

export interface RequestQuoteArguments {
  /** Account that funds the trade. */
  account_id?: AccountId;
  /** Exact amount to buy; mutually exclusive with `sell_amount` unless `estimate` is set. */
  buy_amount?: Amount;
  /** Chain of the bought asset. */
  buy_chain_id?: ChainId;
  /** Currency bought. */
  buy_currency?: Currency;
  /** Contract address of the bought asset; absent for the chain's native asset. */
  buy_token_address?: string;
  /** How the sold assets are delivered; `Deposit` when absent. */
  deposit_method?: DepositMethod;
  /** Returns an estimate only, which can't be accepted. */
  estimate?: boolean;
  /** Exact amounts to sell, one per sold currency. */
  sell_amount?: Amount[];
  /** Chains of the sold currencies, one each; an empty entry means any chain. */
  sell_chain_ids?: ChainId[];
  /** Currencies sold; several form a basket. */
  sell_currency?: Currency[];
  /** Contract addresses of the sold currencies, one each; an empty entry means the native asset. */
  sell_token_addresses?: string[];
  /** Account that receives the bought asset. */
  settlement_account_id?: AccountId;
  /** External wallet that receives the bought asset. */
  settlement_address?: WalletAddress;
}

export interface ListRateHistoryArguments {
  currency: Currency;
  /** How far it goes back; a week when absent. */
  period?: RatePeriod;
}

export interface AdvanceClockArguments {
  /** Seconds to advance, 0 or more; time never goes back. */
  advance_seconds: number;
}

export interface CreateDepositArguments {
  /** Receiving account, by id or reference. */
  account: AccountKey;
  amount: Amount;
  chain_id: ChainId;
  currency: Currency;
}

export interface CreateFaultArguments {
  /** Whether the change is committed and only the answer is lost. */
  after_commit?: boolean;
  /** Number of calls; one when absent. */
  calls?: number;
  /** Only calls of this operation (`CreatePaylink`); all operations except those of the sandbox when absent. */
  operation?: string;
  /** Error reason, one of the closed list. */
  reason: string;
}

export interface FailPayoutArguments {
  /** Payment id of a queued or sent payout. */
  payment_id: PaymentId;
}

export type ListInboxArguments = PageArguments;

export interface RefuseOrderArguments {
  /** Order id of an order whose sold money is reserved. */
  order_id: OrderId;
}

export interface ReorganiseChainArguments {
  /** Whether the transaction is mined again in another block; if absent, it is never confirmed. */
  returns?: boolean;
  /** Hash of a mined or pending transaction. */
  transaction_hash: string;
}

export interface SetPriceArguments {
  currency: Currency;
  /** US dollars per whole unit: above 0, at most a billion, with up to 6 decimal places. */
  usd: Amount;
}

export interface CreateSavedViewArguments {
  /** Display name: a member's own views of a page have different names, and so do those of the organisation. */
  name: string;
  /** Path of the dashboard's page, `/payments`. */
  page: string;
  /** Query of the page's URL, without the question mark; may be empty. */
  query: string;
  /** Whether all members of the organisation see it, which needs the scope `write`; false when absent. */
  shared?: boolean;
}

export interface DeleteSavedViewArguments {
  saved_view_id: SavedViewId;
}

export interface UpdateSavedViewArguments {
  saved_view_id: SavedViewId;
  name?: string;
  /** Query of the page's URL, without the question mark. */
  query?: string;
  /** Whether all members of the organisation see it. Only its author can stop sharing it. */
  shared?: boolean;
}

export interface CreateSessionArguments {
  email: string;
  password: string;
}

export interface CreateStepUpArguments {
  password: string;
}

export interface SwitchOrganisationArguments {
  /** Organisation of which the user is a member. */
  org_id: OrganisationId;
}

export interface UpdatePasswordArguments {
  /** New password, at least 12 characters. */
  new_password: string;
}

export interface CancelSubscriptionArguments {
  subscription_id: SubscriptionId;
  /** Cancels at the end of the current period instead of immediately; false withdraws that. */
  at_period_end?: boolean;
}

export interface CreateSubscriptionArguments {
  /** Subscribing customer. */
  customer_id: CustomerId;
  metadata?: JsonObject;
  /** Recurring plans with the same currency and billing period. */
  plan_ids: PlanId[];
  reference?: string;
  /** Start time; now when absent. */
  start_at?: Timestamp;
}

export interface GetSubscriptionArguments {
  subscription_id: SubscriptionId;
}

export interface ListSubscriptionsArguments extends PageArguments {
  /** `status` also counts the subscriptions with each status. Absent with a customer. */
  counts?: CountsBy;
  /** Filter by customer. */
  customer_id?: CustomerId;
  /** Filter by status. */
  status?: SubscriptionStatus;
}

export interface PauseSubscriptionArguments {
  subscription_id: SubscriptionId;
}

export interface ResumeSubscriptionArguments {
  subscription_id: SubscriptionId;
}

export interface CreateQuickTradeArguments {
  /** Settlement account that funds the trade. */
  account_id?: AccountId;
  /** Virtual account that funds the trade; the organisation's primary one when absent. */
  account_reference?: AccountReference;
  /** Amount to sell. */
  amount: Amount;
  /** Chain of the sold asset. */
  chain_id?: ChainId;
  /** Currency sold. */
  currency: Currency;
  /** Returns an estimate only; nothing is executed. */
  dry_run?: boolean;
  /** Merchant-defined reference of the order. */
  reference?: string;
  /** Account that receives the bought asset. */
  settlement_account_id?: AccountId;
  /** External wallet that receives the bought asset. */
  settlement_address?: WalletAddress;
  /** Chain of the bought asset. */
  to_chain_id?: ChainId;
  /** Currency bought. */
  to_currency: Currency;
}

export interface GetOrderArguments {
  order_id: OrderId;
}

export interface ListInstrumentsArguments {
  /** Filter by base currency. */
  base?: Currency;
  /** Filter by quote currency. */
  quote?: Currency;
  /** Filter by venue. */
  venue_id?: VenueId;
}

export type ListOrdersArguments = PageArguments;

export interface ListTradableAssetsArguments {
  /** Settlement account whose chains are eligible; the organisation's primary virtual account when absent. */
  account_id?: AccountId;
  /** Order size, for the minimum and maximum of venues. */
  amount?: Amount;
  /** Starting chain. */
  chain_id?: ChainId;
  /** Starting currency. */
  currency?: Currency;
  /** Whether the account must also support the currency on the chain. */
  require_settlement_support?: boolean;
}

/** Every operation of the service, by room. */
export interface Rooms {
  readonly accounts: {
    /** Creates a CryptoPayIn settlement account.
     *  Deprecated for payout destinations.
     * @deprecated */
    create(given: CreateAccountArguments, options?: Options): Promise<Account>;
    /** Creates an ownership challenge for an account's wallet to sign.
     *  It replaces the previous challenge. */
    createOwnershipChallenge(given: CreateOwnershipChallengeArguments, options?: Options): Promise<OwnershipChallenge>;
    /** Creates a permanent pay-in address of an account. */
    createPayInAddress(given: CreatePayInAddressArguments, options?: Options): Promise<PayInAddress>;
    /** Creates a virtual account: one wallet per chain under one reference. */
    createVirtualAccount(given: CreateVirtualAccountArguments, options?: Options): Promise<Account>;
    /** Deletes a settlement or virtual account with no balance and no open payments or movements. */
    delete(given: DeleteAccountArguments, options?: Options): Promise<Account>;
    /** Reads one account with its sub-accounts and deposit splits. */
    get(given: GetAccountArguments, options?: Options): Promise<Account>;
    /** Reads one movement of any of the organisation's accounts. */
    getMovement(given: GetMovementArguments, options?: Options): Promise<Movement>;
    /** Lists the organisation's settlement and virtual accounts. */
    list(given?: ListAccountsArguments, options?: Options): Listing<Account>;
    /** Lists the movements of all accounts of the organisation, newest first. */
    listAllMovements(given?: ListAllMovementsArguments, options?: Options): Listing<Movement>;
    /** Reads the balances of an account (or of all accounts of a reference) and its sub-accounts, for each supported or held currency. */
    listBalances(given: ListBalancesArguments, options?: Options): Promise<AccountBalance[]>;
    /** Lists the movements of an account (or of all accounts of a reference) and its sub-accounts, newest first. */
    listMovements(given: ListMovementsArguments, options?: Options): Listing<Movement>;
    /** Lists the permanent pay-in addresses of an account. */
    listPayInAddresses(given: ListPayInAddressesArguments, options?: Options): Listing<PayInAddress>;
    /** Proves with a wallet signature that the merchant owns an account's address.
     *  Payments may be sent there from then on. */
    proveOwnership(given: ProveOwnershipArguments, options?: Options): Promise<Account>;
    /** Adds, enables and disables the chains of a virtual account. */
    updateVirtualAccount(given?: UpdateVirtualAccountArguments, options?: Options): Promise<Account>;
  };
  readonly apiKeys: {
    /** Creates an API key.
     *  The answer holds the secret, which is shown only once. */
    create(given: CreateApiKeyArguments, options?: Options): Promise<ApiKey>;
    /** Lists API keys, revoked ones included, without their secrets. */
    list(given?: ListApiKeysArguments, options?: Options): Listing<ApiKey>;
    /** Revokes an API key immediately and permanently. */
    revoke(given: RevokeApiKeyArguments, options?: Options): Promise<ApiKey>;
  };
  readonly automations: {
    /** Sells all of an account's balance once it is above a threshold, at the best price of all venues. */
    convertBalance(given: ConvertBalanceArguments, options?: Options): Promise<Automation>;
    /** Deletes an automation. */
    delete(given: DeleteAutomationArguments, options?: Options): Promise<Automation>;
    /** Lists the automations of an account (or of all accounts of a reference) and its sub-accounts. */
    list(given: ListAutomationsArguments, options?: Options): Listing<Automation>;
    /** Keeps an account's balance between two thresholds: sends an event when it is low and pays out the surplus when it is high. */
    maintainBalance(given: MaintainBalanceArguments, options?: Options): Promise<MaintainedBalance>;
    /** Enables, disables or changes an automation. */
    update(given: UpdateAutomationArguments, options?: Options): Promise<Automation>;
  };
  readonly chains: {
    /** Lists the supported chains and their assets. */
    list(options?: Options): Promise<ChainDetail[]>;
  };
  readonly checkout: {
    /** Reads a paylink as shown to the payer. */
    get(given: GetCheckoutArguments, options?: Options): Promise<Checkout>;
    /** Reads a payment as shown to the payer. */
    getPayment(given: GetCheckoutPaymentArguments, options?: Options): Promise<CheckoutPayment>;
    /** Pays from the test wallet of the simulated chain.
     * In sandbox mode only. */
    payFromTestWallet(given: PayFromTestWalletArguments, options?: Options): Promise<CheckoutPayment>;
    /** Pays by a transfer that the payer only signs. The service sends it and pays the network's fee. The same authorization pays
     *  once; sent again, it returns the payment. */
    authorizePayment(given: AuthorizePaymentArguments, options?: Options): Promise<CheckoutPayment>;
    /** Creates a payment from a paylink, with its own deposit address. */
    start(given: StartCheckoutArguments, options?: Options): Promise<CheckoutPayment>;
  };
  readonly customers: {
    /** Reads one customer. */
    get(given: GetCustomerArguments, options?: Options): Promise<Customer>;
    /** Lists customers with number and time of their payments. */
    list(given?: ListCustomersArguments, options?: Options): Listing<CustomerItem>;
    /** Updates a customer.
     *  The answer is the bare record, without envelope. */
    update(given: UpdateCustomerArguments, options?: Options): Promise<Customer>;
  };
  readonly events: {
    /** Stops a replay; already queued deliveries are still sent. */
    cancelReplay(given: CancelReplayArguments, options?: Options): Promise<Replay>;
    /** Counts the events that a replay would redeliver. */
    countReplay(given?: CountReplayArguments, options?: Options): Promise<ReplayCount>;
    /** Redelivers all events that match a filter, in batches. */
    createReplay(given?: CreateReplayArguments, options?: Options): Promise<Replay>;
    /** Records an event with an example record, marked as a test, and sends it to the webhook endpoint.
     *  The record does not exist. */
    createTestEvent(given: CreateTestEventArguments, options?: Options): Promise<Event>;
    /** Reads one event with its latest delivery attempt. */
    get(given: GetEventArguments, options?: Options): Promise<Event>;
    /** Reads the progress of a replay. */
    getReplay(given: GetReplayArguments, options?: Options): Promise<Replay>;
    /** Lists the delivery attempts of an event, oldest first. */
    listAttempts(given: ListAttemptsArguments, options?: Options): Promise<Attempt[]>;
    /** Lists the organisation's events, newest first. */
    list(given?: ListEventsArguments, options?: Options): Listing<Event>;
    /** Redelivers an event immediately, to the current webhook URL. */
    retry(given: RetryEventArguments, options?: Options): Promise<Event>;
  };
  readonly externalAccounts: {
    /** Adds a payout destination. */
    create(given: CreateExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Removes a payout destination.
     *  Payouts in progress continue; new ones cannot name it. */
    delete(given: DeleteExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Reads one payout destination. */
    get(given: GetExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Lists the payout destinations. */
    list(given?: ListExternalAccountsArguments, options?: Options): Listing<ExternalAccount>;
  };
  readonly find: {
    /** Finds records of any age by id, reference, address, transaction hash or name.
     *  Returns at most 20, complete matches first, and at most five of a kind by a part. */
    records(given?: FindRecordsArguments, options?: Options): Promise<Found[]>;
  };
  readonly installation: {
    /** Adds a wallet link at the end of the list, which it answers; for operators of the installation. */
    createWalletLink(given: CreateWalletLinkArguments, options?: Options): Promise<WalletLinkTemplate[]>;
    /** Removes a wallet link and answers the list; for operators of the installation. */
    deleteWalletLink(given: DeleteWalletLinkArguments, options?: Options): Promise<WalletLinkTemplate[]>;
    /** Lists the hot wallets with their balances and gas money; for operators of the installation. */
    listHotWallets(options?: Options): Promise<HotWallet[]>;
    /** Lists the connected chains with head, lag, nodes, comparison and open work; for operators of the installation. */
    listChains(options?: Options): Promise<InstallationChain[]>;
    /** Lists the transactions under way, oldest first; for operators of the installation. */
    listOutgoingTransactions(given?: ListOutgoingTransactionsArguments, options?: Options): Promise<OutgoingTransactionList>;
    /** Lists the money at proxy wallets of a chain, the next to be swept first; for operators of the installation. */
    listUnsweptProxies(given: ListUnsweptProxiesArguments, options?: Options): Promise<UnsweptProxyList>;
    /** Lists the links that open a wallet on a payer's device, as payers see them; for operators of the installation. */
    listWalletLinks(options?: Options): Promise<WalletLinkTemplate[]>;
    /** Replaces a transaction under way by one with the same nonce and a fee an eighth higher; for operators of the installation. */
    raiseTransactionFee(given: RaiseTransactionFeeArguments, options?: Options): Promise<OutgoingTransaction>;
    /** Forgets the operator's list of wallet links: payers are offered the usual wallets again. For operators of the installation. */
    restoreWalletLinks(options?: Options): Promise<WalletLinkTemplate[]>;
    /** Pauses a chain, or resumes it from its latest recorded block; for operators of the installation. */
    updateChain(given: UpdateInstallationChainArguments, options?: Options): Promise<InstallationChain>;
  };
  readonly invoices: {
    /** Creates an invoice for a subscription, or returns the existing one with the same due date. */
    create(given: CreateInvoiceArguments, options?: Options): Promise<Invoice>;
    /** Reads one invoice. */
    get(given: GetInvoiceArguments, options?: Options): Promise<Invoice>;
    /** Lists invoices. */
    list(given?: ListInvoicesArguments, options?: Options): Listing<Invoice>;
  };
  readonly members: {
    /** Accepts an invitation and signs in; the answer sets the session cookie.
     *  For an existing member it sets a new password and ends the other sessions. The account of a member of another organisation
     *  is kept, and its password is needed. */
    acceptInvitation(given: AcceptInvitationArguments, options?: Options): Promise<Session>;
    /** Invites a member.
     *  The answer holds the invitation link, which is shown only once. Inviting again invalidates the previous link. */
    invite(given: InviteMemberArguments, options?: Options): Promise<Member>;
    /** Creates a new invitation link for a member, shown only once; the previous link stops working.
     *  A joined member sets a new password with it within a day, which ends their sessions; an invited member joins with it. */
    inviteAgain(given: InviteMemberAgainArguments, options?: Options): Promise<Member>;
    /** Lists members, including invited and removed ones. */
    list(given?: ListMembersArguments, options?: Options): Listing<Member>;
    /** Reads an open invitation. */
    openInvitation(given: OpenInvitationArguments, options?: Options): Promise<Invitation>;
    /** Removes a member or withdraws an invitation; their sessions end immediately. */
    remove(given: RemoveMemberArguments, options?: Options): Promise<Member>;
    /** Changes a member's role with immediate effect. */
    update(given: UpdateMemberArguments, options?: Options): Promise<Member>;
  };
  readonly notes: {
    /** Writes a note on a record: at most 200 per record. */
    create(given: CreateNoteArguments, options?: Options): Promise<Note>;
    /** Deletes a note: an own one, or any with the scope `manage`. */
    delete(given: DeleteNoteArguments, options?: Options): Promise<Note>;
    /** Lists the notes on a record, newest first. */
    list(given?: ListNotesArguments, options?: Options): Promise<Note[]>;
  };
  readonly organisation: {
    /** Reads the organisation's settings and its webhook public key. */
    get(options?: Options): Promise<Organisation>;
    /** Reads the secret for request signatures. */
    getSigningSecret(options?: Options): Promise<SigningSecret>;
    /** Rotates the signing secret and returns the new one.
     *  The previous secret stays valid for 24 hours unless revoked. */
    rotateSigningSecret(given?: RotateSigningSecretArguments, options?: Options): Promise<SigningSecret>;
    /** Rotates the webhook signing key.
     *  The previous key also signs for 24 hours unless revoked. */
    rotateWebhookKey(given?: RotateWebhookKeyArguments, options?: Options): Promise<Organisation>;
    /** Changes the organisation's settings. */
    update(given?: UpdateOrganisationArguments, options?: Options): Promise<Organisation>;
  };
  readonly overview: {
    /** Reads balances, recent volume and open issues. */
    get(options?: Options): Promise<Overview>;
    /** Reads recurring revenue, churn, conversion of paylinks, and what is due in the next days. */
    getBusiness(options?: Options): Promise<OverviewBusiness>;
    /** Reads the balance, or what came in or went out, per day. */
    getSeries(given?: GetOverviewSeriesArguments, options?: Options): Promise<OverviewSeries>;
  };
  readonly partner: {
    /** Reads an account, usually a virtual one, by its reference or id. */
    getAccount(given: GetPartnerAccountArguments, options?: Options): Promise<Account>;
    /** Reads the balances of an account (or of all accounts of a reference) and its sub-accounts. */
    listBalances(given: ListPartnerBalancesArguments, options?: Options): Promise<Balances>;
    /** Lists the sub-merchants that the caller may act for as a partner, with their balances. */
    listSubMerchants(given?: ListSubMerchantsArguments, options?: Options): Listing<SubMerchant>;
  };
  readonly paylinks: {
    /** Creates a payment link and the plan it sells.
     *  In live mode it offers an account on a test network, whose money has no value, only if `account_ids` lists it, or if all accounts
     *  of the organisation are on test networks. */
    create(given: CreatePaylinkArguments, options?: Options): Promise<Paylink>;
    /** Soft-deletes a paylink: it accepts no more payments and keeps its history. */
    delete(given: DeletePaylinkArguments, options?: Options): Promise<string>;
    /** Reads one paylink with its plan. */
    get(given: GetPaylinkArguments, options?: Options): Promise<Paylink>;
    /** Lists paylinks with their plans, deleted ones included.
     *  Paylinks of invoices are not listed. */
    list(given?: ListPaylinksArguments, options?: Options): Listing<Paylink>;
    /** Updates several paylinks atomically.
     *  The answer follows the order of the items. */
    update(given: UpdatePaylinksArguments, options?: Options): Promise<Paylink[]>;
  };
  readonly payments: {
    /** Cancels a Processing proxy-wallet one-time payment with nothing paid, or a payout whose transaction is not signed: all of its
     *  money returns to the account. A payout that the service sends needs the scope `payout`, too. */
    cancel(given: CancelPaymentArguments, options?: Options): Promise<Payment>;
    /** Creates a payment with its own deposit address. */
    create(given: CreatePaymentArguments, options?: Options): Promise<Payment>;
    /** Reads one payment with its transactions and timeline. */
    get(given: GetPaymentArguments, options?: Options): Promise<Payment>;
    /** Lists what happened to a payment or payout: changes of its status, transactions, refunds and events, newest first.
     *  The dashboard's session also gets the notes of members. At most 10 000 entries can be read. */
    getTimeline(given: GetPaymentTimelineArguments, options?: Options): Listing<PaymentTimelineEntry>;
    /** Lists payments. */
    list(given?: ListPaymentsArguments, options?: Options): Listing<Payment>;
    /** Refunds a payment fully or partially.
     *  A refund is a payout and must be signed: one for each address, whose `parent_id` is the payment. The payment has
     *  `refunding_amount` until they are confirmed, and is `Refunded` or `PartialRefunded` then. */
    refund(given: RefundPaymentArguments, options?: Options): Promise<Payment>;
  };
  readonly payouts: {
    /** Approves a payout above a limit, which is then sent.
     *  The payout has the reason `ApprovalRequired` until then. The member who created it can't approve it. */
    approve(given: ApprovePayoutArguments, options?: Options): Promise<Payment>;
    /** Sends money out of an account. */
    create(given: CreatePayoutArguments, options?: Options): Promise<Payment>;
    /** Estimates the current cost of a payout. */
    estimate(given?: EstimatePayoutArguments, options?: Options): Promise<PayoutEstimate>;
    /** Lists payouts. */
    list(given?: ListPayoutsArguments, options?: Options): Listing<Payment>;
    /** Refuses a payout that waits for approval. Its money returns to the account.
     *  The member who created it can't refuse it. */
    refuse(given: RefusePayoutArguments, options?: Options): Promise<Payment>;
  };
  readonly plans: {
    /** Creates a billing plan. */
    create(given: CreatePlanArguments, options?: Options): Promise<Plan>;
    /** Reads one billing plan with its paylink. */
    get(given: GetPlanArguments, options?: Options): Promise<Plan>;
    /** Lists billing plans with their paylinks.
     *  Plans created for invoices are not listed. */
    list(given?: ListPlansArguments, options?: Options): Listing<Plan>;
  };
  readonly quotes: {
    /** Accepts a quote before it expires, once.
     *  The answer is the order. */
    accept(given: AcceptQuoteArguments, options?: Options): Promise<QuickTrade>;
    /** Reads one quote. */
    get(given: GetQuoteArguments, options?: Options): Promise<Quote>;
    /** Lists the organisation's quotes; requires the OTC feature. */
    list(given?: ListQuotesArguments, options?: Options): Listing<Quote>;
    /** Rejects a quote, which can no longer be accepted. */
    reject(given: RejectQuoteArguments, options?: Options): Promise<Quote>;
    /** Requests a firm quote, valid for a limited time, or an estimate. */
    request(given?: RequestQuoteArguments, options?: Options): Promise<Quote>;
  };
  readonly rates: {
    /** Lists the past prices of a currency in US dollars, oldest first. Hours or days without a price are missing. */
    listHistory(given: ListRateHistoryArguments, options?: Options): Promise<HourlyRate[]>;
    /** Lists the current prices of currencies in US dollars, and the price of each source. */
    list(options?: Options): Promise<RateList>;
  };
  readonly sandbox: {
    /** Advances the service's clock.
     * In sandbox mode only. */
    advanceClock(given: AdvanceClockArguments, options?: Options): Promise<Clock>;
    /** Sends a deposit to an account on the simulated chain.
     * In sandbox mode only. */
    createDeposit(given: CreateDepositArguments, options?: Options): Promise<Deposit>;
    /** Makes the next calls fail.
     * In sandbox mode only. */
    createFault(given: CreateFaultArguments, options?: Options): Promise<Fault>;
    /** Deletes all webhooks from the organisation's inbox. Events and their delivery attempts stay.
     * In sandbox mode only. */
    emptyInbox(options?: Options): Promise<EmptiedInbox>;
    /** Fails a payout on the simulated chain; a queued payout fails once it is sent.
     *  Returns the payout.
     * In sandbox mode only. */
    failPayout(given: FailPayoutArguments, options?: Options): Promise<Payment>;
    /** Lists the webhooks that the organisation's inbox received, newest first; the latest 500 are kept.
     * In sandbox mode only. */
    listInbox(given?: ListInboxArguments, options?: Options): Listing<InboxMessage>;
    /** Has the simulated venue refuse an order: it is Failed with `VenueRefused`, and its money is released.
     *  Returns the order.
     * In sandbox mode only. */
    refuseOrder(given: RefuseOrderArguments, options?: Options): Promise<QuickTrade>;
    /** Reverts the blocks of the simulated chain that hold a transaction.
     *  Returns the transaction.
     * In sandbox mode only. */
    reorganiseChain(given: ReorganiseChainArguments, options?: Options): Promise<CryptoTransaction>;
    /** Sets the simulated price of a currency for all organisations: values, conversions and quotes use it from now on.
     *  Accepted quotes keep their price.
     * In sandbox mode only. */
    setPrice(given: SetPriceArguments, options?: Options): Promise<SimulatedPrice>;
  };
  readonly savedViews: {
    /** Saves a view of a list: at most 50 of a member's own, and 100 of the organisation. */
    create(given: CreateSavedViewArguments, options?: Options): Promise<SavedView>;
    /** Deletes a saved view: an own one, or a shared one with the scope `manage`. */
    delete(given: DeleteSavedViewArguments, options?: Options): Promise<SavedView>;
    /** Lists the caller's own saved views and those of the organisation, by name. */
    list(options?: Options): Promise<SavedView[]>;
    /** Changes a saved view: an own one, or a shared one with the scope `manage`. */
    update(given: UpdateSavedViewArguments, options?: Options): Promise<SavedView>;
  };
  readonly sessions: {
    /** Signs in; the answer sets the session cookie. */
    create(given: CreateSessionArguments, options?: Options): Promise<Session>;
    /** Confirms the identity of the signed-in user, for sensitive operations. */
    createStepUp(given: CreateStepUpArguments, options?: Options): Promise<StepUp>;
    /** Signs out; the answer clears the session cookie. */
    delete(options?: Options): Promise<string>;
    /** Reads the current session. */
    get(options?: Options): Promise<Session>;
    /** Goes on in another organisation of the user. The answer sets a new session cookie; it ends when the session would have ended. */
    switchOrganisation(given: SwitchOrganisationArguments, options?: Options): Promise<Session>;
    /** Changes the user's own password and ends their other sessions. */
    updatePassword(given: UpdatePasswordArguments, options?: Options): Promise<Session>;
  };
  readonly subscriptions: {
    /** Cancels a subscription immediately or at the end of the current period. */
    cancel(given: CancelSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Subscribes a customer to plans. */
    create(given: CreateSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Reads one subscription with its customer and plans. */
    get(given: GetSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Lists subscriptions, each with its customer and plans. */
    list(given?: ListSubscriptionsArguments, options?: Options): Listing<Subscription>;
    /** Pauses a subscription: nothing is billed until it is resumed. */
    pause(given: PauseSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Resumes a paused subscription; a new period starts immediately. */
    resume(given: ResumeSubscriptionArguments, options?: Options): Promise<Subscription>;
  };
  readonly trade: {
    /** Executes a trade immediately at the current price, or estimates it. */
    createQuickTrade(given: CreateQuickTradeArguments, options?: Options): Promise<QuickTrade>;
    /** Lists the currencies and payment methods available for trading. */
    getCurrencies(options?: Options): Promise<TradeCurrencies>;
    /** Reads one order. */
    getOrder(given: GetOrderArguments, options?: Options): Promise<QuickTrade>;
    /** Lists the instruments of all venues; only for the OTC organisation. */
    listInstruments(given?: ListInstrumentsArguments, options?: Options): Promise<Instrument[]>;
    /** Lists orders. */
    listOrders(given?: ListOrdersArguments, options?: Options): Listing<QuickTrade>;
    /** Lists every currency and chain that an asset can be exchanged into. */
    listTradableAssets(given?: ListTradableAssetsArguments, options?: Options): Promise<TradableAsset[]>;
  };
}

/** Room, method, operation, and what is passed and answered: `n`othing or `a`rguments, `r`ecord or `l`ist. */
export const OPERATIONS: readonly (readonly [string, string, string, string])[] = [
  ["accounts", "create", "CreateAccount", "ar"],
  ["accounts", "createOwnershipChallenge", "CreateOwnershipChallenge", "ar"],
  ["accounts", "createPayInAddress", "CreatePayInAddress", "ar"],
  ["accounts", "createVirtualAccount", "CreateVirtualAccount", "ar"],
  ["accounts", "delete", "DeleteAccount", "ar"],
  ["accounts", "get", "GetAccount", "ar"],
  ["accounts", "getMovement", "GetMovement", "ar"],
  ["accounts", "list", "ListAccounts", "al"],
  ["accounts", "listAllMovements", "ListAllMovements", "al"],
  ["accounts", "listBalances", "ListBalances", "ar"],
  ["accounts", "listMovements", "ListMovements", "al"],
  ["accounts", "listPayInAddresses", "ListPayInAddresses", "al"],
  ["accounts", "proveOwnership", "ProveOwnership", "ar"],
  ["accounts", "updateVirtualAccount", "UpdateVirtualAccount", "ar"],
  ["apiKeys", "create", "CreateApiKey", "ar"],
  ["apiKeys", "list", "ListApiKeys", "al"],
  ["apiKeys", "revoke", "RevokeApiKey", "ar"],
  ["automations", "convertBalance", "ConvertBalance", "ar"],
  ["automations", "delete", "DeleteAutomation", "ar"],
  ["automations", "list", "ListAutomations", "al"],
  ["automations", "maintainBalance", "MaintainBalance", "ar"],
  ["automations", "update", "UpdateAutomation", "ar"],
  ["chains", "list", "ListChains", "nr"],
  ["checkout", "get", "GetCheckout", "ar"],
  ["checkout", "getPayment", "GetCheckoutPayment", "ar"],
  ["checkout", "payFromTestWallet", "PayFromTestWallet", "ar"],
  ["checkout", "authorizePayment", "AuthorizePayment", "ar"],
  ["checkout", "start", "StartCheckout", "ar"],
  ["customers", "get", "GetCustomer", "ar"],
  ["customers", "list", "ListCustomers", "al"],
  ["customers", "update", "UpdateCustomer", "ar"],
  ["events", "cancelReplay", "CancelReplay", "ar"],
  ["events", "countReplay", "CountReplay", "ar"],
  ["events", "createReplay", "CreateReplay", "ar"],
  ["events", "createTestEvent", "CreateTestEvent", "ar"],
  ["events", "get", "GetEvent", "ar"],
  ["events", "getReplay", "GetReplay", "ar"],
  ["events", "listAttempts", "ListAttempts", "ar"],
  ["events", "list", "ListEvents", "al"],
  ["events", "retry", "RetryEvent", "ar"],
  ["externalAccounts", "create", "CreateExternalAccount", "ar"],
  ["externalAccounts", "delete", "DeleteExternalAccount", "ar"],
  ["externalAccounts", "get", "GetExternalAccount", "ar"],
  ["externalAccounts", "list", "ListExternalAccounts", "al"],
  ["find", "records", "FindRecords", "ar"],
  ["installation", "createWalletLink", "CreateWalletLink", "ar"],
  ["installation", "deleteWalletLink", "DeleteWalletLink", "ar"],
  ["installation", "listHotWallets", "ListHotWallets", "nr"],
  ["installation", "listChains", "ListInstallationChains", "nr"],
  ["installation", "listOutgoingTransactions", "ListOutgoingTransactions", "ar"],
  ["installation", "listUnsweptProxies", "ListUnsweptProxies", "ar"],
  ["installation", "listWalletLinks", "ListWalletLinks", "nr"],
  ["installation", "raiseTransactionFee", "RaiseTransactionFee", "ar"],
  ["installation", "restoreWalletLinks", "RestoreWalletLinks", "nr"],
  ["installation", "updateChain", "UpdateInstallationChain", "ar"],
  ["invoices", "create", "CreateInvoice", "ar"],
  ["invoices", "get", "GetInvoice", "ar"],
  ["invoices", "list", "ListInvoices", "al"],
  ["members", "acceptInvitation", "AcceptInvitation", "ar"],
  ["members", "invite", "InviteMember", "ar"],
  ["members", "inviteAgain", "InviteMemberAgain", "ar"],
  ["members", "list", "ListMembers", "al"],
  ["members", "openInvitation", "OpenInvitation", "ar"],
  ["members", "remove", "RemoveMember", "ar"],
  ["members", "update", "UpdateMember", "ar"],
  ["notes", "create", "CreateNote", "ar"],
  ["notes", "delete", "DeleteNote", "ar"],
  ["notes", "list", "ListNotes", "ar"],
  ["organisation", "get", "GetOrganisation", "nr"],
  ["organisation", "getSigningSecret", "GetSigningSecret", "nr"],
  ["organisation", "rotateSigningSecret", "RotateSigningSecret", "ar"],
  ["organisation", "rotateWebhookKey", "RotateWebhookKey", "ar"],
  ["organisation", "update", "UpdateOrganisation", "ar"],
  ["overview", "get", "GetOverview", "nr"],
  ["overview", "getBusiness", "GetOverviewBusiness", "nr"],
  ["overview", "getSeries", "GetOverviewSeries", "ar"],
  ["partner", "getAccount", "GetPartnerAccount", "ar"],
  ["partner", "listBalances", "ListPartnerBalances", "ar"],
  ["partner", "listSubMerchants", "ListSubMerchants", "al"],
  ["paylinks", "create", "CreatePaylink", "ar"],
  ["paylinks", "delete", "DeletePaylink", "ar"],
  ["paylinks", "get", "GetPaylink", "ar"],
  ["paylinks", "list", "ListPaylinks", "al"],
  ["paylinks", "update", "UpdatePaylinks", "ar"],
  ["payments", "cancel", "CancelPayment", "ar"],
  ["payments", "create", "CreatePayment", "ar"],
  ["payments", "get", "GetPayment", "ar"],
  ["payments", "getTimeline", "GetPaymentTimeline", "al"],
  ["payments", "list", "ListPayments", "al"],
  ["payments", "refund", "RefundPayment", "ar"],
  ["payouts", "approve", "ApprovePayout", "ar"],
  ["payouts", "create", "CreatePayout", "ar"],
  ["payouts", "estimate", "EstimatePayout", "ar"],
  ["payouts", "list", "ListPayouts", "al"],
  ["payouts", "refuse", "RefusePayout", "ar"],
  ["plans", "create", "CreatePlan", "ar"],
  ["plans", "get", "GetPlan", "ar"],
  ["plans", "list", "ListPlans", "al"],
  ["quotes", "accept", "AcceptQuote", "ar"],
  ["quotes", "get", "GetQuote", "ar"],
  ["quotes", "list", "ListQuotes", "al"],
  ["quotes", "reject", "RejectQuote", "ar"],
  ["quotes", "request", "RequestQuote", "ar"],
  ["rates", "listHistory", "ListRateHistory", "ar"],
  ["rates", "list", "ListRates", "nr"],
  ["sandbox", "advanceClock", "AdvanceClock", "ar"],
  ["sandbox", "createDeposit", "CreateDeposit", "ar"],
  ["sandbox", "createFault", "CreateFault", "ar"],
  ["sandbox", "emptyInbox", "EmptyInbox", "nr"],
  ["sandbox", "failPayout", "FailPayout", "ar"],
  ["sandbox", "listInbox", "ListInbox", "al"],
  ["sandbox", "refuseOrder", "RefuseOrder", "ar"],
  ["sandbox", "reorganiseChain", "ReorganiseChain", "ar"],
  ["sandbox", "setPrice", "SetPrice", "ar"],
  ["savedViews", "create", "CreateSavedView", "ar"],
  ["savedViews", "delete", "DeleteSavedView", "ar"],
  ["savedViews", "list", "ListSavedViews", "nr"],
  ["savedViews", "update", "UpdateSavedView", "ar"],
  ["sessions", "create", "CreateSession", "ar"],
  ["sessions", "createStepUp", "CreateStepUp", "ar"],
  ["sessions", "delete", "DeleteSession", "nr"],
  ["sessions", "get", "GetSession", "nr"],
  ["sessions", "switchOrganisation", "SwitchOrganisation", "ar"],
  ["sessions", "updatePassword", "UpdatePassword", "ar"],
  ["subscriptions", "cancel", "CancelSubscription", "ar"],
  ["subscriptions", "create", "CreateSubscription", "ar"],
  ["subscriptions", "get", "GetSubscription", "ar"],
  ["subscriptions", "list", "ListSubscriptions", "al"],
  ["subscriptions", "pause", "PauseSubscription", "ar"],
  ["subscriptions", "resume", "ResumeSubscription", "ar"],
  ["trade", "createQuickTrade", "CreateQuickTrade", "ar"],
  ["trade", "getCurrencies", "GetCurrencies", "nr"],
  ["trade", "getOrder", "GetOrder", "ar"],
  ["trade", "listInstruments", "ListInstruments", "ar"],
  ["trade", "listOrders", "ListOrders", "al"],
  ["trade", "listTradableAssets", "ListTradableAssets", "ar"],
];

export type { Page };

/** What an operation with no body takes and returns, and the names of its path. */
export interface QueryTypes<Given, Returned, Path extends keyof Given = never> {
  arguments: Given;
  query: Omit<Given, Path>;
  body: {};
  returned: Returned;
}

/** What an operation with a body takes and returns, and the names of its path. */
export interface BodyTypes<Given, Returned, Path extends keyof Given = never> {
  arguments: Given;
  query: {};
  body: Omit<Given, Path>;
  returned: Returned;
}

/** The types of each operation. */
export interface Operations {
  CreateAccount: BodyTypes<CreateAccountArguments, Account>;
  CreateOwnershipChallenge: QueryTypes<CreateOwnershipChallengeArguments, OwnershipChallenge, "account">;
  CreatePayInAddress: BodyTypes<CreatePayInAddressArguments, PayInAddress, "account">;
  CreateVirtualAccount: BodyTypes<CreateVirtualAccountArguments, Account>;
  DeleteAccount: QueryTypes<DeleteAccountArguments, Account, "account">;
  GetAccount: QueryTypes<GetAccountArguments, Account, "account">;
  GetMovement: QueryTypes<GetMovementArguments, Movement, "movement_id">;
  ListAccounts: QueryTypes<ListAccountsArguments, Page<Account>>;
  ListAllMovements: QueryTypes<ListAllMovementsArguments, Page<Movement>>;
  ListBalances: QueryTypes<ListBalancesArguments, AccountBalance[], "account">;
  ListMovements: QueryTypes<ListMovementsArguments, Page<Movement>, "account">;
  ListPayInAddresses: QueryTypes<ListPayInAddressesArguments, Page<PayInAddress>, "account">;
  ProveOwnership: BodyTypes<ProveOwnershipArguments, Account, "account">;
  UpdateVirtualAccount: BodyTypes<UpdateVirtualAccountArguments, Account>;
  CreateApiKey: BodyTypes<CreateApiKeyArguments, ApiKey>;
  ListApiKeys: QueryTypes<ListApiKeysArguments, Page<ApiKey>>;
  RevokeApiKey: QueryTypes<RevokeApiKeyArguments, ApiKey, "key_id">;
  ConvertBalance: BodyTypes<ConvertBalanceArguments, Automation, "account">;
  DeleteAutomation: QueryTypes<DeleteAutomationArguments, Automation, "automation_id">;
  ListAutomations: QueryTypes<ListAutomationsArguments, Page<Automation>, "account_ref">;
  MaintainBalance: BodyTypes<MaintainBalanceArguments, MaintainedBalance, "account">;
  UpdateAutomation: BodyTypes<UpdateAutomationArguments, Automation, "automation_id">;
  ListChains: QueryTypes<{}, ChainDetail[]>;
  GetCheckout: QueryTypes<GetCheckoutArguments, Checkout, "paylink_id">;
  GetCheckoutPayment: QueryTypes<GetCheckoutPaymentArguments, CheckoutPayment, "payment_id">;
  PayFromTestWallet: BodyTypes<PayFromTestWalletArguments, CheckoutPayment, "payment_id">;
  AuthorizePayment: BodyTypes<AuthorizePaymentArguments, CheckoutPayment, "payment_id">;
  StartCheckout: BodyTypes<StartCheckoutArguments, CheckoutPayment, "paylink_id">;
  GetCustomer: QueryTypes<GetCustomerArguments, Customer, "customer_id">;
  ListCustomers: QueryTypes<ListCustomersArguments, Page<CustomerItem>>;
  UpdateCustomer: BodyTypes<UpdateCustomerArguments, Customer, "customer_id">;
  CancelReplay: QueryTypes<CancelReplayArguments, Replay, "replay_id">;
  CountReplay: QueryTypes<CountReplayArguments, ReplayCount>;
  CreateReplay: BodyTypes<CreateReplayArguments, Replay>;
  CreateTestEvent: BodyTypes<CreateTestEventArguments, Event>;
  GetEvent: QueryTypes<GetEventArguments, Event, "event_id">;
  GetReplay: QueryTypes<GetReplayArguments, Replay, "replay_id">;
  ListAttempts: QueryTypes<ListAttemptsArguments, Attempt[], "event_id">;
  ListEvents: QueryTypes<ListEventsArguments, Page<Event>>;
  RetryEvent: QueryTypes<RetryEventArguments, Event, "event_id">;
  CreateExternalAccount: BodyTypes<CreateExternalAccountArguments, ExternalAccount>;
  DeleteExternalAccount: QueryTypes<DeleteExternalAccountArguments, ExternalAccount, "external_account_id">;
  GetExternalAccount: QueryTypes<GetExternalAccountArguments, ExternalAccount, "external_account_id">;
  ListExternalAccounts: QueryTypes<ListExternalAccountsArguments, Page<ExternalAccount>>;
  FindRecords: QueryTypes<FindRecordsArguments, Found[]>;
  CreateWalletLink: BodyTypes<CreateWalletLinkArguments, WalletLinkTemplate[]>;
  DeleteWalletLink: QueryTypes<DeleteWalletLinkArguments, WalletLinkTemplate[], "name">;
  ListHotWallets: QueryTypes<{}, HotWallet[]>;
  ListInstallationChains: QueryTypes<{}, InstallationChain[]>;
  ListOutgoingTransactions: QueryTypes<ListOutgoingTransactionsArguments, OutgoingTransactionList>;
  ListUnsweptProxies: QueryTypes<ListUnsweptProxiesArguments, UnsweptProxyList, "chain_id">;
  ListWalletLinks: QueryTypes<{}, WalletLinkTemplate[]>;
  RaiseTransactionFee: BodyTypes<RaiseTransactionFeeArguments, OutgoingTransaction, "transaction_id">;
  RestoreWalletLinks: QueryTypes<{}, WalletLinkTemplate[]>;
  UpdateInstallationChain: BodyTypes<UpdateInstallationChainArguments, InstallationChain, "chain_id">;
  CreateInvoice: BodyTypes<CreateInvoiceArguments, Invoice, "subscription_id">;
  GetInvoice: QueryTypes<GetInvoiceArguments, Invoice, "invoice_id">;
  ListInvoices: QueryTypes<ListInvoicesArguments, Page<Invoice>>;
  AcceptInvitation: BodyTypes<AcceptInvitationArguments, Session>;
  InviteMember: BodyTypes<InviteMemberArguments, Member>;
  InviteMemberAgain: QueryTypes<InviteMemberAgainArguments, Member, "user_id">;
  ListMembers: QueryTypes<ListMembersArguments, Page<Member>>;
  OpenInvitation: BodyTypes<OpenInvitationArguments, Invitation>;
  RemoveMember: QueryTypes<RemoveMemberArguments, Member, "user_id">;
  UpdateMember: BodyTypes<UpdateMemberArguments, Member, "user_id">;
  CreateNote: BodyTypes<CreateNoteArguments, Note>;
  DeleteNote: QueryTypes<DeleteNoteArguments, Note, "note_id">;
  ListNotes: QueryTypes<ListNotesArguments, Note[]>;
  GetOrganisation: QueryTypes<{}, Organisation>;
  GetSigningSecret: QueryTypes<{}, SigningSecret>;
  RotateSigningSecret: BodyTypes<RotateSigningSecretArguments, SigningSecret>;
  RotateWebhookKey: BodyTypes<RotateWebhookKeyArguments, Organisation>;
  UpdateOrganisation: BodyTypes<UpdateOrganisationArguments, Organisation>;
  GetOverview: QueryTypes<{}, Overview>;
  GetOverviewBusiness: QueryTypes<{}, OverviewBusiness>;
  GetOverviewSeries: QueryTypes<GetOverviewSeriesArguments, OverviewSeries>;
  GetPartnerAccount: QueryTypes<GetPartnerAccountArguments, Account, "account_ref">;
  ListPartnerBalances: QueryTypes<ListPartnerBalancesArguments, Balances, "account_ref">;
  ListSubMerchants: QueryTypes<ListSubMerchantsArguments, Page<SubMerchant>>;
  CreatePaylink: BodyTypes<CreatePaylinkArguments, Paylink>;
  DeletePaylink: QueryTypes<DeletePaylinkArguments, string, "paylink_id">;
  GetPaylink: QueryTypes<GetPaylinkArguments, Paylink, "paylink_id">;
  ListPaylinks: QueryTypes<ListPaylinksArguments, Page<Paylink>>;
  UpdatePaylinks: BodyTypes<UpdatePaylinksArguments, Paylink[]>;
  CancelPayment: QueryTypes<CancelPaymentArguments, Payment, "payment_id">;
  CreatePayment: BodyTypes<CreatePaymentArguments, Payment>;
  GetPayment: QueryTypes<GetPaymentArguments, Payment, "payment_id">;
  GetPaymentTimeline: QueryTypes<GetPaymentTimelineArguments, Page<PaymentTimelineEntry>, "payment_id">;
  ListPayments: QueryTypes<ListPaymentsArguments, Page<Payment>>;
  RefundPayment: BodyTypes<RefundPaymentArguments, Payment, "payment_id">;
  ApprovePayout: QueryTypes<ApprovePayoutArguments, Payment, "payment_id">;
  CreatePayout: BodyTypes<CreatePayoutArguments, Payment>;
  EstimatePayout: QueryTypes<EstimatePayoutArguments, PayoutEstimate>;
  ListPayouts: QueryTypes<ListPayoutsArguments, Page<Payment>>;
  RefusePayout: QueryTypes<RefusePayoutArguments, Payment, "payment_id">;
  CreatePlan: BodyTypes<CreatePlanArguments, Plan>;
  GetPlan: QueryTypes<GetPlanArguments, Plan, "plan_id">;
  ListPlans: QueryTypes<ListPlansArguments, Page<Plan>>;
  AcceptQuote: BodyTypes<AcceptQuoteArguments, QuickTrade, "quote_id">;
  GetQuote: QueryTypes<GetQuoteArguments, Quote, "quote_id">;
  ListQuotes: QueryTypes<ListQuotesArguments, Page<Quote>>;
  RejectQuote: QueryTypes<RejectQuoteArguments, Quote, "quote_id">;
  RequestQuote: QueryTypes<RequestQuoteArguments, Quote>;
  ListRateHistory: QueryTypes<ListRateHistoryArguments, HourlyRate[], "currency">;
  ListRates: QueryTypes<{}, RateList>;
  AdvanceClock: BodyTypes<AdvanceClockArguments, Clock>;
  CreateDeposit: BodyTypes<CreateDepositArguments, Deposit>;
  CreateFault: BodyTypes<CreateFaultArguments, Fault>;
  EmptyInbox: QueryTypes<{}, EmptiedInbox>;
  FailPayout: BodyTypes<FailPayoutArguments, Payment>;
  ListInbox: QueryTypes<ListInboxArguments, Page<InboxMessage>>;
  RefuseOrder: BodyTypes<RefuseOrderArguments, QuickTrade>;
  ReorganiseChain: BodyTypes<ReorganiseChainArguments, CryptoTransaction>;
  SetPrice: BodyTypes<SetPriceArguments, SimulatedPrice>;
  CreateSavedView: BodyTypes<CreateSavedViewArguments, SavedView>;
  DeleteSavedView: QueryTypes<DeleteSavedViewArguments, SavedView, "saved_view_id">;
  ListSavedViews: QueryTypes<{}, SavedView[]>;
  UpdateSavedView: BodyTypes<UpdateSavedViewArguments, SavedView, "saved_view_id">;
  CreateSession: BodyTypes<CreateSessionArguments, Session>;
  CreateStepUp: BodyTypes<CreateStepUpArguments, StepUp>;
  DeleteSession: QueryTypes<{}, string>;
  GetSession: QueryTypes<{}, Session>;
  SwitchOrganisation: BodyTypes<SwitchOrganisationArguments, Session>;
  UpdatePassword: BodyTypes<UpdatePasswordArguments, Session>;
  CancelSubscription: BodyTypes<CancelSubscriptionArguments, Subscription, "subscription_id">;
  CreateSubscription: BodyTypes<CreateSubscriptionArguments, Subscription>;
  GetSubscription: QueryTypes<GetSubscriptionArguments, Subscription, "subscription_id">;
  ListSubscriptions: QueryTypes<ListSubscriptionsArguments, Page<Subscription>>;
  PauseSubscription: QueryTypes<PauseSubscriptionArguments, Subscription, "subscription_id">;
  ResumeSubscription: QueryTypes<ResumeSubscriptionArguments, Subscription, "subscription_id">;
  CreateQuickTrade: BodyTypes<CreateQuickTradeArguments, QuickTrade>;
  GetCurrencies: QueryTypes<{}, TradeCurrencies>;
  GetOrder: QueryTypes<GetOrderArguments, QuickTrade, "order_id">;
  ListInstruments: QueryTypes<ListInstrumentsArguments, Instrument[]>;
  ListOrders: QueryTypes<ListOrdersArguments, Page<QuickTrade>>;
  ListTradableAssets: QueryTypes<ListTradableAssetsArguments, TradableAsset[]>;
}

/** Values that are parsed one by one. */
export interface Values {
  AccountId: AccountId;
  AccountReference: AccountReference;
  Amount: Amount;
  ApiKeyId: ApiKeyId;
  AutomationId: AutomationId;
  ChainId: ChainId;
  CustomerId: CustomerId;
  EventId: EventId;
  ExternalAccountId: ExternalAccountId;
  InstrumentId: InstrumentId;
  InvoiceId: InvoiceId;
  MovementId: MovementId;
  NoteId: NoteId;
  OrderId: OrderId;
  OrganisationId: OrganisationId;
  PaylinkId: PaylinkId;
  PaymentId: PaymentId;
  PlanId: PlanId;
  QuoteId: QuoteId;
  ReplayId: ReplayId;
  RuleId: RuleId;
  SavedViewId: SavedViewId;
  SubscriptionId: SubscriptionId;
  SubscriptionItemId: SubscriptionItemId;
  TransactionId: TransactionId;
  UserId: UserId;
  VenueId: VenueId;
  AccountKey: string | number;
  Currency: string;
  Timestamp: string;
  WalletAddress: string;
  EvmAddress: string;
  BitcoinAddress: string;
  TronAddress: string;
  SolanaAddress: string;
}

// Printed from the catalogue of settlekit-core by `cargo xtask print`; do not edit. @generated

import type { Listing, Options, Page } from "./client.js";

/** These values; new ones may appear. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

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
  chain?: Chain;
  chain_id?: ChainId;
  /** Creation time. */
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
  /** Unique id. */
  id: AccountId;
  /** Display name. */
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
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Holder of the wallet's keys. */
  provider: AccountProvider;
  /** Merchant-defined reference; bundles one account per chain. */
  reference?: AccountReference;
  /** Bank sort codes, if any. */
  sort_code?: string[];
  /** Current state. */
  state: AccountState;
  /** Sub-accounts. */
  sub_accounts?: AccountSummary[];
  /** Time of the last change. */
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
  /** Currency symbol. */
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
  /** Unique id. */
  id: AccountId;
  /** Display name. */
  name?: string;
  /** Merchant-defined reference. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** Expiry time. */
  expires_at?: Timestamp;
  /** Unique id; not the secret. */
  id: ApiKeyId;
  /** The secret; only in the answer to its creation. */
  key?: string;
  /** Time of last use, to the minute. */
  last_used_at?: Timestamp;
  /** Display name. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  /** Whether it runs. */
  enabled: boolean;
  /** Unique id. */
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
  /** Time of the last change. */
  updated_at: Timestamp;
}

/** Condition for an automation to act. */
export interface AutomationCondition {
  /** Threshold. */
  amount: Amount;
  /** Currency of `amount`. */
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
  /** Currency symbol. */
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
  /** Chain id. */
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
  /** Currency symbol. */
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
  /** Current status. */
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
  /** Unique id. */
  id: number;
  /** Payment it belongs to. */
  payment_id?: PaymentId;
  /** Raw transaction, as on the chain. */
  raw?: string;
  /** Sequence number among the sender's transactions. */
  sequence?: number;
  /** Reporter. */
  source: TransactionSource;
  /** Current status. */
  status: TransactionStatus;
  /** Receiving address, of a payment or an account. */
  to?: string;
  transaction_hash: string;
  /** Token transfers of the transaction. */
  transfer_logs?: TransferLog[];
  /** Purpose. */
  type: TransactionType;
  /** Time of the last change. */
  updated_at: Timestamp;
  /** Amount transferred, in `currency`. */
  value: Amount;
}

/** A currency symbol. */
export type Currency = string;

/** A customer, as returned by an update and embedded in other records. */
export interface Customer {
  /** Creation time. */
  created_at: Timestamp;
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  /** E-mail address. */
  email?: string;
  /** Unique id. */
  id: CustomerId;
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Display name. */
  name?: string;
  /** Organisation that owns the record. */
  org_id: OrganisationId;
  /** Phone number, E.164 preferred. */
  phone?: string;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Merchant-defined reference. */
  reference?: string;
  /** Time of the last change. */
  updated_at: Timestamp;
  wallet_address?: string;
}

/** An id that begins with cus_. */
export type CustomerId = Branded<string, "CustomerId">;

/** A customer, as listed. */
export interface CustomerItem {
  /** Creation time. */
  created_at: Timestamp;
  /** Merchant-defined reference. */
  customer_ident?: string;
  /** E-mail address. */
  email?: string;
  /** Whether the customer paid without giving an identity. */
  guest: boolean;
  /** Unique id. */
  id: CustomerId;
  /** Whether the record was deleted. */
  is_deleted: boolean;
  /** Time of the last payment. */
  last_payment_date?: Timestamp;
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Display name. */
  name?: string;
  /** Organisation that owns the record. */
  organisation_id: OrganisationId;
  /** Number of payments. */
  payments_count: number;
  /** Phone number. */
  phone?: string;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Time of the last change. */
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
  /** Currency symbol. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Whether payouts may name it. */
  enabled: boolean;
  /** Unique id. */
  id: ExternalAccountId;
  /** Display name. */
  name?: string;
  payment_rail?: PaymentRail;
  /** Merchant-defined reference. */
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
  /** Record id. */
  id: string;
  /** Record type. */
  kind: FoundKind;
  /** Name or reference, if any. */
  title?: string;
}

export type FoundKind = OpenEnum<"Account" | "Customer" | "Invoice" | "Movement" | "Order" | "Payment" | "Plan" | "Subscription">;

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
  /** Chain id. */
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
  /** Unique id. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** Currency of `amount`. */
  currency: Currency;
  /** Customer who owes it. */
  customer_id: CustomerId;
  /** Due date. */
  due_at: Timestamp;
  dunning_status: DunningStatus;
  /** Unique id. */
  id: InvoiceId;
  /** Issue date, past or planned. */
  issuing_at: Timestamp;
  /** Organisation it is owed to. */
  org_id: OrganisationId;
  payment_status: InvoicePaymentStatus;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Invoice number: `INV-` and a sequence number within the organisation. */
  reference?: string;
  /** Origin of the record. */
  source?: Source;
  /** Document status. */
  status: InvoiceStatus;
  /** Time of the last change. */
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
  /** Creation time. */
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
  /** Unique id. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** Currency of `amount`. */
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
  /** Unique id. */
  id: MovementId;
  /** Worth of `amount` in `reporting_currency` when it was booked, to the millionth; absent when `amount_usd` is, and if
   * the organisation had no currency of its own. */
  reporting_amount?: Amount;
  /** The organisation's own currency when it was booked (`properties.currency`). */
  reporting_currency?: Currency;
  /** Current status. */
  status: MovementStatus;
  /** Destination address of an outgoing on-chain movement. */
  to_address?: string;
  /** Transaction hash, once broadcast. */
  transaction_hash?: string;
  /** Cause. */
  type: MovementType;
}

export type MovementFailure = OpenEnum<"Reverted" | "Dropped" | "NotAccepted" | "ApprovalRefused" | "NotExecuted" | "AmountTooLarge">;

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

/** An exact decimal. The service sends a JSON number; here it is text, so that no digit is lost. */
export type ExactNumber = Amount;

/** An id that begins with ord_. */
export type OrderId = Branded<string, "OrderId">;

export type OrderReason = OpenEnum<"AccountDeleted" | "AmountTooLarge" | "InsufficientFunds" | "PayoutFailed" | "VenueRefused">;

export type OrderStatus = OpenEnum<"Open" | "Processing" | "Settled" | "Failed" | "Canceled">;

/** A merchant organisation. */
export interface Organisation {
  /** Creation time. */
  created_at: Timestamp;
  /** Unique id. */
  id: OrganisationId;
  logo_url?: string;
  /** Display name. */
  name: string;
  owner_user_id?: string;
  /** Managing partner; absent if none. */
  partner_id?: OrganisationId;
  /** Settings. */
  properties?: OrganisationProperties;
  /** Previous signing secrets stay valid until this time; absent if there are none. */
  signing_secret_overlap_until?: Timestamp;
  /** Time of the last change. */
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
  email_notification_options?: { [key: string]: Json };
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
  /** Creation time. */
  created_at: Timestamp;
  /** Currency of `amount`. */
  currency: Currency;
  /** Hot wallet. */
  from: string;
  /** Unique id. */
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
  /** Time of the last change. */
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
  /** Merchant-defined reference. */
  reference?: AccountReference;
}

/** Balance of the organisation in one currency on one chain. */
export interface OverviewBalance {
  /** `available` in US dollars; absent without a price, and on a test network. */
  amount_usd?: Amount;
  /** `posted` minus `reserved`. */
  available: Amount;
  chain: Chain;
  /** Currency symbol. */
  currency: Currency;
  /** Booked balance. */
  posted: Amount;
  /** Reserved for operations in progress. */
  reserved: Amount;
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
  /** Creation time. */
  created_at: Timestamp;
  /** Accepted currency symbols. */
  currencies: Currency[];
  /** Customer whose payments it receives. */
  customer_id?: CustomerId;
  /** Merchant-defined reference. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** User or API key that created it. */
  created_by?: string;
  /** Whether the payer is asked for their identity. */
  customer_ident_collection: boolean;
  /** Deletion time; absent unless deleted. */
  deleted_at?: Timestamp;
  /** Whether the link is enabled. */
  enabled: boolean;
  /** Unique id. */
  id: PaylinkId;
  /** Invoice it collects; absent if none. */
  invoice_id?: InvoiceId;
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** The plan it sells, where embedded. */
  plan?: Plan;
  /** Id of the plan it sells. */
  plan_id: PlanId;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Whether the payer is asked for a shipping address. */
  shipping_address_collection: boolean;
  /** Origin of the record. */
  source?: Source;
  /** Whether it accepts payments at the time of the answer, given `enabled` and its plan. Absent in embedded records. */
  state?: PaylinkState;
  /** Whether the payer is asked for a tax number. */
  tax_ident_collection: boolean;
  /** Time of the last change. */
  updated_at: Timestamp;
  /** User or API key that last changed it. */
  updated_by?: string;
  /** URL of the payer's page. */
  url: string;
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
  /** Free-form JSON object. */
  cf_headers?: { [key: string]: Json };
  /** Chain it is sent on. */
  chain_id?: ChainId;
  /** Creation time. */
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
  /** Sending account, if it belongs to the organisation. */
  from_account?: AccountSummary;
  /** Unique id. */
  id: PaymentId;
  /** Invoice it pays; absent if none. */
  invoice_id?: InvoiceId;
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
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
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Why the payment needs attention. */
  reason?: PaymentReason;
  /** Merchant-defined reference. */
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
  /** Current status. */
  status: PaymentStatus;
  /** True on a test network, whose money has no value. */
  test_network?: boolean;
  /** Status changes with their times. */
  timeline?: TimelineEntry[];
  /** Receiving account. */
  to_account?: AccountSummary;
  /** Time of the last change. */
  updated_at: Timestamp;
}

/** An id that begins with pay_. */
export type PaymentId = Branded<string, "PaymentId">;

export type PaymentMethod = OpenEnum<"ProxyWallet" | "Direct" | "Payout">;

export type PaymentRail = OpenEnum<"SEPA" | "SWIFT" | "ACH" | "FPS">;

export type PaymentReason = OpenEnum<"Underpaid" | "Overpaid" | "PaidLate" | "ApprovalRequired" | "ApprovalRefused">;

export type PaymentStatus = OpenEnum<"Pending" | "Processing" | "Confirmed" | "Failed" | "Expired" | "Canceled" | "Refunded" | "PartialRefunded">;

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
  /** Currency of `amount`. */
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
  /** Currency of `amount`. */
  currency: Currency;
  /** Receiving account. */
  destination_account_id?: AccountId;
  /** Merchant-defined reference. */
  reference?: string;
}

/** A billing plan. */
export interface Plan {
  /** Quantity still for sale; absent when unlimited. */
  available_quantity?: number;
  billing_scheme: BillingScheme;
  /** Creation time. */
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
  /** Unique id. */
  id: PlanId;
  image_url?: string;
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Display name. */
  name: string;
  /** Organisation that owns it. */
  org_id: OrganisationId;
  /** Its paylink, without the embedded plan. */
  payment_link?: Paylink;
  price: Amount;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Interval of a billing period. */
  recurring_interval: RecurringInterval;
  /** Number of intervals in a billing period. */
  recurring_interval_count?: number;
  /** How usage is measured. */
  recurring_usage_type: RecurringUsageType;
  /** Merchant-defined reference. */
  reference?: string;
  /** Origin of the record. */
  source?: Source;
  /** Free trial before the first period, ISO 8601 (`P14D`). */
  trial_period?: string;
  type: PlanType;
  /** Time of the last change. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** How the sold assets are delivered. Of a basket also `sell_assets`: the sold amount of each asset. */
  deposit_instruction?: { [key: string]: Json };
  /** Bought amount per unit sold. */
  effective_rate: Amount;
  /** Fees by name. */
  fees?: { [key: string]: Json };
  /** Amount sold, of a basket that of its first asset. */
  from_amount: Amount;
  /** Chain of the sold asset. */
  from_chain_id?: ChainId;
  /** Currency sold. */
  from_currency: Currency;
  /** Order id; absent for a dry run. */
  order_id?: OrderId;
  /** What its quote says of the venue: `properties` of the quote. */
  properties?: { [key: string]: Json };
  /** Id of the accepted quote; absent for a dry run. */
  quote_id?: QuoteId;
  /** Why it failed or was canceled. */
  reason?: OrderReason;
  /** Merchant-defined reference. */
  reference?: string;
  /** How the bought asset is delivered. */
  settlement_instruction?: { [key: string]: Json };
  side: TradeSide;
  /** Current status. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** How the sold assets are delivered. */
  deposit_instruction?: DepositInstruction;
  /** Deadline for acceptance. */
  expires_at?: Timestamp;
  /** Fees in addition to the rate. */
  fees?: QuoteFees;
  /** Unique id. */
  id: QuoteId;
  /** Free-form JSON object. */
  internal?: { [key: string]: Json };
  /** Side with the exact amount. */
  mode: QuoteMode;
  /** Organisation that requested it. */
  org_id: OrganisationId;
  /** `offers`: the amount that each venue gives or takes, the best first (`sell_currency`, `venue`, `amount`, `chosen`). Of a swap on a
   * chain also `expected_amount`, `price_impact_bps`, `slippage_bps`, `network_fee` and `network_fee_currency`; of a basket the
   * sums of its parts, and the impact of the worst swap. Of an automation `automation_id`. */
  properties?: { [key: string]: Json };
  rate?: QuoteRate;
  /** Rejection time; absent unless rejected. */
  rejected_at?: Timestamp;
  /** Sold assets; several in a basket. */
  sell_assets: QuoteAsset[];
  /** How the bought asset is delivered. */
  settlement_instruction?: SettlementInstruction;
  /** Origin of the record. */
  source?: string;
  /** Current status. */
  status: QuoteStatus;
  /** Deadline for funding an accepted quote. */
  ttl_at?: Timestamp;
  /** How it was priced. */
  type: QuoteType;
  /** Time of the last change. */
  updated_at: Timestamp;
}

/** A bought or sold asset. */
export interface QuoteAsset {
  amount: ExactNumber;
  chain_id?: ChainId;
  /** Currency symbol. */
  symbol: Currency;
  /** Contract address of the token; absent for the native asset. */
  token_address?: string;
}

/** Fees of a quote in addition to the rate. */
export interface QuoteFees {
  /** Fees by name. */
  breakdown?: { [key: string]: Json };
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
  sell_currency_cad_rates?: { [key: string]: Json };
  /** Value of the trade in US dollars; absent without a price, and on a test network. */
  usd_value?: ExactNumber;
}

export type QuoteStatus = OpenEnum<"Created" | "Accepted" | "Rejected" | "Expired">;

export type QuoteType = OpenEnum<"Automatic" | "Manual">;

/** Price of a currency. */
export interface Rate {
  /** Currency symbol. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** Unique id. */
  id: ReplayId;
  /** Events queued so far. */
  queued: number;
  /** Current status. */
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
  /** Creation time. */
  created_at: Timestamp;
  /** Unique id. */
  id: OrganisationId;
  logo_url?: string;
  /** Display name. */
  name: string;
  owner_user_id?: string;
  /** Managing partner; absent if none. */
  partner_id?: OrganisationId;
  /** Secret for request signatures (HMAC-SHA256). */
  signing_secret: string;
  /** Previous secrets stay valid until this time; absent if there are none. */
  signing_secret_overlap_until?: Timestamp;
  /** Time of the last change. */
  updated_at: Timestamp;
  /** Public key for webhook signatures, SPKI PEM. */
  webhook_public_key?: string;
  /** Webhook endpoint. */
  webhook_url?: string;
}

/** A simulated price. */
export interface SimulatedPrice {
  /** Currency symbol. */
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

/** A step-up token, fresh proof of identity. */
export interface StepUp {
  /** Expiry time. */
  expires_at: Timestamp;
  /** Token for the header `X-Step-Up`. */
  token: string;
}

/** An organisation managed by a partner. */
export interface SubMerchant {
  /** Creation time. */
  created_at: Timestamp;
  /** Organisation id, for `X-ORG-ID`. */
  id: OrganisationId;
  /** Display name. */
  name: string;
  /** Whether it is suspended: it can read, but not sell, trade or send. */
  suspended: boolean;
}

/** A subscription. */
export interface Subscription {
  /** Whether it ends with the current period. */
  cancel_at_period_end: boolean;
  /** Creation time. */
  created_at: Timestamp;
  /** Billing currency. */
  currency: Currency;
  /** Subscribing customer. */
  customer?: Customer;
  /** Subscribing customer. */
  customer_id: CustomerId;
  /** Unique id. */
  id: SubscriptionId;
  /** Whether an invoice is overdue. */
  is_overdue: boolean;
  /** Plans of the subscription. */
  items: SubscriptionItem[];
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Organisation that owns it. */
  org_id: OrganisationId;
  payment_method: SubscriptionPaymentMethod;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Merchant-defined reference. */
  reference?: string;
  /** Origin of the record. */
  source?: Source;
  /** Start time. */
  start_at: Timestamp;
  /** Current status. */
  status: SubscriptionStatus;
  /** Time of the last change. */
  updated_at: Timestamp;
  /** Type not stated by the contract. */
  v1?: Json;
}

/** An id that begins with sub_. */
export type SubscriptionId = Branded<string, "SubscriptionId">;

/** A plan of a subscription. */
export interface SubscriptionItem {
  /** Creation time. */
  created_at: Timestamp;
  /** Unique id. */
  id: SubscriptionItemId;
  plan?: Plan;
  plan_id: PlanId;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  /** Subscription it belongs to. */
  subscription_id: SubscriptionId;
  /** Time of the last change. */
  updated_at: Timestamp;
  /** Type not stated by the contract. */
  v1?: Json;
}

/** An id that begins with si_. */
export type SubscriptionItemId = Branded<string, "SubscriptionItemId">;

export type SubscriptionPaymentMethod = OpenEnum<"Unknown" | "Invoice">;

export type SubscriptionStatus = OpenEnum<"Unknown" | "Pending" | "Future" | "InTrial" | "Active" | "Paused" | "Expired" | "Canceled">;

/** A status change of a payment. */
export interface TimelineEntry {
  /** Time of the change. */
  at: Timestamp;
  /** New status. */
  status: PaymentStatus;
}

/** A timestamp, RFC 3339. */
export type Timestamp = string;

/** A currency on a chain, as the target of an exchange. */
export interface TradableAsset {
  chain_id: ChainId;
  /** Currency symbol. */
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
  /** Currency symbol. */
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
  /** Current status. */
  status: TransactionStatus;
  transaction_hash: string;
  /** Purpose. */
  type: TransactionType;
  /** Time of the last change. */
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
  /** E-mail address. */
  email: string;
  /** Unique id. */
  id: UserId;
  /** Display name. */
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

/** Arguments of `accounts.create`. */
export interface CreateAccountArguments {
  /** Address of the self-custody wallet; `address` or `xpub` is required if `managed_account` is false. */
  address?: WalletAddress;
  chain_id: ChainId;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Whether the service holds the wallet's keys; by default true without `address` and `xpub`, else false. */
  managed_account?: boolean;
  /** Display name. */
  name?: string;
  /** Parent settlement account, by id or reference. */
  parent_account_id?: AccountKey;
  /** Merchant-defined reference. */
  reference?: AccountReference;
  /** Only `CryptoPayIn`. */
  type?: AccountType;
  /** Extended public key of the self-custody wallet, from which each payment gets an address of its own. */
  xpub?: ExtendedPublicKey;
}

/** Arguments of `accounts.createOwnershipChallenge`. */
export interface CreateOwnershipChallengeArguments {
  account: AccountKey;
}

/** Arguments of `accounts.createPayInAddress`. */
export interface CreatePayInAddressArguments {
  account: AccountKey;
  chain_id: ChainId;
  /** Customer whose payments it receives. */
  customer_id?: CustomerId;
  /** Merchant-defined reference. */
  reference?: string;
}

/** Arguments of `accounts.createVirtualAccount`. */
export interface CreateVirtualAccountArguments {
  /** Chains of the account. */
  chains: VirtualChain[];
  /** Shares of each deposit to forward; the rest stays on the account. */
  deposit_splits?: DepositSplit[];
  /** Display name. */
  name?: string;
  /** Merchant-defined reference, shared by the accounts of all chains. */
  reference: AccountReference;
}

/** Arguments of `accounts.delete`. */
export interface DeleteAccountArguments {
  account: AccountKey;
}

/** Arguments of `accounts.get`. */
export interface GetAccountArguments {
  account: AccountKey;
}

/** Arguments of `accounts.getMovement`. */
export interface GetMovementArguments {
  movement_id: MovementId;
}

/** Arguments of `accounts.list`. */
export type ListAccountsArguments = PageArguments;

/** Arguments of `accounts.listAllMovements`. */
export interface ListAllMovementsArguments extends PageArguments {
  /** Only movements of at least this amount; requires `currency`. */
  amount_from?: Amount;
  /** Only movements of at most this amount; requires `currency`. */
  amount_to?: Amount;
  /** Only movements on accounts on one of these chains. */
  chain_id?: ChainId[];
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

/** Arguments of `accounts.listBalances`. */
export interface ListBalancesArguments {
  account: AccountKey;
}

/** Arguments of `accounts.listMovements`. */
export interface ListMovementsArguments extends PageArguments {
  account: AccountKey;
  /** Only movements of at least this amount; requires `currency`. */
  amount_from?: Amount;
  /** Only movements of at most this amount; requires `currency`. */
  amount_to?: Amount;
  /** Only movements on accounts on one of these chains. */
  chain_id?: ChainId[];
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

/** Arguments of `accounts.listPayInAddresses`. */
export interface ListPayInAddressesArguments extends PageArguments {
  account: AccountKey;
}

/** Arguments of `accounts.proveOwnership`. */
export interface ProveOwnershipArguments {
  account: AccountKey;
  /** Signature by `personal_sign` (EIP-191): `0x` and 65 bytes in hex. */
  signature: string;
}

/** Arguments of `accounts.updateVirtualAccount`. */
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

/** Arguments of `apiKeys.create`. */
export interface CreateApiKeyArguments {
  /** Expiry time; never when absent. */
  expires_at?: Timestamp;
  /** Display name. */
  name: string;
  /** Scopes: `read`, `write`, `payout`, `manage`, at most those of the creator; `read` and `write` when absent. */
  scopes?: string[];
}

/** Arguments of `apiKeys.list`. */
export type ListApiKeysArguments = PageArguments;

/** Arguments of `apiKeys.revoke`. */
export interface RevokeApiKeyArguments {
  key_id: ApiKeyId;
}

/** Arguments of `automations.convertBalance`. */
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

/** Arguments of `automations.delete`. */
export interface DeleteAutomationArguments {
  automation_id: AutomationId;
}

/** Arguments of `automations.list`. */
export interface ListAutomationsArguments extends PageArguments {
  account_ref: AccountKey;
}

/** Arguments of `automations.maintainBalance`. */
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

/** Arguments of `automations.update`. */
export interface UpdateAutomationArguments {
  automation_id: AutomationId;
  /** New threshold of the condition: the threshold of a sweep or a conversion, else the minimum. */
  amount?: Amount;
  /** Whether it runs. */
  enabled?: boolean;
  /** New schedule. */
  schedule?: AutomationSchedule;
}

/** Arguments of `checkout.get`. */
export interface GetCheckoutArguments {
  paylink_id: PaylinkId;
}

/** Arguments of `checkout.getPayment`. */
export interface GetCheckoutPaymentArguments {
  payment_id: PaymentId;
}

/** Arguments of `checkout.payFromTestWallet`. */
export interface PayFromTestWalletArguments {
  payment_id: PaymentId;
  /** Amount; the amount still due when absent. */
  amount?: Amount;
}

/** Arguments of `checkout.authorizePayment`. */
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

/** Arguments of `checkout.start`. */
export interface StartCheckoutArguments {
  paylink_id: PaylinkId;
  chain_id: ChainId;
  /** Currency symbol. */
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

/** Arguments of `customers.get`. */
export interface GetCustomerArguments {
  customer_id: CustomerId;
}

/** Arguments of `customers.list`. */
export interface ListCustomersArguments extends PageArguments {
  /** Part of a name, e-mail or reference; ignores case and accents. */
  search?: string;
  /** First-time or repeat customers only. */
  visit_type?: VisitType;
}

/** Arguments of `customers.update`. */
export interface UpdateCustomerArguments {
  customer_id: CustomerId;
  /** Merchant-defined reference. */
  customer_ident?: string;
  /** Discord name, stored in the customer's properties. */
  discord?: string;
  /** E-mail address. */
  email?: string;
  /** Display name. */
  name?: string;
  /** Phone number, E.164 preferred. */
  number?: string;
  /** Twitter name, stored in the customer's properties. */
  twitter?: string;
  wallet_address?: string;
}

/** Arguments of `events.cancelReplay`. */
export interface CancelReplayArguments {
  replay_id: ReplayId;
}

/** Arguments of `events.countReplay`. */
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

/** Arguments of `events.createReplay`. */
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

/** Arguments of `events.get`. */
export interface GetEventArguments {
  event_id: EventId;
}

/** Arguments of `events.getReplay`. */
export interface GetReplayArguments {
  replay_id: ReplayId;
}

/** Arguments of `events.listAttempts`. */
export interface ListAttemptsArguments {
  event_id: EventId;
}

/** Arguments of `events.list`. */
export interface ListEventsArguments extends PageArguments {
  /** Only events of this action. */
  action?: EventAction;
  /** Only events with this latest delivery outcome. */
  delivery_status?: DeliveryStatus;
  /** Only events about the record with this id. For a payment, includes events of its movements and transactions. */
  document_id?: string;
  /** Order by delivery time instead of log position. */
  order_by?: EventOrder;
  /** Only events of this type. */
  type?: EventType;
}

/** Arguments of `events.retry`. */
export interface RetryEventArguments {
  event_id: EventId;
}

/** Arguments of `externalAccounts.create`. */
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
  /** Display name. */
  name?: string;
  /** Payment rail; fiat only. */
  payment_rail?: PaymentRail;
  /** Merchant-defined reference. */
  reference?: string;
  /** Digital or fiat. */
  type: ExternalAccountType;
}

/** Arguments of `externalAccounts.delete`. */
export interface DeleteExternalAccountArguments {
  external_account_id: ExternalAccountId;
}

/** Arguments of `externalAccounts.get`. */
export interface GetExternalAccountArguments {
  external_account_id: ExternalAccountId;
}

/** Arguments of `externalAccounts.list`. */
export type ListExternalAccountsArguments = PageArguments;

/** Arguments of `find.records`. */
export interface FindRecordsArguments {
  /** A complete id, reference, address or transaction hash. */
  text?: string;
}

/** Arguments of `installation.createWalletLink`. */
export interface CreateWalletLinkArguments {
  /** Name of the wallet, on the button. */
  name: string;
  /** An https URL, or a URL with the wallet's own scheme, with at least one of the placeholders `{page_address}`, `{page_url}`,
   * `{page_url_twice}` and `{payment_uri}`. */
  template: string;
}

/** Arguments of `installation.deleteWalletLink`. */
export interface DeleteWalletLinkArguments {
  name: string;
}

/** Arguments of `installation.listOutgoingTransactions`. */
export interface ListOutgoingTransactionsArguments {
  /** The `next` of the part before. */
  after?: number;
  /** Filter by chain. */
  chain_id?: ChainId;
  /** Most transactions of this part, 1 to 100; default 100. */
  limit?: number;
}

/** Arguments of `installation.listUnsweptProxies`. */
export interface ListUnsweptProxiesArguments {
  chain_id: ChainId;
  /** The `next` of the part before. */
  after?: string;
  /** Most proxy wallets of this part, 1 to 100; default 100. */
  limit?: number;
}

/** Arguments of `installation.raiseTransactionFee`. */
export interface RaiseTransactionFeeArguments {
  transaction_id: TransactionId;
  /** The transaction's `attempts`, as read: a form that was replaced since is not replaced again. */
  attempts: number;
}

/** Arguments of `installation.updateChain`. */
export interface UpdateInstallationChainArguments {
  chain_id: ChainId;
  /** Whether reading and sending are paused. Resumed, the service first reads the blocks that were mined during the pause. */
  paused: boolean;
}

/** Arguments of `invoices.create`. */
export interface CreateInvoiceArguments {
  subscription_id: SubscriptionId;
  /** Due date, unique per subscription; the end of the current period when absent. */
  due_date?: Timestamp;
  /** Free-form JSON object. */
  properties?: { [key: string]: Json };
  title?: string;
}

/** Arguments of `invoices.get`. */
export interface GetInvoiceArguments {
  invoice_id: InvoiceId;
}

/** Arguments of `invoices.list`. */
export interface ListInvoicesArguments extends PageArguments {
  /** Filter by customer. */
  customer_id?: CustomerId;
  /** Filter by payment status. */
  payment_status?: InvoicePaymentStatus;
  /** Filter by subscription. */
  subscription_id?: SubscriptionId;
}

/** Arguments of `members.acceptInvitation`. */
export interface AcceptInvitationArguments {
  /** Display name; ignored for an existing member. */
  name: string;
  /** New password, at least 12 characters. */
  password: string;
  /** The token after `#` in the invitation link. */
  token: string;
}

/** Arguments of `members.invite`. */
export interface InviteMemberArguments {
  /** E-mail address. */
  email: string;
  role: Role;
}

/** Arguments of `members.inviteAgain`. */
export interface InviteMemberAgainArguments {
  user_id: UserId;
}

/** Arguments of `members.list`. */
export type ListMembersArguments = PageArguments;

/** Arguments of `members.openInvitation`. */
export interface OpenInvitationArguments {
  /** The token after `#` in the invitation link. */
  token: string;
}

/** Arguments of `members.remove`. */
export interface RemoveMemberArguments {
  user_id: UserId;
}

/** Arguments of `members.update`. */
export interface UpdateMemberArguments {
  user_id: UserId;
  /** New role. */
  role: Role;
}

/** Arguments of `organisation.rotateSigningSecret`. */
export interface RotateSigningSecretArguments {
  /** Revokes the previous secrets immediately, e.g. after a leak; otherwise they stay valid for 24 hours. */
  revoke_old?: boolean;
}

/** Arguments of `organisation.rotateWebhookKey`. */
export interface RotateWebhookKeyArguments {
  /** Revokes the previous keys immediately, e.g. after a leak; otherwise they also sign for 24 hours. */
  revoke_old?: boolean;
}

/** Arguments of `organisation.update`. */
export interface UpdateOrganisationArguments {
  /** Look and texts of the checkout pages, replaced as a whole; `{}` resets them. */
  checkout_style?: CheckoutStyle;
  /** Reporting currency; the service must have a rate for it. */
  currency?: Currency;
  /** E-mail preferences, free-form. Stored only: the service sends no e-mail. */
  email_notification_options?: { [key: string]: Json };
  /** Payer of the service fees: `merchant` or `payer`. With `payer`, prices on the payer's page include the fee. */
  fee_payer?: string;
  /** E-mail addresses for copies. Stored only: the service sends no e-mail. */
  forwarded_email_recipients?: string[];
  logo_url?: string;
  /** Display name. */
  name?: string;
  /** IANA time zone of the organisation, e.g. `Europe/Berlin`. */
  time_zone?: string;
  /** Tolerated underpayment. */
  underpay_thresholds?: UnderpayThresholds;
  /** Webhook URL, HTTPS. Plain HTTP is for development only and must be enabled on the server. */
  webhook_url?: string;
}

/** Arguments of `partner.getAccount`. */
export interface GetPartnerAccountArguments {
  account_ref: AccountKey;
}

/** Arguments of `partner.listBalances`. */
export interface ListPartnerBalancesArguments {
  account_ref: AccountKey;
}

/** Arguments of `partner.listSubMerchants`. */
export type ListSubMerchantsArguments = PageArguments;

/** Arguments of `paylinks.create`. */
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
  metadata?: { [key: string]: Json };
  /** Product name. */
  name: string;
  /** Merchant-defined reference. */
  reference?: string;
  /** Free trial before the first period, ISO 8601 (`P14D`). */
  trial_period?: string;
  /** One-time or recurring. */
  type?: PlanType;
}

/** Arguments of `paylinks.delete`. */
export interface DeletePaylinkArguments {
  paylink_id: PaylinkId;
}

/** Arguments of `paylinks.get`. */
export interface GetPaylinkArguments {
  paylink_id: PaylinkId;
}

/** Arguments of `paylinks.list`. */
export interface ListPaylinksArguments extends PageArguments {
  /** Part of the name or of the reference of the plan; ignores case and accents. */
  search?: string;
  /** Only paylinks whose `state` is this one. Those of invoices alone are ever `Paid`. */
  status?: PaylinkState;
}

/** Arguments of `paylinks.update`. */
export interface UpdatePaylinksArguments {
  /** One item per paylink. The batch is all or nothing. */
  items: PaylinkUpdate[];
}

/** Arguments of `payments.cancel`. */
export interface CancelPaymentArguments {
  payment_id: PaymentId;
}

/** Arguments of `payments.create`. */
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
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Merchant-defined reference. */
  reference?: string;
}

/** Arguments of `payments.get`. */
export interface GetPaymentArguments {
  payment_id: PaymentId;
}

/** Arguments of `payments.list`. */
export interface ListPaymentsArguments extends PageArguments {
  /** Only payments of at least this amount; requires `currency`. */
  amount_from?: Amount;
  /** Only payments of at most this amount; requires `currency`. */
  amount_to?: Amount;
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

/** Arguments of `payments.refund`. */
export interface RefundPaymentArguments {
  payment_id: PaymentId;
  /** Destination; the sender's address when absent. */
  address?: WalletAddress;
  /** Amount in the payment's currency; the whole remainder when absent. */
  amount?: Amount;
  /** Note for the merchant's own records. */
  reason?: string;
}

/** Arguments of `payouts.approve`. */
export interface ApprovePayoutArguments {
  payment_id: PaymentId;
}

/** Arguments of `payouts.create`. */
export interface CreatePayoutArguments {
  /** Source account, by id or reference. */
  account: AccountKey;
  /** Destination, by address. */
  address?: WalletAddress;
  /** Amount received by the destination; fees are charged on top. */
  amount: Amount;
  /** Chain id; the destination's chain when absent. */
  chain_id?: ChainId;
  /** Currency of `amount`. */
  currency: Currency;
  /** Destination, by external account id. */
  external_account_id?: ExternalAccountId;
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Merchant-defined reference. */
  reference?: string;
}

/** Arguments of `payouts.estimate`. */
export interface EstimatePayoutArguments {
  /** Source account, by id or reference. */
  account?: AccountKey;
  /** Amount received by the destination. */
  amount?: Amount;
  chain_id?: ChainId;
  /** Currency of `amount`. */
  currency?: Currency;
}

/** Arguments of `payouts.list`. */
export interface ListPayoutsArguments extends PageArguments {
  /** Filter by reason: `ApprovalRequired` for payouts that wait for a second member, `ApprovalRefused` for refused ones. */
  reason?: PaymentReason;
}

/** Arguments of `payouts.refuse`. */
export interface RefusePayoutArguments {
  payment_id: PaymentId;
}

/** Arguments of `plans.create`. */
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
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Display name. */
  name: string;
  price: Amount;
  /** Interval of a billing period; recurring plans only. */
  recurring_interval?: RecurringInterval;
  /** Number of intervals in a billing period. */
  recurring_interval_count?: number;
  /** Merchant-defined reference. */
  reference?: string;
  /** Free trial before the first period, ISO 8601 (`P14D`). */
  trial_period?: string;
  /** One-time or recurring. */
  type?: PlanType;
}

/** Arguments of `plans.get`. */
export interface GetPlanArguments {
  plan_id: PlanId;
}

/** Arguments of `plans.list`. */
export type ListPlansArguments = PageArguments;

/** Arguments of `quotes.accept`. */
export interface AcceptQuoteArguments {
  quote_id: QuoteId;
  /** Merchant-defined reference of the order. */
  reference?: string;
}

/** Arguments of `quotes.get`. */
export interface GetQuoteArguments {
  quote_id: QuoteId;
}

/** Arguments of `quotes.list`. */
export type ListQuotesArguments = PageArguments;

/** Arguments of `quotes.reject`. */
export interface RejectQuoteArguments {
  quote_id: QuoteId;
}

/** Arguments of `quotes.request`. */
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

/** Arguments of `rates.listHistory`. */
export interface ListRateHistoryArguments {
  currency: Currency;
  /** How far it goes back; a week when absent. */
  period?: RatePeriod;
}

/** Arguments of `sandbox.advanceClock`. */
export interface AdvanceClockArguments {
  /** Seconds to advance, 0 or more; time never goes back. */
  advance_seconds: number;
}

/** Arguments of `sandbox.createDeposit`. */
export interface CreateDepositArguments {
  /** Receiving account, by id or reference. */
  account: AccountKey;
  amount: Amount;
  chain_id: ChainId;
  /** Currency symbol. */
  currency: Currency;
}

/** Arguments of `sandbox.createFault`. */
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

/** Arguments of `sandbox.failPayout`. */
export interface FailPayoutArguments {
  /** Payment id of a queued or sent payout. */
  payment_id: PaymentId;
}

/** Arguments of `sandbox.refuseOrder`. */
export interface RefuseOrderArguments {
  /** Order id of an order whose sold money is reserved. */
  order_id: OrderId;
}

/** Arguments of `sandbox.reorganiseChain`. */
export interface ReorganiseChainArguments {
  /** Whether the transaction is mined again in another block; if absent, it is never confirmed. */
  returns?: boolean;
  /** Hash of a mined or pending transaction. */
  transaction_hash: string;
}

/** Arguments of `sandbox.setPrice`. */
export interface SetPriceArguments {
  /** Currency symbol. */
  currency: Currency;
  /** US dollars per whole unit: above 0, at most a billion, with up to 6 decimal places. */
  usd: Amount;
}

/** Arguments of `sessions.create`. */
export interface CreateSessionArguments {
  /** E-mail address. */
  email: string;
  password: string;
}

/** Arguments of `sessions.createStepUp`. */
export interface CreateStepUpArguments {
  password: string;
}

/** Arguments of `sessions.updatePassword`. */
export interface UpdatePasswordArguments {
  /** New password, at least 12 characters. */
  new_password: string;
}

/** Arguments of `subscriptions.cancel`. */
export interface CancelSubscriptionArguments {
  subscription_id: SubscriptionId;
  /** Cancels at the end of the current period instead of immediately; false withdraws that. */
  at_period_end?: boolean;
}

/** Arguments of `subscriptions.create`. */
export interface CreateSubscriptionArguments {
  /** Subscribing customer. */
  customer_id: CustomerId;
  /** Free-form JSON object. */
  metadata?: { [key: string]: Json };
  /** Recurring plans with the same currency and billing period. */
  plan_ids: PlanId[];
  /** Merchant-defined reference. */
  reference?: string;
  /** Start time; now when absent. */
  start_at?: Timestamp;
}

/** Arguments of `subscriptions.get`. */
export interface GetSubscriptionArguments {
  subscription_id: SubscriptionId;
}

/** Arguments of `subscriptions.list`. */
export interface ListSubscriptionsArguments extends PageArguments {
  /** Filter by customer. */
  customer_id?: CustomerId;
  /** Filter by status. */
  status?: SubscriptionStatus;
}

/** Arguments of `subscriptions.pause`. */
export interface PauseSubscriptionArguments {
  subscription_id: SubscriptionId;
}

/** Arguments of `subscriptions.resume`. */
export interface ResumeSubscriptionArguments {
  subscription_id: SubscriptionId;
}

/** Arguments of `trade.createQuickTrade`. */
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

/** Arguments of `trade.getOrder`. */
export interface GetOrderArguments {
  order_id: OrderId;
}

/** Arguments of `trade.listInstruments`. */
export interface ListInstrumentsArguments {
  /** Filter by base currency. */
  base?: Currency;
  /** Filter by quote currency. */
  quote?: Currency;
  /** Filter by venue. */
  venue_id?: VenueId;
}

/** Arguments of `trade.listOrders`. */
export type ListOrdersArguments = PageArguments;

/** Arguments of `trade.listTradableAssets`. */
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
     * `POST /v1/accounts`
     * @deprecated */
    create(given: CreateAccountArguments, options?: Options): Promise<Account>;
    /** Creates an ownership challenge for an account's wallet to sign.
     *  It replaces the previous challenge.
     * `POST /v1/accounts/{account}/ownership/challenge` */
    createOwnershipChallenge(given: CreateOwnershipChallengeArguments, options?: Options): Promise<OwnershipChallenge>;
    /** Creates a permanent pay-in address of an account.
     * `POST /v1/accounts/{account}/pay-in-addresses` */
    createPayInAddress(given: CreatePayInAddressArguments, options?: Options): Promise<PayInAddress>;
    /** Creates a virtual account: one wallet per chain under one reference.
     * `POST /v1/accounts/virtual` */
    createVirtualAccount(given: CreateVirtualAccountArguments, options?: Options): Promise<Account>;
    /** Deletes a settlement or virtual account with no balance and no open payments or movements.
     * `DELETE /v1/accounts/{account}` */
    delete(given: DeleteAccountArguments, options?: Options): Promise<Account>;
    /** Reads one account with its sub-accounts and deposit splits.
     * `GET /v1/accounts/{account}` */
    get(given: GetAccountArguments, options?: Options): Promise<Account>;
    /** Reads one movement of any of the organisation's accounts.
     * `GET /v1/movements/{movement_id}` */
    getMovement(given: GetMovementArguments, options?: Options): Promise<Movement>;
    /** Lists the organisation's settlement and virtual accounts.
     * `GET /v1/accounts` */
    list(given?: ListAccountsArguments, options?: Options): Listing<Account>;
    /** Lists the movements of all accounts of the organisation, newest first.
     * `GET /v1/movements` */
    listAllMovements(given?: ListAllMovementsArguments, options?: Options): Listing<Movement>;
    /** Reads the balances of an account (or of all accounts of a reference) and its sub-accounts, for each supported or held currency.
     * `GET /v1/accounts/{account}/balances` */
    listBalances(given: ListBalancesArguments, options?: Options): Promise<AccountBalance[]>;
    /** Lists the movements of an account (or of all accounts of a reference) and its sub-accounts, newest first.
     * `GET /v1/accounts/{account}/movement` */
    listMovements(given: ListMovementsArguments, options?: Options): Listing<Movement>;
    /** Lists the permanent pay-in addresses of an account.
     * `GET /v1/accounts/{account}/pay-in-addresses` */
    listPayInAddresses(given: ListPayInAddressesArguments, options?: Options): Listing<PayInAddress>;
    /** Proves with a wallet signature that the merchant owns an account's address.
     *  Payments may be sent there from then on.
     * `POST /v1/accounts/{account}/ownership` */
    proveOwnership(given: ProveOwnershipArguments, options?: Options): Promise<Account>;
    /** Adds, enables and disables the chains of a virtual account.
     * `PATCH /v1/accounts/virtual` */
    updateVirtualAccount(given?: UpdateVirtualAccountArguments, options?: Options): Promise<Account>;
  };
  readonly apiKeys: {
    /** Creates an API key.
     *  The answer holds the secret, which is shown only once.
     * `POST /v1/api-keys` */
    create(given: CreateApiKeyArguments, options?: Options): Promise<ApiKey>;
    /** Lists API keys, revoked ones included, without their secrets.
     * `GET /v1/api-keys` */
    list(given?: ListApiKeysArguments, options?: Options): Listing<ApiKey>;
    /** Revokes an API key immediately and permanently.
     * `DELETE /v1/api-keys/{key_id}` */
    revoke(given: RevokeApiKeyArguments, options?: Options): Promise<ApiKey>;
  };
  readonly automations: {
    /** Sells all of an account's balance once it is above a threshold, at the best price of all venues.
     * `POST /v1/partners/accounts/id/{account}/automations/convert-balance` */
    convertBalance(given: ConvertBalanceArguments, options?: Options): Promise<Automation>;
    /** Deletes an automation.
     * `DELETE /v1/partners/automations/{automation_id}` */
    delete(given: DeleteAutomationArguments, options?: Options): Promise<Automation>;
    /** Lists the automations of an account (or of all accounts of a reference) and its sub-accounts.
     * `GET /v1/partners/accounts/{account_ref}/automations` */
    list(given: ListAutomationsArguments, options?: Options): Listing<Automation>;
    /** Keeps an account's balance between two thresholds: sends an event when it is low and pays out the surplus when it is high.
     * `POST /v1/partners/accounts/id/{account}/automations/maintain-balance` */
    maintainBalance(given: MaintainBalanceArguments, options?: Options): Promise<MaintainedBalance>;
    /** Enables, disables or changes an automation.
     * `PATCH /v1/partners/automations/{automation_id}` */
    update(given: UpdateAutomationArguments, options?: Options): Promise<Automation>;
  };
  readonly chains: {
    /** Lists the supported chains and their assets.
     * `GET /v1/chains` */
    list(options?: Options): Promise<ChainDetail[]>;
  };
  readonly checkout: {
    /** Reads a paylink as shown to the payer.
     * `GET /v1/checkout/{paylink_id}` */
    get(given: GetCheckoutArguments, options?: Options): Promise<Checkout>;
    /** Reads a payment as shown to the payer.
     * `GET /v1/checkout/payments/{payment_id}` */
    getPayment(given: GetCheckoutPaymentArguments, options?: Options): Promise<CheckoutPayment>;
    /** Pays from the test wallet of the simulated chain.
     * `POST /v1/sandbox/checkout/payments/{payment_id}/pay`, in sandbox mode only */
    payFromTestWallet(given: PayFromTestWalletArguments, options?: Options): Promise<CheckoutPayment>;
    /** Pays by a transfer that the payer only signs. The service sends it and pays the network's fee. The same authorization pays
     *  once; sent again, it returns the payment.
     * `POST /v1/checkout/payments/{payment_id}/authorizations` */
    authorizePayment(given: AuthorizePaymentArguments, options?: Options): Promise<CheckoutPayment>;
    /** Creates a payment from a paylink, with its own deposit address.
     * `POST /v1/checkout/{paylink_id}/payments` */
    start(given: StartCheckoutArguments, options?: Options): Promise<CheckoutPayment>;
  };
  readonly customers: {
    /** Reads one customer.
     * `GET /v1/customers/{customer_id}` */
    get(given: GetCustomerArguments, options?: Options): Promise<Customer>;
    /** Lists customers with number and time of their payments.
     * `GET /v1/customers` */
    list(given?: ListCustomersArguments, options?: Options): Listing<CustomerItem>;
    /** Updates a customer.
     *  The answer is the bare record, without envelope.
     * `PATCH /v1/customers/{customer_id}` */
    update(given: UpdateCustomerArguments, options?: Options): Promise<Customer>;
  };
  readonly events: {
    /** Stops a replay; already queued deliveries are still sent.
     * `DELETE /v1/events/replays/{replay_id}` */
    cancelReplay(given: CancelReplayArguments, options?: Options): Promise<Replay>;
    /** Counts the events that a replay would redeliver.
     * `GET /v1/events/replays/count` */
    countReplay(given?: CountReplayArguments, options?: Options): Promise<ReplayCount>;
    /** Redelivers all events that match a filter, in batches.
     * `POST /v1/events/replays` */
    createReplay(given?: CreateReplayArguments, options?: Options): Promise<Replay>;
    /** Reads one event with its latest delivery attempt.
     * `GET /v1/events/{event_id}` */
    get(given: GetEventArguments, options?: Options): Promise<Event>;
    /** Reads the progress of a replay.
     * `GET /v1/events/replays/{replay_id}` */
    getReplay(given: GetReplayArguments, options?: Options): Promise<Replay>;
    /** Lists the delivery attempts of an event, oldest first.
     * `GET /v1/events/{event_id}/attempts` */
    listAttempts(given: ListAttemptsArguments, options?: Options): Promise<Attempt[]>;
    /** Lists the organisation's events, newest first.
     * `GET /v1/events` */
    list(given?: ListEventsArguments, options?: Options): Listing<Event>;
    /** Redelivers an event immediately, to the current webhook URL.
     * `POST /v1/events/{event_id}/retry` */
    retry(given: RetryEventArguments, options?: Options): Promise<Event>;
  };
  readonly externalAccounts: {
    /** Adds a payout destination.
     * `POST /v1/accounts/external-account` */
    create(given: CreateExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Removes a payout destination.
     *  Payouts in progress continue; new ones cannot name it.
     * `DELETE /v1/accounts/external-account/{external_account_id}` */
    delete(given: DeleteExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Reads one payout destination.
     * `GET /v1/accounts/external-account/{external_account_id}` */
    get(given: GetExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Lists the payout destinations.
     * `GET /v1/accounts/external-account` */
    list(given?: ListExternalAccountsArguments, options?: Options): Listing<ExternalAccount>;
  };
  readonly find: {
    /** Finds records of any age by id, reference, address or transaction hash.
     *  Returns at most 20.
     * `GET /v1/find` */
    records(given?: FindRecordsArguments, options?: Options): Promise<Found[]>;
  };
  readonly installation: {
    /** Adds a wallet link at the end of the list, which it answers; for operators of the installation.
     * `POST /v1/installation/wallet-links` */
    createWalletLink(given: CreateWalletLinkArguments, options?: Options): Promise<WalletLinkTemplate[]>;
    /** Removes a wallet link and answers the list; for operators of the installation.
     * `DELETE /v1/installation/wallet-links/{name}` */
    deleteWalletLink(given: DeleteWalletLinkArguments, options?: Options): Promise<WalletLinkTemplate[]>;
    /** Lists the hot wallets with their balances and gas money; for operators of the installation.
     * `GET /v1/installation/wallets` */
    listHotWallets(options?: Options): Promise<HotWallet[]>;
    /** Lists the connected chains with head, lag, nodes, comparison and open work; for operators of the installation.
     * `GET /v1/installation/chains` */
    listChains(options?: Options): Promise<InstallationChain[]>;
    /** Lists the transactions under way, oldest first; for operators of the installation.
     * `GET /v1/installation/transactions` */
    listOutgoingTransactions(given?: ListOutgoingTransactionsArguments, options?: Options): Promise<OutgoingTransactionList>;
    /** Lists the money at proxy wallets of a chain, the next to be swept first; for operators of the installation.
     * `GET /v1/installation/chains/{chain_id}/unswept-proxies` */
    listUnsweptProxies(given: ListUnsweptProxiesArguments, options?: Options): Promise<UnsweptProxyList>;
    /** Lists the links that open a wallet on a payer's device, as payers see them; for operators of the installation.
     * `GET /v1/installation/wallet-links` */
    listWalletLinks(options?: Options): Promise<WalletLinkTemplate[]>;
    /** Replaces a transaction under way by one with the same nonce and a fee an eighth higher; for operators of the installation.
     * `POST /v1/installation/transactions/{transaction_id}/raise-fee` */
    raiseTransactionFee(given: RaiseTransactionFeeArguments, options?: Options): Promise<OutgoingTransaction>;
    /** Forgets the operator's list of wallet links: payers are offered the usual wallets again. For operators of the installation.
     * `DELETE /v1/installation/wallet-links` */
    restoreWalletLinks(options?: Options): Promise<WalletLinkTemplate[]>;
    /** Pauses a chain, or resumes it from its latest recorded block; for operators of the installation.
     * `PATCH /v1/installation/chains/{chain_id}` */
    updateChain(given: UpdateInstallationChainArguments, options?: Options): Promise<InstallationChain>;
  };
  readonly invoices: {
    /** Creates an invoice for a subscription, or returns the existing one with the same due date.
     * `POST /v1/subscriptions/{subscription_id}/invoices` */
    create(given: CreateInvoiceArguments, options?: Options): Promise<Invoice>;
    /** Reads one invoice.
     * `GET /v1/invoices/{invoice_id}` */
    get(given: GetInvoiceArguments, options?: Options): Promise<Invoice>;
    /** Lists invoices.
     * `GET /v1/invoices` */
    list(given?: ListInvoicesArguments, options?: Options): Listing<Invoice>;
  };
  readonly members: {
    /** Accepts an invitation and signs in; the answer sets the session cookie.
     *  For an existing member it sets a new password and ends the other sessions.
     * `POST /v1/invitations/accept` */
    acceptInvitation(given: AcceptInvitationArguments, options?: Options): Promise<Session>;
    /** Invites a member.
     *  The answer holds the invitation link, which is shown only once. Inviting again invalidates the previous link.
     * `POST /v1/members` */
    invite(given: InviteMemberArguments, options?: Options): Promise<Member>;
    /** Creates a new invitation link for a member, shown only once; the previous link stops working.
     *  A joined member sets a new password with it within a day, which ends their sessions; an invited member joins with it.
     * `POST /v1/members/{user_id}/invitation` */
    inviteAgain(given: InviteMemberAgainArguments, options?: Options): Promise<Member>;
    /** Lists members, including invited and removed ones.
     * `GET /v1/members` */
    list(given?: ListMembersArguments, options?: Options): Listing<Member>;
    /** Reads an open invitation.
     * `POST /v1/invitations/open` */
    openInvitation(given: OpenInvitationArguments, options?: Options): Promise<Invitation>;
    /** Removes a member or withdraws an invitation; their sessions end immediately.
     * `DELETE /v1/members/{user_id}` */
    remove(given: RemoveMemberArguments, options?: Options): Promise<Member>;
    /** Changes a member's role with immediate effect.
     * `PATCH /v1/members/{user_id}` */
    update(given: UpdateMemberArguments, options?: Options): Promise<Member>;
  };
  readonly organisation: {
    /** Reads the organisation's settings and its webhook public key.
     * `GET /v1/orgs` */
    get(options?: Options): Promise<Organisation>;
    /** Reads the secret for request signatures.
     * `GET /v1/orgs/signing-secret` */
    getSigningSecret(options?: Options): Promise<SigningSecret>;
    /** Rotates the signing secret and returns the new one.
     *  The previous secret stays valid for 24 hours unless revoked.
     * `PATCH /v1/orgs/signing-secret` */
    rotateSigningSecret(given?: RotateSigningSecretArguments, options?: Options): Promise<SigningSecret>;
    /** Rotates the webhook signing key.
     *  The previous key also signs for 24 hours unless revoked.
     * `PATCH /v1/orgs/webhook-secret` */
    rotateWebhookKey(given?: RotateWebhookKeyArguments, options?: Options): Promise<Organisation>;
    /** Changes the organisation's settings.
     * `PUT /v1/orgs` */
    update(given?: UpdateOrganisationArguments, options?: Options): Promise<Organisation>;
  };
  readonly overview: {
    /** Reads balances, recent volume and open issues.
     * `GET /v1/overview` */
    get(options?: Options): Promise<Overview>;
  };
  readonly partner: {
    /** Reads an account, usually a virtual one, by its reference or id.
     * `GET /v1/partners/accounts/{account_ref}` */
    getAccount(given: GetPartnerAccountArguments, options?: Options): Promise<Account>;
    /** Reads the balances of an account (or of all accounts of a reference) and its sub-accounts.
     * `GET /v1/partners/accounts/{account_ref}/balances` */
    listBalances(given: ListPartnerBalancesArguments, options?: Options): Promise<Balances>;
    /** Lists the sub-merchants that the caller may act for as a partner.
     * `GET /v1/partners/sub-merchants` */
    listSubMerchants(given?: ListSubMerchantsArguments, options?: Options): Listing<SubMerchant>;
  };
  readonly paylinks: {
    /** Creates a payment link and the plan it sells.
     *  In live mode it offers an account on a test network, whose money has no value, only if `account_ids` lists it, or if all accounts
     *  of the organisation are on test networks.
     * `POST /v1/paylinks` */
    create(given: CreatePaylinkArguments, options?: Options): Promise<Paylink>;
    /** Soft-deletes a paylink: it accepts no more payments and keeps its history.
     * `DELETE /v1/paylinks/{paylink_id}` */
    delete(given: DeletePaylinkArguments, options?: Options): Promise<string>;
    /** Reads one paylink with its plan.
     * `GET /v1/paylinks/{paylink_id}` */
    get(given: GetPaylinkArguments, options?: Options): Promise<Paylink>;
    /** Lists paylinks with their plans, deleted ones included.
     *  Paylinks of invoices are not listed.
     * `GET /v1/paylinks` */
    list(given?: ListPaylinksArguments, options?: Options): Listing<Paylink>;
    /** Updates several paylinks atomically.
     *  The answer follows the order of the items.
     * `PATCH /v1/paylinks/batch` */
    update(given: UpdatePaylinksArguments, options?: Options): Promise<Paylink[]>;
  };
  readonly payments: {
    /** Cancels a Processing proxy-wallet one-time payment with nothing paid.
     * `DELETE /v1/payments/{payment_id}` */
    cancel(given: CancelPaymentArguments, options?: Options): Promise<Payment>;
    /** Creates a payment with its own deposit address.
     * `POST /v1/payments` */
    create(given: CreatePaymentArguments, options?: Options): Promise<Payment>;
    /** Reads one payment with its transactions and timeline.
     * `GET /v1/payments/{payment_id}` */
    get(given: GetPaymentArguments, options?: Options): Promise<Payment>;
    /** Lists payments.
     * `GET /v1/payments` */
    list(given?: ListPaymentsArguments, options?: Options): Listing<Payment>;
    /** Refunds a payment fully or partially.
     *  A refund is a payout and must be signed: one for each address, whose `parent_id` is the payment. The payment has
     *  `refunding_amount` until they are confirmed, and is `Refunded` or `PartialRefunded` then.
     * `POST /v1/payments/{payment_id}/refunds` */
    refund(given: RefundPaymentArguments, options?: Options): Promise<Payment>;
  };
  readonly payouts: {
    /** Approves a payout above a limit, which is then sent.
     *  The payout has the reason `ApprovalRequired` until then. The member who created it can't approve it.
     * `POST /v1/payouts/{payment_id}/approve` */
    approve(given: ApprovePayoutArguments, options?: Options): Promise<Payment>;
    /** Sends money out of an account.
     * `POST /v1/payouts` */
    create(given: CreatePayoutArguments, options?: Options): Promise<Payment>;
    /** Estimates the current cost of a payout.
     * `GET /v1/payouts/estimate` */
    estimate(given?: EstimatePayoutArguments, options?: Options): Promise<PayoutEstimate>;
    /** Lists payouts.
     * `GET /v1/payouts` */
    list(given?: ListPayoutsArguments, options?: Options): Listing<Payment>;
    /** Refuses a payout that waits for approval. Its money returns to the account.
     *  The member who created it can't refuse it.
     * `POST /v1/payouts/{payment_id}/refuse` */
    refuse(given: RefusePayoutArguments, options?: Options): Promise<Payment>;
  };
  readonly plans: {
    /** Creates a billing plan.
     * `POST /v1/plan` */
    create(given: CreatePlanArguments, options?: Options): Promise<Plan>;
    /** Reads one billing plan with its paylink.
     * `GET /v1/plan/{plan_id}` */
    get(given: GetPlanArguments, options?: Options): Promise<Plan>;
    /** Lists billing plans with their paylinks.
     *  Plans created for invoices are not listed.
     * `GET /v1/plan` */
    list(given?: ListPlansArguments, options?: Options): Listing<Plan>;
  };
  readonly quotes: {
    /** Accepts a quote before it expires, once.
     *  The answer is the order.
     * `POST /v1/trade/quote/{quote_id}/accept` */
    accept(given: AcceptQuoteArguments, options?: Options): Promise<QuickTrade>;
    /** Reads one quote.
     * `GET /v1/trade/quote/{quote_id}` */
    get(given: GetQuoteArguments, options?: Options): Promise<Quote>;
    /** Lists the organisation's quotes; requires the OTC feature.
     * `GET /v1/trade/quote/history` */
    list(given?: ListQuotesArguments, options?: Options): Listing<Quote>;
    /** Rejects a quote, which can no longer be accepted.
     * `POST /v1/trade/quote/{quote_id}/reject` */
    reject(given: RejectQuoteArguments, options?: Options): Promise<Quote>;
    /** Requests a firm quote, valid for a limited time, or an estimate.
     * `GET /v1/trade/quote` */
    request(given?: RequestQuoteArguments, options?: Options): Promise<Quote>;
  };
  readonly rates: {
    /** Lists the past prices of a currency in US dollars, oldest first. Hours or days without a price are missing.
     * `GET /v1/rates/{currency}/history` */
    listHistory(given: ListRateHistoryArguments, options?: Options): Promise<HourlyRate[]>;
    /** Lists the current prices of currencies in US dollars, and the price of each source.
     * `GET /v1/rates` */
    list(options?: Options): Promise<RateList>;
  };
  readonly sandbox: {
    /** Advances the service's clock.
     * `POST /v1/sandbox/clock`, in sandbox mode only */
    advanceClock(given: AdvanceClockArguments, options?: Options): Promise<Clock>;
    /** Sends a deposit to an account on the simulated chain.
     * `POST /v1/sandbox/deposits`, in sandbox mode only */
    createDeposit(given: CreateDepositArguments, options?: Options): Promise<Deposit>;
    /** Makes the next calls fail.
     * `POST /v1/sandbox/faults`, in sandbox mode only */
    createFault(given: CreateFaultArguments, options?: Options): Promise<Fault>;
    /** Fails a payout on the simulated chain; a queued payout fails once it is sent.
     *  Returns the payout.
     * `POST /v1/sandbox/payout-failures`, in sandbox mode only */
    failPayout(given: FailPayoutArguments, options?: Options): Promise<Payment>;
    /** Has the simulated venue refuse an order: it is Failed with `VenueRefused`, and its money is released.
     *  Returns the order.
     * `POST /v1/sandbox/order-refusals`, in sandbox mode only */
    refuseOrder(given: RefuseOrderArguments, options?: Options): Promise<QuickTrade>;
    /** Reverts the blocks of the simulated chain that hold a transaction.
     *  Returns the transaction.
     * `POST /v1/sandbox/reorganisations`, in sandbox mode only */
    reorganiseChain(given: ReorganiseChainArguments, options?: Options): Promise<CryptoTransaction>;
    /** Sets the simulated price of a currency for all organisations: values, conversions and quotes use it from now on.
     *  Accepted quotes keep their price.
     * `POST /v1/sandbox/prices`, in sandbox mode only */
    setPrice(given: SetPriceArguments, options?: Options): Promise<SimulatedPrice>;
  };
  readonly sessions: {
    /** Signs in; the answer sets the session cookie.
     * `POST /v1/sessions` */
    create(given: CreateSessionArguments, options?: Options): Promise<Session>;
    /** Confirms the identity of the signed-in user, for sensitive operations.
     * `POST /v1/sessions/step-up` */
    createStepUp(given: CreateStepUpArguments, options?: Options): Promise<StepUp>;
    /** Signs out; the answer clears the session cookie.
     * `DELETE /v1/sessions/current` */
    delete(options?: Options): Promise<string>;
    /** Reads the current session.
     * `GET /v1/sessions/current` */
    get(options?: Options): Promise<Session>;
    /** Changes the user's own password and ends their other sessions.
     * `PUT /v1/sessions/password` */
    updatePassword(given: UpdatePasswordArguments, options?: Options): Promise<Session>;
  };
  readonly subscriptions: {
    /** Cancels a subscription immediately or at the end of the current period.
     * `POST /v1/subscriptions/{subscription_id}/cancel` */
    cancel(given: CancelSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Subscribes a customer to plans.
     * `POST /v1/subscriptions` */
    create(given: CreateSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Reads one subscription with its customer and plans.
     * `GET /v1/subscriptions/{subscription_id}` */
    get(given: GetSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Lists subscriptions, each with its customer and plans.
     * `GET /v1/subscriptions` */
    list(given?: ListSubscriptionsArguments, options?: Options): Listing<Subscription>;
    /** Pauses a subscription: nothing is billed until it is resumed.
     * `POST /v1/subscriptions/{subscription_id}/pause` */
    pause(given: PauseSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Resumes a paused subscription; a new period starts immediately.
     * `POST /v1/subscriptions/{subscription_id}/resume` */
    resume(given: ResumeSubscriptionArguments, options?: Options): Promise<Subscription>;
  };
  readonly trade: {
    /** Executes a trade immediately at the current price, or estimates it.
     * `POST /v1/trade/quicktrade` */
    createQuickTrade(given: CreateQuickTradeArguments, options?: Options): Promise<QuickTrade>;
    /** Lists the currencies and payment methods available for trading.
     * `GET /v1/trade/currencies` */
    getCurrencies(options?: Options): Promise<TradeCurrencies>;
    /** Reads one order.
     * `GET /v1/trade/orders/{order_id}` */
    getOrder(given: GetOrderArguments, options?: Options): Promise<QuickTrade>;
    /** Lists the instruments of all venues; only for the OTC organisation.
     * `GET /v1/trade/instruments` */
    listInstruments(given?: ListInstrumentsArguments, options?: Options): Promise<Instrument[]>;
    /** Lists orders.
     * `GET /v1/trade/orders` */
    listOrders(given?: ListOrdersArguments, options?: Options): Listing<QuickTrade>;
    /** Lists every currency and chain that an asset can be exchanged into.
     * `GET /v1/trade/tradable-assets` */
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
  ["organisation", "get", "GetOrganisation", "nr"],
  ["organisation", "getSigningSecret", "GetSigningSecret", "nr"],
  ["organisation", "rotateSigningSecret", "RotateSigningSecret", "ar"],
  ["organisation", "rotateWebhookKey", "RotateWebhookKey", "ar"],
  ["organisation", "update", "UpdateOrganisation", "ar"],
  ["overview", "get", "GetOverview", "nr"],
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
  ["sandbox", "failPayout", "FailPayout", "ar"],
  ["sandbox", "refuseOrder", "RefuseOrder", "ar"],
  ["sandbox", "reorganiseChain", "ReorganiseChain", "ar"],
  ["sandbox", "setPrice", "SetPrice", "ar"],
  ["sessions", "create", "CreateSession", "ar"],
  ["sessions", "createStepUp", "CreateStepUp", "ar"],
  ["sessions", "delete", "DeleteSession", "nr"],
  ["sessions", "get", "GetSession", "nr"],
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

/** What an operation takes and returns: arguments, record, names of the query's fields, names of the body's. */
export interface OperationTypes<Given, Returned, Query extends keyof Given = never, Body extends keyof Given = never> {
  arguments: Given;
  query: Pick<Given, Query>;
  body: Pick<Given, Body>;
  returned: Returned;
}

/** The types of each operation. */
export interface Operations {
  CreateAccount: OperationTypes<CreateAccountArguments, Account, never, "currencies" | "reference" | "type" | "address" | "xpub" | "chain_id" | "name" | "parent_account_id" | "managed_account">;
  CreateOwnershipChallenge: OperationTypes<CreateOwnershipChallengeArguments, OwnershipChallenge>;
  CreatePayInAddress: OperationTypes<CreatePayInAddressArguments, PayInAddress, never, "chain_id" | "customer_id" | "reference">;
  CreateVirtualAccount: OperationTypes<CreateVirtualAccountArguments, Account, never, "reference" | "name" | "chains" | "deposit_splits">;
  DeleteAccount: OperationTypes<DeleteAccountArguments, Account>;
  GetAccount: OperationTypes<GetAccountArguments, Account>;
  GetMovement: OperationTypes<GetMovementArguments, Movement>;
  ListAccounts: OperationTypes<ListAccountsArguments, Page<Account>, "limit" | "page" | "since" | "until" | "sort">;
  ListAllMovements: OperationTypes<ListAllMovementsArguments, Page<Movement>, "limit" | "page" | "since" | "until" | "sort" | "type" | "status" | "direction" | "currency" | "chain_id" | "amount_from" | "amount_to" | "search">;
  ListBalances: OperationTypes<ListBalancesArguments, AccountBalance[]>;
  ListMovements: OperationTypes<ListMovementsArguments, Page<Movement>, "limit" | "page" | "since" | "until" | "sort" | "type" | "status" | "direction" | "currency" | "chain_id" | "amount_from" | "amount_to" | "search">;
  ListPayInAddresses: OperationTypes<ListPayInAddressesArguments, Page<PayInAddress>, "limit" | "page" | "since" | "until" | "sort">;
  ProveOwnership: OperationTypes<ProveOwnershipArguments, Account, never, "signature">;
  UpdateVirtualAccount: OperationTypes<UpdateVirtualAccountArguments, Account, never, "reference" | "chains" | "disable_chains" | "deposit_splits">;
  CreateApiKey: OperationTypes<CreateApiKeyArguments, ApiKey, never, "name" | "scopes" | "expires_at">;
  ListApiKeys: OperationTypes<ListApiKeysArguments, Page<ApiKey>, "limit" | "page" | "since" | "until" | "sort">;
  RevokeApiKey: OperationTypes<RevokeApiKeyArguments, ApiKey>;
  ConvertBalance: OperationTypes<ConvertBalanceArguments, Automation, never, "currency" | "to_currency" | "threshold_amount" | "max_cost_bps">;
  DeleteAutomation: OperationTypes<DeleteAutomationArguments, Automation>;
  ListAutomations: OperationTypes<ListAutomationsArguments, Page<Automation>, "limit" | "page" | "since" | "until" | "sort">;
  MaintainBalance: OperationTypes<MaintainBalanceArguments, MaintainedBalance, never, "currency" | "minimum_threshold_amount" | "payout_address" | "payout_threshold_amount">;
  UpdateAutomation: OperationTypes<UpdateAutomationArguments, Automation, never, "enabled" | "amount" | "schedule">;
  ListChains: OperationTypes<{}, ChainDetail[]>;
  GetCheckout: OperationTypes<GetCheckoutArguments, Checkout>;
  GetCheckoutPayment: OperationTypes<GetCheckoutPaymentArguments, CheckoutPayment>;
  PayFromTestWallet: OperationTypes<PayFromTestWalletArguments, CheckoutPayment, never, "amount">;
  AuthorizePayment: OperationTypes<AuthorizePaymentArguments, CheckoutPayment, never, "from" | "value" | "valid_after" | "valid_before" | "signature">;
  StartCheckout: OperationTypes<StartCheckoutArguments, CheckoutPayment, never, "chain_id" | "currency" | "name" | "email" | "customer_ident" | "shipping_address" | "tax_ident">;
  GetCustomer: OperationTypes<GetCustomerArguments, Customer>;
  ListCustomers: OperationTypes<ListCustomersArguments, Page<CustomerItem>, "limit" | "page" | "since" | "until" | "sort" | "search" | "visit_type">;
  UpdateCustomer: OperationTypes<UpdateCustomerArguments, Customer, never, "customer_ident" | "discord" | "email" | "name" | "number" | "twitter" | "wallet_address">;
  CancelReplay: OperationTypes<CancelReplayArguments, Replay>;
  CountReplay: OperationTypes<CountReplayArguments, ReplayCount, "since" | "until" | "type" | "action" | "delivery_status">;
  CreateReplay: OperationTypes<CreateReplayArguments, Replay, never, "since" | "until" | "type" | "action" | "delivery_status">;
  GetEvent: OperationTypes<GetEventArguments, Event>;
  GetReplay: OperationTypes<GetReplayArguments, Replay>;
  ListAttempts: OperationTypes<ListAttemptsArguments, Attempt[]>;
  ListEvents: OperationTypes<ListEventsArguments, Page<Event>, "limit" | "page" | "since" | "until" | "sort" | "document_id" | "action" | "delivery_status" | "type" | "order_by">;
  RetryEvent: OperationTypes<RetryEventArguments, Event>;
  CreateExternalAccount: OperationTypes<CreateExternalAccountArguments, ExternalAccount, never, "type" | "reference" | "name" | "address" | "chain_id" | "currencies" | "payment_rail" | "bank_name" | "country" | "beneficiary_type" | "account_holder_name" | "account_number">;
  DeleteExternalAccount: OperationTypes<DeleteExternalAccountArguments, ExternalAccount>;
  GetExternalAccount: OperationTypes<GetExternalAccountArguments, ExternalAccount>;
  ListExternalAccounts: OperationTypes<ListExternalAccountsArguments, Page<ExternalAccount>, "limit" | "page" | "since" | "until" | "sort">;
  FindRecords: OperationTypes<FindRecordsArguments, Found[], "text">;
  CreateWalletLink: OperationTypes<CreateWalletLinkArguments, WalletLinkTemplate[], never, "name" | "template">;
  DeleteWalletLink: OperationTypes<DeleteWalletLinkArguments, WalletLinkTemplate[]>;
  ListHotWallets: OperationTypes<{}, HotWallet[]>;
  ListInstallationChains: OperationTypes<{}, InstallationChain[]>;
  ListOutgoingTransactions: OperationTypes<ListOutgoingTransactionsArguments, OutgoingTransactionList, "chain_id" | "after" | "limit">;
  ListUnsweptProxies: OperationTypes<ListUnsweptProxiesArguments, UnsweptProxyList, "after" | "limit">;
  ListWalletLinks: OperationTypes<{}, WalletLinkTemplate[]>;
  RaiseTransactionFee: OperationTypes<RaiseTransactionFeeArguments, OutgoingTransaction, never, "attempts">;
  RestoreWalletLinks: OperationTypes<{}, WalletLinkTemplate[]>;
  UpdateInstallationChain: OperationTypes<UpdateInstallationChainArguments, InstallationChain, never, "paused">;
  CreateInvoice: OperationTypes<CreateInvoiceArguments, Invoice, never, "due_date" | "properties" | "title">;
  GetInvoice: OperationTypes<GetInvoiceArguments, Invoice>;
  ListInvoices: OperationTypes<ListInvoicesArguments, Page<Invoice>, "limit" | "page" | "since" | "until" | "sort" | "customer_id" | "subscription_id" | "payment_status">;
  AcceptInvitation: OperationTypes<AcceptInvitationArguments, Session, never, "token" | "name" | "password">;
  InviteMember: OperationTypes<InviteMemberArguments, Member, never, "email" | "role">;
  InviteMemberAgain: OperationTypes<InviteMemberAgainArguments, Member>;
  ListMembers: OperationTypes<ListMembersArguments, Page<Member>, "limit" | "page" | "since" | "until" | "sort">;
  OpenInvitation: OperationTypes<OpenInvitationArguments, Invitation, never, "token">;
  RemoveMember: OperationTypes<RemoveMemberArguments, Member>;
  UpdateMember: OperationTypes<UpdateMemberArguments, Member, never, "role">;
  GetOrganisation: OperationTypes<{}, Organisation>;
  GetSigningSecret: OperationTypes<{}, SigningSecret>;
  RotateSigningSecret: OperationTypes<RotateSigningSecretArguments, SigningSecret, never, "revoke_old">;
  RotateWebhookKey: OperationTypes<RotateWebhookKeyArguments, Organisation, never, "revoke_old">;
  UpdateOrganisation: OperationTypes<UpdateOrganisationArguments, Organisation, never, "name" | "logo_url" | "webhook_url" | "fee_payer" | "currency" | "underpay_thresholds" | "time_zone" | "checkout_style" | "email_notification_options" | "forwarded_email_recipients">;
  GetOverview: OperationTypes<{}, Overview>;
  GetPartnerAccount: OperationTypes<GetPartnerAccountArguments, Account>;
  ListPartnerBalances: OperationTypes<ListPartnerBalancesArguments, Balances>;
  ListSubMerchants: OperationTypes<ListSubMerchantsArguments, Page<SubMerchant>, "limit" | "page" | "since" | "until" | "sort">;
  CreatePaylink: OperationTypes<CreatePaylinkArguments, Paylink, never, "amount" | "currency" | "name" | "account_ids" | "account_ref" | "after_completion" | "available_quantity" | "description" | "expires_at" | "image_url" | "intervalCount" | "interval" | "metadata" | "reference" | "trial_period" | "type">;
  DeletePaylink: OperationTypes<DeletePaylinkArguments, string>;
  GetPaylink: OperationTypes<GetPaylinkArguments, Paylink>;
  ListPaylinks: OperationTypes<ListPaylinksArguments, Page<Paylink>, "limit" | "page" | "since" | "until" | "sort" | "status" | "search">;
  UpdatePaylinks: OperationTypes<UpdatePaylinksArguments, Paylink[], never, "items">;
  CancelPayment: OperationTypes<CancelPaymentArguments, Payment>;
  CreatePayment: OperationTypes<CreatePaymentArguments, Payment, never, "amount" | "currency" | "chain_id" | "account" | "customer_id" | "metadata" | "reference">;
  GetPayment: OperationTypes<GetPaymentArguments, Payment>;
  ListPayments: OperationTypes<ListPaymentsArguments, Page<Payment>, "limit" | "page" | "since" | "until" | "sort" | "customer_id" | "paylink_id" | "status" | "payment_method" | "currency" | "amount_from" | "amount_to" | "search">;
  RefundPayment: OperationTypes<RefundPaymentArguments, Payment, never, "amount" | "address" | "reason">;
  ApprovePayout: OperationTypes<ApprovePayoutArguments, Payment>;
  CreatePayout: OperationTypes<CreatePayoutArguments, Payment, never, "account" | "amount" | "currency" | "chain_id" | "external_account_id" | "address" | "reference" | "metadata">;
  EstimatePayout: OperationTypes<EstimatePayoutArguments, PayoutEstimate, "account" | "amount" | "currency" | "chain_id">;
  ListPayouts: OperationTypes<ListPayoutsArguments, Page<Payment>, "limit" | "page" | "since" | "until" | "sort" | "reason">;
  RefusePayout: OperationTypes<RefusePayoutArguments, Payment>;
  CreatePlan: OperationTypes<CreatePlanArguments, Plan, never, "name" | "price" | "currency" | "available_quantity" | "description" | "expires_at" | "image_url" | "metadata" | "recurring_interval" | "recurring_interval_count" | "reference" | "trial_period" | "type">;
  GetPlan: OperationTypes<GetPlanArguments, Plan>;
  ListPlans: OperationTypes<ListPlansArguments, Page<Plan>, "limit" | "page" | "since" | "until" | "sort">;
  AcceptQuote: OperationTypes<AcceptQuoteArguments, QuickTrade, never, "reference">;
  GetQuote: OperationTypes<GetQuoteArguments, Quote>;
  ListQuotes: OperationTypes<ListQuotesArguments, Page<Quote>, "limit" | "page" | "since" | "until" | "sort">;
  RejectQuote: OperationTypes<RejectQuoteArguments, Quote>;
  RequestQuote: OperationTypes<RequestQuoteArguments, Quote, "buy_amount" | "sell_amount" | "buy_currency" | "buy_chain_id" | "buy_token_address" | "sell_currency" | "sell_chain_ids" | "sell_token_addresses" | "account_id" | "deposit_method" | "estimate" | "settlement_account_id" | "settlement_address">;
  ListRateHistory: OperationTypes<ListRateHistoryArguments, HourlyRate[], "period">;
  ListRates: OperationTypes<{}, RateList>;
  AdvanceClock: OperationTypes<AdvanceClockArguments, Clock, never, "advance_seconds">;
  CreateDeposit: OperationTypes<CreateDepositArguments, Deposit, never, "account" | "chain_id" | "currency" | "amount">;
  CreateFault: OperationTypes<CreateFaultArguments, Fault, never, "operation" | "reason" | "after_commit" | "calls">;
  FailPayout: OperationTypes<FailPayoutArguments, Payment, never, "payment_id">;
  RefuseOrder: OperationTypes<RefuseOrderArguments, QuickTrade, never, "order_id">;
  ReorganiseChain: OperationTypes<ReorganiseChainArguments, CryptoTransaction, never, "transaction_hash" | "returns">;
  SetPrice: OperationTypes<SetPriceArguments, SimulatedPrice, never, "currency" | "usd">;
  CreateSession: OperationTypes<CreateSessionArguments, Session, never, "email" | "password">;
  CreateStepUp: OperationTypes<CreateStepUpArguments, StepUp, never, "password">;
  DeleteSession: OperationTypes<{}, string>;
  GetSession: OperationTypes<{}, Session>;
  UpdatePassword: OperationTypes<UpdatePasswordArguments, Session, never, "new_password">;
  CancelSubscription: OperationTypes<CancelSubscriptionArguments, Subscription, never, "at_period_end">;
  CreateSubscription: OperationTypes<CreateSubscriptionArguments, Subscription, never, "customer_id" | "plan_ids" | "start_at" | "reference" | "metadata">;
  GetSubscription: OperationTypes<GetSubscriptionArguments, Subscription>;
  ListSubscriptions: OperationTypes<ListSubscriptionsArguments, Page<Subscription>, "limit" | "page" | "since" | "until" | "sort" | "customer_id" | "status">;
  PauseSubscription: OperationTypes<PauseSubscriptionArguments, Subscription>;
  ResumeSubscription: OperationTypes<ResumeSubscriptionArguments, Subscription>;
  CreateQuickTrade: OperationTypes<CreateQuickTradeArguments, QuickTrade, never, "amount" | "currency" | "to_currency" | "account_id" | "account_reference" | "chain_id" | "to_chain_id" | "dry_run" | "reference" | "settlement_account_id" | "settlement_address">;
  GetCurrencies: OperationTypes<{}, TradeCurrencies>;
  GetOrder: OperationTypes<GetOrderArguments, QuickTrade>;
  ListInstruments: OperationTypes<ListInstrumentsArguments, Instrument[], "venue_id" | "base" | "quote">;
  ListOrders: OperationTypes<ListOrdersArguments, Page<QuickTrade>, "limit" | "page" | "since" | "until" | "sort">;
  ListTradableAssets: OperationTypes<ListTradableAssetsArguments, TradableAsset[], "currency" | "chain_id" | "amount" | "account_id" | "require_settlement_support">;
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
  OrderId: OrderId;
  OrganisationId: OrganisationId;
  PaylinkId: PaylinkId;
  PaymentId: PaymentId;
  PlanId: PlanId;
  QuoteId: QuoteId;
  ReplayId: ReplayId;
  RuleId: RuleId;
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

// Printed from the catalogue of settlekit-core by `cargo xtask print`; do not edit. @generated

import type { Listing, Options, Page } from "./client.js";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

declare const kind: unique symbol;

/** A value of one kind: what is known to be of another is refused where it is given; plain text and numbers are taken. */
export type Branded<T, Kind extends string> = T & { readonly [kind]?: Kind };

/** A settlement or virtual account. */
export interface Account {
  /** Bank account numbers, for accounts that have them. */
  account_number?: string[];
  /** What it is for. */
  account_type: AccountType;
  /** The wallet's address. */
  address?: string;
  /** The chain it lives on. */
  chain?: Chain;
  /** The chain it lives on. */
  chain_id?: ChainId;
  /** When it was made. */
  created_at: Timestamp;
  /** Who made it. */
  created_by?: string;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** When it was deleted, if it was. */
  deleted_at?: Timestamp;
  /** How deposits are shared out. */
  deposit_splits?: DepositSplit[];
  /** Whether it takes payments. */
  enabled: boolean;
  /** Unique id. */
  id: AccountId;
  /** For people. */
  name?: string;
  /** The organisation it belongs to. */
  org_id: OrganisationId;
  /** When a signature of the wallet proved whose it is; absent while it is only watched, and where the service keeps the keys. */
  ownership_proven_at?: Timestamp;
  /** The parent settlement account. */
  parent?: AccountSummary;
  /** The parent settlement account. */
  parent_id?: AccountId;
  /** The fee on payments in, in percent. */
  payin_fee_pct?: ExactNumber;
  /** The fee on payments out, in percent. */
  payout_fee_pct?: ExactNumber;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** Who keeps the keys. */
  provider: AccountProvider;
  /** The merchant's own name; bundles one account per chain. */
  reference?: AccountReference;
  /** Bank sort codes, for accounts that have them. */
  sort_code?: string[];
  /** Where it stands. */
  state: AccountState;
  /** The accounts below it. */
  sub_accounts?: AccountSummary[];
  /** When it last changed. */
  updated_at: Timestamp;
}

/** What one account holds in one currency. A virtual account holds nothing itself: its chains' accounts do. */
export interface AccountBalance {
  /** The account that holds it. */
  account_id: AccountId;
  /** `available` in US dollars. */
  amount_usd?: Amount;
  /** Posted less reserved. */
  available: Amount;
  /** The chain it is on. */
  chain: Chain;
  /** The currency. */
  currency: Currency;
  /** What is booked. */
  posted: Amount;
  /** What is set aside for work under way. */
  reserved: Amount;
}

/** An integer id. */
export type AccountId = Branded<number, "AccountId">;

/** An account's integer id, or its reference. */
export type AccountKey = string | number;

/** An open enumeration: new values may appear. */
export type AccountProvider = "External" | "Managed" | (string & {});

/** An account reference. */
export type AccountReference = Branded<string, "AccountReference">;

/** An open enumeration: new values may appear. */
export type AccountState = "Unknown" | "Active" | "Disabled" | "Deleted" | (string & {});

/** An account as embedded in other records. */
export interface AccountSummary {
  /** What it is for. */
  account_type: AccountType;
  /** The wallet's address. */
  address?: string;
  /** The chain it lives on. */
  chain_id?: ChainId;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Whether it takes payments. */
  enabled: boolean;
  /** Unique id. */
  id: AccountId;
  /** For people. */
  name?: string;
  /** The merchant's own name. */
  reference?: AccountReference;
}

/** An open enumeration: new values may appear. */
export type AccountType = "CryptoPayIn" | "Virtual" | (string & {});

/** An open enumeration: new values may appear. */
export type ActionType = "Sweep" | "MaintainBalance" | (string & {});

/** What the payer sees or where they go after paying. */
export interface AfterCompletion {
  /** What the payer reads. */
  custom_message?: string;
  /** Where the payer goes after failure. */
  failure_redirect_url?: string;
  /** Where the payer goes after success. */
  redirect_url?: string;
  /** What happens. */
  type?: AfterCompletionType;
}

/** An open enumeration: new values may appear. */
export type AfterCompletionType = "redirect" | (string & {});

/** An exact decimal as text. */
export type Amount = Branded<string, "Amount">;

/** An API key. */
export interface ApiKey {
  /** When it was made. */
  created_at: Timestamp;
  /** When it stops working. */
  expires_at?: Timestamp;
  /** Unique id; not the secret. */
  id: ApiKeyId;
  /** The secret itself, in the answer to its creation and never again. */
  key?: string;
  /** When it was last used, to the minute. */
  last_used_at?: Timestamp;
  /** For people. */
  name: string;
  /** In the answer to its creation: what its holder can do by the scopes `payout` and `manage`, if it has one. */
  notice?: string;
  /** How the secret begins. */
  prefix: string;
  /** When it was revoked, if it was. */
  revoked_at?: Timestamp;
  /** What it may do: `read`, `write`, `payout`, `manage`. */
  scopes: string[];
}

/** An id that begins with key_. */
export type ApiKeyId = Branded<string, "ApiKeyId">;

/** An asset on a chain. */
export interface Asset {
  /** Decimal places of its smallest unit. */
  scale: number;
  /** Its symbol. */
  symbol: Currency;
  /** The token's contract; absent for the native asset. */
  token_address?: string;
}

/** One attempt to deliver an event. */
export interface Attempt {
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** Why nothing came back. */
  error?: string;
  /** Counted from 1. */
  number: number;
  /** What was sent. */
  request: string;
  /** What came back, cut after 16 KiB. */
  response?: string;
  /** When it was made. */
  sent_at: Timestamp;
  /** The status that came back. */
  status?: number;
  /** Where it went. */
  url: string;
}

/** An automation of an account. */
export interface Automation {
  /** The account it looks after. */
  account_id: AccountId;
  /** What it does: `minimum_threshold_amount`, `payout_threshold_amount` and `payout_address`. */
  action?: Json;
  /** What it does. */
  action_type: ActionType;
  /** When it acts. */
  condition?: AutomationCondition;
  /** When it was made. */
  created_at: Timestamp;
  /** When it was ended, if it was. */
  deleted_at?: Timestamp;
  /** Whether it runs. */
  enabled: boolean;
  /** Unique id. */
  id: AutomationId;
  /** When it last ran. */
  last_run_at?: Timestamp;
  /** Until when it pays nothing out of an account whose payout failed. */
  paused_until?: Timestamp;
  /** Why it pays nothing out of an account, or was disabled. */
  reason?: AutomationReason;
  /** The rule it comes from. */
  rule_id?: RuleId;
  /** When it looks. */
  schedule?: AutomationSchedule;
  /** When it last changed. */
  updated_at: Timestamp;
}

/** When an automation acts. */
export interface AutomationCondition {
  /** The threshold. */
  amount: Amount;
  /** The currency of `amount`. */
  amount_currency: Currency;
  /** The asset that is looked at. */
  asset_symbol?: Currency;
  /** How it is compared. */
  comparison: Comparison;
  /** What is looked at. */
  entity: ConditionEntity;
}

/** An integer id. */
export type AutomationId = Branded<number, "AutomationId">;

/** An open enumeration: new values may appear. */
export type AutomationReason = "PayoutFailed" | (string & {});

/** When an automation looks. */
export interface AutomationSchedule {
  /** How often. */
  frequency: Frequency;
  /** The day within the week or month, counted from 0. */
  offset?: number;
  /** The time of day, UTC, `HH:MM`. */
  time?: string;
}

/** What an account holds in one currency on one chain. */
export interface Balance {
  /** The account. */
  account_id: AccountId;
  /** What can be used: posted less reserved. */
  amount: Amount;
  /** The same in US dollars. */
  amount_usd?: Amount;
  /** The chain. */
  chain: Chain;
  /** The currency. */
  currency: Currency;
  /** The token's contract; absent for the native asset. */
  token_address?: string;
}

/** The balances of one account. */
export interface Balances {
  /** One for each currency on each chain. */
  balances: Balance[];
}

/** An open enumeration: new values may appear. */
export type BeneficiaryType = "individual" | "business" | (string & {});

/** An open enumeration: new values may appear. */
export type BillingScheme = "FlatFee" | (string & {});

/** A chain, as embedded in other records (contract, "Chain"). */
export interface Chain {
  /** The chain's id; for EVM chains the one of EIP-155. */
  id: ChainId;
  /** Its name. */
  name: string;
  /** The asset that pays its fees. */
  native_currency_symbol: Currency;
}

/** A chain with what an operator needs to choose it. */
export interface ChainDetail {
  /** The assets that can be taken on it. */
  assets: Asset[];
  /** Usual seconds between two blocks. */
  block_seconds: number;
  /** Confirmations after which a payment counts. */
  confirmations_required: number;
  /** The form of its addresses: `evm`, `bitcoin` or `solana`. */
  family: string;
  /** The chain's id. */
  id: ChainId;
  /** Its name. */
  name: string;
  /** The asset that pays its fees. */
  native_currency_symbol: Currency;
}

/** An integer id. */
export type ChainId = Branded<number, "ChainId">;

/** What a payer sees of a paylink. */
export interface Checkout {
  /** What happens after. */
  after_completion?: AfterCompletion;
  /** The price. */
  amount: Amount;
  /** What the payer is asked. */
  collect: Collect;
  /** The currency of the price. */
  currency: Currency;
  /** More about it. */
  description?: string;
  /** When the link stops taking payments. */
  expires_at?: Timestamp;
  /** A picture. */
  image_url?: string;
  /** Who is paid. */
  merchant: Merchant;
  /** What is sold. */
  name: string;
  /** The ways to pay. */
  options: CheckoutOption[];
  /** The paylink. */
  paylink_id: PaylinkId;
  /** How often the price is due again, of a recurring plan: whoever pays subscribes. */
  recurring_interval?: RecurringInterval;
  /** How many intervals lie between two payments. */
  recurring_interval_count?: number;
  /** Whether money here is play money. */
  sandbox: boolean;
  /** Whether it takes payments. */
  state: PaylinkState;
  /** How long nothing is due at first, ISO 8601 (`P14D`); the payment to begin with is then over nothing. */
  trial_period?: string;
}

/** One way to pay. */
export interface CheckoutOption {
  /** The price in that currency. */
  amount: Amount;
  /** The chain. */
  chain: Chain;
  /** The currency. */
  currency: Currency;
}

/** A payment as its payer sees it. */
export interface CheckoutPayment {
  /** Where to send it. */
  address: string;
  /** What happens after. */
  after_completion?: AfterCompletion;
  /** What is due. */
  amount: Amount;
  /** The chain to send it on. */
  chain: Chain;
  /** Blocks on top of the payer's transaction, its own included. */
  confirmations: number;
  /** How many are needed. */
  confirmations_required: number;
  /** The currency to send. */
  currency: Currency;
  /** Until when the price holds. */
  expires_at: Timestamp;
  /** What has arrived. */
  paid_amount: Amount;
  /** The link it was made from. */
  paylink_id?: PaylinkId;
  /** The payment. */
  payment_id: PaymentId;
  /** The same as an address that wallets open. */
  payment_uri: string;
  /** The same as a picture. */
  qr: QrCode;
  /** What is out of the ordinary. */
  reason?: PaymentReason;
  /** Whether money here is play money. */
  sandbox: boolean;
  /** The server's clock, so that a countdown is right. */
  server_time: Timestamp;
  /** Where it stands. */
  status: PaymentStatus;
  /** The payer's transaction, once seen. */
  transaction_hash?: string;
}

/** The service's clock. */
export interface Clock {
  /** How far it runs ahead of the host's clock, in seconds. */
  ahead_seconds: number;
  /** What the service takes for now. */
  now: Timestamp;
}

/** What the payer is asked. */
export interface Collect {
  /** Who they are. */
  customer_ident: boolean;
  /** Where to send goods. */
  shipping_address: boolean;
  /** Their tax number. */
  tax_ident: boolean;
}

/** An open enumeration: new values may appear. */
export type Comparison = "GreaterThan" | "LessThan" | (string & {});

/** An open enumeration: new values may appear. */
export type ConditionEntity = "Balance" | (string & {});

/** A transaction on a chain (contract, "CryptoTransaction"). */
export interface CryptoTransaction {
  /** The chain. */
  chain_id: ChainId;
  /** Blocks on top of it, its own included. */
  confirmations?: number;
  /** When it was first seen. */
  created_at: Timestamp;
  /** The currency of `value`. */
  currency?: Currency;
  /** The object it belongs to. */
  entity_id?: string;
  /** The fee its sender paid. */
  fee_amount?: Amount;
  /** The currency of the fee. */
  fee_currency?: Currency;
  /** The sender. */
  from?: string;
  /** Unique id. */
  id: number;
  /** The payment it belongs to. */
  payment_id?: PaymentId;
  /** The transaction as the chain has it. */
  raw?: string;
  /** Its place among the sender's transactions. */
  sequence?: number;
  /** Who reported it. */
  source: TransactionSource;
  /** Where it stands. */
  status: TransactionStatus;
  /** The receiver: the address of a payment, of an account, or a permanent one of it. */
  to?: string;
  /** Its hash. */
  transaction_hash: string;
  /** Token transfers inside it. */
  transfer_logs?: TransferLog[];
  /** What it is for. */
  type: TransactionType;
  /** When it last changed. */
  updated_at: Timestamp;
  /** What it carries. */
  value: Amount;
}

/** A currency symbol. */
export type Currency = string;

/** A customer, as returned by an update and embedded in other records. */
export interface Customer {
  /** When they were first seen. */
  created_at: Timestamp;
  /** When the record was deleted, if it was. */
  deleted_at?: Timestamp;
  /** E-mail address. */
  email?: string;
  /** Unique id. */
  id: CustomerId;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** For people. */
  name?: string;
  /** The organisation they belong to. */
  org_id: OrganisationId;
  /** Phone number, E.164 preferred. */
  phone?: string;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** The merchant's own name for them. */
  reference?: string;
  /** When the record last changed. */
  updated_at: Timestamp;
  /** Their wallet. */
  wallet_address?: string;
}

/** An id that begins with cus_. */
export type CustomerId = Branded<string, "CustomerId">;

/** A customer as listed. */
export interface CustomerItem {
  /** When they were first seen. */
  created_at: Timestamp;
  /** The merchant's own name for them. */
  customer_ident?: string;
  /** E-mail address. */
  email?: string;
  /** Whether they paid without saying who they are. */
  guest: boolean;
  /** Unique id. */
  id: CustomerId;
  /** Whether the record was deleted. */
  is_deleted: boolean;
  /** When they last paid. */
  last_payment_date?: Timestamp;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** For people. */
  name?: string;
  /** The organisation they belong to. */
  organisation_id: OrganisationId;
  /** How often they paid. */
  payments_count: number;
  /** Phone number. */
  phone?: string;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** When the record last changed. */
  updated_at: Timestamp;
  /** Their wallet. */
  wallet_address?: string;
}

/** What came in and went out on one day. */
export interface DayVolume {
  /** Confirmed movements. */
  count: number;
  /** The day in UTC, `2026-11-21`. */
  date: string;
  /** In, in US dollars; absent while no price source is connected. */
  in_usd?: Amount;
  /** Out, in US dollars; absent while no price source is connected. */
  out_usd?: Amount;
}

/** An open enumeration: new values may appear. */
export type DeliveryStatus = "pending" | "succeeded" | "failed" | "skipped" | (string & {});

/** A deposit under way on the simulated chain. */
export interface Deposit {
  /** The receiving account. */
  account_id: AccountId;
  /** How much. */
  amount: Amount;
  /** The chain. */
  chain_id: ChainId;
  /** When it was sent. */
  created_at: Timestamp;
  /** The currency. */
  currency: Currency;
  /** The simulated transaction. */
  transaction_hash: string;
}

/** How what is sold is handed over. */
export interface DepositInstruction {
  /** The account it is taken from or sent to. */
  account_id?: AccountId;
  /** In which way. */
  payment_method: DepositMethod;
}

/** An open enumeration: new values may appear. */
export type DepositMethod = "Unknown" | "Deposit" | "Balance" | (string & {});

/** A share of each deposit that goes elsewhere. */
export interface DepositSplit {
  /** The receiving account, by id. */
  account_id?: AccountId;
  /** The receiving account, by reference. */
  account_ref?: string;
  /** The receiving address. */
  address?: string;
  /** The share in percent, exact. */
  pct: Amount;
}

/** An open enumeration: new values may appear. */
export type Direction = "IN" | "OUT" | (string & {});

/** An open enumeration: new values may appear. */
export type DunningStatus = "Unknown" | "None" | "Overdue" | "Reminded" | "GivenUp" | (string & {});

/** An event with its latest delivery attempt. */
export interface Event {
  /** What happened. */
  action: EventAction;
  /** The record as it was then. */
  data: Json;
  /** What came of the latest attempt. */
  delivery_status?: DeliveryStatus;
  /** For people. */
  display_id: string;
  /** Its place in the organisation's log, counted from 1. */
  event_id: number;
  /** Unique id, also the `webhook-id`. */
  id: EventId;
  /** When. */
  timestamp: Timestamp;
  /** What it is about. */
  type: EventType;
  /** What was sent. */
  webhook_request?: string;
  /** What came back. */
  webhook_response?: string;
  /** Why nothing came back. */
  webhook_response_error?: string;
  /** The status that came back. */
  webhook_response_status?: number;
  /** When the latest attempt was made. */
  webhook_sent_at?: Timestamp;
  /** Where the latest attempt went. */
  webhook_url?: string;
}

/** An open enumeration: new values may appear. */
export type EventAction = "Unknown" | "Created" | "Updated" | "Queued" | "Processed" | "Disabled" | "Enabled" | "Canceled" | "Refunded" | "Overdue" | "Delayed" | "Settled" | "LowBalanceDetected" | "VirtualAccountAlert" | (string & {});

/** An id that begins with evt_. */
export type EventId = Branded<string, "EventId">;

/** An open enumeration: new values may appear. */
export type EventOrder = "delivered_at" | (string & {});

/** An open enumeration: new values may appear. */
export type EventType = "Unknown" | "Org" | "MerchantContract" | "Customer" | "Payment" | "Plan" | "Subscription" | "Invoice" | "Transaction" | "OfframpTransaction" | "CryptoTransaction" | "Account" | (string & {});

/** A destination of payouts. Of a holder and a number only hints are ever shown. */
export interface ExternalAccount {
  /** The beginning of the holder's name. */
  account_holder_name_hint?: string;
  /** The end of the account's number. */
  account_number_hint?: string;
  /** The wallet's address. */
  address?: string;
  /** The bank. */
  bank_name?: string;
  /** Whom it belongs to. */
  beneficiary_type?: BeneficiaryType;
  /** The chain of the address. */
  chain_id?: ChainId;
  /** The bank's country. */
  country?: string;
  /** When it was made. */
  created_at: Timestamp;
  /** Supported currency symbols. */
  currencies: Currency[];
  /** Whether payouts may name it. */
  enabled: boolean;
  /** Unique id. */
  id: ExternalAccountId;
  /** For people. */
  name?: string;
  /** How a payout reaches the bank. */
  payment_rail?: PaymentRail;
  /** The merchant's own name for it. */
  reference?: string;
  /** What kind of money it takes. */
  type: ExternalAccountType;
}

/** An integer id. */
export type ExternalAccountId = Branded<number, "ExternalAccountId">;

/** An open enumeration: new values may appear. */
export type ExternalAccountType = "Digital" | "Fiat" | (string & {});

/** How the next calls fail. */
export interface Fault {
  /** Whether the work is done all the same. */
  after_commit: boolean;
  /** How many calls are still to fail. */
  calls: number;
  /** Only calls of this operation. */
  operation?: string;
  /** The reason they are refused with. */
  reason: string;
}

/** A record that was found. */
export interface Found {
  /** The account of a movement. */
  account_id?: AccountId;
  /** Its id. */
  id: string;
  /** What kind it is. */
  kind: FoundKind;
  /** For people, where it has a name or reference. */
  title?: string;
}

/** An open enumeration: new values may appear. */
export type FoundKind = "Account" | "Customer" | "Invoice" | "Movement" | "Order" | "Payment" | "Plan" | "Subscription" | (string & {});

/** An open enumeration: new values may appear. */
export type Frequency = "Hourly" | "Daily" | "Weekly" | "Monthly" | (string & {});

/** A pair that a venue trades. */
export interface Instrument {
  /** The currency that is priced. */
  base: Currency;
  /** Its chain, where it is traded on one alone. */
  base_chain?: ChainId;
  /** What a trade is expected to cost, in hundredths of a percent. */
  estimated_cost_bps: ExactNumber;
  /** How long a trade is expected to take, in milliseconds. */
  estimated_delay_ms: ExactNumber;
  /** Unique id. */
  id: InstrumentId;
  /** The latest price, of one `base` in `quote`. */
  last_price: ExactNumber;
  /** The largest trade, in `base`. */
  max_size: ExactNumber;
  /** The smallest trade, in `base`. */
  min_size: ExactNumber;
  /** The currency of the price. */
  quote: Currency;
  /** Its chain, where it is traded on one alone. */
  quote_chain?: ChainId;
  /** Between buying and selling, in hundredths of a percent. */
  spread_bps: ExactNumber;
  /** The venue. */
  venue_id: VenueId;
  /** The venue, for people. */
  venue_name: string;
}

/** An integer id. */
export type InstrumentId = Branded<number, "InstrumentId">;

/** An invitation, for whoever has its link. */
export interface Invitation {
  /** Who is invited. */
  email: string;
  /** When the invitation stops working. */
  expires_at: Timestamp;
  /** The name of whoever is a member already and only chooses another password. */
  name?: string;
  /** The name of the organisation. */
  org_name: string;
  /** What they will be able to do. */
  role: Role;
}

/** An invoice. */
export interface Invoice {
  /** What is owed, in `currency`. */
  amount: Amount;
  /** When it was made. */
  created_at: Timestamp;
  /** The currency of `amount`. */
  currency: Currency;
  /** Who owes it. */
  customer_id: CustomerId;
  /** When it must be paid. */
  due_at: Timestamp;
  /** What has been done about it being overdue. */
  dunning_status: DunningStatus;
  /** Unique id. */
  id: InvoiceId;
  /** When it is issued, or was. */
  issuing_at: Timestamp;
  /** The organisation it is owed to. */
  org_id: OrganisationId;
  /** Where its payment stands. */
  payment_status: InvoicePaymentStatus;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** Its number: `INV-` and its place among the organisation's invoices. */
  reference?: string;
  /** Where it came from. */
  source?: Source;
  /** Where it stands as a document. */
  status: InvoiceStatus;
  /** When it last changed. */
  updated_at: Timestamp;
}

/** An id that begins with inv_. */
export type InvoiceId = Branded<string, "InvoiceId">;

/** An open enumeration: new values may appear. */
export type InvoicePaymentStatus = "Unknown" | "Pending" | "Succeeded" | "Failed" | (string & {});

/** An open enumeration: new values may appear. */
export type InvoiceStatus = "Unknown" | "Draft" | "Finalized" | "Voided" | (string & {});

/** The check of the company. */
export interface Kyb {
  /** When it began. */
  createdAt?: string;
  /** What was fixed before. */
  fixedInfo?: KybInfo;
  /** What was given. */
  info?: KybInfo;
  /** The review. */
  review?: KybReview;
}

/** What is known of the company. */
export interface KybInfo {
  /** The company. */
  companyInfo?: NamedCompany;
}

/** The review of a company. */
export interface KybReview {
  /** How many attempts. */
  attemptCnt?: number;
  /** This attempt. */
  attemptId?: string;
  /** When it was made. */
  createDate?: string;
  /** Milliseconds since it became pending. */
  elapsedSincePendingMs?: number;
  /** Milliseconds since it was queued. */
  elapsedSinceQueuedMs?: number;
  /** How the level is checked. */
  levelAutoCheckMode?: Json;
  /** The level. */
  levelName?: string;
  /** Its priority. */
  priority?: number;
  /** Whether it runs again. */
  reprocessing?: boolean;
  /** When it ended. */
  reviewDate?: string;
  /** Its id. */
  reviewId?: string;
  /** What came of it. */
  reviewResult?: KybReviewResult;
  /** Where it stands, as a number. */
  reviewStatus?: number;
}

/** What came of a review. */
export interface KybReviewResult {
  /** The buttons pressed. */
  buttonIds?: string[];
  /** For the client. */
  clientComment?: string;
  /** For the moderator. */
  moderationComment?: string;
  /** Why it was refused. */
  rejectLabels?: string[];
  /** The answer. */
  reviewAnswer?: string;
  /** How final the refusal is. */
  reviewRejectType?: string;
}

/** The check of the owner. */
export interface Kyc {
  /** The applicant's id. */
  applicant_id?: string;
  /** A remark. */
  comment?: string;
  /** When it began. */
  created_at?: string;
  /** The answer. */
  review_answer?: string;
  /** Where it stands. */
  status?: string;
}

/** How the balance of an account is kept. */
export interface MaintainedBalance {
  /** The account. */
  account: AccountSummary;
  /** The currency of the balance and of both thresholds. */
  currency: Currency;
  /** Below this the account's owner is told. */
  minimum_threshold_amount: ExactNumber;
  /** Where the surplus is sent. */
  payout_account: AccountSummary;
  /** Above this the surplus over the minimum is paid out. */
  payout_threshold_amount: ExactNumber;
}

/** A member of an organisation: invited until `joined_at`, past since `removed_at`. */
export interface Member {
  /** When they were first invited. */
  created_at: Timestamp;
  /** E-mail address, in lower case. */
  email: string;
  /** Unique id. */
  id: UserId;
  /** When the invitation stops working, until it is accepted; a member has one who was invited again. */
  invitation_expires_at?: Timestamp;
  /** The link by which the invitation is accepted, in the answer to the invitation and never again. */
  invitation_url?: string;
  /** When they accepted the invitation. */
  joined_at?: Timestamp;
  /** When they last signed in. */
  last_signed_in_at?: Timestamp;
  /** For people; given when the invitation is accepted. */
  name?: string;
  /** When they were removed, if they were. */
  removed_at?: Timestamp;
  /** What they may do. */
  role: Role;
}

/** Who is paid. */
export interface Merchant {
  /** A picture. */
  logo_url?: string;
  /** The organisation's name. */
  name: string;
}

/** One entry of an account's ledger (contract, "Movement"). */
export interface Movement {
  /** The account it was booked against: the requested one or one of its sub-accounts. */
  account_id: AccountId;
  /** That account's reference, when it has one. */
  account_reference?: AccountReference;
  /** In `currency`. */
  amount: Amount;
  /** For a movement on a chain. */
  chain?: Chain;
  /** When it was confirmed from outside, once it was. */
  confirmed_at?: Timestamp;
  /** When it was recorded. */
  created_at: Timestamp;
  /** The currency of `amount`. */
  currency: Currency;
  /** Relative to the account. */
  direction: Direction;
  /** The causing object; absent for internal operations. */
  entity_id?: string;
  /** Charged on top of `amount`, when anything was. */
  fee?: Amount;
  /** The currency of `fee`. */
  fee_currency?: Currency;
  /** The counterparty's source address, inbound on a chain. */
  from_address?: string;
  /** Unique id. */
  id: MovementId;
  /** Where it stands. */
  status: MovementStatus;
  /** The counterparty's destination address, outbound on a chain. */
  to_address?: string;
  /** Once broadcast. */
  transaction_hash?: string;
  /** What caused it. */
  type: MovementType;
}

/** An integer id. */
export type MovementId = Branded<number, "MovementId">;

/** An open enumeration: new values may appear. */
export type MovementStatus = "Pending" | "Processing" | "Confirmed" | "Failed" | "Refunded" | "PartialRefunded" | (string & {});

/** An open enumeration: new values may appear. */
export type MovementType = "Deposit" | "Withdraw" | "Transfer" | "Swap" | "NetworkFee" | "ServiceFee" | "Adjustment" | (string & {});

/** A company by name. */
export interface NamedCompany {
  /** Its name. */
  companyName?: string;
}

/** An open enumeration: new values may appear. */
export type NextAction = "ChooseMethod" | "SendFunds" | "Wait" | "None" | (string & {});

/** An exact decimal. The service sends a JSON number; here it is text, so that no digit is lost. */
export type ExactNumber = Amount;

/** An id that begins with ord_. */
export type OrderId = Branded<string, "OrderId">;

/** An open enumeration: new values may appear. */
export type OrderReason = "AccountDeleted" | "AmountTooLarge" | "InsufficientFunds" | "VenueRefused" | (string & {});

/** An open enumeration: new values may appear. */
export type OrderStatus = "Open" | "Processing" | "Settled" | "Failed" | "Canceled" | (string & {});

/** A merchant organisation. */
export interface Organisation {
  /** When it was made. */
  created_at: Timestamp;
  /** Unique id. */
  id: OrganisationId;
  /** A picture. */
  logo_url?: string;
  /** For people. */
  name: string;
  /** Who owns it. */
  owner_user_id?: string;
  /** The partner that manages it, if any. */
  partner_id?: OrganisationId;
  /** Settings. */
  properties?: OrganisationProperties;
  /** Until when the signing secrets before the present one verify too, if there are any. */
  signing_secret_overlap_until?: Timestamp;
  /** When it last changed. */
  updated_at: Timestamp;
  /** Without a stated type. */
  v1?: Json;
  /** Until when the key before that one signs too, if there was one. */
  webhook_key_overlap_until?: Timestamp;
  /** Since when no webhooks are sent because the endpoint is gone; setting the address ends it. */
  webhook_paused_at?: Timestamp;
  /** SPKI PEM of the key that signs webhooks, once configured. */
  webhook_public_key?: string;
  /** Where webhooks go. */
  webhook_url?: string;
}

/** An id that begins with org_. */
export type OrganisationId = Branded<string, "OrganisationId">;

/** Settings of an organisation. */
export interface OrganisationProperties {
  /** The currency that the merchant reckons in, for their own reports: totals of the service are in US dollars. */
  currency?: Currency;
  /** Which e-mails are wanted, free-form: kept for whoever sends them, for the service sends none. */
  email_notification_options?: { [key: string]: Json };
  /** Who pays the fees, `merchant` or `payer`. */
  fee_payer?: string;
  /** Who is to get copies of e-mails: kept for whoever sends them, for the service sends none. */
  forwarded_email_recipients?: string[];
  /** Whether the organisation may act. */
  is_suspended?: boolean;
  /** What the company is. */
  kyb?: Kyb;
  /** Who the owner is. */
  kyc?: Kyc;
  /** Why not. */
  suspension_type?: string;
  /** The zone its people tell the time in, by its name in the IANA database: `Europe/Berlin`. */
  time_zone?: string;
  /** How much too little still counts as paid. */
  underpay_thresholds?: UnderpayThresholds;
}

/** The organisation at a glance. */
export interface Overview {
  /** The accounts that hold the most, at most ten, the fullest first; none while no price source is connected. */
  accounts: OverviewAccount[];
  /** One for each currency on each chain. */
  balances: OverviewBalance[];
  /** Events whose delivery failed for good. */
  deliveries_failed: number;
  /** Events that are to be delivered. */
  deliveries_pending: number;
  /** The account of the latest of them. */
  failed_account_id?: AccountId;
  /** Whether the organisation may not act. */
  is_suspended: boolean;
  /** What the check of the company came to, once there is one. */
  kyb_status?: string;
  /** Where the check of the owner stands, once there is one. */
  kyc_status?: string;
  /** Movements of the last 30 days that are Failed. */
  movements_failed: number;
  /** Movements that are Pending or Processing. */
  movements_pending: number;
  /** Paylinks that take payments. */
  paylinks_active: number;
  /** Payments that are Processing. */
  payments_processing: number;
  /** When the first of them expires. */
  quote_expires_at?: Timestamp;
  /** Firm quotes that can still be accepted. */
  quotes_open: number;
  /** Grows with every event: whoever holds an older one should look again. */
  revision: number;
  /** Why not. */
  suspension_type?: string;
  /** All of it in US dollars; absent while no price source is connected. */
  total_usd?: Amount;
  /** Confirmed volume of the last 30 days, oldest first. */
  volume: DayVolume[];
}

/** What an account holds. */
export interface OverviewAccount {
  /** The account. */
  account_id: AccountId;
  /** What is available there in US dollars. */
  amount_usd: Amount;
  /** Where it is. */
  chain?: Chain;
  /** Its name. */
  name?: string;
  /** Its reference. */
  reference?: AccountReference;
}

/** What the organisation holds in one currency on one chain. */
export interface OverviewBalance {
  /** `available` in US dollars. */
  amount_usd?: Amount;
  /** Posted less reserved. */
  available: Amount;
  /** The chain. */
  chain: Chain;
  /** The currency. */
  currency: Currency;
  /** What is booked. */
  posted: Amount;
  /** What is set aside for work under way. */
  reserved: Amount;
}

/** What a wallet signs to prove that an account's address is the merchant's own. */
export interface OwnershipChallenge {
  /** The account. */
  account_id: AccountId;
  /** The wallet's address. */
  address: string;
  /** The chain it is on. */
  chain_id: ChainId;
  /** Until when a signature of it is taken, once. */
  expires_at: Timestamp;
  /** The text to sign with `personal_sign` (EIP-191), exactly as it is. */
  message: string;
}

/** An address that takes payments for as long as its account does. */
export interface PayInAddress {
  /** The account that its payments are booked to. */
  account_id: AccountId;
  /** The wallet's address. */
  address: string;
  /** The chain it is on. */
  chain_id: ChainId;
  /** When it was made. */
  created_at: Timestamp;
  /** The currency symbols it takes. */
  currencies: Currency[];
  /** Whose payments it takes. */
  customer_id?: CustomerId;
  /** The merchant's own name for it. */
  reference?: string;
}

/** A payment link. */
export interface Paylink {
  /** What happens after a payment. */
  after_completion?: AfterCompletion;
  /** When it was made. */
  created_at: Timestamp;
  /** Who made it. */
  created_by?: string;
  /** Whether the payer is asked who they are. */
  customer_ident_collection: boolean;
  /** When it was deleted, if it was. */
  deleted_at?: Timestamp;
  /** Whether it takes payments. */
  enabled: boolean;
  /** Unique id. */
  id: PaylinkId;
  /** The invoice it collects, if any. */
  invoice_id?: InvoiceId;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** The plan it sells, where it is embedded. */
  plan?: Plan;
  /** The plan it sells. */
  plan_id: PlanId;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** Whether the payer is asked where to send goods. */
  shipping_address_collection: boolean;
  /** Where it came from. */
  source?: Source;
  /** The same with what its plan says, at the time of the answer. Records inside others come without. */
  state?: PaylinkState;
  /** Whether the payer is asked for a tax number. */
  tax_ident_collection: boolean;
  /** When it last changed. */
  updated_at: Timestamp;
  /** Who changed it last. */
  updated_by?: string;
  /** The payer's page. */
  url: string;
}

/** An id that begins with pl_. */
export type PaylinkId = Branded<string, "PaylinkId">;

/** The keys of a paylink's metadata that have a meaning. */
export interface PaylinkMetadata {
  /** What happens after a payment. */
  after_completion?: AfterCompletion;
  /** What the payer is asked for. */
  customer_fields?: string[];
  /** Whether a payer may pay twice without being asked. */
  omit_possible_duplicate_acknowledgement?: boolean;
  /** How a payer may pay. */
  payment_method_types?: string[];
  /** Whether the payer chooses the amount. */
  variable_mode_only?: boolean;
}

/** What a payer reads about what is sold. */
export interface PaylinkPlanUpdate {
  /** For the payer. */
  description?: string;
  /** A picture for the payer. */
  image_url?: string;
  /** What is sold. */
  name?: string;
}

/** An open enumeration: new values may appear. */
export type PaylinkState = "Open" | "Disabled" | "Expired" | "SoldOut" | "Paid" | "Deleted" | (string & {});

/** What is to change about one paylink; absent fields stay as they are. */
export interface PaylinkUpdate {
  /** What happens after a payment. */
  after_completion?: AfterCompletion;
  /** Whether it takes payments. */
  enabled?: boolean;
  /** The paylink. */
  id: PaylinkId;
  /** What its metadata says from now on; other keys stay. */
  metadata?: PaylinkMetadata;
  /** What the payer reads about what is sold. */
  plan?: PaylinkPlanUpdate;
}

/** A payment. */
export interface Payment {
  /** What is due, in `currency`. */
  amount: Amount;
  /** What is due in US dollars at the rate of its creation. */
  amount_usd?: Amount;
  /** Free-form. */
  cf_headers?: { [key: string]: Json };
  /** The chain it is sent on. */
  chain_id?: ChainId;
  /** When it was made. */
  created_at: Timestamp;
  /** The transaction that paid it. */
  crypto_transaction?: TransactionSummary;
  /** Every transaction seen for it. */
  crypto_transactions?: CryptoTransaction[];
  /** The currency the payer sends. */
  currency: Currency;
  /** Who pays. */
  customer?: Customer;
  /** Who pays. */
  customer_id?: CustomerId;
  /** The address to pay to. */
  deposit_address?: string;
  /** Until when the price holds. */
  expires_at?: Timestamp;
  /** Where the money comes from, when it is one of ours. */
  from_account?: AccountSummary;
  /** Unique id. */
  id: PaymentId;
  /** The invoice it pays, if any. */
  invoice_id?: InvoiceId;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** What the payer has to do. */
  next_action?: NextAction;
  /** The organisation that is paid. */
  org_id: OrganisationId;
  /** What has arrived and is confirmed or on its way. */
  paid_amount: Amount;
  /** The payment it belongs to, if any. */
  parent_id?: PaymentId;
  /** The link it was made from. */
  payment_link?: Paylink;
  /** How it is made. */
  payment_method: PaymentMethod;
  /** How it is paid out. */
  payout_splits?: PayoutSplit[];
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** What is out of the ordinary. */
  reason?: PaymentReason;
  /** The merchant's own name for it. */
  reference?: string;
  /** What of it has been sent back. */
  refunded_amount?: Amount;
  /** When it is to run, Unix seconds. */
  scheduled_time?: number;
  /** The payer's address, once seen. */
  sender_address?: string;
  /** The transaction that settled it. */
  settlement_transaction?: TransactionSummary;
  /** Where it came from. */
  source?: Source;
  /** Where it stands. */
  status: PaymentStatus;
  /** Each change of status with its time. */
  timeline?: TimelineEntry[];
  /** Where the money goes. */
  to_account?: AccountSummary;
  /** When it last changed. */
  updated_at: Timestamp;
}

/** An id that begins with pay_. */
export type PaymentId = Branded<string, "PaymentId">;

/** An open enumeration: new values may appear. */
export type PaymentMethod = "ProxyWallet" | "Direct" | "Payout" | (string & {});

/** An open enumeration: new values may appear. */
export type PaymentRail = "SEPA" | "SWIFT" | "ACH" | "FPS" | (string & {});

/** An open enumeration: new values may appear. */
export type PaymentReason = "Underpaid" | "Overpaid" | "PaidLate" | (string & {});

/** An open enumeration: new values may appear. */
export type PaymentStatus = "Pending" | "Processing" | "Confirmed" | "Failed" | "Expired" | "Canceled" | "Refunded" | "PartialRefunded" | (string & {});

/** What a payout would take. */
export interface PayoutEstimate {
  /** How much arrives. */
  amount: Amount;
  /** What the account holds of `currency` and may send. */
  available: Amount;
  /** Whether the account covers amount and fees. */
  covered: boolean;
  /** The currency of `amount`. */
  currency: Currency;
  /** What the network takes. */
  fee: Amount;
  /** The currency of `fee`. */
  fee_currency: Currency;
  /** What the service takes, in `currency`: the account's payout percentage, rounded down. */
  service_fee: Amount;
}

/** A share of a payout. */
export interface PayoutSplit {
  /** The receiving address. */
  address?: string;
  /** The share. */
  amount: Amount;
  /** The chain it is sent on. */
  chain_id?: ChainId;
  /** The currency of the share. */
  currency: Currency;
  /** The receiving account. */
  destination_account_id?: AccountId;
  /** The merchant's own name for it. */
  reference?: string;
}

/** A billing plan. */
export interface Plan {
  /** How many may still be sold; absent when unlimited. */
  available_quantity?: number;
  /** How it is charged. */
  billing_scheme: BillingScheme;
  /** When it was made. */
  created_at: Timestamp;
  /** Who made it. */
  created_by?: string;
  /** The currency of `price`. */
  currency: Currency;
  /** When it was deleted, if it was. */
  deleted_at?: Timestamp;
  /** For people. */
  description?: string;
  /** Whether it can be bought. */
  enabled: boolean;
  /** When it stops being sold. */
  expires_at?: Timestamp;
  /** How many more unpaid checkouts hold; absent when unlimited. */
  held_quantity?: number;
  /** Unique id. */
  id: PlanId;
  /** A picture. */
  image_url?: string;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** For people. */
  name: string;
  /** The organisation it belongs to. */
  org_id: OrganisationId;
  /** Its paylink, without the plan inside. */
  payment_link?: Paylink;
  /** What it costs. */
  price: Amount;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** The length of a period. */
  recurring_interval: RecurringInterval;
  /** How many intervals a period has. */
  recurring_interval_count?: number;
  /** How usage is counted. */
  recurring_usage_type: RecurringUsageType;
  /** The merchant's own name for it. */
  reference?: string;
  /** Where it came from. */
  source?: Source;
  /** How long the first period is free. */
  trial_period?: string;
  /** What kind of plan it is. */
  type: PlanType;
  /** When it last changed. */
  updated_at: Timestamp;
}

/** An id that begins with plan_. */
export type PlanId = Branded<string, "PlanId">;

/** An open enumeration: new values may appear. */
export type PlanType = "Unknown" | "OneTime" | "Recurring" | (string & {});

/** A QR code as an SVG path in a box of `size` by `size`. */
export interface QrCode {
  /** The dark modules as an SVG path. */
  path: string;
  /** Modules on a side, the quiet zone included. */
  size: number;
}

/** What came of a quick trade; of a dry run, what would have come of it. */
export interface QuickTrade {
  /** The account that funds it. */
  account_id?: AccountId;
  /** When it was made. */
  created_at: Timestamp;
  /** How what is sold is handed over. */
  deposit_instruction?: { [key: string]: Json };
  /** How much is bought for one of what is sold. */
  effective_rate: Amount;
  /** Each fee by its name. */
  fees?: { [key: string]: Json };
  /** How much of it. */
  from_amount: Amount;
  /** On which chain. */
  from_chain_id?: ChainId;
  /** What is sold. */
  from_currency: Currency;
  /** The order; absent from a dry run. */
  order_id?: OrderId;
  /** The quote that was accepted; absent from a dry run. */
  quote_id?: QuoteId;
  /** Why it failed or was canceled. */
  reason?: OrderReason;
  /** The merchant's own name for it. */
  reference?: string;
  /** How what is bought is handed over. */
  settlement_instruction?: { [key: string]: Json };
  /** Which way it goes. */
  side: TradeSide;
  /** Where it stands. */
  status: OrderStatus;
  /** How much of it. */
  to_amount: Amount;
  /** On which chain. */
  to_chain_id?: ChainId;
  /** What is bought. */
  to_currency: Currency;
}

/** A quote. */
export interface Quote {
  /** When it was accepted, if it was. */
  accepted_at?: Timestamp;
  /** The account that funds the trade. */
  account_id?: AccountId;
  /** What is bought. */
  buy_asset: QuoteAsset;
  /** When it was made. */
  created_at: Timestamp;
  /** How what is sold is handed over. */
  deposit_instruction?: DepositInstruction;
  /** Until when it may be accepted. */
  expires_at?: Timestamp;
  /** What it costs besides the rate. */
  fees?: QuoteFees;
  /** Unique id. */
  id: QuoteId;
  /** Free-form. */
  internal?: { [key: string]: Json };
  /** Which side is exact. */
  mode: QuoteMode;
  /** The organisation that asked. */
  org_id: OrganisationId;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** The rate. */
  rate?: QuoteRate;
  /** When it was rejected, if it was. */
  rejected_at?: Timestamp;
  /** What is sold; several in a basket. */
  sell_assets: QuoteAsset[];
  /** How what is bought is handed over. */
  settlement_instruction?: SettlementInstruction;
  /** Where it came from. */
  source?: string;
  /** Where it stands. */
  status: QuoteStatus;
  /** Until when what was accepted must be funded. */
  ttl_at?: Timestamp;
  /** Who priced it. */
  type: QuoteType;
  /** When it last changed. */
  updated_at: Timestamp;
}

/** One side of a quote. */
export interface QuoteAsset {
  /** How much. */
  amount: ExactNumber;
  /** The chain. */
  chain_id?: ChainId;
  /** The currency. */
  symbol: Currency;
  /** The token's contract; absent for the native asset. */
  token_address?: string;
}

/** What a quote costs besides the rate. */
export interface QuoteFees {
  /** Each fee by its name. */
  breakdown?: { [key: string]: Json };
  /** The currency of the fees. */
  fee_currency?: Currency;
  /** All fees together. */
  total_fee: ExactNumber;
}

/** An id that begins with quo_. */
export type QuoteId = Branded<string, "QuoteId">;

/** An open enumeration: new values may appear. */
export type QuoteMode = "SellExact" | "BuyExact" | (string & {});

/** The rate of a quote. */
export interface QuoteRate {
  /** Canadian dollars for one of what is bought. */
  buy_currency_cad_rate?: ExactNumber;
  /** The worth of the trade in Canadian dollars. */
  cad_value?: ExactNumber;
  /** How much is bought for one of what is sold. */
  effective_rate: ExactNumber;
  /** Canadian dollars for one of each that is sold. */
  sell_currency_cad_rates?: { [key: string]: Json };
  /** The worth of the trade in US dollars. */
  usd_value?: ExactNumber;
}

/** An open enumeration: new values may appear. */
export type QuoteStatus = "Created" | "Accepted" | "Rejected" | "Expired" | (string & {});

/** An open enumeration: new values may appear. */
export type QuoteType = "Automatic" | "Manual" | (string & {});

/** An open enumeration: new values may appear. */
export type RecurringInterval = "Unknown" | "Day" | "Week" | "Month" | "Year" | (string & {});

/** An open enumeration: new values may appear. */
export type RecurringUsageType = "Unknown" | "Licensed" | "Metered" | (string & {});

/** A replay under way. */
export interface Replay {
  /** When it was begun. */
  created_at: Timestamp;
  /** Unique id. */
  id: ReplayId;
  /** Of these, how many are queued. */
  queued: number;
  /** Where it stands. */
  status: ReplayStatus;
  /** Events that are to be delivered again. */
  total: number;
  /** When it last went on. */
  updated_at: Timestamp;
}

/** How many events a replay would deliver again. */
export interface ReplayCount {
  /** Events. */
  count: number;
}

/** An id that begins with rpl_. */
export type ReplayId = Branded<string, "ReplayId">;

/** An open enumeration: new values may appear. */
export type ReplayStatus = "Running" | "Done" | "Canceled" | (string & {});

/** An open enumeration: new values may appear. */
export type Role = "owner" | "operator" | "viewer" | (string & {});

/** An integer id. */
export type RuleId = Branded<number, "RuleId">;

/** A session of the dashboard; its token is in the cookie and nowhere else. */
export interface Session {
  /** Whether a chain is connected: without one nothing is received or sent. */
  chains_connected: boolean;
  /** To be sent as `X-CSRF-Token` with everything but GET. */
  csrf_token: string;
  /** When the session ends. */
  expires_at: Timestamp;
  /** The organisation in view. */
  org_id: OrganisationId;
  /** Its name. */
  org_name: string;
  /** Whether money here is play money. */
  sandbox: boolean;
  /** Who signed in. */
  user: User;
  /** Whether a trading venue is connected. */
  venues_connected: boolean;
}

/** How what is bought is handed over. */
export interface SettlementInstruction {
  /** The account it goes to. */
  account_id?: AccountId;
  /** The address it goes to. */
  address?: string;
  /** The chain it goes to. */
  chain_id?: ChainId;
  /** In which way. */
  type: SettlementType;
}

/** An open enumeration: new values may appear. */
export type SettlementType = "Manual" | "Automatic" | (string & {});

/** The organisation with its request-signing secret, and without its settings. */
export interface SigningSecret {
  /** When it was made. */
  created_at: Timestamp;
  /** Unique id. */
  id: OrganisationId;
  /** A picture. */
  logo_url?: string;
  /** For people. */
  name: string;
  /** Who owns it. */
  owner_user_id?: string;
  /** The partner that manages it, if any. */
  partner_id?: OrganisationId;
  /** The secret that signs requests (HMAC-SHA256). */
  signing_secret: string;
  /** Until when the secrets before it verify too, if there are any. */
  signing_secret_overlap_until?: Timestamp;
  /** When it last changed. */
  updated_at: Timestamp;
  /** SPKI PEM of the key that signs webhooks. */
  webhook_public_key?: string;
  /** Where webhooks go. */
  webhook_url?: string;
}

/** An open enumeration: new values may appear. */
export type Source = "Api" | "Dashboard" | "Checkout" | "Subscription" | "Automation" | (string & {});

/** A fresh proof of identity. */
export interface StepUp {
  /** When it stops working. */
  expires_at: Timestamp;
  /** To be sent as `X-Step-Up`. */
  token: string;
}

/** An organisation that a partner manages. */
export interface SubMerchant {
  /** When it was made. */
  created_at: Timestamp;
  /** Its id, for `X-ORG-ID`. */
  id: OrganisationId;
  /** For people. */
  name: string;
  /** Whether it is suspended: it reads everything, and sells, trades and sends nothing. */
  suspended: boolean;
}

/** A subscription. */
export interface Subscription {
  /** Whether it ends with the period that runs. */
  cancel_at_period_end: boolean;
  /** When it was made. */
  created_at: Timestamp;
  /** The currency it is billed in. */
  currency: Currency;
  /** Who subscribed. */
  customer?: Customer;
  /** Who subscribed. */
  customer_id: CustomerId;
  /** Unique id. */
  id: SubscriptionId;
  /** Whether an invoice is past its due date. */
  is_overdue: boolean;
  /** What is bought. */
  items: SubscriptionItem[];
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** The organisation it belongs to. */
  org_id: OrganisationId;
  /** How it is paid. */
  payment_method: SubscriptionPaymentMethod;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** The merchant's own name for it. */
  reference?: string;
  /** Where it came from. */
  source?: Source;
  /** When it begins, or began. */
  start_at: Timestamp;
  /** Where it stands. */
  status: SubscriptionStatus;
  /** When it last changed. */
  updated_at: Timestamp;
  /** Without a stated type. */
  v1?: Json;
}

/** An id that begins with sub_. */
export type SubscriptionId = Branded<string, "SubscriptionId">;

/** One plan of a subscription. */
export interface SubscriptionItem {
  /** When it was made. */
  created_at: Timestamp;
  /** Unique id. */
  id: SubscriptionItemId;
  /** What is bought. */
  plan?: Plan;
  /** What is bought. */
  plan_id: PlanId;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** The subscription it belongs to. */
  subscription_id: SubscriptionId;
  /** When it last changed. */
  updated_at: Timestamp;
  /** Without a stated type. */
  v1?: Json;
}

/** An id that begins with si_. */
export type SubscriptionItemId = Branded<string, "SubscriptionItemId">;

/** An open enumeration: new values may appear. */
export type SubscriptionPaymentMethod = "Unknown" | "Invoice" | (string & {});

/** An open enumeration: new values may appear. */
export type SubscriptionStatus = "Unknown" | "Pending" | "Future" | "InTrial" | "Active" | "Paused" | "Expired" | "Canceled" | (string & {});

/** One change of a payment's status. */
export interface TimelineEntry {
  /** When. */
  at: Timestamp;
  /** The status reached. */
  status: PaymentStatus;
}

/** A timestamp, RFC 3339. */
export type Timestamp = string;

/** A currency on a chain that something can be exchanged into. */
export interface TradableAsset {
  /** The chain. */
  chain_id: ChainId;
  /** The currency. */
  currency: Currency;
}

/** What can be traded, and how it can be handed over. The contract does not show its shape. */
export interface TradeCurrencies {
  /** Every currency that can be traded. */
  currencies: TradeCurrency[];
  /** How what is sold can be handed over. */
  payment_methods: DepositMethod[];
}

/** A currency that can be traded. */
export interface TradeCurrency {
  /** The chains it can be traded on. */
  chain_ids: ChainId[];
  /** Decimal places. */
  scale: number;
  /** The currency. */
  symbol: Currency;
}

/** An open enumeration: new values may appear. */
export type TradeSide = "Buy" | "Sell" | (string & {});

/** An open enumeration: new values may appear. */
export type TransactionSource = "Unknown" | "Observed" | "Simulated" | (string & {});

/** An open enumeration: new values may appear. */
export type TransactionStatus = "Pending" | "Success" | "Failed" | (string & {});

/** A transaction as embedded in a payment. */
export interface TransactionSummary {
  /** The chain. */
  chain_id: ChainId;
  /** When it was first seen. */
  created_at: Timestamp;
  /** The payment it belongs to. */
  payment_id: PaymentId;
  /** Where it stands. */
  status: TransactionStatus;
  /** Its hash. */
  transaction_hash: string;
  /** What it is for. */
  type: TransactionType;
  /** When it last changed. */
  updated_at: Timestamp;
}

/** An open enumeration: new values may appear. */
export type TransactionType = "Unknown" | "Payment" | "Settlement" | "Payout" | (string & {});

/** A token transfer inside a transaction. */
export interface TransferLog {
  /** The token's contract. */
  address: string;
  /** Who received. */
  recipient: string;
  /** Who sent. */
  sender: string;
  /** How much, in the token's smallest unit. */
  value: string;
}

/** How much too little still counts as paid. */
export interface UnderpayThresholds {
  /** In `underpay_tolerance_currency`. */
  underpay_tolerance_amount?: ExactNumber;
  /** The currency of the amount. */
  underpay_tolerance_currency?: Currency;
  /** In US dollars. */
  underpay_tolerance_usd?: ExactNumber;
}

/** A person who signs in. */
export interface User {
  /** E-mail address. */
  email: string;
  /** Unique id. */
  id: UserId;
  /** For people. */
  name: string;
  /** What they may do. */
  role: Role;
}

/** An id that begins with usr_. */
export type UserId = Branded<string, "UserId">;

/** An integer id. */
export type VenueId = Branded<number, "VenueId">;

/** A chain of a virtual account, with what it takes there. */
export interface VirtualChain {
  /** The chain. */
  chain_id: ChainId;
  /** The currency symbols it takes on the chain. */
  currencies: Currency[];
}

/** An open enumeration: new values may appear. */
export type VisitType = "first-time" | "repeat" | (string & {});

/** A wallet's address with its checksum. */
export type WalletAddress = string;

/** What `accounts.create` takes. */
export interface CreateAccountArguments {
  /** The self-custody wallet's address; needed when the account is not managed. */
  address?: WalletAddress;
  /** The chain it lives on. */
  chain_id: ChainId;
  /** The currency symbols it supports. */
  currencies: Currency[];
  /** Whether the service keeps the wallet's keys; without an address it does. */
  managed_account?: boolean;
  /** For people. */
  name?: string;
  /** The parent settlement account, by id or reference. */
  parent_account_id?: AccountKey;
  /** The merchant's own name for it. */
  reference?: AccountReference;
  /** Only `CryptoPayIn`. */
  type?: AccountType;
}

/** What `accounts.createOwnershipChallenge` takes. */
export interface CreateOwnershipChallengeArguments {
  /** In the path. */
  account: AccountKey;
}

/** What `accounts.createPayInAddress` takes. */
export interface CreatePayInAddressArguments {
  /** In the path. */
  account: AccountKey;
  /** The chain it is on. */
  chain_id: ChainId;
  /** Whose payments it takes. */
  customer_id?: CustomerId;
  /** The merchant's own name for it. */
  reference?: string;
}

/** What `accounts.createVirtualAccount` takes. */
export interface CreateVirtualAccountArguments {
  /** The chains it lives on. */
  chains: VirtualChain[];
  /** How deposits are shared out; what is left over stays. */
  deposit_splits?: DepositSplit[];
  /** For people. */
  name?: string;
  /** The merchant's own name for it; every chain's account bears it. */
  reference: AccountReference;
}

/** What `accounts.delete` takes. */
export interface DeleteAccountArguments {
  /** In the path. */
  account: AccountKey;
}

/** What `accounts.get` takes. */
export interface GetAccountArguments {
  /** In the path. */
  account: AccountKey;
}

/** What `accounts.getMovement` takes. */
export interface GetMovementArguments {
  /** In the path. */
  movement_id: MovementId;
}

/** What `accounts.list` takes. */
export interface ListAccountsArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `accounts.listAllMovements` takes. */
export interface ListAllMovementsArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
  /** Only movements with one of these statuses, separated by commas. */
  status?: MovementStatus[];
}

/** What `accounts.listBalances` takes. */
export interface ListBalancesArguments {
  /** In the path. */
  account: AccountKey;
}

/** What `accounts.listMovements` takes. */
export interface ListMovementsArguments {
  /** In the path. */
  account: AccountKey;
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `accounts.listPayInAddresses` takes. */
export interface ListPayInAddressesArguments {
  /** In the path. */
  account: AccountKey;
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `accounts.proveOwnership` takes. */
export interface ProveOwnershipArguments {
  /** In the path. */
  account: AccountKey;
  /** The signature that `personal_sign` (EIP-191) gave: `0x` and 65 bytes in hex. */
  signature: string;
}

/** What `accounts.updateVirtualAccount` takes. */
export interface UpdateVirtualAccountArguments {
  /** Chains to add or enable, with their currencies. */
  chains?: VirtualChain[];
  /** How deposits are shared out from now on; an empty list ends it. */
  deposit_splits?: DepositSplit[];
  /** Chains to disable. */
  disable_chains?: ChainId[];
  /** Which virtual account; the organisation's primary one when absent. */
  reference?: AccountReference;
}

/** What `apiKeys.create` takes. */
export interface CreateApiKeyArguments {
  /** When it stops working; never when absent. */
  expires_at?: Timestamp;
  /** For people. */
  name: string;
  /** What it may do, no more than its maker: `read`, `write`, `payout`, `manage`; `read` and `write` when absent. */
  scopes?: string[];
}

/** What `apiKeys.list` takes. */
export interface ListApiKeysArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `apiKeys.revoke` takes. */
export interface RevokeApiKeyArguments {
  /** In the path. */
  key_id: ApiKeyId;
}

/** What `automations.delete` takes. */
export interface DeleteAutomationArguments {
  /** In the path. */
  automation_id: AutomationId;
}

/** What `automations.list` takes. */
export interface ListAutomationsArguments {
  /** In the path. */
  account_ref: AccountKey;
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `automations.maintainBalance` takes. */
export interface MaintainBalanceArguments {
  /** In the path. */
  account: AccountKey;
  /** The currency of the balance and of both thresholds. */
  currency: Currency;
  /** Below this the account's owner is told; with 0 the automation is a sweep. */
  minimum_threshold_amount: ExactNumber;
  /** Where what lies above the other threshold is sent. */
  payout_address: WalletAddress;
  /** Above this the surplus over the minimum is paid out. */
  payout_threshold_amount: ExactNumber;
}

/** What `automations.update` takes. */
export interface UpdateAutomationArguments {
  /** In the path. */
  automation_id: AutomationId;
  /** The threshold of its condition: of a sweep the payout threshold, else the minimum. */
  amount?: Amount;
  /** Whether it runs. */
  enabled?: boolean;
  /** When it looks. */
  schedule?: AutomationSchedule;
}

/** What `checkout.get` takes. */
export interface GetCheckoutArguments {
  /** In the path. */
  paylink_id: PaylinkId;
}

/** What `checkout.getPayment` takes. */
export interface GetCheckoutPaymentArguments {
  /** In the path. */
  payment_id: PaymentId;
}

/** What `checkout.payFromTestWallet` takes. */
export interface PayFromTestWalletArguments {
  /** In the path. */
  payment_id: PaymentId;
  /** What is still due when absent. */
  amount?: Amount;
}

/** What `checkout.start` takes. */
export interface StartCheckoutArguments {
  /** In the path. */
  paylink_id: PaylinkId;
  /** The chain. */
  chain_id: ChainId;
  /** The currency. */
  currency: Currency;
  /** The merchant's own name for the payer. */
  customer_ident?: string;
  /** The payer's e-mail address. */
  email?: string;
  /** The payer's name. */
  name?: string;
  /** Where to send goods. */
  shipping_address?: string;
  /** The payer's tax number. */
  tax_ident?: string;
}

/** What `customers.get` takes. */
export interface GetCustomerArguments {
  /** In the path. */
  customer_id: CustomerId;
}

/** What `customers.list` takes. */
export interface ListCustomersArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
  /** Part of a name, e-mail or reference, ignoring case and accents. */
  search?: string;
  /** First-time or repeat customers only. */
  visit_type?: VisitType;
}

/** What `customers.update` takes. */
export interface UpdateCustomerArguments {
  /** In the path. */
  customer_id: CustomerId;
  /** The merchant's own name for them. */
  customer_ident?: string;
  /** Kept in the customer's properties. */
  discord?: string;
  /** E-mail address. */
  email?: string;
  /** For people. */
  name?: string;
  /** Phone number, E.164 preferred. */
  number?: string;
  /** Kept in the customer's properties. */
  twitter?: string;
  /** Their wallet. */
  wallet_address?: string;
}

/** What `events.cancelReplay` takes. */
export interface CancelReplayArguments {
  /** In the path. */
  replay_id: ReplayId;
}

/** What `events.countReplay` takes. */
export interface CountReplayArguments {
  /** Only events of this action. */
  action?: EventAction;
  /** Only events whose latest delivery had this outcome; failed ones when absent. */
  delivery_status?: DeliveryStatus;
  /** Only what happened at this time or later. */
  since?: Timestamp | Date;
  /** Only events of this type. */
  type?: EventType;
  /** Only what happened at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `events.createReplay` takes. */
export interface CreateReplayArguments {
  /** Only events of this action. */
  action?: EventAction;
  /** Only events whose latest delivery had this outcome; failed ones when absent. */
  delivery_status?: DeliveryStatus;
  /** Only what happened at this time or later. */
  since?: Timestamp;
  /** Only events of this type. */
  type?: EventType;
  /** Only what happened at this time or earlier; now when absent. */
  until?: Timestamp;
}

/** What `events.get` takes. */
export interface GetEventArguments {
  /** In the path. */
  event_id: EventId;
}

/** What `events.getReplay` takes. */
export interface GetReplayArguments {
  /** In the path. */
  replay_id: ReplayId;
}

/** What `events.listAttempts` takes. */
export interface ListAttemptsArguments {
  /** In the path. */
  event_id: EventId;
}

/** What `events.list` takes. */
export interface ListEventsArguments {
  /** Only events of this action. */
  action?: EventAction;
  /** Only events whose latest delivery had this outcome. */
  delivery_status?: DeliveryStatus;
  /** Only events about the record with this id, whatever it is; those of a payment with those of its movements and transactions. */
  document_id?: string;
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
  /** Order by delivery time instead. */
  order_by?: EventOrder;
  /** Only events of this type. */
  type?: EventType;
}

/** What `events.retry` takes. */
export interface RetryEventArguments {
  /** In the path. */
  event_id: EventId;
}

/** What `externalAccounts.create` takes. */
export interface CreateExternalAccountArguments {
  /** The holder's whole name; only a hint of it is ever shown. */
  account_holder_name?: string;
  /** The account's whole number; only a hint of it is ever shown. */
  account_number?: string;
  /** The wallet's address; for digital money. */
  address?: WalletAddress;
  /** The bank. */
  bank_name?: string;
  /** Whom it belongs to. */
  beneficiary_type?: BeneficiaryType;
  /** The chain of the address; for digital money. */
  chain_id?: ChainId;
  /** The bank's country, ISO 3166 alpha-2. */
  country?: string;
  /** The currency symbols it takes. */
  currencies: Currency[];
  /** For people. */
  name?: string;
  /** How a payout reaches the bank; for money at a bank. */
  payment_rail?: PaymentRail;
  /** The merchant's own name for it. */
  reference?: string;
  /** What kind of money it takes. */
  type: ExternalAccountType;
}

/** What `externalAccounts.delete` takes. */
export interface DeleteExternalAccountArguments {
  /** In the path. */
  external_account_id: ExternalAccountId;
}

/** What `externalAccounts.get` takes. */
export interface GetExternalAccountArguments {
  /** In the path. */
  external_account_id: ExternalAccountId;
}

/** What `externalAccounts.list` takes. */
export interface ListExternalAccountsArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `find.records` takes. */
export interface FindRecordsArguments {
  /** A reference, an address or a transaction's hash, whole. */
  text?: string;
}

/** What `invoices.create` takes. */
export interface CreateInvoiceArguments {
  /** In the path. */
  subscription_id: SubscriptionId;
  /** When it must be paid. There is one invoice for each due date; at the end of the period that runs when absent. */
  due_date?: Timestamp;
  /** Free-form. */
  properties?: { [key: string]: Json };
  /** For people. */
  title?: string;
}

/** What `invoices.get` takes. */
export interface GetInvoiceArguments {
  /** In the path. */
  invoice_id: InvoiceId;
}

/** What `invoices.list` takes. */
export interface ListInvoicesArguments {
  /** Only those of this customer. */
  customer_id?: CustomerId;
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
  /** Only those whose payment stands here. */
  payment_status?: InvoicePaymentStatus;
}

/** What `members.acceptInvitation` takes. */
export interface AcceptInvitationArguments {
  /** For people; whoever is a member already stays what they are called. */
  name: string;
  /** The password to sign in with from now on, twelve characters or more. */
  password: string;
  /** What follows `#` in the invitation's link. */
  token: string;
}

/** What `members.invite` takes. */
export interface InviteMemberArguments {
  /** E-mail address. */
  email: string;
  /** What they may do. */
  role: Role;
}

/** What `members.inviteAgain` takes. */
export interface InviteMemberAgainArguments {
  /** In the path. */
  user_id: UserId;
}

/** What `members.list` takes. */
export interface ListMembersArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `members.openInvitation` takes. */
export interface OpenInvitationArguments {
  /** What follows `#` in the invitation's link. */
  token: string;
}

/** What `members.remove` takes. */
export interface RemoveMemberArguments {
  /** In the path. */
  user_id: UserId;
}

/** What `members.update` takes. */
export interface UpdateMemberArguments {
  /** In the path. */
  user_id: UserId;
  /** What they may do from now on. */
  role: Role;
}

/** What `organisation.rotateSigningSecret` takes. */
export interface RotateSigningSecretArguments {
  /** Whether the secrets before the new one stop verifying at once, because one has leaked; otherwise they verify for 24 hours. */
  revoke_old?: boolean;
}

/** What `organisation.rotateWebhookKey` takes. */
export interface RotateWebhookKeyArguments {
  /** Whether the keys before the new one stop signing at once, because one has leaked; otherwise they sign for 24 hours. */
  revoke_old?: boolean;
}

/** What `organisation.update` takes. */
export interface UpdateOrganisationArguments {
  /** The currency that the merchant reckons in; one that the service has a rate for. */
  currency?: Currency;
  /** Which e-mails are wanted, free-form: kept for whoever sends them, for the service sends none. */
  email_notification_options?: { [key: string]: Json };
  /** Who pays what the service takes of a payment, `merchant` or `payer`: with `payer` the prices on the payer's page are
   * raised by it. */
  fee_payer?: string;
  /** Who is to get copies of e-mails: kept for whoever sends them, for the service sends none. */
  forwarded_email_recipients?: string[];
  /** A picture. */
  logo_url?: string;
  /** For people. */
  name?: string;
  /** The zone its people tell the time in, by its name in the IANA database: `Europe/Berlin`. */
  time_zone?: string;
  /** How much too little still counts as paid. */
  underpay_thresholds?: UnderpayThresholds;
  /** Where webhooks go: HTTPS. Plain HTTP is for development only and needs the server's permission. */
  webhook_url?: string;
}

/** What `partner.getAccount` takes. */
export interface GetPartnerAccountArguments {
  /** In the path. */
  account_ref: AccountKey;
}

/** What `partner.listBalances` takes. */
export interface ListPartnerBalancesArguments {
  /** In the path. */
  account_ref: AccountKey;
}

/** What `partner.listSubMerchants` takes. */
export interface ListSubMerchantsArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `paylinks.create` takes. */
export interface CreatePaylinkArguments {
  /** The accounts that may receive the payment; every account that supports it when absent. */
  account_ids?: AccountId[];
  /** The accounts that may receive the payment, by reference. */
  account_ref?: AccountReference;
  /** What happens after a payment. */
  after_completion?: AfterCompletion;
  /** The price. */
  amount: Amount;
  /** How many may be sold; unlimited when absent. */
  available_quantity?: number;
  /** The currency of the price. */
  currency: Currency;
  /** For the payer. */
  description?: string;
  /** When it stops taking payments. */
  expires_at?: Timestamp;
  /** A picture for the payer. */
  image_url?: string;
  /** The length of a billing period, for a recurring plan. */
  interval?: RecurringInterval;
  /** How many intervals a billing period has. */
  intervalCount?: number;
  /** Free-form; `customer_ident_collection`, `shipping_address_collection` and `tax_ident_collection` set to true ask the payer. */
  metadata?: { [key: string]: Json };
  /** What is sold. */
  name: string;
  /** The merchant's own name for it. */
  reference?: string;
  /** How long the first period is free, ISO 8601 (`P14D`). */
  trial_period?: string;
  /** One-time or recurring. */
  type?: PlanType;
}

/** What `paylinks.delete` takes. */
export interface DeletePaylinkArguments {
  /** In the path. */
  paylink_id: PaylinkId;
}

/** What `paylinks.get` takes. */
export interface GetPaylinkArguments {
  /** In the path. */
  paylink_id: PaylinkId;
}

/** What `paylinks.list` takes. */
export interface ListPaylinksArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `paylinks.update` takes. */
export interface UpdatePaylinksArguments {
  /** One for each paylink; all are changed or none. */
  items: PaylinkUpdate[];
}

/** What `payments.cancel` takes. */
export interface CancelPaymentArguments {
  /** In the path. */
  payment_id: PaymentId;
}

/** What `payments.create` takes. */
export interface CreatePaymentArguments {
  /** The account that receives it, by id or reference; the first that supports chain and currency when absent. */
  account?: AccountKey;
  /** What is due, in `currency`. */
  amount: Amount;
  /** The chain it is sent on. */
  chain_id: ChainId;
  /** The currency the payer sends. */
  currency: Currency;
  /** Who pays. */
  customer_id?: CustomerId;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** The merchant's own name for it. */
  reference?: string;
}

/** What `payments.get` takes. */
export interface GetPaymentArguments {
  /** In the path. */
  payment_id: PaymentId;
}

/** What `payments.list` takes. */
export interface ListPaymentsArguments {
  /** Only those of this customer. */
  customer_id?: CustomerId;
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
  /** Only those that this link began. */
  paylink_id?: PaylinkId;
  /** Only payments with this status. */
  status?: PaymentStatus;
}

/** What `payments.refund` takes. */
export interface RefundPaymentArguments {
  /** In the path. */
  payment_id: PaymentId;
  /** Where it goes; to whoever sent it when absent. */
  address?: WalletAddress;
  /** How much, in the payment's currency; all that is left when absent. */
  amount?: Amount;
  /** For the merchant's own books. */
  reason?: string;
}

/** What `payouts.create` takes. */
export interface CreatePayoutArguments {
  /** The account it is taken from, by id or reference. */
  account: AccountKey;
  /** The destination's address, when it is not. */
  address?: WalletAddress;
  /** How much arrives; the network's fee is taken on top. */
  amount: Amount;
  /** The chain it is sent on; that of the destination when absent. */
  chain_id?: ChainId;
  /** The currency of `amount`. */
  currency: Currency;
  /** The destination, when it is on record. */
  external_account_id?: ExternalAccountId;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** The merchant's own name for it. */
  reference?: string;
}

/** What `payouts.estimate` takes. */
export interface EstimatePayoutArguments {
  /** The account it is taken from, by id or reference. */
  account?: AccountKey;
  /** How much arrives. */
  amount?: Amount;
  /** The chain it is sent on. */
  chain_id?: ChainId;
  /** The currency of `amount`. */
  currency?: Currency;
}

/** What `payouts.list` takes. */
export interface ListPayoutsArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `plans.create` takes. */
export interface CreatePlanArguments {
  /** How many may be sold; unlimited when absent. */
  available_quantity?: number;
  /** The currency of `price`. */
  currency: Currency;
  /** For people. */
  description?: string;
  /** When it stops being sold. */
  expires_at?: Timestamp;
  /** A picture. */
  image_url?: string;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** For people. */
  name: string;
  /** What it costs. */
  price: Amount;
  /** The length of a billing period, for a recurring plan. */
  recurring_interval?: RecurringInterval;
  /** How many intervals a billing period has. */
  recurring_interval_count?: number;
  /** The merchant's own name for it. */
  reference?: string;
  /** How long the first period is free, ISO 8601 (`P14D`). */
  trial_period?: string;
  /** One-time or recurring. */
  type?: PlanType;
}

/** What `plans.get` takes. */
export interface GetPlanArguments {
  /** In the path. */
  plan_id: PlanId;
}

/** What `plans.list` takes. */
export interface ListPlansArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `quotes.accept` takes. */
export interface AcceptQuoteArguments {
  /** In the path. */
  quote_id: QuoteId;
  /** The merchant's own name for the order. */
  reference?: string;
}

/** What `quotes.get` takes. */
export interface GetQuoteArguments {
  /** In the path. */
  quote_id: QuoteId;
}

/** What `quotes.list` takes. */
export interface ListQuotesArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `quotes.reject` takes. */
export interface RejectQuoteArguments {
  /** In the path. */
  quote_id: QuoteId;
}

/** What `quotes.request` takes. */
export interface RequestQuoteArguments {
  /** The account that funds the trade. */
  account_id?: AccountId;
  /** The exact amount to buy; excludes `sell_amount` unless an estimate is asked for. */
  buy_amount?: Amount;
  /** The chain of what is bought. */
  buy_chain_id?: ChainId;
  /** What is bought. */
  buy_currency?: Currency;
  /** The contract of what is bought; absent for the chain's native asset. */
  buy_token_address?: string;
  /** How what is sold is handed over; `Deposit` when absent. */
  deposit_method?: DepositMethod;
  /** Only an estimate: nothing is held and nothing can be accepted. */
  estimate?: boolean;
  /** The exact amounts to sell, one for each currency that is sold. */
  sell_amount?: Amount[];
  /** The chains of what is sold, one for each currency; an empty place leaves it open. */
  sell_chain_ids?: ChainId[];
  /** What is sold; several make a basket. */
  sell_currency?: Currency[];
  /** The contracts of what is sold, one for each currency; an empty place is the chain's native asset. */
  sell_token_addresses?: string[];
  /** The account that what is bought goes to. */
  settlement_account_id?: AccountId;
  /** The outside wallet that what is bought goes to. */
  settlement_address?: WalletAddress;
}

/** What `sandbox.advanceClock` takes. */
export interface AdvanceClockArguments {
  /** Seconds, 0 or more: time never goes back. */
  advance_seconds: number;
}

/** What `sandbox.createDeposit` takes. */
export interface CreateDepositArguments {
  /** The receiving account, by id or reference. */
  account: AccountKey;
  /** How much. */
  amount: Amount;
  /** The chain. */
  chain_id: ChainId;
  /** The currency. */
  currency: Currency;
}

/** What `sandbox.createFault` takes. */
export interface CreateFaultArguments {
  /** Whether the work is done all the same and only the answer is lost. */
  after_commit?: boolean;
  /** How many calls; one when absent. */
  calls?: number;
  /** Only calls of this operation (`CreatePaylink`); all but those of the sandbox when absent. */
  operation?: string;
  /** The reason they are refused with, one of the closed list. */
  reason: string;
}

/** What `sandbox.failPayout` takes. */
export interface FailPayoutArguments {
  /** The payout: a payment whose method is `Payout`, queued or under way. */
  payment_id: PaymentId;
}

/** What `sandbox.reorganiseChain` takes. */
export interface ReorganiseChainArguments {
  /** Whether the transaction lies in another block at once; it will never be confirmed when absent. */
  returns?: boolean;
  /** The hash of a transaction that lies in it, or still waits for one. */
  transaction_hash: string;
}

/** What `sessions.create` takes. */
export interface CreateSessionArguments {
  /** E-mail address. */
  email: string;
  /** Password. */
  password: string;
}

/** What `sessions.createStepUp` takes. */
export interface CreateStepUpArguments {
  /** Password. */
  password: string;
}

/** What `sessions.updatePassword` takes. */
export interface UpdatePasswordArguments {
  /** The password to sign in with from now on, twelve characters or more. */
  new_password: string;
}

/** What `subscriptions.cancel` takes. */
export interface CancelSubscriptionArguments {
  /** In the path. */
  subscription_id: SubscriptionId;
  /** With the period that runs instead of at once; false takes that back. */
  at_period_end?: boolean;
}

/** What `subscriptions.create` takes. */
export interface CreateSubscriptionArguments {
  /** Who subscribes. */
  customer_id: CustomerId;
  /** Free-form. */
  metadata?: { [key: string]: Json };
  /** What is bought: recurring plans of one currency and one period. */
  plan_ids: PlanId[];
  /** The merchant's own name for it. */
  reference?: string;
  /** When it begins; at once when absent. */
  start_at?: Timestamp;
}

/** What `subscriptions.get` takes. */
export interface GetSubscriptionArguments {
  /** In the path. */
  subscription_id: SubscriptionId;
}

/** What `subscriptions.list` takes. */
export interface ListSubscriptionsArguments {
  /** Only those of this customer. */
  customer_id?: CustomerId;
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
  /** Only those that stand here. */
  status?: SubscriptionStatus;
}

/** What `subscriptions.pause` takes. */
export interface PauseSubscriptionArguments {
  /** In the path. */
  subscription_id: SubscriptionId;
}

/** What `subscriptions.resume` takes. */
export interface ResumeSubscriptionArguments {
  /** In the path. */
  subscription_id: SubscriptionId;
}

/** What `trade.createQuickTrade` takes. */
export interface CreateQuickTradeArguments {
  /** The settlement account that what is sold is taken from. */
  account_id?: AccountId;
  /** The virtual account that what is sold is taken from; the organisation's primary one when absent. */
  account_reference?: AccountReference;
  /** How much is sold. */
  amount: Amount;
  /** The chain of what is sold. */
  chain_id?: ChainId;
  /** What is sold. */
  currency: Currency;
  /** Only an estimate: nothing is accepted. */
  dry_run?: boolean;
  /** The merchant's own name for the order. */
  reference?: string;
  /** The account that what is bought goes to. */
  settlement_account_id?: AccountId;
  /** The outside wallet that what is bought goes to. */
  settlement_address?: WalletAddress;
  /** The chain of what is bought. */
  to_chain_id?: ChainId;
  /** What is bought. */
  to_currency: Currency;
}

/** What `trade.getOrder` takes. */
export interface GetOrderArguments {
  /** In the path. */
  order_id: OrderId;
}

/** What `trade.listInstruments` takes. */
export interface ListInstrumentsArguments {
  /** Only those that price this currency. */
  base?: Currency;
  /** Only those priced in this currency. */
  quote?: Currency;
  /** Only those of this venue. */
  venue_id?: VenueId;
}

/** What `trade.listOrders` takes. */
export interface ListOrdersArguments {
  /** Items of a page, 1 to 100; 100 unless said. */
  limit?: number;
  /** The page, counted from 1; 1 unless said. */
  page?: number;
  /** Only what was created at this time or later. */
  since?: Timestamp | Date;
  /** `asc` or `desc`; `desc` unless said. */
  sort?: "asc" | "desc";
  /** Only what was created at this time or earlier. */
  until?: Timestamp | Date;
}

/** What `trade.listTradableAssets` takes. */
export interface ListTradableAssetsArguments {
  /** The account whose chains count; the organisation's primary virtual account when absent. */
  account_id?: AccountId;
  /** How much of it: venues have smallest and largest sizes. */
  amount?: Amount;
  /** The chain one has it on. */
  chain_id?: ChainId;
  /** The currency one has. */
  currency?: Currency;
  /** Whether the account must take the currency on the chain, too. */
  require_settlement_support?: boolean;
}

/** Every operation of the service, by room. */
export interface Rooms {
  readonly accounts: {
    /** Creates a CryptoPayIn settlement account. Deprecated for payout destinations.
     * 
     * `POST /v1/accounts`
     * @deprecated */
    create(given: CreateAccountArguments, options?: Options): Promise<Account>;
    /** Gives the text that the wallet of an account signs to prove whose it is. It replaces the one given before.
     * 
     * `POST /v1/accounts/{account}/ownership/challenge` */
    createOwnershipChallenge(given: CreateOwnershipChallengeArguments, options?: Options): Promise<OwnershipChallenge>;
    /** Creates a permanent address that takes payments to an account.
     * 
     * `POST /v1/accounts/{account}/pay-in-addresses` */
    createPayInAddress(given: CreatePayInAddressArguments, options?: Options): Promise<PayInAddress>;
    /** Creates a virtual account: one wallet on each of its chains under one reference.
     * 
     * `POST /v1/accounts/virtual` */
    createVirtualAccount(given: CreateVirtualAccountArguments, options?: Options): Promise<Account>;
    /** Deletes a settlement or virtual account that holds nothing and has nothing under way.
     * 
     * `DELETE /v1/accounts/{account}` */
    delete(given: DeleteAccountArguments, options?: Options): Promise<Account>;
    /** Reads one account with its sub-accounts and deposit splits.
     * 
     * `GET /v1/accounts/{account}` */
    get(given: GetAccountArguments, options?: Options): Promise<Account>;
    /** Reads one movement, whichever account it was booked on.
     * 
     * `GET /v1/movements/{movement_id}` */
    getMovement(given: GetMovementArguments, options?: Options): Promise<Movement>;
    /** Lists the organisation's settlement and virtual accounts.
     * 
     * `GET /v1/accounts` */
    list(given?: ListAccountsArguments, options?: Options): Listing<Account>;
    /** Lists the movements of all accounts of the organisation, newest first.
     * 
     * `GET /v1/movements` */
    listAllMovements(given?: ListAllMovementsArguments, options?: Options): Listing<Movement>;
    /** Reads what an account, or all that a reference bundles, and those below hold: every currency that they take or have left.
     * 
     * `GET /v1/accounts/{account}/balances` */
    listBalances(given: ListBalancesArguments, options?: Options): Promise<AccountBalance[]>;
    /** Lists the movements of one account, or of all that a reference bundles, and of the accounts below, newest first.
     * 
     * `GET /v1/accounts/{account}/movement` */
    listMovements(given: ListMovementsArguments, options?: Options): Listing<Movement>;
    /** Lists the permanent addresses of an account.
     * 
     * `GET /v1/accounts/{account}/pay-in-addresses` */
    listPayInAddresses(given: ListPayInAddressesArguments, options?: Options): Listing<PayInAddress>;
    /** Proves by a signature of its wallet that an account's address is the merchant's own. Payments may go there from then on.
     * 
     * `POST /v1/accounts/{account}/ownership` */
    proveOwnership(given: ProveOwnershipArguments, options?: Options): Promise<Account>;
    /** Adds, enables and disables the chains of a virtual account.
     * 
     * `PATCH /v1/accounts/virtual` */
    updateVirtualAccount(given?: UpdateVirtualAccountArguments, options?: Options): Promise<Account>;
  };
  readonly apiKeys: {
    /** Creates an API key; the answer holds the secret, which is never shown again.
     * 
     * `POST /v1/api-keys` */
    create(given: CreateApiKeyArguments, options?: Options): Promise<ApiKey>;
    /** Lists API keys, revoked ones included, without their secrets.
     * 
     * `GET /v1/api-keys` */
    list(given?: ListApiKeysArguments, options?: Options): Listing<ApiKey>;
    /** Revokes an API key at once and for good.
     * 
     * `DELETE /v1/api-keys/{key_id}` */
    revoke(given: RevokeApiKeyArguments, options?: Options): Promise<ApiKey>;
  };
  readonly automations: {
    /** Ends an automation.
     * 
     * `DELETE /v1/partners/automations/{automation_id}` */
    delete(given: DeleteAutomationArguments, options?: Options): Promise<Automation>;
    /** Lists the automations of an account, or of all that a reference bundles, and of the accounts below.
     * 
     * `GET /v1/partners/accounts/{account_ref}/automations` */
    list(given: ListAutomationsArguments, options?: Options): Listing<Automation>;
    /** Keeps an account's balance between two thresholds: tells when it is low, pays out what is too much.
     * 
     * `POST /v1/partners/accounts/id/{account}/automations/maintain-balance` */
    maintainBalance(given: MaintainBalanceArguments, options?: Options): Promise<MaintainedBalance>;
    /** Enables, disables or changes an automation.
     * 
     * `PATCH /v1/partners/automations/{automation_id}` */
    update(given: UpdateAutomationArguments, options?: Options): Promise<Automation>;
  };
  readonly chains: {
    /** Lists the chains and assets that can be taken.
     * 
     * `GET /v1/chains` */
    list(options?: Options): Promise<ChainDetail[]>;
  };
  readonly checkout: {
    /** Reads what a payer needs to know of a paylink.
     * 
     * `GET /v1/checkout/{paylink_id}` */
    get(given: GetCheckoutArguments, options?: Options): Promise<Checkout>;
    /** Reads a payment as its payer sees it.
     * 
     * `GET /v1/checkout/payments/{payment_id}` */
    getPayment(given: GetCheckoutPaymentArguments, options?: Options): Promise<CheckoutPayment>;
    /** Pays from the simulated chain's test wallet.
     * 
     * `POST /v1/sandbox/checkout/payments/{payment_id}/pay`, in sandbox mode only */
    payFromTestWallet(given: PayFromTestWalletArguments, options?: Options): Promise<CheckoutPayment>;
    /** Makes a payment from a paylink, with an address of its own.
     * 
     * `POST /v1/checkout/{paylink_id}/payments` */
    start(given: StartCheckoutArguments, options?: Options): Promise<CheckoutPayment>;
  };
  readonly customers: {
    /** Reads one customer.
     * 
     * `GET /v1/customers/{customer_id}` */
    get(given: GetCustomerArguments, options?: Options): Promise<Customer>;
    /** Lists customers with how often and when they last paid.
     * 
     * `GET /v1/customers` */
    list(given?: ListCustomersArguments, options?: Options): Listing<CustomerItem>;
    /** Changes what is known about a customer. The answer is the record alone, without envelope.
     * 
     * `PATCH /v1/customers/{customer_id}` */
    update(given: UpdateCustomerArguments, options?: Options): Promise<Customer>;
  };
  readonly events: {
    /** Stops a replay: what is queued already is still delivered.
     * 
     * `DELETE /v1/events/replays/{replay_id}` */
    cancelReplay(given: CancelReplayArguments, options?: Options): Promise<Replay>;
    /** Counts the events that a replay would deliver again.
     * 
     * `GET /v1/events/replays/count` */
    countReplay(given?: CountReplayArguments, options?: Options): Promise<ReplayCount>;
    /** Delivers all events that match a filter again, a few at a time.
     * 
     * `POST /v1/events/replays` */
    createReplay(given?: CreateReplayArguments, options?: Options): Promise<Replay>;
    /** Reads one event with its latest delivery attempt.
     * 
     * `GET /v1/events/{event_id}` */
    get(given: GetEventArguments, options?: Options): Promise<Event>;
    /** Reads how far a replay has come.
     * 
     * `GET /v1/events/replays/{replay_id}` */
    getReplay(given: GetReplayArguments, options?: Options): Promise<Replay>;
    /** Lists the attempts to deliver an event, oldest first.
     * 
     * `GET /v1/events/{event_id}/attempts` */
    listAttempts(given: ListAttemptsArguments, options?: Options): Promise<Attempt[]>;
    /** Lists the organisation's events, newest first.
     * 
     * `GET /v1/events` */
    list(given?: ListEventsArguments, options?: Options): Listing<Event>;
    /** Delivers an event again, at once, to the webhook address now in force.
     * 
     * `POST /v1/events/{event_id}/retry` */
    retry(given: RetryEventArguments, options?: Options): Promise<Event>;
  };
  readonly externalAccounts: {
    /** Adds a destination of payouts.
     * 
     * `POST /v1/accounts/external-account` */
    create(given: CreateExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Removes a destination of payouts. Payouts under way go on; new ones cannot name it.
     * 
     * `DELETE /v1/accounts/external-account/{external_account_id}` */
    delete(given: DeleteExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Reads one destination of payouts.
     * 
     * `GET /v1/accounts/external-account/{external_account_id}` */
    get(given: GetExternalAccountArguments, options?: Options): Promise<ExternalAccount>;
    /** Lists the destinations of payouts.
     * 
     * `GET /v1/accounts/external-account` */
    list(given?: ListExternalAccountsArguments, options?: Options): Listing<ExternalAccount>;
  };
  readonly find: {
    /** Finds records by a reference, an address or a transaction's hash, whenever they were made. At most twenty.
     * 
     * `GET /v1/find` */
    records(given?: FindRecordsArguments, options?: Options): Promise<Found[]>;
  };
  readonly invoices: {
    /** Creates an invoice for a subscription, or gives the one that has the same due date.
     * 
     * `POST /v1/subscriptions/{subscription_id}/invoices` */
    create(given: CreateInvoiceArguments, options?: Options): Promise<Invoice>;
    /** Reads one invoice.
     * 
     * `GET /v1/invoices/{invoice_id}` */
    get(given: GetInvoiceArguments, options?: Options): Promise<Invoice>;
    /** Lists invoices.
     * 
     * `GET /v1/invoices` */
    list(given?: ListInvoicesArguments, options?: Options): Listing<Invoice>;
  };
  readonly members: {
    /** Accepts an invitation and signs in; the answer sets the session cookie. Who is a member already has another password from
     *  then on, and their other sessions end.
     * 
     * `POST /v1/invitations/accept` */
    acceptInvitation(given: AcceptInvitationArguments, options?: Options): Promise<Session>;
    /** Invites somebody; the answer holds the link for them, which is never shown again. Said again, the link before stops
     *  working.
     * 
     * `POST /v1/members` */
    invite(given: InviteMemberArguments, options?: Options): Promise<Member>;
    /** Makes another link for a member, which is never shown again; the one before stops working. Whoever forgot their password
     *  chooses another by it within a day, which ends their sessions; whoever has not joined yet joins.
     * 
     * `POST /v1/members/{user_id}/invitation` */
    inviteAgain(given: InviteMemberAgainArguments, options?: Options): Promise<Member>;
    /** Lists members, those invited and those removed included.
     * 
     * `GET /v1/members` */
    list(given?: ListMembersArguments, options?: Options): Listing<Member>;
    /** Reads an invitation that is still held.
     * 
     * `POST /v1/invitations/open` */
    openInvitation(given: OpenInvitationArguments, options?: Options): Promise<Invitation>;
    /** Removes a member or takes an invitation back; their sessions end at once.
     * 
     * `DELETE /v1/members/{user_id}` */
    remove(given: RemoveMemberArguments, options?: Options): Promise<Member>;
    /** Gives a member another role, in force at once.
     * 
     * `PATCH /v1/members/{user_id}` */
    update(given: UpdateMemberArguments, options?: Options): Promise<Member>;
  };
  readonly organisation: {
    /** Reads the organisation's settings and its webhook public key.
     * 
     * `GET /v1/orgs` */
    get(options?: Options): Promise<Organisation>;
    /** Reads the secret that signs requests.
     * 
     * `GET /v1/orgs/signing-secret` */
    getSigningSecret(options?: Options): Promise<SigningSecret>;
    /** Rotates the secret that signs requests and gives the new one; for 24 hours the old secret verifies too, unless it is revoked.
     * 
     * `PATCH /v1/orgs/signing-secret` */
    rotateSigningSecret(given?: RotateSigningSecretArguments, options?: Options): Promise<SigningSecret>;
    /** Rotates the key that signs webhooks; for 24 hours the old key signs too, unless it is revoked.
     * 
     * `PATCH /v1/orgs/webhook-secret` */
    rotateWebhookKey(given?: RotateWebhookKeyArguments, options?: Options): Promise<Organisation>;
    /** Changes the organisation's settings.
     * 
     * `PUT /v1/orgs` */
    update(given?: UpdateOrganisationArguments, options?: Options): Promise<Organisation>;
  };
  readonly overview: {
    /** Reads balances, recent volume and what waits for attention.
     * 
     * `GET /v1/overview` */
    get(options?: Options): Promise<Overview>;
  };
  readonly partner: {
    /** Reads an account by its reference, a virtual one as a rule, or by its id.
     * 
     * `GET /v1/partners/accounts/{account_ref}` */
    getAccount(given: GetPartnerAccountArguments, options?: Options): Promise<Account>;
    /** Reads the balances of an account, or of all that a reference bundles, and of the accounts below.
     * 
     * `GET /v1/partners/accounts/{account_ref}/balances` */
    listBalances(given: ListPartnerBalancesArguments, options?: Options): Promise<Balances>;
    /** Lists the organisations for which the caller may act as their partner.
     * 
     * `GET /v1/partners/sub-merchants` */
    listSubMerchants(given?: ListSubMerchantsArguments, options?: Options): Listing<SubMerchant>;
  };
  readonly paylinks: {
    /** Creates a payment link together with the plan it sells.
     * 
     * `POST /v1/paylinks` */
    create(given: CreatePaylinkArguments, options?: Options): Promise<Paylink>;
    /** Soft-deletes a paylink: it takes no more payments and keeps its history.
     * 
     * `DELETE /v1/paylinks/{paylink_id}` */
    delete(given: DeletePaylinkArguments, options?: Options): Promise<string>;
    /** Reads one paylink with its plan.
     * 
     * `GET /v1/paylinks/{paylink_id}` */
    get(given: GetPaylinkArguments, options?: Options): Promise<Paylink>;
    /** Lists paylinks, each with its plan; deleted ones are in the list and say so. Those of invoices are found by their invoices.
     * 
     * `GET /v1/paylinks` */
    list(given?: ListPaylinksArguments, options?: Options): Listing<Paylink>;
    /** Changes several paylinks at once: every one of them, or none. The answer has them in the order of the items.
     * 
     * `PATCH /v1/paylinks/batch` */
    update(given: UpdatePaylinksArguments, options?: Options): Promise<Paylink[]>;
  };
  readonly payments: {
    /** Cancels a Processing proxy-wallet one-time payment with nothing paid.
     * 
     * `DELETE /v1/payments/{payment_id}` */
    cancel(given: CancelPaymentArguments, options?: Options): Promise<Payment>;
    /** Creates a payment with an address of its own.
     * 
     * `POST /v1/payments` */
    create(given: CreatePaymentArguments, options?: Options): Promise<Payment>;
    /** Reads one payment with its transactions and timeline.
     * 
     * `GET /v1/payments/{payment_id}` */
    get(given: GetPaymentArguments, options?: Options): Promise<Payment>;
    /** Lists payments.
     * 
     * `GET /v1/payments` */
    list(given?: ListPaymentsArguments, options?: Options): Listing<Payment>;
    /** Sends what was paid back, whole or in part. It is a payout and must be signed.
     * 
     * `POST /v1/payments/{payment_id}/refunds` */
    refund(given: RefundPaymentArguments, options?: Options): Promise<Payment>;
  };
  readonly payouts: {
    /** Sends money out of an account.
     * 
     * `POST /v1/payouts` */
    create(given: CreatePayoutArguments, options?: Options): Promise<Payment>;
    /** Estimates what a payout would cost now.
     * 
     * `GET /v1/payouts/estimate` */
    estimate(given?: EstimatePayoutArguments, options?: Options): Promise<PayoutEstimate>;
    /** Lists payouts.
     * 
     * `GET /v1/payouts` */
    list(given?: ListPayoutsArguments, options?: Options): Listing<Payment>;
  };
  readonly plans: {
    /** Creates a billing plan.
     * 
     * `POST /v1/plan` */
    create(given: CreatePlanArguments, options?: Options): Promise<Plan>;
    /** Reads one billing plan with its paylink.
     * 
     * `GET /v1/plan/{plan_id}` */
    get(given: GetPlanArguments, options?: Options): Promise<Plan>;
    /** Lists billing plans, each with its paylink. What an invoice is paid by is no plan of the list.
     * 
     * `GET /v1/plan` */
    list(given?: ListPlansArguments, options?: Options): Listing<Plan>;
  };
  readonly quotes: {
    /** Accepts a quote while it holds, once: the answer is the order.
     * 
     * `POST /v1/trade/quote/{quote_id}/accept` */
    accept(given: AcceptQuoteArguments, options?: Options): Promise<QuickTrade>;
    /** Reads one quote.
     * 
     * `GET /v1/trade/quote/{quote_id}` */
    get(given: GetQuoteArguments, options?: Options): Promise<Quote>;
    /** Lists the organisation's quotes; only for organisations with the OTC feature.
     * 
     * `GET /v1/trade/quote/history` */
    list(given?: ListQuotesArguments, options?: Options): Listing<Quote>;
    /** Rejects a quote: it can no longer be accepted.
     * 
     * `POST /v1/trade/quote/{quote_id}/reject` */
    reject(given: RejectQuoteArguments, options?: Options): Promise<Quote>;
    /** Requests a quote: a price that is held for a while, or an estimate.
     * 
     * `GET /v1/trade/quote` */
    request(given?: RequestQuoteArguments, options?: Options): Promise<Quote>;
  };
  readonly sandbox: {
    /** Moves the service's clock forward.
     * 
     * `POST /v1/sandbox/clock`, in sandbox mode only */
    advanceClock(given: AdvanceClockArguments, options?: Options): Promise<Clock>;
    /** Sends a deposit to an account on the simulated chain.
     * 
     * `POST /v1/sandbox/deposits`, in sandbox mode only */
    createDeposit(given: CreateDepositArguments, options?: Options): Promise<Deposit>;
    /** Makes the next calls fail as told.
     * 
     * `POST /v1/sandbox/faults`, in sandbox mode only */
    createFault(given: CreateFaultArguments, options?: Options): Promise<Fault>;
    /** Has a payout fail on the simulated chain, one that is queued as soon as it is sent, and gives it as it is then.
     * 
     * `POST /v1/sandbox/payout-failures`, in sandbox mode only */
    failPayout(given: FailPayoutArguments, options?: Options): Promise<Payment>;
    /** Has the simulated chain take back the blocks that hold a transaction, and gives the transaction as it is then.
     * 
     * `POST /v1/sandbox/reorganisations`, in sandbox mode only */
    reorganiseChain(given: ReorganiseChainArguments, options?: Options): Promise<CryptoTransaction>;
  };
  readonly sessions: {
    /** Signs in; the answer sets the session cookie.
     * 
     * `POST /v1/sessions` */
    create(given: CreateSessionArguments, options?: Options): Promise<Session>;
    /** Proves afresh who is signed in, for dangerous acts.
     * 
     * `POST /v1/sessions/step-up` */
    createStepUp(given: CreateStepUpArguments, options?: Options): Promise<StepUp>;
    /** Signs out; the answer clears the session cookie.
     * 
     * `DELETE /v1/sessions/current` */
    delete(options?: Options): Promise<string>;
    /** Reads the current session.
     * 
     * `GET /v1/sessions/current` */
    get(options?: Options): Promise<Session>;
    /** Changes one's own password; every other session of the same person ends.
     * 
     * `PUT /v1/sessions/password` */
    updatePassword(given: UpdatePasswordArguments, options?: Options): Promise<Session>;
  };
  readonly subscriptions: {
    /** Cancels a subscription, at once or with the period that runs.
     * 
     * `POST /v1/subscriptions/{subscription_id}/cancel` */
    cancel(given: CancelSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Subscribes a customer to plans.
     * 
     * `POST /v1/subscriptions` */
    create(given: CreateSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Reads one subscription with its customer and plans.
     * 
     * `GET /v1/subscriptions/{subscription_id}` */
    get(given: GetSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Lists subscriptions, each with its customer and plans.
     * 
     * `GET /v1/subscriptions` */
    list(given?: ListSubscriptionsArguments, options?: Options): Listing<Subscription>;
    /** Pauses a subscription: nothing is billed until it is resumed.
     * 
     * `POST /v1/subscriptions/{subscription_id}/pause` */
    pause(given: PauseSubscriptionArguments, options?: Options): Promise<Subscription>;
    /** Resumes a paused subscription: a new period begins at once.
     * 
     * `POST /v1/subscriptions/{subscription_id}/resume` */
    resume(given: ResumeSubscriptionArguments, options?: Options): Promise<Subscription>;
  };
  readonly trade: {
    /** Trades at once at the price of the time, or says what a trade would give.
     * 
     * `POST /v1/trade/quicktrade` */
    createQuickTrade(given: CreateQuickTradeArguments, options?: Options): Promise<QuickTrade>;
    /** Lists the currencies and payment methods that are there for trading.
     * 
     * `GET /v1/trade/currencies` */
    getCurrencies(options?: Options): Promise<TradeCurrencies>;
    /** Reads one order.
     * 
     * `GET /v1/trade/orders/{order_id}` */
    getOrder(given: GetOrderArguments, options?: Options): Promise<QuickTrade>;
    /** Lists every instrument of every venue; only for the OTC organisation.
     * 
     * `GET /v1/trade/instruments` */
    listInstruments(given?: ListInstrumentsArguments, options?: Options): Promise<Instrument[]>;
    /** Lists orders.
     * 
     * `GET /v1/trade/orders` */
    listOrders(given?: ListOrdersArguments, options?: Options): Listing<QuickTrade>;
    /** Lists every currency and chain that an asset can be exchanged into.
     * 
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
  ["automations", "delete", "DeleteAutomation", "ar"],
  ["automations", "list", "ListAutomations", "al"],
  ["automations", "maintainBalance", "MaintainBalance", "ar"],
  ["automations", "update", "UpdateAutomation", "ar"],
  ["chains", "list", "ListChains", "nr"],
  ["checkout", "get", "GetCheckout", "ar"],
  ["checkout", "getPayment", "GetCheckoutPayment", "ar"],
  ["checkout", "payFromTestWallet", "PayFromTestWallet", "ar"],
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
  ["payouts", "create", "CreatePayout", "ar"],
  ["payouts", "estimate", "EstimatePayout", "ar"],
  ["payouts", "list", "ListPayouts", "al"],
  ["plans", "create", "CreatePlan", "ar"],
  ["plans", "get", "GetPlan", "ar"],
  ["plans", "list", "ListPlans", "al"],
  ["quotes", "accept", "AcceptQuote", "ar"],
  ["quotes", "get", "GetQuote", "ar"],
  ["quotes", "list", "ListQuotes", "al"],
  ["quotes", "reject", "RejectQuote", "ar"],
  ["quotes", "request", "RequestQuote", "ar"],
  ["sandbox", "advanceClock", "AdvanceClock", "ar"],
  ["sandbox", "createDeposit", "CreateDeposit", "ar"],
  ["sandbox", "createFault", "CreateFault", "ar"],
  ["sandbox", "failPayout", "FailPayout", "ar"],
  ["sandbox", "reorganiseChain", "ReorganiseChain", "ar"],
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

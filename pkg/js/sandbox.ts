import { initSync, Sandbox as Engine, sign_typed_data, wallet_address } from "#glue/sandbox";
import { module } from "#module/sandbox";

import { type Answer, IN_PROCESS, type InProcess, type Inside, type Outcome } from "./answer.js";
import { Settlekit, type Settings } from "./client.js";
import { opening, type SandboxFiles, SandboxState } from "./files.js";
import type { CheckoutPayment, CreateDepositArguments, Deposit } from "./operations.js";

export { type SandboxFile, type SandboxFiles, SandboxFilesError, type SandboxFilesReason } from "./files.js";

let started = false;

function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

/** Settings of a sandbox. */
export interface SandboxSettings {
  /** Start time; default: the latest time of the files, else 2026-01-01T00:00:00Z. */
  now?: Date | string;
  /** Seed; default 0. The same seed and calls give identical answers, including ids and secrets. */
  seed?: number;
  /** Public address, used in payment links. */
  publicUrl?: string;
  /** Handler of webhooks; without one they are collected and count as delivered. */
  webhooks?: WebhookHandler;
  /** State of another sandbox to continue from. */
  snapshot?: SandboxSnapshot;
  /** Files that keep database and clock, for one sandbox at a time. */
  files?: SandboxFiles;
}

/** Receives a webhook and answers it. If it throws, the delivery fails and is retried later. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>;

/** Complete state of a sandbox. */
export interface SandboxSnapshot {
  /** Database. */
  readonly image: Uint8Array;
  /** Clock, Unix milliseconds. */
  readonly now: number;
  readonly seed: number;
  readonly calls: number;
  readonly draws: number;
  readonly deliveries: readonly SandboxDelivery[];
}

/** A duration: the sum of its parts. */
export interface Stretch {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/** Clock of a sandbox; time passes only when advanced. */
export interface SandboxClock {
  /** Current time in Unix milliseconds, also for the client's `clock` setting. */
  now(): number;
  /** Advances step by step to each time at which work is due, and executes and delivers it at that time. */
  advance(by: Stretch): Promise<void>;
}

/** Options of a payment by a payer. */
export interface PayerChoice {
  /** Chain; default: the first that the link offers. */
  chain_id?: number;
  /** Currency; default: the first that the link offers. */
  currency?: string;
  /** Amount sent; default: exactly the amount due. */
  amount?: string;
  email?: string;
  name?: string;
  customer_ident?: string;
  shipping_address?: string;
  tax_ident?: string;
}

/** An organisation and its secrets. */
export interface SandboxOrganisation {
  orgId: string;
  apiKey: string;
  signingSecret: string;
}

/** Sign-in and organisations of demo data. */
export interface SandboxDemo {
  email: string;
  password: string;
  merchant: SandboxOrganisation;
  partner: SandboxOrganisation;
}

/** A payer's wallet: an account for the clients of x402, or for viem. */
export interface SandboxWallet {
  readonly address: `0x${string}`;
  readonly privateKey: `0x${string}`;
  /** Signs a transfer (EIP-3009, `TransferWithAuthorization`) as typed data (EIP-712). */
  signTypedData(typed: { domain: object; types: object; primaryType: string; message: object }): Promise<`0x${string}`>;
}

/** Simulated network between client and sandbox. */
export interface SandboxNetwork {
  /** Latency of a response, in milliseconds of the real clock. */
  latencyMs: number;
  /** Number of next responses to lose after the operation is executed: the client sees a broken connection. */
  loseAnswers: number;
}

/** A sent webhook and its outcome. */
export interface SandboxDelivery {
  /** Event id. */
  event: string;
  /** Event type, `payment.updated`. */
  type: string;
  /** Request as sent; its body can be read once, use `clone()` to read it again. */
  request: Request;
  /** Absent without a response. */
  response?: Response;
  error?: unknown;
}

/** A call of the service, as data. */
export interface SandboxStep {
  call: string;
  now: string;
  seed: string;
  [argument: string]: unknown;
}

interface Outbound {
  organisation: string;
  event: string;
  url: string;
  timeout_ms: number;
  headers: [string, string][];
  body: string;
}

type Reply =
  | "done"
  | { outbound: Outbound[] }
  | { due: string | null }
  | { organisation: { org_id: string; api_key: string; signing_secret: string } }
  | { differences: string[] }
  | { failed: string };

const FIRST_MOMENT = new Date("2026-01-01T00:00:00Z");
/** Any 32 bytes: the secrets they protect exist in this process only. */
const MASTER_KEY = new Uint8Array(32).fill(7);

/** Calls and random draws of one start: no two starts use the same numbers, whose random bytes would be the same. */
const CALLS_OF_START = 2 ** 32;
const DRAWS_OF_START = 2 ** 20;
const NEWLINE = 10;
const PUBLIC_URL = "http://sandbox.test";
/** Pause before work that stays due is tried again. */
const STALLED_MS = 1_000;
/** Maximum number of delivery rounds at one time; more indicate an endless loop. */
const ROUNDS_MAX = 10_000;

/**
 * The complete service in this process: rules, ledger, database, signed webhooks. No network, no waiting, and its own clock.
 *
 * Pass `settings(organisation)` to a client, and its calls go to the sandbox.
 */
export class Sandbox {
  readonly #publicUrl: string;
  #engine: Engine;
  readonly #state: SandboxState | undefined;
  #now: number;
  #seed: number;
  #calls = 0;
  #draws = 0;
  #handler: WebhookHandler | undefined;
  #deliveries: SandboxDelivery[] = [];

  private constructor(settings: SandboxSettings) {
    const { now = FIRST_MOMENT, seed = 0, publicUrl = PUBLIC_URL, webhooks, snapshot, files } = settings;
    if (files !== undefined && snapshot !== undefined) throw new TypeError("a sandbox starts from a snapshot or from files, not from both");
    this.#now = new Date(now).getTime();
    if (Number.isNaN(this.#now)) throw new RangeError("`now` is not a timestamp");
    if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError("a seed is a whole number from 0 on");
    start();
    this.#publicUrl = publicUrl;
    this.#handler = webhooks;
    this.#seed = seed;
    if (files !== undefined) {
      this.#engine = opening(() => Engine.open(MASTER_KEY, publicUrl, files));
      this.#state = this.#continue(files, settings.now === undefined);
      return;
    }
    this.#engine = new Engine(MASTER_KEY, publicUrl, snapshot?.image ?? new Uint8Array());
    if (snapshot === undefined) {
      this.#run({ call: "migrate" });
    } else {
      this.#remember({ ...snapshot, now: settings.now === undefined ? snapshot.now : this.#now, seed: settings.seed ?? snapshot.seed });
    }
  }

  /** Continues after the latest start from these files, at its time if `atItsTime`. */
  #continue(files: SandboxFiles, atItsTime: boolean): SandboxState {
    try {
      const state = new SandboxState(files);
      const latest = state.now ?? this.#now;
      if (atItsTime) this.#now = latest;
      if (this.#now < latest) throw new RangeError(`time never goes back: it is ${new Date(latest).toISOString()} in these files`);
      // The first call of a sandbox in memory creates the database.
      this.#calls = state.starts * CALLS_OF_START + 1;
      this.#draws = state.starts * DRAWS_OF_START;
      state.save(this.#now);
      return state;
    } catch (error) {
      this.#engine.free();
      throw error;
    }
  }

  /** Stored first: the service must not have recorded a later time than the clock's after a restart. */
  #moveTo(time: number): void {
    this.#state?.save(time);
    this.#now = time;
  }

  /** Starts a sandbox: empty, from a snapshot or from files. Rejects with a `SandboxFilesError` if the files can't be used. */
  static async start(settings: SandboxSettings = {}): Promise<Sandbox> {
    return new Sandbox(settings);
  }

  /** Clock of the sandbox. */
  readonly clock: SandboxClock = {
    now: () => this.#now,
    advance: async ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
      const until = this.#now + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
      if (!(until >= this.#now)) throw new RangeError("time never goes back");
      await this.deliver();
      for (let due = this.#due(); due !== undefined && due <= until; due = this.#due()) {
        // Pause for work that stays due, to avoid an endless loop.
        this.#moveTo(due > this.#now ? due : Math.min(this.#now + STALLED_MS, until));
        await this.deliver();
        if (this.#now === until) return;
      }
      this.#moveTo(until);
    },
  };

  /** Client settings for an organisation of this sandbox. */
  settings(organisation: SandboxOrganisation): Settings {
    const { apiKey, signingSecret } = organisation;
    // Sandbox secrets protect nothing, so a browser may have them.
    return { ...this.#host(), apiKey, signingSecret, allowBrowser: true };
  }

  /** Client settings without credentials. */
  #host(): Settings {
    return { baseUrl: this.#publicUrl, fetch: this.fetch, clock: this.clock.now, random: (length) => this.#random(length) };
  }

  /** Next pseudo-random bytes from the seed, for keys and nonces of clients. */
  #random(length: number): Uint8Array {
    this.#draws += 1;
    let state = (Math.imul(this.#draws, 0x9e3779b1) ^ this.#seed ^ (this.#seed / 2 ** 32)) >>> 0;
    const bytes = new Uint8Array(length);
    // Mulberry32: well distributed but not secure, which suffices in this process.
    for (let at = 0; at < length; at += 1) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
      bytes[at] = mixed ^ (mixed >>> 14);
    }
    return bytes;
  }

  /** Sends a deposit to an account on the simulated chain; it is confirmed as the clock advances. */
  deposit(organisation: SandboxOrganisation, deposit: CreateDepositArguments): Promise<Deposit> {
    return new Settlekit(this.settings(organisation)).sandbox.createDeposit(deposit);
  }

  /** Opens a paylink as a payer and pays; the payment is confirmed as the clock advances. */
  async pay(paylink: string | { id: string }, choice: PayerChoice = {}): Promise<CheckoutPayment> {
    const payer = new Settlekit(this.#host());
    const { chain_id, currency, amount, ...facts } = choice;
    const paylink_id = typeof paylink === "string" ? paylink : paylink.id;
    const { options } = await payer.checkout.get({ paylink_id });
    const option = options.find((option) => (chain_id ?? option.chain.id) === option.chain.id && (currency ?? option.currency) === option.currency);
    const offered = option ?? options[0];
    if (offered === undefined) throw new Error("the link offers no way to pay: has the merchant an account for it?");
    // The service rejects options that the link does not offer.
    const [chain, symbol] = [chain_id ?? offered.chain.id, currency ?? offered.currency];
    const { payment_id } = await payer.checkout.start({ paylink_id, chain_id: chain, currency: symbol, ...facts });
    return payer.checkout.payFromTestWallet({ payment_id, ...(amount === undefined ? {} : { amount }) });
  }

  /** A payer's wallet with a new key, which has enough of every token. Give it to a client of x402, with `sandbox.fetch`. */
  wallet(): SandboxWallet {
    const key = this.#random(32);
    const hex = Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return {
      address: wallet_address(key) as `0x${string}`,
      privateKey: `0x${hex}`,
      signTypedData: async (typed) => {
        const json = JSON.stringify(typed, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
        return sign_typed_data(key, json) as `0x${string}`;
      },
    };
  }

  /**
  * Reverts the blocks with a payment's unconfirmed transactions, which are then never confirmed. Returns the number of
  * transactions.
  */
  async reorganise(organisation: SandboxOrganisation, payment: string | { payment_id: string }): Promise<number> {
    const payment_id = typeof payment === "string" ? payment : payment.payment_id;
    const client = new Settlekit(this.settings(organisation));
    const { crypto_transactions } = await client.payments.get({ payment_id });
    const lost = (crypto_transactions ?? []).filter(({ status }) => status === "Pending");
    for (const { transaction_hash } of lost) await client.sandbox.reorganiseChain({ transaction_hash });
    return lost.length;
  }

  /** Simulated network; ideal by default. */
  readonly network: SandboxNetwork = { latencyMs: 0, loseAnswers: 0 };

  /** All sent webhooks in order, with their outcomes. */
  get deliveries(): readonly SandboxDelivery[] {
    return this.#deliveries;
  }

  /** Creates an organisation with a key that has all scopes. With `inbox`, its webhooks go to `sandbox.listInbox` until it sets a URL. */
  createOrganisation(settings: { name: string; partner?: string; otc?: boolean; inbox?: boolean }): SandboxOrganisation {
    const reply = this.#run({ call: "create_organisation", ...settings });
    if (typeof reply === "string" || !("organisation" in reply)) throw unexpected(reply);
    const { org_id, api_key, signing_secret } = reply.organisation;
    return { orgId: org_id, apiKey: api_key, signingSecret: signing_secret };
  }

  /** Fills an empty sandbox with the year before its time, in some seconds; `progress` gets the days. */
  fillWithDemo(progress: (done: number, of: number) => void = () => {}): SandboxDemo {
    this.#calls += 1;
    try {
      return JSON.parse(this.#engine.fill_with_demo(this.#now, this.#seed, this.#calls, progress)) as SandboxDemo;
    } catch (error) {
      throw new Error(`the sandbox failed: ${String(error)}`, { cause: error });
    }
  }

  /** Answers a request like the service; for the client's `fetch` setting. */
  readonly fetch = Object.assign(
    async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const { status, headers, bytes } = this.#answer(request.url, request.method, [...request.headers], await request.text());
      const { latencyMs } = this.network;
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
      request.signal.throwIfAborted();
      if (this.network.loseAnswers > 0) {
        this.network.loseAnswers -= 1;
        throw new TypeError("the connection broke before the answer came");
      }
      return new Response(bytes.length === 0 ? null : bytes, { status, headers: [...headers] });
    },
    {
      [IN_PROCESS]: {
        answer: (url, { method, headers, body }) => (this.#isFar() ? undefined : this.#answer(url, method, Object.entries(headers), body ?? "")),
        call: (...words) => (this.#isFar() ? undefined : this.#call(...words)),
      },
    } satisfies InProcess,
  ) as (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

  /** Whether the network is simulated, so that calls can't take the direct way. */
  #isFar(): boolean {
    return this.network.latencyMs > 0 || this.network.loseAnswers > 0;
  }

  #call(...[operation, json, credentials, clock, random]: Parameters<Inside["call"]>): Outcome<unknown> {
    this.#calls += 1;
    let text: string;
    try {
      text = this.#engine.call(this.#now, this.#seed, this.#calls, `${operation}\n${credentials}\n${json}`, clock, random);
    } catch (error) {
      throw new Error(`the sandbox failed: ${String(error)}`, { cause: error });
    }
    const outcome = JSON.parse(text) as Outcome<unknown>;
    // A request that was not sent does not count as a call.
    if (outcome.error?.status === null) this.#calls -= 1;
    return outcome;
  }

  #answer(url: string, method: string, headers: [string, string][], body: string): Answer {
    const target = url.slice(url.indexOf("/", url.indexOf("//") + 2)).replace(/#.*/, "");
    const head = headers.reduce((lines, [name, value]) => `${lines}\n${name}:${value}`, `${method} ${target}`);
    this.#calls += 1;
    let message: Uint8Array<ArrayBuffer>;
    try {
      message = this.#engine.answer(this.#now, this.#seed, this.#calls, head, body);
    } catch (error) {
      throw new Error(`the sandbox failed: ${String(error)}`, { cause: error });
    }
    let end = message.indexOf(NEWLINE);
    while (message[end + 1] !== NEWLINE) end = message.indexOf(NEWLINE, end + 1);
    const [status, ...lines] = new TextDecoder().decode(message.subarray(0, end)).split("\n");
    const pairs = lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]);
    return { status: Number(status), headers: pairs, bytes: message.subarray(end + 2) };
  }

  /**
  * Executes due work, such as confirming or expiring payments, and sends due webhooks one at a time to `webhooks`; default: the
  * handler of the sandbox.
  */
  async deliver(webhooks?: WebhookHandler): Promise<SandboxDelivery[]> {
    const handler = webhooks ?? this.#handler ?? (() => new Response(null, { status: 204 }));
    const made: SandboxDelivery[] = [];
    let last: number | undefined;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const reply = this.#run({ call: "work" });
      if (typeof reply === "string" || !("outbound" in reply)) throw unexpected(reply);
      if (reply.outbound.length === 0) {
        const due = this.#due();
        // A round executes a limited number of jobs; those it moved may be due again.
        if (due === undefined || due > this.#now || due === last) return made;
        last = due;
      }
      for (const outbound of reply.outbound) made.push(await this.#send(outbound, handler));
    }
    throw new Error("webhooks cause endless webhooks: does the handler change the record that it is notified about?");
  }

  /** Time of the next due work, Unix milliseconds. */
  #due(): number | undefined {
    const reply = this.#run({ call: "next_due" });
    if (typeof reply === "string" || !("due" in reply)) throw unexpected(reply);
    // The service uses microseconds: round up, so that work is never tried too early.
    return reply.due === null ? undefined : Date.parse(reply.due) + (reply.due.endsWith("000Z") ? 0 : 1);
  }

  async #send({ organisation, event, url, headers, body }: Outbound, handler: WebhookHandler): Promise<SandboxDelivery> {
    const request = (): Request => new Request(url, { method: "POST", headers, body });
    const delivery: SandboxDelivery = { event, type: (JSON.parse(body) as { type: string }).type, request: request() };
    let outcome: unknown;
    try {
      const response = await handler(request());
      delivery.response = response.clone();
      outcome = { answered: { status: response.status, headers: [...response.headers], body: await response.text(), duration_ms: 0 } };
    } catch (error) {
      delivery.error = error;
      outcome = { failed: { error: String(error), duration_ms: 0 } };
    }
    this.#run({ call: "report", organisation, event, url, body, outcome });
    this.#deliveries.push(delivery);
    return delivery;
  }

  /** Recomputes all balances from the postings and returns each difference; empty if the books balance. */
  verify(): string[] {
    const reply = this.#run({ call: "verify" });
    if (typeof reply === "string" || !("differences" in reply)) throw unexpected(reply);
    return reply.differences;
  }

  /** Snapshot of the current state; can be restored any number of times. */
  snapshot(): SandboxSnapshot {
    return { image: this.#engine.image(), now: this.#now, seed: this.#seed, calls: this.#calls, draws: this.#draws, deliveries: [...this.#deliveries] };
  }

  /** Restores a snapshot: database, clock, seed and deliveries. Not for a sandbox with files. */
  restore(snapshot: SandboxSnapshot): void {
    if (this.#state !== undefined) throw new TypeError("a sandbox with files cannot be restored: start one from the snapshot");
    const engine = new Engine(MASTER_KEY, this.#publicUrl, snapshot.image);
    this.#engine.free();
    this.#engine = engine;
    this.#remember(snapshot);
  }

  /** Closes the files. The sandbox cannot be used afterwards. */
  close(): void {
    this.#engine.free();
    this.#state?.close();
  }

  #remember({ now, seed, calls, draws, deliveries }: SandboxSnapshot): void {
    this.#now = now;
    this.#seed = seed;
    this.#calls = calls;
    this.#draws = draws;
    this.#deliveries = [...deliveries];
  }

  /** Executes one step of a recording with its own time and seed. */
  replay(step: SandboxStep): unknown {
    return JSON.parse(this.#engine.step(JSON.stringify(step)));
  }

  #run(command: { call: string; [argument: string]: unknown }): Reply {
    this.#calls += 1;
    const seed = [this.#seed, this.#calls].map((number) => number.toString(16).padStart(32, "0")).join("");
    const step = { ...command, now: new Date(this.#now).toISOString(), seed };
    const reply = JSON.parse(this.#engine.step(JSON.stringify(step))) as Reply;
    if (typeof reply === "object" && "failed" in reply) throw new Error(`the sandbox failed: ${reply.failed}`);
    return reply;
  }
}

function unexpected(reply: Reply): Error {
  return new Error(`the sandbox gave an unexpected reply: ${JSON.stringify(reply)}`);
}

import { initSync, Sandbox as Engine } from "#glue/sandbox";
import { module } from "#module/sandbox";

import { type Answer, IN_PROCESS, type InProcess, type Inside, type Outcome } from "./answer.js";
import { Settlekit, type Settings } from "./client.js";
import type { CheckoutPayment, CreateDepositArguments, Deposit } from "./operations.js";

let started = false;

function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

/** How a sandbox begins. */
export interface SandboxSettings {
  /** Its first moment; 2026-01-01T00:00:00Z unless given. */
  now?: Date | string;
  /** The same seed and the same calls give the same answers to the byte, ids and secrets included; 0 unless given. */
  seed?: number;
  /** Where payers would reach it. */
  publicUrl?: string;
  /** Gets the webhooks, as your own handler does; without one they are collected and count as taken. */
  webhooks?: WebhookHandler;
  /** The state of another sandbox, to go on from. */
  snapshot?: SandboxSnapshot;
}

/** Takes a webhook and answers it. What it throws counts as no answer, and the service tries again later. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>;

/** Everything that a sandbox knows, to go back to. */
export interface SandboxSnapshot {
  /** The database. */
  readonly image: Uint8Array;
  /** The clock, Unix milliseconds. */
  readonly now: number;
  readonly seed: number;
  readonly calls: number;
  readonly draws: number;
  readonly deliveries: readonly SandboxDelivery[];
}

/** A stretch of time; its parts are added up. */
export interface Stretch {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/** The sandbox's clock: it stands still unless it is moved. */
export interface SandboxClock {
  /** Unix milliseconds; for the client's `clock` setting. */
  now(): number;
  /** Moves on, from one moment at which something is due to the next: each thing happens, and is told, in its time. */
  advance(by: Stretch): Promise<void>;
}

/** How a payer pays. */
export interface PayerChoice {
  /** The chain; the first that the link offers unless said. */
  chain_id?: number;
  /** The currency; the first that the link offers unless said. */
  currency?: string;
  /** What is sent: less or more than is due if you like; exactly that unless said. */
  amount?: string;
  email?: string;
  name?: string;
  customer_ident?: string;
  shipping_address?: string;
  tax_ident?: string;
}

/** An organisation with the secrets that are shown once. */
export interface SandboxOrganisation {
  orgId: string;
  apiKey: string;
  signingSecret: string;
}

/** How the way between a client and the sandbox behaves. */
export interface SandboxNetwork {
  /** How long an answer is under way, in milliseconds of the real clock. */
  latencyMs: number;
  /** How many of the next answers are lost after the service did what was asked: the client sees a broken connection. */
  loseAnswers: number;
}

/** A webhook that was sent, and what came of it. */
export interface SandboxDelivery {
  /** The event it tells of. */
  event: string;
  /** What happened, `payment.updated`. */
  type: string;
  /** As it was sent; its body can be read once, that of a `clone()` again. */
  request: Request;
  /** Absent when nothing came back. */
  response?: Response;
  error?: unknown;
}

/** One of the service's calls, as data. */
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
/** Any 32 bytes: what they protect lives and dies with the process. */
const MASTER_KEY = new Uint8Array(32).fill(7);

const NEWLINE = 10;
const PUBLIC_URL = "http://sandbox.test";
/** How long the clock leaves alone what its turn did not move. */
const STALLED_MS = 1_000;
/** A round of deliveries is limited; so many rounds at one moment mean that something feeds itself. */
const ROUNDS_MAX = 10_000;

/**
 * The whole service in this process: rules, ledger, database, signed webhooks. No network, no waiting, no clock but its own.
 *
 * Give `settings(organisation)` to the client, and everything the client does happens here.
 */
export class Sandbox {
  readonly #publicUrl: string;
  #engine: Engine;
  #now: number;
  #seed: number;
  #calls = 0;
  #draws = 0;
  #handler: WebhookHandler | undefined;
  #deliveries: SandboxDelivery[] = [];

  private constructor(settings: SandboxSettings) {
    const { now = FIRST_MOMENT, seed = 0, publicUrl = PUBLIC_URL, webhooks, snapshot } = settings;
    this.#now = new Date(now).getTime();
    if (Number.isNaN(this.#now)) throw new RangeError("`now` is no moment");
    if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError("a seed is a whole number from 0 on");
    start();
    this.#publicUrl = publicUrl;
    this.#handler = webhooks;
    this.#engine = new Engine(MASTER_KEY, publicUrl, snapshot?.image ?? new Uint8Array());
    this.#seed = seed;
    if (snapshot === undefined) {
      this.#run({ call: "migrate" });
    } else {
      this.#remember({ ...snapshot, now: settings.now === undefined ? snapshot.now : this.#now, seed: settings.seed ?? snapshot.seed });
    }
  }

  /** Begins a sandbox: empty, or where a snapshot was taken. */
  static async start(settings: SandboxSettings = {}): Promise<Sandbox> {
    return new Sandbox(settings);
  }

  /** The sandbox's clock. */
  readonly clock: SandboxClock = {
    now: () => this.#now,
    advance: async ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
      const until = this.#now + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
      if (!(until >= this.#now)) throw new RangeError("time never goes back");
      await this.deliver();
      for (let due = this.#due(); due !== undefined && due <= until; due = this.#due()) {
        // What is still due after its turn is not looked at again at once.
        this.#now = due > this.#now ? due : Math.min(this.#now + STALLED_MS, until);
        await this.deliver();
        if (this.#now === until) return;
      }
      this.#now = until;
    },
  };

  /** What the client needs to speak to this sandbox as an organisation. */
  settings(organisation: SandboxOrganisation): Settings {
    const { apiKey, signingSecret } = organisation;
    // Its secrets guard nothing, so that a page may have them.
    return { ...this.#host(), apiKey, signingSecret, allowBrowser: true };
  }

  /** What every client of this sandbox needs. */
  #host(): Settings {
    return { baseUrl: this.#publicUrl, fetch: this.fetch, clock: this.clock.now, random: (length) => this.#random(length) };
  }

  /** Bytes that follow from the seed, never the same ones twice: keys and nonces of the clients. */
  #random(length: number): Uint8Array {
    this.#draws += 1;
    let state = (Math.imul(this.#draws, 0x9e3779b1) ^ this.#seed ^ (this.#seed / 2 ** 32)) >>> 0;
    const bytes = new Uint8Array(length);
    // Mulberry32: spread, not secret. What it names lives and dies with the process.
    for (let at = 0; at < length; at += 1) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
      bytes[at] = mixed ^ (mixed >>> 14);
    }
    return bytes;
  }

  /** Sends a deposit to an account on the simulated chain; blocks confirm it as the clock moves. */
  deposit(organisation: SandboxOrganisation, deposit: CreateDepositArguments): Promise<Deposit> {
    return new Settlekit(this.settings(organisation)).sandbox.createDeposit(deposit);
  }

  /** Opens a paylink as its payer and pays; blocks confirm the payment as the clock moves. */
  async pay(paylink: string | { id: string }, choice: PayerChoice = {}): Promise<CheckoutPayment> {
    const payer = new Settlekit(this.#host());
    const { chain_id, currency, amount, ...facts } = choice;
    const paylink_id = typeof paylink === "string" ? paylink : paylink.id;
    const { options } = await payer.checkout.get({ paylink_id });
    const option = options.find((option) => (chain_id ?? option.chain.id) === option.chain.id && (currency ?? option.currency) === option.currency);
    const offered = option ?? options[0];
    if (offered === undefined) throw new Error("the link offers no way to pay: has the merchant an account for it?");
    // What the link does not offer is the service's to refuse.
    const [chain, symbol] = [chain_id ?? offered.chain.id, currency ?? offered.currency];
    const { payment_id } = await payer.checkout.start({ paylink_id, chain_id: chain, currency: symbol, ...facts });
    return payer.checkout.payFromTestWallet({ payment_id, ...(amount === undefined ? {} : { amount }) });
  }

  /**
   * Takes the blocks away that held a payment's transactions, before they were deep enough: they will never be confirmed.
   * Gives how many they were.
   */
  async reorganise(organisation: SandboxOrganisation, payment: string | { payment_id: string }): Promise<number> {
    const payment_id = typeof payment === "string" ? payment : payment.payment_id;
    const client = new Settlekit(this.settings(organisation));
    const { crypto_transactions, deposit_address: to } = await client.payments.get({ payment_id });
    const lost = (crypto_transactions ?? []).filter(({ status }) => status === "Pending");
    for (const { chain_id: chain, transaction_hash: hash } of lost) {
      this.#run({ call: "observe", observation: { failed: { chain, hash, to } } });
    }
    return lost.length;
  }

  /** How the way to the service behaves; a good one unless changed. */
  readonly network: SandboxNetwork = { latencyMs: 0, loseAnswers: 0 };

  /** Every webhook that was sent, in order, and what came of it. */
  get deliveries(): readonly SandboxDelivery[] {
    return this.#deliveries;
  }

  /** Makes an organisation, with a key that may do everything. */
  createOrganisation(settings: { name: string; partner?: string; otc?: boolean }): SandboxOrganisation {
    const reply = this.#run({ call: "create_organisation", ...settings });
    if (typeof reply === "string" || !("organisation" in reply)) throw unexpected(reply);
    const { org_id, api_key, signing_secret } = reply.organisation;
    return { orgId: org_id, apiKey: api_key, signingSecret: signing_secret };
  }

  /** Answers a request as the service would; for the client's `fetch` setting. */
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

  /** Whether calls go the way over the network, with what that way does to them. */
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
    // What never left its client is no call.
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
   * Does what is due at this moment, payments confirmed and lapsed included, and sends the webhooks that are due, one after
   * the other, to `webhooks`, to the handler that the sandbox was started with unless given.
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
        // A round takes so many steps of a kind; those that it moved may already be due again.
        if (due === undefined || due > this.#now || due === last) return made;
        last = due;
      }
      for (const outbound of reply.outbound) made.push(await this.#send(outbound, handler));
    }
    throw new Error("webhooks lead to more webhooks without end: does the handler change what it is told of?");
  }

  /** When something is due next, Unix milliseconds. */
  #due(): number | undefined {
    const reply = this.#run({ call: "next_due" });
    if (typeof reply === "string" || !("due" in reply)) throw unexpected(reply);
    // The service reckons in microseconds: nothing is looked for before it is due.
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

  /** Computes every balance again from the postings and tells each difference; none when the books balance. */
  verify(): string[] {
    const reply = this.#run({ call: "verify" });
    if (typeof reply === "string" || !("differences" in reply)) throw unexpected(reply);
    return reply.differences;
  }

  /** Everything as it is now, to be restored as often as needed. */
  snapshot(): SandboxSnapshot {
    return { image: this.#engine.image(), now: this.#now, seed: this.#seed, calls: this.#calls, draws: this.#draws, deliveries: [...this.#deliveries] };
  }

  /** Goes back to a snapshot: database, clock, seed and deliveries. */
  restore(snapshot: SandboxSnapshot): void {
    const engine = new Engine(MASTER_KEY, this.#publicUrl, snapshot.image);
    this.#engine.free();
    this.#engine = engine;
    this.#remember(snapshot);
  }

  #remember({ now, seed, calls, draws, deliveries }: SandboxSnapshot): void {
    this.#now = now;
    this.#seed = seed;
    this.#calls = calls;
    this.#draws = draws;
    this.#deliveries = [...deliveries];
  }

  /** Carries out one step of a recording, with its own moment and seed. */
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

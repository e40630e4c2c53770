import { initSync, prepare, prepare_raw, read_answer, read_refusal } from "#glue/client";
import { module } from "#module/client";

import { type Answer, IN_PROCESS, type InProcess, type Inside, type Outcome, type Question, type Refusal } from "./answer.js";
import { SettlekitError } from "./errors.js";
import { Listing, type Page } from "./listing.js";
import { OPERATIONS, type Rooms } from "./operations.js";

export { Listing, type Page } from "./listing.js";

/** How the client reaches the service, and as whom. */
export interface Settings {
  /** The service's address, with or without `/v1`. */
  baseUrl: string;
  /** The API key. */
  apiKey?: string;
  /** The signing secret, for the operations that must be signed. */
  signingSecret?: string;
  /** The sub-merchant that a partner acts for. */
  orgId?: string;
  /** How long one attempt may take in milliseconds, its answer's body included; 30 000 unless said. */
  timeout?: number;
  /** How often a call that could not be answered is tried again; 2 unless said. */
  maxRetries?: number;
  /** Sent with every request. What the client sends itself cannot be replaced. */
  headers?: Record<string, string>;
  /** Sends the requests; the runtime's own `fetch` unless said. */
  fetch?: typeof globalThis.fetch;
  /** Unix milliseconds; the runtime's own clock unless said. */
  clock?: () => number;
  /** Gives so many random bytes, for nonces and idempotency keys; the runtime's own unless said. */
  random?: (length: number) => Uint8Array;
  /** A browser shows its secrets to whoever uses it: a client there is refused unless this is true. */
  allowBrowser?: boolean;
  /** Sees every attempt before it leaves. What a hook throws goes to the caller, and nothing is tried again. */
  onRequest?: (request: RequestSeen) => void;
  /** Sees what came of every attempt that was answered. */
  onResponse?: (response: ResponseSeen) => void;
  /** Sees why an attempt is made again, and after what pause. */
  onRetry?: (retry: RetrySeen) => void;
}

/** An attempt as a hook sees it. */
export interface RequestSeen {
  /** `CreatePaylink`, or method and path of a raw request. */
  operation: string;
  method: string;
  url: string;
  /** The key, the signature and what the caller added are shown as `***`. */
  headers: Record<string, string>;
  /** Counted from 0. */
  attempt: number;
}

/** An answer as a hook sees it. */
export interface ResponseSeen {
  operation: string;
  url: string;
  status: number;
  attempt: number;
  durationMs: number;
}

/** Another try as a hook sees it. */
export interface RetrySeen {
  operation: string;
  /** The attempt that failed, counted from 0. */
  attempt: number;
  pauseMs: number;
  error: SettlekitError;
}

/** What one call may do differently. */
export interface Options {
  /** Stops the call. */
  signal?: AbortSignal;
  /** How long one attempt may take in milliseconds. */
  timeout?: number;
  /** How often the call is tried again. */
  maxRetries?: number;
  /** Sent with this call. */
  headers?: Record<string, string>;
  /** The sub-merchant that a partner acts for. */
  orgId?: string;
  /** Repeating a call with the same key does the thing once. Made by the client unless given. */
  idempotencyKey?: string;
}

/** What a raw request takes. */
export interface RawRequest extends Options {
  /** The query's parameters. */
  query?: Record<string, string | number | boolean>;
  /** Sent as JSON. */
  body?: unknown;
  /** Whether it must be signed. */
  signed?: boolean;
}

interface Prepared {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  repeatable: boolean;
  secrets: string[];
}

/** One thing to do: how its request is made, and how its answer is read. */
interface Task<T> {
  name: string;
  prepare(credentials: string, now: number, random: Uint8Array): string;
  read(answer: Answer, headers: string): Outcome<T>;
  /** Does all of it at once, where the service is in this process. */
  inside?(service: Inside, credentials: string, now: number, random: Uint8Array): Outcome<T> | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
/** Whoever must wait longer should know it, not sit in a call. */
const PAUSE_MAX_MS = 60_000;

let started = false;

function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

class Caller {
  readonly #settings: Settings;
  /** The service's clock less ours, once the service has said so. */
  #clockOffsetMs = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  now(): number {
    return (this.#settings.clock ?? Date.now)() + this.#clockOffsetMs;
  }

  call(operation: string, given: unknown, options: Options): Promise<unknown> {
    const json = JSON.stringify(given);
    return this.#run(options, {
      name: operation,
      prepare: (credentials, now, random) => prepare(operation, json, credentials, now, random),
      read: ({ status, bytes }, headers) => JSON.parse(read_answer(operation, status, headers, bytes)) as Outcome<unknown>,
      inside: (service, credentials, now, random) => service.call(operation, json, credentials, now, random),
    });
  }

  raw(method: string, path: string, { query, body, signed, ...options }: RawRequest): Promise<Response> {
    const words = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])).toString();
    const target = words === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${words}`;
    const json = body === undefined ? undefined : JSON.stringify(body);
    return this.#run(options, {
      name: `${method} ${path}`,
      prepare: (credentials, now, random) => prepare_raw(method, target, json, signed ?? false, credentials, now, random),
      read: ({ status, headers: names, bytes }, headers) => {
        if (status < 200 || status > 299) return JSON.parse(read_refusal(status, headers, bytes)) as Outcome<never>;
        return { ok: new Response(bytes.length === 0 ? null : bytes, { status, headers: [...names] }) };
      },
    });
  }

  async #run<T>(options: Options, task: Task<T>): Promise<T> {
    const settings = this.#settings;
    const maxRetries = options.maxRetries ?? settings.maxRetries ?? MAX_RETRIES;
    const timeout = options.timeout ?? settings.timeout ?? TIMEOUT_MS;
    if (!(maxRetries >= 0)) throw unusable("OUT_OF_RANGE", "maxRetries is 0 or more");
    // Timers take 31 bits: what is longer would end at once.
    if (!(timeout > 0 && timeout < 2 ** 31)) throw unusable("OUT_OF_RANGE", "timeout is a number of milliseconds above 0 and below 2^31");
    const random = settings.random ?? ((length: number) => crypto.getRandomValues(new Uint8Array(length)));
    const credentials = JSON.stringify({
      baseUrl: settings.baseUrl,
      apiKey: settings.apiKey,
      signingSecret: settings.signingSecret,
      orgId: options.orgId ?? settings.orgId,
      idempotencyKey: options.idempotencyKey ?? uuid(random(16)),
    });
    const added = { ...settings.headers, ...options.headers };
    let corrected = false;
    for (let attempt = 0; ; ) {
      // A new nonce for every attempt: the service takes each one once.
      const [now, nonce] = [this.now(), random(10)];
      let repeatable = true;
      let refusal: Refusal | undefined;
      let failure: SettlekitError;
      try {
        let outcome = this.#inside(task, options, credentials, now, nonce);
        if (outcome === undefined) {
          start();
          const prepared = unwrap<Prepared>(task.prepare(credentials, now, nonce));
          refuseOwn(added, prepared);
          repeatable = prepared.repeatable;
          outcome = await this.#send(task, prepared, added, options.signal, timeout, attempt);
        }
        if (outcome.error === undefined) return outcome.ok;
        refusal = outcome.error;
        failure = toError(refusal);
      } catch (error) {
        if (!(error instanceof SettlekitError)) throw error;
        failure = error;
      }
      if (refusal?.server_time_ms != null && !corrected) {
        this.#clockOffsetMs += refusal.server_time_ms - this.now();
        corrected = true;
        continue;
      }
      const worthIt = refusal ? refusal.transient : failure.kind === "connection" || failure.kind === "timeout";
      const asked = failure.retryAfterSeconds === undefined ? undefined : failure.retryAfterSeconds * 1000;
      const pause = asked ?? Math.random() * FIRST_PAUSE_MS * 2 ** attempt;
      if (!worthIt || !repeatable || attempt >= maxRetries || pause > PAUSE_MAX_MS) throw failure;
      settings.onRetry?.({ operation: task.name, attempt, pauseMs: pause, error: failure });
      await wait(pause, options.signal);
      attempt += 1;
    }
  }

  /** Carries out one attempt in this process, where the service is in it and the caller neither adds to the request nor looks at it. */
  #inside<T>(task: Task<T>, options: Options, credentials: string, now: number, nonce: Uint8Array): Outcome<T> | undefined {
    const { fetch, headers, onRequest, onResponse } = this.#settings;
    const service = (fetch as InProcess | undefined)?.[IN_PROCESS];
    const plain = !headers && !options.headers && !onRequest && !onResponse && !options.signal?.aborted;
    return service && plain ? task.inside?.(service, credentials, now, nonce) : undefined;
  }

  /** Sends one attempt and reads its answer. */
  async #send<T>(
    task: Task<T>,
    prepared: Prepared,
    added: Record<string, string>,
    signal: AbortSignal | undefined,
    timeout: number,
    attempt: number,
  ): Promise<Outcome<T>> {
    const { onRequest, onResponse, fetch = globalThis.fetch } = this.#settings;
    const { method, url, body } = prepared;
    if (signal?.aborted) throw aborted(signal);
    onRequest?.({ operation: task.name, method, url, headers: shown(added, prepared), attempt });
    const since = Date.now();
    // What the caller adds cannot replace what the client sends.
    const headers = { ...added, ...prepared.headers };
    const inside = (fetch as InProcess)[IN_PROCESS]?.answer(url, { method, headers, body });
    const answer = inside ?? (await this.#ask(fetch, url, { method, headers, body }, signal, timeout));
    // Outside: what a hook throws is no failure of the network, and an answered request must not be sent again for it.
    onResponse?.({ operation: task.name, url, status: answer.status, attempt, durationMs: Date.now() - since });
    return task.read(answer, JSON.stringify(Object.fromEntries(answer.headers)));
  }

  /** Asks over the network. */
  async #ask(fetch: typeof globalThis.fetch, url: string, question: Question, signal: AbortSignal | undefined, timeout: number): Promise<Answer> {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timeout);
    signal?.addEventListener("abort", stop);
    try {
      // A redirect would carry the key elsewhere.
      const response = await fetch(url, { ...question, signal: controller.signal, redirect: "manual" });
      return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch (error) {
      if (late) throw new SettlekitError("timeout", `no answer from ${url} within ${timeout} ms`, { cause: error });
      if (signal?.aborted) throw aborted(signal);
      const why = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
      throw new SettlekitError("connection", `cannot reach ${url}: ${why}`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
}

function unusable(reason: string, message: string): SettlekitError {
  return new SettlekitError("validation", message, { errors: [{ domain: "request", reason, message }] });
}

/** Refuses headers that the client sends itself, and those that nobody could send. */
function refuseOwn(added: Record<string, string>, { headers, secrets }: Prepared): void {
  for (const [name, value] of Object.entries(added)) {
    const lower = name.toLowerCase();
    if (lower in headers || secrets.includes(lower)) throw unusable("NOT_SUPPORTED", `the client sends the header ${lower} itself`);
    try {
      new Headers([[name, value]]);
    } catch {
      throw unusable("REQUEST_MALFORMED", `the header ${JSON.stringify(name)} cannot be sent`);
    }
  }
}

/** The headers without what nobody else may see. What the caller added may hold anything. */
function shown(added: Record<string, string>, { headers, secrets }: Prepared): Record<string, string> {
  const hidden = [...Object.keys(added), ...secrets.filter((name) => name in headers)].map((name) => [name, "***"]);
  return { ...headers, ...(Object.fromEntries(hidden) as Record<string, string>) };
}

function unwrap<T>(text: string): T {
  const outcome = JSON.parse(text) as Outcome<T>;
  if (outcome.error !== undefined) throw toError(outcome.error);
  return outcome.ok;
}

function toError(refusal: Refusal): SettlekitError {
  return new SettlekitError(refusal.kind, refusal.message, {
    status: refusal.status ?? undefined,
    errors: refusal.errors,
    requestId: refusal.request_id ?? undefined,
    retryAfterSeconds: refusal.retry_after_seconds ?? undefined,
  });
}

function aborted(signal: AbortSignal): SettlekitError {
  return new SettlekitError("abort", "the call was stopped", { cause: signal.reason });
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(aborted(signal as AbortSignal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Whether this is a page, or a worker of one. */
function isBrowser(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  const worker = "importScripts" in globalThis && navigator?.userAgent?.startsWith("Mozilla/") === true;
  return worker || ("window" in globalThis && "document" in globalThis);
}

type Room = Record<string, (...words: never[]) => unknown>;

/** The service, one room per resource and one method per operation. */
export interface Settlekit extends Rooms {}

/** The service, one room per resource and one method per operation. */
export class Settlekit {
  readonly #caller: Caller;

  constructor(settings: Settings) {
    if (isBrowser() && !settings.allowBrowser && (settings.apiKey || settings.signingSecret)) {
      throw new SettlekitError("permission", "a browser shows the API key to whoever uses it: call the service from your server");
    }
    const caller = new Caller(settings);
    this.#caller = caller;
    const rooms = this as unknown as Record<string, Room>;
    for (const [room, method, operation, shape] of OPERATIONS) {
      const call = (...words: unknown[]): unknown => {
        const given = (shape.startsWith("a") ? words.shift() : undefined) ?? {};
        const options = (words.shift() ?? {}) as Options;
        if (!shape.endsWith("l")) return caller.call(operation, given, options);
        const source = {
          fetch: (page: Record<string, unknown>) => caller.call(operation, page, options) as Promise<Page<unknown>>,
          now: () => caller.now(),
        };
        return new Listing(source, given as Record<string, unknown>);
      };
      (rooms[room] ??= {})[method] = call;
    }
  }

  /**
   * Sends what this version of the package does not know: with the key, signed if said, tried again and refused as every
   * call. `path` comes after the version, `/orgs`. The answer's body is as it came; note that `json()` rounds long numbers.
   */
  rawRequest(method: string, path: string, request: RawRequest = {}): Promise<Response> {
    return this.#caller.raw(method, path, request);
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => (byte + 256).toString(16).slice(1));

/** A random UUID (RFC 9562, version 4) of 16 bytes. */
function uuid(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < 16; index += 1) {
    const byte = bytes[index] as number;
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
    text += HEX[marked];
  }
  return text;
}

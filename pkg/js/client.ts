import { initSync, prepare, read_answer } from "#glue/client";
import { module } from "#module/client";

import { type ErrorDetail, type ErrorKind, SettlekitError } from "./errors.js";
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
  /** How long one attempt may take, its answer's body included; 30 000 unless said. */
  timeoutMs?: number;
  /** How often a call that could not be answered is tried again; 2 unless said. */
  retries?: number;
  /** Sends the requests; the runtime's own `fetch` unless said. */
  fetch?: typeof globalThis.fetch;
  /** Unix milliseconds; the runtime's own clock unless said. */
  clock?: () => number;
  /** A browser shows its secrets to whoever uses it: a client there is refused unless this is true. */
  allowBrowser?: boolean;
  /** Sees every attempt before it leaves. Secrets are not in it. */
  onRequest?: (request: { operation: string; method: string; url: string; attempt: number }) => void;
  /** Sees what came of every attempt. */
  onResponse?: (response: { operation: string; url: string; status: number; attempt: number; durationMs: number }) => void;
}

/** What one call may do differently. */
export interface Options {
  /** Stops the call. */
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /** The sub-merchant that a partner acts for. */
  orgId?: string;
  /** Repeating a call with the same key does the thing once. Made by the client unless given. */
  idempotencyKey?: string;
}

interface Prepared {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  repeatable: boolean;
}

interface Refusal {
  kind: ErrorKind;
  status: number | null;
  message: string;
  errors: ErrorDetail[];
  request_id: string | null;
  retry_after_seconds: number | null;
  server_time_ms: number | null;
  transient: boolean;
}

type Outcome<T> = { ok: T; error?: never } | { ok?: never; error: Refusal };

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
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

  async call(operation: string, given: unknown, options: Options): Promise<unknown> {
    start();
    const settings = this.#settings;
    const json = JSON.stringify(given);
    const credentials = JSON.stringify({
      baseUrl: settings.baseUrl,
      apiKey: settings.apiKey,
      signingSecret: settings.signingSecret,
      orgId: options.orgId ?? settings.orgId,
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
    });
    const retries = options.retries ?? settings.retries ?? RETRIES;
    let corrected = false;
    for (let attempt = 0; ; ) {
      // A new nonce for every attempt: the service takes each one once.
      const random = crypto.getRandomValues(new Uint8Array(10));
      const prepared = unwrap<Prepared>(prepare(operation, json, credentials, this.now(), random));
      let refusal: Refusal | undefined;
      let failure: SettlekitError;
      try {
        const outcome = await this.#send(operation, prepared, options, attempt);
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
      if (!worthIt || !prepared.repeatable || attempt >= retries || pause > PAUSE_MAX_MS) throw failure;
      await wait(pause, options.signal);
      attempt += 1;
    }
  }

  /** Sends one attempt and reads its answer. */
  async #send(operation: string, prepared: Prepared, options: Options, attempt: number): Promise<Outcome<unknown>> {
    const { onRequest, onResponse, fetch = globalThis.fetch } = this.#settings;
    const { method, url, headers, body } = prepared;
    const timeoutMs = options.timeoutMs ?? this.#settings.timeoutMs ?? TIMEOUT_MS;
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timeoutMs);
    options.signal?.addEventListener("abort", stop);
    const since = Date.now();
    try {
      if (options.signal?.aborted) throw aborted(options.signal);
      onRequest?.({ operation, method, url, attempt });
      // A redirect would carry the key elsewhere.
      const response = await fetch(url, { method, headers, body, signal: controller.signal, redirect: "manual" });
      const bytes = new Uint8Array(await response.arrayBuffer());
      onResponse?.({ operation, url, status: response.status, attempt, durationMs: Date.now() - since });
      const names = JSON.stringify(Object.fromEntries(response.headers));
      return JSON.parse(read_answer(operation, response.status, names, bytes)) as Outcome<unknown>;
    } catch (error) {
      if (error instanceof SettlekitError) throw error;
      if (late) throw new SettlekitError("timeout", `no answer from ${url} within ${timeoutMs} ms`, { cause: error });
      if (options.signal?.aborted) throw aborted(options.signal);
      const why = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
      throw new SettlekitError("connection", `cannot reach ${url}: ${why}`, { cause: error });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
    }
  }
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

function isBrowser(): boolean {
  return "window" in globalThis && "document" in globalThis;
}

type Room = Record<string, (...words: never[]) => unknown>;

/** The service, one room per resource and one method per operation. */
export interface Settlekit extends Rooms {}

/** The service, one room per resource and one method per operation. */
export class Settlekit {
  constructor(settings: Settings) {
    if (isBrowser() && !settings.allowBrowser && (settings.apiKey || settings.signingSecret)) {
      throw new SettlekitError("permission", "a browser shows the API key to whoever uses it: call the service from your server");
    }
    const caller = new Caller(settings);
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
}

import { check, header_names, initSync } from "#glue/webhooks";
import { module } from "#module/webhooks";

import { SettlekitError } from "./errors.js";

export { SettlekitError, type ErrorKind } from "./errors.js";

/** Payload of a webhook. */
export interface WebhookPayload<T = unknown> {
  /** Event type, `payment.updated`. */
  type: string;
  /** Time of the event, RFC 3339. */
  timestamp: string;
  /** The record at the time of the event. Exact amounts are strings. */
  data: T;
  /** True for a test event, whose record is an example. */
  test?: boolean;
}

/** Headers of any server framework. */
export type HeadersLike = Headers | Iterable<[string, string]> | Record<string, string | string[] | undefined>;

/** The unparsed body, exactly as received. */
export type RawBody = string | ArrayBufferView | ArrayBuffer;

/** Options of a verification. */
export interface VerifyOptions {
  /** Maximum difference between signing time and clock, before or after; default 300. */
  toleranceSeconds?: number;
  /** Current time in Unix milliseconds; default: the runtime's clock. */
  clock?: () => number;
}

/** A webhook to verify. */
export interface ReceivedWebhook {
  /** The raw body. */
  body: Uint8Array;
  /** Value of a header; empty if it is missing. */
  header(name: string): string;
  /** The keys as given to `verify`. */
  keys: readonly string[];
  /** Current time in Unix milliseconds. */
  now: number;
  /** Maximum difference between signing time and `now`, before or after. */
  toleranceSeconds: number;
}

/** How another service signs its webhooks: returns whether signature and signing time are valid. */
export type WebhookScheme<B = boolean | PromiseLike<boolean>> = (webhook: ReceivedWebhook) => B;

let started = false;

function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

/**
 * Verifies a webhook and returns its payload; throws a `SettlekitError` of kind `signature` if it is invalid.
 *
 * `keys` are public keys in PEM (`webhook_public_key` of the organisation), with real or escaped line breaks. During a rotation
 * pass both; one match is enough.
 */
export function verify<T = unknown>(
  body: RawBody,
  headers: HeadersLike,
  keys: string | readonly string[],
  options?: VerifyOptions & { scheme?: WebhookScheme<boolean> },
): WebhookPayload<T>;
/** Verifies a webhook of a service whose scheme is asynchronous, such as one of WebCrypto. */
export function verify<T = unknown>(
  body: RawBody,
  headers: HeadersLike,
  keys: string | readonly string[],
  options: VerifyOptions & { scheme: WebhookScheme<PromiseLike<boolean>> },
): Promise<WebhookPayload<T>>;
/** Verifies a `Request` with an unread body. */
export function verify<T = unknown>(
  request: Request,
  keys: string | readonly string[],
  options?: VerifyOptions & { scheme?: WebhookScheme },
): Promise<WebhookPayload<T>>;
export function verify(first: unknown, second: unknown, third?: unknown, fourth?: unknown): unknown {
  if (isRequest(first)) {
    const keys = second as string | readonly string[];
    if (first.bodyUsed) {
      return Promise.reject(refuse("BODY_PARSED", "the request's body was read before: verify it first, then parse it"));
    }
    if (!isKeys(keys)) return Promise.reject(refuse("KEY_MALFORMED", NO_KEY));
    return first.arrayBuffer().then((body) => verifyBytes(new Uint8Array(body), first.headers, keys, (third ?? {}) as VerifyOptions));
  }
  const bytes = toBytes(first);
  return verifyBytes(bytes, second as HeadersLike, third as string | readonly string[], (fourth ?? {}) as VerifyOptions);
}

function verifyBytes(
  body: Uint8Array,
  headers: HeadersLike,
  keys: string | readonly string[],
  options: VerifyOptions & { scheme?: WebhookScheme },
): WebhookPayload | PromiseLike<WebhookPayload> {
  if (!isKeys(keys)) throw refuse("KEY_MALFORMED", NO_KEY);
  const list = typeof keys === "string" ? [keys] : [...keys];
  const { scheme, toleranceSeconds } = options;
  const now = (options.clock ?? Date.now)();
  if (scheme) {
    const named = (name: string): string => header(headers, name.toLowerCase());
    const valid = scheme({ body, header: named, keys: list, now, toleranceSeconds: toleranceSeconds ?? 300 });
    // A promise is not an answer yet.
    return typeof valid === "boolean" ? accept(valid, body) : Promise.resolve(valid).then((valid) => accept(valid, body));
  }
  start();
  const [id, timestamp, signature] = header_names().map((name) => header(headers, name)) as [string, string, string];
  const error = check(id, timestamp, signature, body, list, now, toleranceSeconds ?? -1);
  if (error !== undefined) {
    const [reason, ...sentence] = error.split(": ");
    throw refuse(reason as string, sentence.join(": "));
  }
  return payload(body);
}

/** The payload of a webhook that a scheme has checked. Only `true` is valid: a scheme in JavaScript may return anything. */
function accept(valid: boolean, body: Uint8Array): WebhookPayload {
  if (valid !== true) throw refuse("SIGNATURE_INVALID", "the scheme rejects signature or signing time");
  return payload(body);
}

function payload(body: Uint8Array): WebhookPayload {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookPayload;
  } catch (error) {
    throw new SettlekitError("api", "the webhook is the service's, but its body is not JSON", { cause: error });
  }
}

const NO_KEY = "no public key was given: it is `webhook_public_key` of the organisation";

// An unset environment variable is undefined at run time, whatever its type.
function isKeys(keys: unknown): keys is string | readonly string[] {
  return typeof keys === "string" || (Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === "string"));
}

function isRequest(value: unknown): value is Request {
  return typeof value === "object" && value !== null && "arrayBuffer" in value && "headers" in value && "bodyUsed" in value;
}

// By tag, not `instanceof`: test runners give each file its own `Uint8Array` and `Headers`.
function toBytes(body: unknown): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body as ArrayBuffer);
  throw refuse(
    "BODY_PARSED",
    (body === undefined || body === null ? "there is no body: nothing has read it. " : "the body was parsed before it was verified. ") +
      "Give the raw text or bytes as they arrived: what is parsed and written again has another signature. " +
      'With Express, use express.raw({ type: "application/json" }) on this route',
  );
}

function header(headers: HeadersLike, name: string): string {
  if (typeof (headers as Headers)?.get === "function") return (headers as Headers).get(name) ?? "";
  const pairs = Symbol.iterator in Object(headers) ? (headers as Iterable<[string, string]>) : Object.entries(headers ?? {});
  for (const [key, value] of pairs) {
    if (key.toLowerCase() === name) return (Array.isArray(value) ? value[0] : value) ?? "";
  }
  return "";
}

function refuse(reason: string, message: string): SettlekitError {
  return new SettlekitError("signature", message, { errors: [{ domain: "webhook", reason, message }] });
}

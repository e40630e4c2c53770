import type { Refusal } from "./answer.js";
import { toError } from "./client-wasm.js";
import { HEADERS } from "./constants.js";
import { SettlekitError } from "./errors.js";

/** A request to sign, complete but for its signature. */
export interface RequestToSign {
  method: string;
  url: string;
  /** Headers by lower-case name, with the nonce. */
  headers: Readonly<Record<string, string>>;
  /** JSON text; null without a body. */
  body: string | null;
  nonce: string;
}

/** The signature in hex or any other text, or the headers that sign a request. */
export type Signature = string | Record<string, string>;

/**
 * How a service that speaks the contract has its requests signed, where it differs from Settlekit. A client with a scheme accepts
 * ids of any form.
 */
export interface Scheme<S extends Signature | PromiseLike<Signature> = Signature | PromiseLike<Signature>> {
  /** Returns a nonce, different for every attempt; `now` is the service's estimated time in Unix milliseconds. Default: a UUIDv7. */
  nonce?(now: number, random: Uint8Array): string;
  /** Signs a request. The client hides the headers in its hooks. */
  sign?(request: RequestToSign, signingSecret: string): S;
  /** The service's time in Unix milliseconds, if an error is about a nonce that is out of time. The client corrects its clock once. */
  serverTime?(error: SettlekitError, headers: Record<string, string>): number | undefined;
}

/** A request with the names of the headers that hold secrets. */
interface Prepared {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  secrets: string[];
}

/** Replaces nonce and signature of a signed request; `again` prepares it with another nonce and Settlekit's signature. */
export function resign<P extends Prepared>(
  scheme: Scheme,
  prepared: P,
  signingSecret: string,
  now: number,
  random: Uint8Array,
  again: (nonce: string) => P,
): P | PromiseLike<P> {
  const { [HEADERS.signature]: ours, ...headers } = prepared.headers;
  if (ours === undefined) return prepared;
  const nonce = scheme.nonce?.(now, random) ?? (headers[HEADERS.nonce] as string);
  if (!scheme.sign) return again(nonce);
  headers[HEADERS.nonce] = nonce;
  const { method, url, body } = prepared;
  const signed = scheme.sign({ method, url, headers, body, nonce }, signingSecret);
  const carry = (signature: Signature): P => {
    const pairs = Object.entries(typeof signature === "string" ? { [HEADERS.signature]: signature } : signature);
    const added = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
    return { ...prepared, headers: { ...headers, ...added }, secrets: [...prepared.secrets, ...Object.keys(added)] };
  };
  return isPromise(signed) ? signed.then(carry) : carry(signed);
}

export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | undefined)?.then === "function";
}

/** The service's time by a scheme, for the client's clock. */
export function serverTime(scheme: Scheme | undefined, refusal: Refusal, headers: Iterable<[string, string]>): number | null {
  return scheme?.serverTime?.(toError(refusal), Object.fromEntries(headers)) ?? refusal.server_time_ms;
}

/** Kind of an error, by its remedy. */
export type ErrorKind =
  /** The key, session or signature is missing or wrong. */
  | "authentication"
  /** The key lacks a permission. */
  | "permission"
  /** The record does not exist or belongs to another organisation. */
  | "not_found"
  /** The request is invalid; `errors` names every field. */
  | "validation"
  /** The state of the record does not allow the operation. */
  | "conflict"
  /** Too many requests; `retryAfterSeconds` says when to retry. */
  | "rate_limit"
  /** The service does not have the operation: it is older, or another one that speaks the contract. */
  | "unsupported"
  /** The service failed, or sent a response that this version cannot read. */
  | "api"
  /** The service could not be reached. */
  | "connection"
  /** No response within the timeout. */
  | "timeout"
  /** The caller's signal aborted the call. */
  | "abort"
  /** A webhook failed verification. */
  | "signature";

/** One validation error or other error of the service. */
export interface ErrorDetail {
  /** Resource that the error is about. */
  domain: string;
  /** Stable code for programs. */
  reason: string;
  /** Field or parameter, as written by the caller. */
  field?: string;
  /** Human-readable message. */
  message?: string;
}

/** Additional properties of an error. */
export interface ErrorFacts {
  status?: number | undefined;
  errors?: ErrorDetail[] | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

// Global symbol: an application may load both the ES module and the CommonJS copy of this file.
const BRAND = Symbol.for("settlekit.error");

/** Error thrown by this package. Distinguish errors by `kind` and `reason`, not by message. */
export class SettlekitError extends Error {
  /** Kind of the error. */
  readonly kind: ErrorKind;
  /** HTTP status; absent without a response. */
  readonly status: number | undefined;
  /** All errors, in the order of the fields. */
  readonly errors: readonly ErrorDetail[];
  /** Request id in the service's logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "SettlekitError";
    this.kind = kind;
    this.status = facts.status;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Reason of the first error. */
  get reason(): string | undefined {
    return this.errors[0]?.reason;
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
  }
}

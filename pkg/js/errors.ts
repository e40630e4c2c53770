/** What kind of thing went wrong; decides what a program does about it. */
export type ErrorKind =
  /** The key, session or signature is missing or wrong. */
  | "authentication"
  /** The key is known but may not do this. */
  | "permission"
  /** There is no such thing, or it is somebody else's. */
  | "not_found"
  /** The request breaks a rule; `errors` names every field. */
  | "validation"
  /** The state of the thing forbids the act. */
  | "conflict"
  /** Too many requests; `retryAfterSeconds` says when to come back. */
  | "rate_limit"
  /** The service failed, or answered what this version cannot read. */
  | "api"
  /** The service could not be reached. */
  | "connection"
  /** No answer within the time allowed. */
  | "timeout"
  /** The caller's signal stopped the call. */
  | "abort"
  /** A webhook is not to be trusted. */
  | "signature";

/** One complaint. */
export interface ErrorDetail {
  /** The resource that the complaint is about. */
  domain: string;
  /** The stable word that programs may match. */
  reason: string;
  /** The field or parameter, as the caller wrote it. */
  field?: string;
  /** For people. */
  message?: string;
}

/** What else is known of an error. */
export interface ErrorFacts {
  status?: number | undefined;
  errors?: ErrorDetail[] | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

// The same in every copy of this file: an application may load the package as a module and as CommonJS.
const BRAND = Symbol.for("settlekit.error");

/** Every error that this package throws. Tell them apart by `kind` and `reason`, not by the message. */
export class SettlekitError extends Error {
  /** What kind of thing went wrong. */
  readonly kind: ErrorKind;
  /** The HTTP status; absent when there was no answer. */
  readonly status: number | undefined;
  /** Every complaint, in the order of the fields. */
  readonly errors: readonly ErrorDetail[];
  /** Names the request in the service's logs. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait. */
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

  /** The first complaint's reason. */
  get reason(): string | undefined {
    return this.errors[0]?.reason;
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
  }
}

import { operation_index, parse_value, prepare, prepare_raw, read_answer, sign_request, validate as check, validate_buffer } from "#glue/client";

import type { Outcome } from "./answer.js";
import { argumentsJson, start, toBytes, toError, toJson, unwrap, UNWRITABLE, writeArguments } from "./client-wasm.js";
import { HEADERS, LIMITS } from "./constants.js";
import { SettlekitError, type ErrorDetail } from "./errors.js";
import type { Operations, Values } from "./operations.js";
import { isPromise, resign, type Scheme, type Signature } from "./scheme.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

export { HEADERS, LIMITS };
export { SettlekitError, type ErrorDetail, type ErrorFacts, type ErrorKind } from "./errors.js";
export type * from "./operations.js";
export type { RequestToSign, Scheme, Signature } from "./scheme.js";
export type { StandardSchemaV1 } from "./standard-schema.js";
export { STATES } from "./states.js";
export { canMove, isFinal, moves, type Machine, type State } from "./transitions.js";
export {
  verify,
  type HeadersLike,
  type RawBody,
  type ReceivedWebhook,
  type VerifyOptions,
  type WebhookPayload,
  type WebhookScheme,
} from "./webhooks.js";

/** Name of an operation: `CreatePaylink`. */
export type Operation = keyof Operations;

/** What an operation takes, in one object: parameters of path and query, and the fields of the body. */
export type Arguments<O extends Operation> = Omit<Operations[O]["arguments"], keyof Operations[O]["query"]> & QueryOf<O>;

/** Parameters of an operation's query. Each may be text, as in a URL. */
export type QueryOf<O extends Operation> = { [Name in keyof Operations[O]["query"]]: Operations[O]["query"][Name] | string };

/** What an operation returns: a record, or a page of records. */
export type Returned<O extends Operation> = Operations[O]["returned"];

/** Type of a value: `Amount`, `PaymentId`, `EvmAddress`. */
export type ValueType = keyof Values;

/** Address and credentials of a request. */
export interface RequestSettings {
  /** Address of the service, with or without `/v1`. */
  baseUrl: string;
  /** API key. */
  apiKey?: string;
  /** Signing secret, for operations that require a signature. */
  signingSecret?: string;
  /** How a service other than Settlekit has its requests signed. `sign` may return no headers, `{}`, and leave signing to you. */
  scheme?: Scheme<Signature>;
  /** Sub-merchant that a partner acts for. */
  orgId?: string;
  /** Idempotency key. A request that changes something is safe to repeat only with one. */
  idempotencyKey?: string;
  /** Time of the signature; default: the runtime's clock. */
  now?: Date | number;
  /** Ten random bytes for the nonce; default: the runtime's generator. Never use the same bytes twice. */
  random?: Uint8Array;
}

/** A request as data, for `fetch` or any other transport. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON text; null without a body. */
  body: string | null;
}

interface Prepared extends HttpRequest {
  secrets: string[];
}

/** A response as data. */
export interface HttpResponse {
  status: number;
  /** Headers; needed for the request id and the pause before a retry. */
  headers?: Headers | Iterable<[string, string]> | Record<string, string | string[] | undefined>;
  /** The unparsed body: parsing it first would round long numbers. */
  body: string | ArrayBuffer | ArrayBufferView;
}

/** Result of reading a response. */
export type Result<O extends Operation> =
  | {
      /** The record or page. */
      value: Returned<O>;
      /** Arguments of the next page, to be added to those of this one; absent on the last page. */
      next?: { page: number };
      error?: undefined;
    }
  | { value?: undefined; next?: undefined; error: SettlekitError };

/**
 * Validates the arguments of an operation; returns all errors, at most 100, with the service's fields, reasons and messages. An
 * empty array means that the service accepts their form.
 */
export function validate<O extends Operation>(operation: O, given: Arguments<O>): ErrorDetail[] {
  return errorsOf(operation, "all", given);
}

/**
 * Validates one field of an operation while a user types; returns its errors and those of everything within it.
 *
 * `others` are the other arguments that are known so far, for rules between fields.
 */
export function validateField<O extends Operation, F extends keyof Arguments<O> & string>(
  operation: O,
  field: F,
  value: unknown,
  others: Partial<Arguments<O>> = {},
): ErrorDetail[] {
  return errorsOf(operation, "all", { ...others, [field]: value }, field);
}

/** Standard Schema of all arguments of an operation. */
export function schema<O extends Operation>(operation: O): StandardSchemaV1<Arguments<O>> {
  return schemaOf((given) => errorsOf(operation, "all", given));
}

/** Standard Schema of an operation's body. */
export function bodySchema<O extends Operation>(operation: O): StandardSchemaV1<Operations[O]["body"]> {
  return schemaOf((given) => errorsOf(operation, "body", given));
}

/** Standard Schema of an operation's query: of an object, whose values may be text, or of `URLSearchParams`. */
export function querySchema<O extends Operation>(operation: O): StandardSchemaV1<QueryOf<O>> {
  return schemaOf((given) => errorsOf(operation, "query", toObject(given)));
}

/** `URLSearchParams` as an object. By tag, not `instanceof`: a test runner gives each file its own class. */
function toObject(given: unknown): unknown {
  if (Object.prototype.toString.call(given) !== "[object URLSearchParams]") return given;
  const pairs = given as URLSearchParams;
  return Object.fromEntries([...pairs.keys()].map((name) => [name, pairs.getAll(name).join(",")]));
}

/** Standard Schema of a value; its output is the canonical form. */
export function valueSchema<T extends ValueType>(type: T): StandardSchemaV1<string | number, Values[T]> {
  return {
    "~standard": {
      version: 1,
      vendor: "settlekit",
      validate: (given) => {
        const outcome = parsed(type, given);
        return outcome.error === undefined ? { value: outcome.ok } : { issues: outcome.error.errors.map(toIssue) };
      },
    },
  };
}

/**
 * Builds the request of an operation, signed if the operation or the settings require it.
 *
 * Throws a `SettlekitError` of kind `validation` with all errors if the arguments are invalid.
 */
export function request<O extends Operation>(operation: O, given: Arguments<O>, settings: RequestSettings): HttpRequest {
  start();
  const json = argumentsJson(given ?? {});
  return built(settings, (credentials, now, random) => prepare(operation, json, credentials, now, random));
}

/**
 * Builds a request that this version of the package has no operation for. `path` is below the version, e.g. `/orgs?limit=5`;
 * `body` is sent as JSON.
 */
export function rawRequest(
  method: string,
  path: string,
  { body, signed = false, ...settings }: RequestSettings & { body?: unknown; signed?: boolean },
): HttpRequest {
  start();
  const json = body === undefined ? undefined : JSON.stringify(body);
  return built(settings, (credentials, now, random) => prepare_raw(method, path, json, signed, credentials, now, random));
}

/** Reads the response to an operation. Exact numbers become strings; unknown fields and enumeration values are kept. */
export function read<O extends Operation>(operation: O, { status, headers, body }: HttpResponse): Result<O> {
  start();
  const outcome = JSON.parse(read_answer(operation, status, JSON.stringify(lowered(headers ?? {})), bytes(body))) as Outcome<Returned<O>>;
  if (outcome.error !== undefined) return { error: toError(outcome.error) };
  const page = (outcome.ok as { next?: unknown } | null)?.next;
  return typeof page === "number" ? { value: outcome.ok, next: { page } } : { value: outcome.ok };
}

/** Signs a request that is complete otherwise; returns the headers to add. `body` is the bytes or text as sent. */
export function sign(
  request: { method: string; url: string; body?: string | ArrayBuffer | ArrayBufferView | null; orgId?: string },
  signingSecret: string,
  options: { now?: Date | number; random?: Uint8Array; scheme?: Scheme<Signature> } = {},
): Record<string, string> {
  start();
  const { method, url, orgId } = request;
  const body = bytes(request.body ?? "");
  const settings = { ...options, baseUrl: "", signingSecret, ...(orgId === undefined ? {} : { orgId }) };
  const { headers } = built(settings, (credentials, now, random) => sign_request(method, url, body, credentials, now, random));
  // The caller has set the organisation header already.
  const { [HEADERS.orgId]: _, ...added } = headers;
  return added;
}

/** Parses a value and returns its canonical form; throws a `SettlekitError` of kind `validation` if it is malformed. */
export function parse<T extends ValueType>(type: T, given: string | number): Values[T] {
  const outcome = parsed(type, given);
  if (outcome.error !== undefined) throw toError(outcome.error);
  return outcome.ok;
}

/** Whether a value is well formed. */
export function is<T extends ValueType>(type: T, given: unknown): given is Values[T] {
  return parsed(type, given).error === undefined;
}

function parsed<T extends ValueType>(type: T, given: unknown): Outcome<Values[T]> {
  start();
  // Other types than text and whole numbers become a text that no type accepts.
  const text = typeof given === "string" || Number.isSafeInteger(given) ? String(given) : "\0";
  return JSON.parse(parse_value(type, text)) as Outcome<Values[T]>;
}

/** Parts of the arguments, as wasm numbers them. */
const PARTS = { all: 0, query: 1, body: 2 };

/** Indexes of the operations, which are found faster than their names. */
const indexes = /* @__PURE__ */ new Map<string, number>();

function indexOf(operation: string): number {
  const known = indexes.get(operation);
  if (known !== undefined) return known;
  const index = unwrap<number>(operation_index(operation));
  indexes.set(operation, index);
  return index;
}

/** Validates arguments by way of the buffer: nothing if they are valid, else their errors; an empty text if they need the longer way. */
function checkInBuffer(operation: number, part: number, given: unknown): string | undefined {
  let json: string | undefined;
  try {
    json = JSON.stringify(given);
  } catch {
    return "";
  }
  const length = json === undefined ? undefined : writeArguments(json);
  return length === undefined ? "" : validate_buffer(operation, part, length);
}

function errorsOf(operation: string, part: keyof typeof PARTS, given: unknown, field?: string): ErrorDetail[] {
  start();
  const index = indexOf(operation);
  let text = field === undefined ? checkInBuffer(index, PARTS[part], given) : "";
  if (text === "") {
    const json = toJson(given);
    if (json === undefined) return [field === undefined ? UNWRITABLE : { ...UNWRITABLE, field }];
    text = check(index, PARTS[part], field, toBytes(json));
  }
  return text === undefined ? [] : (JSON.parse(text) as ErrorDetail[]);
}

function schemaOf<T>(errors: (given: unknown) => ErrorDetail[]): StandardSchemaV1<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "settlekit",
      validate: (given) => {
        const issues = errors(given).map(toIssue);
        return issues.length === 0 ? { value: given as T } : { issues };
      },
    },
  };
}

/** A path as Standard Schema has it: `recipients[0].id` is `["recipients", 0, "id"]`. */
function toIssue({ field, message, reason }: ErrorDetail): StandardSchemaV1.Issue {
  const keys = field?.match(/[^.[\]]+/g) ?? [];
  const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  return { message: message ?? reason, path, ...{ reason } };
}

/** Builds a request, with the nonce and the signature of a scheme if there is one. */
function built(settings: RequestSettings, prepare: (credentials: string, now: number, random: Uint8Array) => string): HttpRequest {
  const { baseUrl, apiKey, signingSecret, orgId, idempotencyKey, scheme } = settings;
  const now = Number(settings.now ?? Date.now());
  const random = settings.random ?? crypto.getRandomValues(new Uint8Array(10));
  const given = { baseUrl, apiKey, signingSecret, orgId, idempotencyKey, foreign: scheme && true };
  const prepared = (nonce?: string): Prepared => unwrap(prepare(JSON.stringify({ ...given, nonce }), now, random));
  const own = prepared();
  const request = scheme ? resign(scheme, own, signingSecret as string, now, random, prepared) : own;
  if (isPromise(request)) {
    const message = "settlekit/core does not wait: let `sign` return {}, and add the headers to the request yourself";
    throw new SettlekitError("validation", message, { errors: [{ domain: "request", reason: "NOT_SUPPORTED", message }] });
  }
  const { method, url, headers, body } = request;
  return { method, url, headers, body };
}

function lowered(headers: NonNullable<HttpResponse["headers"]>): Record<string, string> {
  const pairs = Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

// By tag, not `instanceof`: test runners give each file its own `Uint8Array`.
function bytes(body: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array(body);
}

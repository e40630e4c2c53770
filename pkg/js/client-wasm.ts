import { argument_buffer, initSync } from "#glue/client";
import { module } from "#module/client";

import type { Outcome, Refusal } from "./answer.js";
import { SettlekitError } from "./errors.js";

let memory: WebAssembly.Memory | undefined;
/** Address and size of the buffer for arguments within the memory, and its current bytes. */
let place: [number, number];
let buffer: Uint8Array;

/** Compiles the client's wasm on first use. @internal */
export function start(): void {
  if (memory === undefined) {
    ({ memory } = initSync({ module: module() }));
    const [address = 0, size = 0] = argument_buffer();
    place = [address, size];
    buffer = new Uint8Array(memory.buffer, address, size);
  }
}

const encoder = /* @__PURE__ */ new TextEncoder();

/** Writes a text into wasm's buffer as UTF-8; returns its length in bytes, or nothing if it may be too long. @internal */
export function writeArguments(text: string): number | undefined {
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 > place[1]) return undefined;
  // A memory that has grown has another buffer.
  if (buffer.byteLength === 0) buffer = new Uint8Array((memory as WebAssembly.Memory).buffer, ...place);
  return encoder.encodeInto(text, buffer).written;
}

/** Result of a wasm function; throws its error. @internal */
export function unwrap<T>(text: string): T {
  const outcome = JSON.parse(text) as Outcome<T>;
  if (outcome.error !== undefined) throw toError(outcome.error);
  return outcome.ok;
}

/** @internal */
export function toError(refusal: Refusal): SettlekitError {
  return new SettlekitError(refusal.kind, refusal.message, {
    status: refusal.status ?? undefined,
    errors: refusal.errors,
    requestId: refusal.request_id ?? undefined,
    retryAfterSeconds: refusal.retry_after_seconds ?? undefined,
  });
}

/**
 * JSON of arguments, empty for `undefined`; nothing if there is none: a cycle, a function, a symbol.
 *
 * A bigint becomes text. So does what JSON would write as null, an invalid date or a number that is not finite: null means absent,
 * and a filter must not be dropped in silence.
 *
 * @internal
 */
export function toJson(given: unknown): string | undefined {
  if (given === undefined) return "";
  try {
    // A replacer takes longer than the validation itself, and only a text with a null can have lost a value.
    const json = JSON.stringify(given);
    if (!json.includes("null")) return json;
  } catch {
    // A bigint, which the replacer turns into text; or no JSON at all.
  }
  try {
    return JSON.stringify(given, function (this: Record<string, unknown>, name: string, value: unknown) {
      const isLost = typeof value === "number" ? !Number.isFinite(value) : value === null && this[name] !== null;
      return isLost || typeof value === "bigint" ? String(this[name]) : value;
    });
  } catch {
    return undefined;
  }
}

/** UTF-8 of a text. wasm-bindgen copies texts char by char, which takes half as long as a validation. @internal */
export function toBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Error of arguments without JSON. @internal */
export const UNWRITABLE = { domain: "request", reason: "BODY_MALFORMED", message: "the arguments cannot be written as JSON" };

/** JSON of the arguments of a call; throws if there is none. @internal */
export function argumentsJson(given: unknown): string {
  const json = toJson(given);
  if (json === undefined) throw new SettlekitError("validation", UNWRITABLE.message, { errors: [UNWRITABLE] });
  return json;
}

import { initSync } from "#glue/client";
import { module } from "#module/client";

import type { Outcome, Refusal } from "./answer.js";
import { SettlekitError } from "./errors.js";

let started = false;

/** Compiles the client's wasm on first use. */
export function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

/** Result of a wasm function; throws its error. */
export function unwrap<T>(text: string): T {
  const outcome = JSON.parse(text) as Outcome<T>;
  if (outcome.error !== undefined) throw toError(outcome.error);
  return outcome.ok;
}

export function toError(refusal: Refusal): SettlekitError {
  return new SettlekitError(refusal.kind, refusal.message, {
    status: refusal.status ?? undefined,
    errors: refusal.errors,
    requestId: refusal.request_id ?? undefined,
    retryAfterSeconds: refusal.retry_after_seconds ?? undefined,
  });
}

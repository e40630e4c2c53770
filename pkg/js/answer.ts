import type { ErrorDetail, ErrorKind } from "./errors.js";

/** An answer, whole. */
export interface Answer {
  status: number;
  headers: Iterable<[string, string]>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A request, ready to be sent. */
export interface Question {
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Why a call failed, from wasm. */
export interface Refusal {
  kind: ErrorKind;
  /** None when the request never left. */
  status: number | null;
  message: string;
  errors: ErrorDetail[];
  request_id: string | null;
  retry_after_seconds: number | null;
  server_time_ms: number | null;
  transient: boolean;
}

export type Outcome<T> = { ok: T; error?: never } | { ok?: never; error: Refusal };

/** A service in this process. Each way gives nothing when the one over `fetch` is to be gone all the same. */
export interface Inside {
  /** The answer at once, without the runtime's requests, responses, streams and timers, which cost more than it does. */
  answer(url: string, question: Question): Answer | undefined;
  /** A whole call, from its arguments to its record: not even its request is made in JavaScript. */
  call(operation: string, json: string, credentials: string, clock: number, random: Uint8Array): Outcome<unknown> | undefined;
}

/** What a `fetch` carries whose service is in this process. */
export const IN_PROCESS = Symbol.for("settlekit.in-process");

export interface InProcess {
  [IN_PROCESS]?: Inside;
}

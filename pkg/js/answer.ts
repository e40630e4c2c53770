import type { ErrorDetail, ErrorKind } from "./errors.js";

/** A complete response. */
export interface Answer {
  status: number;
  headers: Iterable<[string, string]>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A request, ready to send. */
export interface Question {
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Error of a call, from wasm. */
export interface Refusal {
  kind: ErrorKind;
  /** None if the request was not sent. */
  status: number | null;
  message: string;
  errors: ErrorDetail[];
  request_id: string | null;
  retry_after_seconds: number | null;
  server_time_ms: number | null;
  transient: boolean;
}

export type Outcome<T> = { ok: T; error?: never } | { ok?: never; error: Refusal };

/** A service in this process. Both methods return nothing if the call must go through `fetch`, e.g. with simulated latency. */
export interface Inside {
  /** Answers immediately, without the runtime's requests, responses, streams and timers, which cost more than the answer. */
  answer(url: string, question: Question): Answer | undefined;
  /** A complete call, from arguments to record, inside wasm. */
  call(operation: string, json: string, credentials: string, clock: number, random: Uint8Array): Outcome<unknown> | undefined;
}

/** Property of a `fetch` function whose service is in this process. */
export const IN_PROCESS = Symbol.for("settlekit.in-process");

export interface InProcess {
  [IN_PROCESS]?: Inside;
}

import { request } from "node:http";
import { request as secureRequest } from "node:https";

import type { LoggedEvent } from "./log.js";
import type { SessionSigner } from "./signer.js";

/** Timeout of a webhook, as the service has it. */
const TIMEOUT_MS = 15_000;

/** What came of a webhook. */
export type Outcome = { status: number; durationMs: number } | { error: string; durationMs: number; isDown: boolean };

/** Sends an event to the local program, once. Never follows a redirect, like the service. */
export function send(url: URL, event: LoggedEvent, signer: SessionSigner, signal: AbortSignal): Promise<Outcome> {
  const since = performance.now();
  const durationMs = (): number => Math.round(performance.now() - since);
  const body = Buffer.from(event.body);
  return new Promise((resolve) => {
    const headers = { ...signer.headers(event.id, event.body), "content-length": body.length };
    // A connection of its own: a kept one may be closed by a program that restarts.
    const ask = (url.protocol === "https:" ? secureRequest : request)(url, { method: "POST", headers, signal, agent: false, timeout: TIMEOUT_MS });
    ask.on("timeout", () => ask.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    ask.on("error", (error: NodeJS.ErrnoException) => {
      // A host with several addresses has an error for each, and no message.
      const [first] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error];
      resolve({ error: first?.message ?? String(error), durationMs: durationMs(), isDown: first?.code === "ECONNREFUSED" });
    });
    ask.on("response", (response) => {
      response.on("error", () => undefined).resume();
      resolve({ status: response.statusCode ?? 0, durationMs: durationMs() });
    });
    ask.end(body);
  });
}

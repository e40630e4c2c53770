// Records as server-sent events, by the rules of the server (`server/src/live.rs`): the path of a stream is that of a GET operation and
// `/live`, and each message is the answer of the operation to the same caller.

import type { ServerResponse } from "node:http";

import type { LocalService, ServiceAnswer, ServiceRequest } from "./service.js";

/** The pace and the end of a stream. */
interface StreamLimits {
  /** The minimum interval between two questions to the service, however much changes. */
  intervalMs: number;
  /** Whether a message is the last one. */
  isFinal(message: unknown): boolean;
}

/** Statuses after which a payment does not change. An expired one may still be paid. */
const FINAL = ["Confirmed", "Canceled", "Refunded", "PartialRefunded"];

const DASHBOARD: StreamLimits = { intervalMs: 250, isFinal: () => false };
const PAYER: StreamLimits = {
  intervalMs: 1_000,
  isFinal: (message) => FINAL.includes((message as { data?: { status?: string } }).data?.status ?? ""),
};

/** The polling interval for changes by time. */
const POLL_MS = 2_000;
/** The interval after which an unchanged message is repeated, so that both ends detect a broken connection. */
const KEEP_ALIVE_MS = 15_000;
const RECONNECT_MS = 2_000;
const LIVE = "/live";
/** Members of `data` that differ between two answers although nothing has changed. */
const CLOCKS = ["now", "server_time"];

/** The limits of a stream by its path; nothing if the path is no stream's. */
export function streamLimits(pathname: string): StreamLimits | undefined {
  if (pathname === "/v1/overview/live") return DASHBOARD;
  return /^\/v1\/checkout\/payments\/[^/]+\/live$/.test(pathname) ? PAYER : undefined;
}

/** The target of the operation whose answers a stream sends. */
export function operationTarget(target: string): string {
  const [path = ""] = target.split("?", 1);
  return path.slice(0, -LIVE.length) + target.slice(path.length);
}

/** The open streams. */
export class LiveStreams {
  readonly #service: LocalService;
  readonly #open = new Set<ServerResponse>();

  constructor(service: LocalService) {
    this.#service = service;
  }

  /** Sends `first` and each later answer that differs, until the caller leaves or the last message is sent. */
  open(response: ServerResponse, request: ServiceRequest, first: ServiceAnswer, limits: StreamLimits): void {
    let latest = "";
    let sentAt = 0;
    let askedAt = performance.now();
    let timer: NodeJS.Timeout | undefined;

    const send = (body: string): void => {
      latest = withoutClocks(body);
      sentAt = performance.now();
      response.write(`retry: ${RECONNECT_MS}\ndata: ${body}\n\n`);
      if (limits.isFinal(JSON.parse(body))) response.end();
    };
    const ask = (): void => {
      askedAt = performance.now();
      let answer: ServiceAnswer | undefined;
      try {
        answer = this.#service.answer(request);
      } catch {
        // As an answer with an error: the browser reconnects and gets it.
      }
      if (answer === undefined || answer.status < 200 || answer.status > 299) return void response.end();
      if (withoutClocks(answer.body) !== latest || performance.now() - sentAt >= KEEP_ALIVE_MS) send(answer.body);
      if (!response.writableEnded) wait(POLL_MS);
    };
    const wait = (milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(ask, milliseconds);
    };
    const changed = (): void => wait(Math.max(0, askedAt + limits.intervalMs - performance.now()));

    this.#open.add(response);
    this.#service.on("changed", changed);
    response.on("close", () => {
      clearTimeout(timer);
      this.#service.off("changed", changed);
      this.#open.delete(response);
    });
    send(first.body);
    if (!response.writableEnded) wait(POLL_MS);
  }

  /** Ends all streams. */
  close(): void {
    for (const response of this.#open) response.end();
  }
}

function withoutClocks(body: string): string {
  const message = JSON.parse(body) as { data?: Record<string, unknown> & { authorization?: Record<string, unknown> } };
  for (const clock of CLOCKS) delete message.data?.[clock];
  delete message.data?.authorization?.["valid_before"];
  return JSON.stringify(message);
}

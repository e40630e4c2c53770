import type { Paint } from "../commands/colour.js";
import { printable } from "../commands/printable.js";
import type { LocalService, Outbound, Outcome } from "./service.js";

/** Bytes of a receiver's answer that are kept. */
const BODY_MAX = 16 * 1024;

/** A sent webhook, for the terminal. */
export interface Delivery {
  /** `payment.updated`. */
  type: string;
  url: string;
  /** Status of the answer, or why there is none. */
  result: number | string;
  durationMs: number;
}

/** Sends webhooks, and records and shows their answers. */
export class Deliveries {
  readonly #service: LocalService;
  readonly #forwardTo: string | undefined;
  readonly #show: (delivery: Delivery) => void;
  readonly #fail: (error: unknown) => void;
  readonly #underWay = new Set<Promise<void>>();

  /** Sends to `forwardTo`, if given, whatever URL an organisation has set. */
  constructor(service: LocalService, forwardTo: string | undefined, show: (delivery: Delivery) => void, fail: (error: unknown) => void) {
    this.#service = service;
    this.#forwardTo = forwardTo;
    this.#show = show;
    this.#fail = fail;
  }

  send(outbound: Outbound): void {
    const sent = this.#deliver(outbound).catch(this.#fail);
    this.#underWay.add(sent);
    void sent.then(() => this.#underWay.delete(sent));
  }

  /** Waits for answers, at most some time. What has none is sent again after the next start. */
  async finish(milliseconds: number): Promise<void> {
    const timeout = new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
    await Promise.race([Promise.all(this.#underWay), timeout]);
  }

  async #deliver(outbound: Outbound): Promise<void> {
    const url = this.#forwardTo ?? outbound.url;
    const outcome = await post(url, outbound);
    const result = "answered" in outcome ? outcome.answered.status : outcome.failed.error;
    const durationMs = "answered" in outcome ? outcome.answered.duration_ms : outcome.failed.duration_ms;
    this.#show({ type: (JSON.parse(outbound.body) as { type: string }).type, url, result, durationMs });
    this.#service.report(outbound, outcome);
  }
}

async function post(url: string, { headers, body, timeout_ms }: Outbound): Promise<Outcome> {
  const since = performance.now();
  const took = (): number => Math.round(performance.now() - since);
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(timeout_ms) });
    const text = await beginning(response);
    return { answered: { status: response.status, headers: [...response.headers] as [string, string][], body: text, duration_ms: took() } };
  } catch (error) {
    return { failed: { error: describe(error, timeout_ms), duration_ms: took() } };
  }
}

/** The beginning of a body; the rest is not awaited. */
async function beginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && size < BODY_MAX) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, BODY_MAX));
}

/** Why there is no answer. `fetch` hides the reason in a cause; with several addresses the cause has several. */
function describe(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  const { cause = error } = error as { cause?: unknown };
  const first = (cause as AggregateError).errors?.[0] ?? cause;
  switch ((first as NodeJS.ErrnoException).code) {
    case "ECONNREFUSED":
      return "connection refused";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "host not found";
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return "connection closed";
    default:
      return first instanceof Error ? first.message : String(first);
  }
}

/** One line for a sent webhook. */
export function describeDelivery({ type, url, result, durationMs }: Delivery, paint: Paint, time: string): string {
  const isTaken = typeof result === "number" && result >= 200 && result < 300;
  const shown = isTaken ? paint.green(String(result)) : paint.red(printable(String(result)));
  return `${paint.dim(time)}  ${type.padEnd(22)}  ${shown}  ${paint.dim(`${durationMs} ms  ${url}`)}`;
}

import { setTimeout as sleep } from "node:timers/promises";

import { type Settlekit, SettlekitError } from "settlekit";

import type { Io } from "../command.js";
import { EVENTS } from "./catalogue.js";
import { type Paint, paintOf } from "./colour.js";
import { clientOf, connectionOf } from "./connection.js";
import { suggestion, UsageError } from "./failure.js";
import { type Outcome, send } from "./listen/forward.js";
import { end, events, type LoggedEvent, positionBefore } from "./listen/log.js";
import { SessionSigner } from "./listen/signer.js";
import { CONNECTION } from "./options.js";
import { printable } from "./printable.js";
import { receiverOf } from "./receiver.js";
import { simple } from "./simple.js";

/** Pause between two looks at the log. */
const LOOK_MS = 1000;
/** Longest pause while the service or the local program is down. */
const PAUSE_MAX_MS = 5000;

export const listen = simple({
  name: "listen",
  summary: "Sends the events of a running service to a local program, without a tunnel.",
  text: [
    "Reads the event log with the API key, and sends each event as a webhook, signed with a key of this session. The key to verify with is printed at the start. Without --forward-to, events are only printed.",
  ],
  options: [
    { name: "forward-to", value: "URL", description: "address of the local program, `http://localhost:3000/hook`" },
    { name: "events", value: "TYPES", description: "only these, separated by commas: `payment.*,invoice.settled`; default: all" },
    { name: "since", value: "EVENT|TIME", description: "begins after an event (evt_…) or at a time; default: with the next event" },
    ...CONNECTION,
  ],
  async run(options, io) {
    const isWanted = filterOf(options.text("events"));
    const to = receiverOf(options.text("forward-to"));
    const connection = connectionOf(options, io);
    const client = clientOf(connection);
    const since = options.text("since");
    let position = since === undefined ? await end(client, io.signal) : await positionBefore(client, since, io.signal);
    const signer = new SessionSigner();
    const paint = paintOf(io);
    io.out(to === undefined ? `Listening to ${connection.url}.` : `Sending the events of ${connection.url} to ${to}.`);
    if (to !== undefined) io.out(`Public key of this session: SETTLEKIT_WEBHOOK_PUBLIC_KEY="${signer.publicKey.trim().replaceAll("\n", "\\n")}"`);
    let latest: string | undefined;
    for await (const event of follow(client, position, io, paint)) {
      position = event.position;
      if (isWanted(event.type) && !(await deliver(event, to, signer, io, paint))) break;
      latest = event.id;
    }
    io.out(latest === undefined ? "Stopped." : `Stopped. To continue: settlekit listen --since ${latest}`);
    return 0;
  },
});

/** The events after a position, until the caller stops. Each comes once, also after an outage of the service. */
async function* follow(client: Settlekit, after: number, io: Io, paint: Paint): AsyncGenerator<LoggedEvent, void, undefined> {
  const { signal } = io;
  let last = after;
  let failures = 0;
  while (!signal.aborted) {
    let pause = LOOK_MS;
    try {
      for await (const event of events(client, last, signal)) {
        yield event;
        last = event.position;
        if (signal.aborted) return;
      }
      if (failures > 0) io.err(paint.dim("Connected again."));
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (failures === 0) io.err(paint.red(`Connection lost: ${error.message}. Trying again.`));
      pause = error.retryAfterSeconds === undefined ? Math.min(LOOK_MS * 2 ** failures, PAUSE_MAX_MS) : error.retryAfterSeconds * 1000;
      failures += 1;
    }
    await rest(pause, signal);
  }
}

/** Whether the next look may succeed. */
function isPassing(error: unknown): error is SettlekitError {
  return error instanceof SettlekitError && ["connection", "timeout", "rate_limit", "api"].includes(error.kind);
}

/** Sends an event, again while the program is down. Returns false if the caller stopped before. */
async function deliver(event: LoggedEvent, to: URL | undefined, signer: SessionSigner, io: Io, paint: Paint): Promise<boolean> {
  if (to === undefined) {
    io.out(line(event, "", paint));
    return true;
  }
  for (let tries = 0; ; tries += 1) {
    const outcome = await send(to, event, signer, io.signal);
    if (io.signal.aborted && "error" in outcome) return false;
    if (!("error" in outcome) || !outcome.isDown) {
      io.out(line(event, shown(outcome, paint), paint));
      return true;
    }
    if (tries === 0) io.err(paint.yellow(`${to.origin} is down (${outcome.error}). ${event.type} waits for it.`));
    await rest(Math.min(LOOK_MS * 2 ** tries, PAUSE_MAX_MS), io.signal);
    if (io.signal.aborted) return false;
  }
}

function line({ type, id }: LoggedEvent, outcome: string, paint: Paint): string {
  return `${paint.dim(new Date().toTimeString().slice(0, 8))}  ${paint.bold(printable(type))}  ${printable(id)}${outcome}`;
}

function shown(outcome: Outcome, paint: Paint): string {
  if ("error" in outcome) return `  ${paint.red(outcome.error)}  ${outcome.durationMs} ms`;
  const { status } = outcome;
  const text = String(status);
  return `  ${status >= 200 && status < 300 ? paint.green(text) : status < 400 ? paint.yellow(text) : paint.red(text)}  ${outcome.durationMs} ms`;
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** All event types by the catalogue, `payment.settled`. */
const TYPES = EVENTS.types.flatMap((type) => EVENTS.actions.map((action) => `${type}.${action}`.toLowerCase()));

/** The wanted event types. A pattern that no type matches is a mistake. */
export function filterOf(given: string | undefined): (type: string) => boolean {
  if (given === undefined) return () => true;
  const patterns = given.split(",").map((text) => text.trim().toLowerCase()).filter((text) => text !== "");
  const tests = patterns.map((pattern) => {
    const text = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    const expression = new RegExp(`^${text}$`);
    if (!TYPES.some((type) => expression.test(type))) throw new UsageError(`--events: no event type is ${pattern}${suggestion(pattern, TYPES)}`);
    return expression;
  });
  return (type) => tests.some((test) => test.test(type));
}

import type { Command, Io } from "../command.js";
import { type Paint, paintOf } from "../commands/colour.js";
import { Failure, FAILED, MISUSED, UsageError } from "../commands/failure.js";
import { printable } from "../commands/printable.js";
import { VERSION } from "../version.js";
import { openPage } from "./browser.js";
import { describeDelivery } from "./deliveries.js";
import { type Key, readKeys } from "./keys.js";
import { readOptions, SERVE_OPTIONS, type ServeOptions } from "./options.js";
import { type Session, startSession } from "./session.js";

export { SERVE_OPTIONS } from "./options.js";

const DAY_HOURS = 24;
const LABEL_WIDTH = 15;

const USAGE = ["Usage: settlekit [options]", "", ...SERVE_OPTIONS].join("\n");

/** Serves API, dashboard and payment pages on this machine until it is told to end. */
export const serve: Command = {
  name: "serve",
  summary: "Starts the service on this machine; also what settlekit does without a command.",
  usage: USAGE,
  async run(args, io) {
    try {
      const options = readOptions(args);
      if (options !== undefined) return await serveUntilStopped(options, io);
      io.out(USAGE);
      return 0;
    } catch (error) {
      if (error instanceof UsageError) {
        io.err(`${error.message}.`);
        io.err("settlekit serve --help lists the options.");
        return MISUSED;
      }
      if (!(error instanceof Failure)) throw error;
      io.err(error.message);
      return FAILED;
    }
  },
};

async function serveUntilStopped(options: ServeOptions, io: Io): Promise<number> {
  const paint = paintOf(io);
  const session = await startSession(options, {
    progress: (line) => io.out(line),
    delivered: (delivery) => io.out(describeDelivery(delivery, paint, time())),
    failed: (line) => io.err(paint.red(line)),
    recovered: (line) => io.err(paint.green(line)),
  }, { signal: io.signal });
  const { credentials } = session;
  for (const line of describe(session, options, paint, Math.round(performance.now()))) io.out(line);

  const stopping = new AbortController();
  const quit = (): void => stopping.abort();
  if (io.signal.aborted) quit();
  io.signal.addEventListener("abort", quit, { once: true });
  let release = (): void => {};
  if (io.stdin.isTTY === true) {
    const keys = keysOf(session);
    io.out(paint.dim(`Keys: ${keys.map(({ key, description }) => `${key} ${description}`).join(", ")}, q end`));
    release = readKeys(io, keys, (line) => io.out(line), quit);
  }
  if (options.open) await open(credentials.url, io);
  const stopped = new Promise<number>((resolve) => {
    if (stopping.signal.aborted) resolve(0);
    stopping.signal.addEventListener("abort", () => resolve(0), { once: true });
  });
  const code = await Promise.race([stopped, session.crashed.then(() => FAILED)]);
  release();
  await session.stop();
  return code;
}

/** What a start prints. */
function describe({ credentials, webhookUrl }: Session, { data, demo }: ServeOptions, paint: Paint, milliseconds: number): string[] {
  const { url, email, password, api_key, signing_secret, webhook_public_key, paylink_url } = credentials;
  const lines: [string, string | undefined][] = [
    ["Dashboard", url],
    ["Sign-in", `${email}  ${password}`],
    ["API", `${url}/v1`],
    ["API key", api_key],
    ["Signing secret", signing_secret],
    // In one line, as environment variables hold it; the libraries take both forms.
    ["Webhook key", webhook_public_key.trim().replaceAll("\n", "\\n")],
    ["Payment link", paylink_url],
    ["API reference", `${url}/docs`],
    ["Webhooks", webhookUrl ?? `kept at ${url}/inbox; --forward-to URL sends them to a program`],
    ["Data", demo || credentials.demo ? `${data} (demo)` : data],
  ];
  const shown = lines.filter((line): line is [string, string] => line[1] !== undefined);
  return [
    `${paint.bold(`Settlekit ${VERSION}`)} ${paint.dim(`sandbox, started in ${milliseconds} ms`)}`,
    "",
    // The folder may be from elsewhere, such as a cloned repository.
    ...shown.map(([label, text]) => `${paint.dim(label.padEnd(LABEL_WIDTH))} ${printable(text)}`),
    "",
  ];
}

function keysOf({ merchant, credentials }: Session): Key[] {
  const keys: Key[] = [
    { key: "p", description: "pay the newest link", act: () => merchant.pay() },
    { key: "d", description: "deposit", act: () => merchant.deposit() },
    { key: "c", description: "clock +1 hour", act: () => merchant.advance(1) },
    { key: "C", description: "clock +1 day", act: () => merchant.advance(DAY_HOURS) },
    { key: "r", description: "retry webhooks", act: () => merchant.retry() },
    { key: "o", description: "open the dashboard", act: () => opened(credentials.url) },
    { key: "?", description: "keys", act: () => [...keys.map(({ key, description }) => `  ${key}  ${description}`), "  q  end"].join("\n") },
  ];
  return keys;
}

async function opened(url: string): Promise<string> {
  return (await openPage(url)) ? `Opened ${url}` : `No browser was found: open ${url}`;
}

async function open(url: string, io: Io): Promise<void> {
  if (!(await openPage(url))) io.err(`No browser was found: open ${url}`);
}

/** The time of day. */
function time(): string {
  return new Date().toTimeString().slice(0, 8);
}

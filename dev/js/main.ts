import process from "node:process";

import type { Command, Io } from "./command.js";
import { MISUSED, suggestion } from "./commands/failure.js";
import { serve, SERVE_OPTIONS } from "./serve/index.js";
import { VERSION } from "./version.js";

/** Exit code of a program that was interrupted. */
const FORCED = 130;
/** Signals within this time are one. */
const AGAIN_MS = 500;

/** Commands of other services are loaded only when they are called: the local service answers within a second of its start. */
async function commands(): Promise<readonly Command[]> {
  const { COMMANDS } = await import("./commands/index.js");
  return [serve, ...COMMANDS];
}

/** Runs the program: the first word names a command; without a word, or with an option, it serves. Returns the exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "--version" || first === "-V") {
    io.out(VERSION);
    return 0;
  }
  if (first === "help" || first === "--help" || first === "-h") {
    for (const line of help(await commands())) io.out(line);
    return 0;
  }
  if (first === "" || first.startsWith("-")) return serve.run([...args], io);
  const known = await commands();
  const command = known.find(({ name }) => name === first);
  if (command !== undefined) return command.run(rest, io);
  io.err(`${first} is not a command${suggestion(first, known.map(({ name }) => name))}`);
  io.err("settlekit --help lists the commands.");
  return MISUSED;
}

function help(known: readonly Command[]): string[] {
  const width = Math.max(...known.map(({ name }) => name.length));
  return [
    "settlekit: a payments service on this machine, and commands for any service",
    "",
    "Usage: settlekit [options]            starts the service",
    "       settlekit COMMAND [arguments]  settlekit COMMAND --help describes one",
    "",
    "Options of the service:",
    ...SERVE_OPTIONS,
    "",
    "Commands:",
    ...known.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  ];
}

/** Runs the program with the arguments, streams and signals of this process, and ends it. */
export async function main(): Promise<void> {
  const stopping = new AbortController();
  let askedAt: number | undefined;
  const stop = (): void => {
    askedAt ??= performance.now();
    // A second signal ends the process at once. npm repeats a signal that the terminal has already sent.
    if (performance.now() - askedAt > AGAIN_MS) process.exit(FORCED);
    stopping.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);
  // A reader that has seen enough, such as `head`, closes the pipe.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  const io: Io = {
    out: write(process.stdout),
    err: write(process.stderr),
    env: process.env,
    stdin: process.stdin,
    isTty: process.stdout.isTTY === true,
    signal: stopping.signal,
  };
  const code = await run(process.argv.slice(2), io);
  // A pipe may still hold output, and a webhook's receiver may still be silent.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((written) => stream.write("", written))));
  process.exit(code);
}

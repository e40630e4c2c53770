import type { Page, Settlekit } from "settlekit";

import type { Io } from "../command.js";
import { optionsOf, readArguments, writtenField } from "./arguments.js";
import { fieldsOf, kebab, needsSession, type Operation } from "./catalogue.js";
import { clientOf, connectionOf } from "./connection.js";
import { Failure, guarded } from "./failure.js";
import { describeOptions, type Parsed, wrapped } from "./options.js";
import { columnsOf, formatOf, record, table } from "./output.js";
import { everyItem } from "./pages.js";
import { printableJson } from "./printable.js";
import { readAll } from "./stdin.js";

type Call = (given: Record<string, unknown>, options?: object) => unknown;

/** Calls an operation by its names in the npm client. */
export function call(client: Settlekit, { room, method }: Operation, hasArguments: boolean, given: Record<string, unknown>, options: object): unknown {
  const methods = (client as unknown as Record<string, Record<string, Call>>)[room];
  const run = methods?.[method];
  if (run === undefined) throw new Failure(`The package settlekit has no ${room}.${method}: install the version of this program.`);
  // A method without arguments takes the options first.
  return hasArguments ? run(given, options) : run(options as Record<string, unknown>);
}

/** Whether the client's method takes arguments. */
export const hasArguments = (operation: Operation): boolean => fieldsOf(operation).length > 0;

/** First line of an operation's help: `settlekit payments get <payment_id>`. */
export function usageOf(operation: Operation): string {
  const ids = fieldsOf(operation).filter(({ place }) => place === "path").map(({ name }) => ` <${name}>`).join("");
  return `Usage: settlekit ${kebab(operation.room)} ${kebab(operation.method)}${ids} [options]`;
}

/** The help of an operation. */
export function helpOf(operation: Operation): string[] {
  const { fields, others } = optionsOf(operation);
  const path = fieldsOf(operation).filter(({ place }) => place === "path");
  const notes = [
    ...(operation.deprecated ? ["Deprecated."] : []),
    ...(operation.sandbox ? ["Sandbox mode only."] : []),
    ...(needsSession(operation) ? ["Needs a member's session: use the dashboard."] : []),
    ...(operation.scope === null ? [] : [`Scope of the key: ${operation.scope}.`]),
    ...(operation.auth === "signed" ? ["Needs the signing secret."] : []),
  ];
  return [
    ...wrapped(operation.description ?? operation.summary),
    ...(notes.length === 0 ? [] : [notes.join(" ")]),
    "",
    usageOf(operation),
    ...(path.length === 0 ? [] : ["", "Arguments", ...describeOptions(path.map(({ name, description }) => ({ name, description }))).map((line) => line.replace(/^ {2}--(\S+)/, "  <$1>"))]),
    ...(fields.length === 0 ? [] : ["", "Fields", ...describeOptions(fields)]),
    "",
    "Options",
    ...describeOptions(others),
  ];
}

/** Runs an operation from the command line. */
export async function runOperation(operation: Operation, args: readonly string[], io: Io): Promise<number> {
  const usage = `${usageOf(operation)}\nHelp: settlekit ${kebab(operation.room)} ${kebab(operation.method)} --help`;
  return guarded(io.err, usage, async () => {
    const { given, options } = await readArgumentsOrHelp(operation, args, io);
    if (options.flag("help")) {
      for (const line of helpOf(operation)) io.out(line);
      return 0;
    }
    const format = formatOf(options.text("output"), io.isTty);
    if (needsSession(operation)) throw new Failure("This operation needs a member's session, which an API key does not replace: use the dashboard.");
    const client = clientOf(connectionOf(options, io));
    const [key, orgId] = [options.text("idempotency-key"), options.text("org-id")];
    const settings = { signal: io.signal, ...(key === undefined ? {} : { idempotencyKey: key }), ...(orgId === undefined ? {} : { orgId }) };
    const fetch = (given: Record<string, unknown>): unknown => call(client, operation, hasArguments(operation), given, settings);
    if (options.flag("all")) {
      const { page: first, ...others } = given;
      const items = everyItem((page) => fetch({ sort: "asc", ...others, page }) as PromiseLike<Page<unknown>>, typeof first === "number" ? first : 1);
      await printAll(operation, items, options, format, io);
    } else printAnswer(operation, await fetch(given), options, format, io);
    return 0;
  }, (field) => writtenField(operation, field));
}

async function readArgumentsOrHelp(operation: Operation, args: readonly string[], io: Io): Promise<Awaited<ReturnType<typeof readArguments>>> {
  // Help needs no ids.
  const isHelp = args.includes("--help") || args.includes("-h");
  return readArguments(operation, isHelp ? ["--help"] : args, () => readAll(io.stdin));
}

type Row = Record<string, unknown>;

function printAnswer(operation: Operation, answer: unknown, options: Parsed, format: string, io: Io): void {
  if (format === "json") {
    io.out(printableJson(answer));
    return;
  }
  const rows = rowsOf(answer);
  if (rows === undefined) {
    for (const line of record(answer)) io.out(line);
    return;
  }
  printTable(operation, rows, options, io);
  const { next, total } = answer as { next?: number; total?: number };
  if (next !== undefined) io.err(`${rows.length} of ${total}; the next page: --page ${next}, all pages: --all`);
}

function printTable(operation: Operation, rows: Row[], options: Parsed, io: Io): void {
  const columns = columnsOf(options.text("columns"), operation.returns.fields, rows);
  if (rows.length === 0) io.err("Nothing found.");
  else for (const line of table(rows, columns)) io.out(line);
}

/** The rows of a page or an array; nothing for one record. */
function rowsOf(answer: unknown): Row[] | undefined {
  const items = Array.isArray(answer) ? answer : (answer as { items?: unknown; total?: unknown } | null)?.total === undefined ? undefined : (answer as { items: unknown }).items;
  if (!Array.isArray(items)) return undefined;
  return items.map((item) => (typeof item === "object" && item !== null ? (item as Row) : { value: item }));
}

async function printAll(operation: Operation, items: AsyncIterable<unknown>, options: Parsed, format: string, io: Io): Promise<void> {
  if (format === "table") {
    const rows: Row[] = [];
    for await (const item of items) rows.push(item as Row);
    printTable(operation, rows, options, io);
    return;
  }
  // Item by item: a long list does not fit in memory.
  let before: string | undefined;
  io.out("[");
  for await (const item of items) {
    if (before !== undefined) io.out(`${before},`);
    before = printableJson(item).replace(/^/gm, "  ");
  }
  if (before !== undefined) io.out(before);
  io.out("]");
}

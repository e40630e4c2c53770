import { suggestion, UsageError } from "./failure.js";
import { printable } from "./printable.js";

/** How an answer is printed. */
export type Format = "json" | "table";

export function formatOf(given: string | undefined, isTty: boolean): Format {
  if (given === undefined) return isTty ? "table" : "json";
  if (given === "json" || given === "table") return given;
  throw new UsageError(`--output is json or table, not ${given}`);
}

type Row = Record<string, unknown>;

/** Columns that say most about a record, in their order. */
const TELLING = [
  "id", "event_id", "order_id", "payment_id", "key_id", "number", "display_id", "reference", "name", "email", "prefix", "type", "account_type", "action", "status",
  "payment_status", "dunning_status", "delivery_status", "state", "reason", "enabled", "direction", "sell_currency", "from_currency", "from_amount", "to_currency",
  "to_amount", "base", "quote", "amount", "price", "currency", "symbol", "available", "posted", "account_id", "chain_id", "customer_id", "scopes", "url", "address",
  "due_at", "expires_at", "timestamp", "sent_at", "created_at",
];
const COLUMNS_MAX = 8;
const CELL_CHARS_MAX = 60;

/** Columns of a table that a caller did not choose. */
function telling(rows: readonly Row[]): string[] {
  const isShort = (value: unknown): boolean => typeof value !== "object" || value === null || Array.isArray(value);
  const present = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isShort(row[name]))));
  const chosen = TELLING.filter((name) => present.has(name));
  const others = [...present].filter((name) => !chosen.includes(name));
  const columns = [...chosen, ...others].slice(0, COLUMNS_MAX);
  return columns.length > 0 ? columns : [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, COLUMNS_MAX);
}

/** The columns that a caller chose. Names must be fields of the record or of the rows. */
export function columnsOf(given: string | undefined, fields: readonly string[], rows: readonly Row[]): string[] {
  if (given === undefined) return telling(rows);
  const columns = given.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const known = [...new Set([...fields, ...rows.flatMap((row) => Object.keys(row))])];
  for (const column of columns) {
    const first = column.split(".")[0] as string;
    if (!known.includes(first)) throw new UsageError(`--columns: the record has no field ${first}${suggestion(first, known)}`);
  }
  return columns;
}

function at(row: unknown, path: string): unknown {
  let value = row;
  for (const key of path.split(".")) value = typeof value === "object" && value !== null ? (value as Row)[key] : undefined;
  return value;
}

/** A value in one line. Control characters are shown as escapes: names and notes are written by strangers. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.map(cell).join(" ");
  if (typeof value === "object") {
    const { id, symbol, name } = value as Row;
    const known = id ?? symbol ?? name;
    return typeof known === "string" || typeof known === "number" ? cell(known) : printable(JSON.stringify(value));
  }
  return printable(String(value));
}

const isNumeric = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** An aligned table. Amounts are aligned at the right. */
export function table(rows: readonly Row[], columns: readonly string[]): string[] {
  const cells = rows.map((row) => columns.map((column) => shortened(cell(at(row, column)))));
  const isRight = columns.map((_, index) => cells.length > 0 && cells.every((row) => row[index] === "" || isNumeric(row[index] as string)));
  const widths = columns.map((column, index) => Math.max(column.length, ...cells.map((row) => [...(row[index] as string)].length)));
  const print = (row: readonly string[]): string =>
    row.map((text, index) => {
      const padding = " ".repeat((widths[index] as number) - [...text].length);
      return isRight[index] ? padding + text : text + padding;
    }).join("  ").trimEnd();
  return [print(columns), ...cells.map(print)];
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= CELL_CHARS_MAX ? text : `${characters.slice(0, CELL_CHARS_MAX - 1).join("")}…`;
}

/** A record as aligned names and values; fields of fields have dotted names. */
export function record(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [cell(value)];
  const pairs: [string, string][] = [];
  const walk = (prefix: string, value: unknown): void => {
    const isTree = typeof value === "object" && value !== null && (!Array.isArray(value) || value.some((item) => typeof item === "object"));
    if (!isTree) {
      // The keys of metadata are written by strangers, too.
      if (value !== null && value !== undefined) pairs.push([printable(prefix), cell(value)]);
      return;
    }
    for (const [name, inner] of Object.entries(value as Row)) walk(prefix === "" ? name : `${prefix}.${name}`, inner);
  };
  walk("", value);
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `${name.padEnd(width)}  ${text}`);
}

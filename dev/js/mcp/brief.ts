import { SECRET_FIELDS } from "./classes.js";

/** Fields that say nothing to an agent, or at great length. */
const SILENT: ReadonlySet<string> = new Set(["org_id", "created_by", "v1", "cf_headers", "internal", "webhook_request", "webhook_response", "token_address", "webhook_public_key", "qr", "address_qr", "amount_qr"]);

/** Fields of a record within another one, or in a list. */
const TELLING = new RegExp(
  "(^|_)(id|ids|ident|name|email|reference|type|action|status|state|reason|enabled|test|amount|price|currency|currencies|symbol|available|posted|reserved|total|rate|" +
  "direction|address|hash|url|at|until|number|quantity|scopes|prefix|title|base|quote|bps|count|confirmations)$|(amount|currency|usd)$",
);

const TEXT_CHARS_MAX = 200;
/** Letters that no person sees and a model reads (Unicode tags). Only flags of some countries use them. */
const INVISIBLE = /[\u{e0000}-\u{e007f}]/gu;
const INNER_ITEMS_MAX = 5;

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * An answer in short: ids, statuses and amounts, and for a page the number of the next one. Secrets are left out wherever they are.
 */
export function brief(answer: unknown): unknown {
  if (Array.isArray(answer)) return { items: answer.map((item) => inner(item, 1)) };
  if (!isRow(answer)) return { result: answer };
  const { items, total, next } = answer;
  if (Array.isArray(items) && typeof total === "number") return { items: items.map((item) => inner(item, 1)), total, ...(next === undefined ? {} : { next }) };
  return inner(answer, 0);
}

/** A value in short; deeper ones are shorter. */
function inner(value: unknown, depth: number): unknown {
  if (typeof value === "string") {
    const text = value.replace(INVISIBLE, "");
    return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, INNER_ITEMS_MAX).map((item) => inner(item, depth + 1));
    return value.length > INNER_ITEMS_MAX ? [...shown, `… ${value.length - INNER_ITEMS_MAX} more`] : shown;
  }
  if (!isRow(value)) return value;
  const entries = Object.entries(value).flatMap(([name, own]): [string, unknown][] => {
    if (SILENT.has(name) || SECRET_FIELDS.has(name) || own === null) return [];
    const isScalar = typeof own !== "object";
    if (isScalar) return depth === 0 || TELLING.test(name) ? [[name, inner(own, depth)]] : [];
    // Two levels within a record and one within the rows of a list.
    if (depth >= 2) return [];
    const short = inner(own, depth + 1);
    const isEmpty = Array.isArray(short) ? short.length === 0 : isRow(short) && Object.keys(short).length === 0;
    return isEmpty ? [] : [[name, short]];
  });
  return Object.fromEntries(entries);
}

import { SettlekitError } from "settlekit";

import { printable } from "./printable.js";

/** A failure with a sentence for the user. */
export class Failure extends Error {}

/** Wrong usage: an unknown option, a missing argument. */
export class UsageError extends Error {}

/** Exit codes. */
export const FAILED = 1;
export const MISUSED = 2;

/** The known word nearest to a mistyped one, if one is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // A third of the letters may be wrong.
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** `, did you mean …?` for a mistyped word. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}

/**
 * The lines of an error. Fields are named by `name`, as the caller wrote them.
 */
export function linesOf(error: unknown, name: (field: string) => string = (field) => field): string[] {
  if (error instanceof SettlekitError) {
    const lines = error.errors.map(({ field, message, reason }) => {
      const text = message ?? reason;
      // A message may quote a value, and values are written by strangers.
      return printable(field === undefined ? `${text} (${reason})` : `${name(field)}: ${text} (${reason})`);
    });
    if (lines.length === 0) lines.push(printable(error.message));
    const hint = hintOf(error);
    if (hint !== undefined) lines.push(hint);
    if (error.requestId !== undefined) lines.push(`Request id: ${error.requestId}`);
    return lines;
  }
  return [error instanceof Error ? error.message : String(error)];
}

function hintOf(error: SettlekitError): string | undefined {
  switch (error.kind) {
    case "authentication":
      return error.reason === "SIGNING_SECRET_MISSING" || error.reason === "SIGNATURE_MISSING"
        ? "Set SETTLEKIT_SIGNING_SECRET, or run `settlekit login`."
        : "Run `settlekit login`, or set SETTLEKIT_API_KEY.";
    case "rate_limit":
      return error.retryAfterSeconds === undefined ? undefined : `Retry in ${error.retryAfterSeconds} s.`;
    case "unsupported":
      return "The service does not have this operation: it is older than this program.";
    default:
      return undefined;
  }
}

/** Runs a command and prints its failure: 0, 1 for a failure, 2 for wrong usage. */
export async function guarded(err: (line: string) => void, usage: string, run: () => Promise<number>, name?: (field: string) => string): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError) {
      err(error.message);
      err(usage);
      return MISUSED;
    }
    for (const line of linesOf(error, name)) err(line);
    return FAILED;
  }
}

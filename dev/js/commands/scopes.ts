import { type Settlekit, SettlekitError } from "settlekit";

import type { Scope } from "./catalogue.js";
import { everyItem } from "./pages.js";

/** The scopes of a key, asked of the service; nothing if the key may not list keys, which needs the scope manage. */
export async function scopesOf(client: Settlekit, apiKey: string): Promise<Scope[] | undefined> {
  try {
    for await (const key of everyItem((page) => client.apiKeys.list({ page }))) {
      if (apiKey.startsWith(key.prefix) && key.revoked_at === undefined) return key.scopes as Scope[];
    }
  } catch (error) {
    if (!(error instanceof SettlekitError) || error.reason !== "SCOPE_MISSING") throw error;
  }
  return undefined;
}

/** The scope that a refusal says is missing. */
export function missingScope(error: unknown): Scope | undefined {
  if (!(error instanceof SettlekitError) || error.reason !== "SCOPE_MISSING") return undefined;
  return /lacks the scope (read|write|payout|manage)\b/.exec(error.message)?.[1] as Scope | undefined;
}

import type { Settlekit } from "settlekit";

import { parseExact, writeExact } from "../exact-json.js";
import { Failure } from "../failure.js";

/** An event of the organisation's log. */
export interface LoggedEvent {
  /** `evt_…`, also the `webhook-id`. */
  id: string;
  /** Position in the log, from 1. */
  position: number;
  /** `payment.settled`. */
  type: string;
  /** The body of its webhook. */
  body: string;
}

const PAGE_ITEMS = 100;

interface Row {
  id: string;
  event_id: number;
  type: string;
  action: string;
  timestamp: string;
  data: unknown;
  test?: boolean;
  webhook_request?: string;
}

/**
 * A page of the log, oldest first. The log has no gaps and keeps its order, so the event at position N is on page N of pages of one.
 * Numbers keep their digits, which the client's own answers have as texts.
 */
async function page(client: Settlekit, query: Record<string, string | number>, signal: AbortSignal): Promise<{ items: Row[]; total: number }> {
  // Failures are retried by the caller, who says so.
  const response = await client.rawRequest("GET", "/events", { query: { sort: "asc", ...query }, signal, maxRetries: 0 });
  const { data } = parseExact(await response.text()) as { data: { items: Row[]; total: number } };
  return data;
}

/** The position of the latest event; 0 in an empty log. */
export async function end(client: Settlekit, signal: AbortSignal): Promise<number> {
  const { total } = await page(client, { limit: 1 }, signal);
  return total;
}

/** The position before an event or a time. */
export async function positionBefore(client: Settlekit, since: string, signal: AbortSignal): Promise<number> {
  if (since.startsWith("evt_")) {
    const { event_id } = await client.events.get({ event_id: since }, { signal });
    // The event itself is known.
    return event_id;
  }
  if (Number.isNaN(Date.parse(since))) throw new Failure(`--since is an event id or a time such as 2026-11-30T09:00:00Z, not ${since}.`);
  const { items } = await page(client, { limit: 1, since: new Date(since).toISOString() }, signal);
  return items[0] === undefined ? end(client, signal) : items[0].event_id - 1;
}

/** The events after a position that are there now, oldest first. */
export async function* events(client: Settlekit, after: number, signal: AbortSignal): AsyncGenerator<LoggedEvent, void, undefined> {
  let last = after;
  for (;;) {
    // Pages of one find out cheaply that nothing is new.
    const next = await page(client, { limit: 1, page: last + 1 }, signal);
    if (next.items.length === 0) return;
    const isAlone = next.total === last + 1;
    const { items } = isAlone ? next : await page(client, { limit: PAGE_ITEMS, page: Math.floor(last / PAGE_ITEMS) + 1 }, signal);
    const fresh = items.filter(({ event_id }) => event_id > last);
    if (fresh[0]?.event_id !== last + 1) throw new Failure(`The log has no event at position ${last + 1}: was the service's database replaced?`);
    for (const row of fresh) {
      yield logged(row);
      last = row.event_id;
    }
  }
}

function logged({ id, event_id, type, action, timestamp, data, test, webhook_request }: Row): LoggedEvent {
  const name = `${type}.${action}`.toLowerCase();
  // What the service has sent already is repeated byte for byte. Otherwise the record's fields are in the order of the list.
  const body = webhook_request ?? writeExact({ type: name, timestamp, data, ...(test === undefined ? {} : { test }) });
  return { id, position: event_id, type: name, body };
}


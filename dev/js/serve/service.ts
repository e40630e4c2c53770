import { EventEmitter } from "node:events";

import type { Sandbox, SandboxStep } from "settlekit/sandbox";

/** A request of the API. */
export interface ServiceRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** Names in lower case. */
  headers: [string, string][];
  body: string;
}

/** An answer of the API. */
export interface ServiceAnswer {
  status: number;
  headers: [string, string][];
  body: string;
}

/** A webhook to send. */
export interface Outbound {
  organisation: string;
  event: string;
  url: string;
  timeout_ms: number;
  headers: [string, string][];
  body: string;
}

/** The result of sending a webhook. */
export type Outcome =
  | { answered: { status: number; headers: [string, string][]; body: string; duration_ms: number } }
  | { failed: { error: string; duration_ms: number } };

/** A new organisation. */
export interface NewOrganisation {
  org_id: string;
  api_key: string;
  signing_secret: string;
}

/** A call of the service failed, and nothing was changed. */
export class ServiceFailure extends Error {}

type Reply =
  | "done"
  | { response: ServiceAnswer }
  | { outbound: Outbound[] }
  | { due: string | null }
  | { organisation: NewOrganisation }
  | { differences: string[] }
  | { failed: string };

/** The service of a sandbox, with the clock and the random bytes of its host. Emits `changed` when records may have changed, and `crashed` after a trap. */
export class LocalService extends EventEmitter<{ changed: []; crashed: [error: Error] }> {
  readonly #sandbox: Sandbox;
  readonly #now: () => number;
  readonly #seed: () => string;

  constructor(sandbox: Sandbox, now: () => number, seed: () => string) {
    super();
    // Each open stream listens.
    this.setMaxListeners(0);
    this.#sandbox = sandbox;
    this.#now = now;
    this.#seed = seed;
  }

  /** The clock, Unix milliseconds. A sandbox whose clock was moved is ahead of it. */
  now(): number {
    return this.#now();
  }

  /** Answers a request. */
  answer(request: ServiceRequest): ServiceAnswer {
    const reply = this.#run({ call: "answer", request });
    if (typeof reply === "string" || !("response" in reply)) throw unexpected(reply);
    if (request.method !== "GET" && request.method !== "HEAD") this.emit("changed");
    return reply.response;
  }

  /** Answers a request as `fetch` does, for clients in this process. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const headers = [...request.headers] as [string, string][];
    const answer = this.answer({ method: request.method, target: pathname + search, headers, body: await request.text() });
    return new Response(answer.body === "" ? null : answer.body, { status: answer.status, headers: answer.headers });
  };

  /** Runs due work and returns the webhooks to send. */
  work(): Outbound[] {
    const reply = this.#run({ call: "work" });
    if (typeof reply === "string" || !("outbound" in reply)) throw unexpected(reply);
    this.emit("changed");
    return reply.outbound;
  }

  /** Time of the next due work by the clock; nothing if there is none. */
  nextDue(): number | undefined {
    const reply = this.#run({ call: "next_due" });
    if (typeof reply === "string" || !("due" in reply)) throw unexpected(reply);
    // The service counts microseconds: rounded up, so that work is never tried too early.
    return reply.due === null ? undefined : Date.parse(reply.due) + (reply.due.endsWith("000Z") ? 0 : 1);
  }

  /** Records the result of sending a webhook. */
  report({ organisation, event, url, body }: Outbound, outcome: Outcome): void {
    this.#run({ call: "report", organisation, event, url, body, outcome });
    this.emit("changed");
  }

  createOrganisation(settings: { name: string; otc?: boolean; inbox?: boolean }): NewOrganisation {
    const reply = this.#run({ call: "create_organisation", ...settings });
    if (typeof reply === "string" || !("organisation" in reply)) throw unexpected(reply);
    return reply.organisation;
  }

  createPerson(person: { organisation: string; email: string; name: string; password: string }): void {
    this.#run({ call: "create_person", ...person });
  }

  /** The balances that differ from their postings; none if the books balance. */
  verify(): string[] {
    const reply = this.#run({ call: "verify" });
    if (typeof reply === "string" || !("differences" in reply)) throw unexpected(reply);
    return reply.differences;
  }

  #run(command: { call: string; [argument: string]: unknown }): Reply {
    const step: SandboxStep = { ...command, now: new Date(this.#now()).toISOString(), seed: this.#seed() };
    const reply = this.#replay(step);
    if (typeof reply === "object" && "failed" in reply) throw new ServiceFailure(reply.failed);
    return reply;
  }

  #replay(step: SandboxStep): Reply {
    try {
      return this.#sandbox.replay(step) as Reply;
    } catch (error) {
      // Not all callers tell: to a client in this process it is a lost connection. The next call would find memory in any state.
      if (error instanceof WebAssembly.RuntimeError) this.emit("crashed", error);
      throw error;
    }
  }
}

function unexpected(reply: Reply): Error {
  return new Error(`the service gave an unexpected reply: ${JSON.stringify(reply)}`);
}

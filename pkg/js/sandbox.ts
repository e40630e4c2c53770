import { initSync, Sandbox as Engine } from "#glue/sandbox";
import { module } from "#module/sandbox";

let started = false;

function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

/** How a sandbox begins. */
export interface SandboxSettings {
  /** Its first moment; 2026-01-01T00:00:00Z unless given. */
  start?: Date;
  /** The same seed and the same calls give the same answers to the byte, ids and secrets included; 0 unless given. */
  seed?: number;
  /** Where payers would reach it. */
  publicUrl?: string;
  /** The image of another sandbox, to go on from. */
  image?: Uint8Array;
}

/** An organisation with the secrets that are shown once. */
export interface SandboxOrganisation {
  orgId: string;
  apiKey: string;
  signingSecret: string;
}

/** A webhook that was sent, and what came of it. */
export interface SandboxDelivery {
  /** The event it tells of. */
  event: string;
  request: Request;
  /** Absent when nothing came back. */
  response?: Response;
  error?: unknown;
}

/** One of the service's calls, as data. */
export interface SandboxStep {
  call: string;
  now: string;
  seed: string;
  [argument: string]: unknown;
}

interface Outbound {
  organisation: string;
  event: string;
  url: string;
  timeout_ms: number;
  headers: [string, string][];
  body: string;
}

type Reply =
  | "done"
  | { response: { status: number; headers: [string, string][]; body: string } }
  | { outbound: Outbound[] }
  | { organisation: { org_id: string; api_key: string; signing_secret: string } }
  | { differences: string[] }
  | { failed: string };

const FIRST_MOMENT = new Date("2026-01-01T00:00:00Z");
/** Any 32 bytes: what they protect lives and dies with the process. */
const MASTER_KEY = new Uint8Array(32).fill(7);

/**
 * The whole service in this process: rules, ledger, database, signed webhooks. No network, no waiting, no clock but its own.
 *
 * Give its `fetch` and `clock` to the client, and everything the client does happens here.
 */
export class Sandbox {
  readonly #engine: Engine;
  #now: number;
  #calls: number;

  constructor(settings: SandboxSettings = {}) {
    start();
    this.#engine = new Engine(MASTER_KEY, settings.publicUrl ?? "http://sandbox.test", settings.image ?? new Uint8Array());
    this.#now = (settings.start ?? FIRST_MOMENT).getTime();
    // Room for a million million calls between one seed and the next.
    this.#calls = (settings.seed ?? 0) * 2 ** 40;
    this.#run({ call: "migrate" });
  }

  /** What the sandbox takes for now, Unix milliseconds; for the client's `clock` setting. */
  readonly clock = (): number => this.#now;

  /** Moves the clock. What falls due meanwhile happens with the next call or `deliver`. */
  advance(seconds: number): void {
    if (!(seconds >= 0)) throw new RangeError("time never goes back");
    this.#now += seconds * 1000;
  }

  /** Makes an organisation, with a key that may do everything. */
  createOrganisation(settings: { name: string; partner?: string; otc?: boolean }): SandboxOrganisation {
    const reply = this.#run({ call: "create_organisation", ...settings });
    if (typeof reply === "string" || !("organisation" in reply)) throw unexpected(reply);
    const { org_id, api_key, signing_secret } = reply.organisation;
    return { orgId: org_id, apiKey: api_key, signingSecret: signing_secret };
  }

  /** Answers a request as the service would; for the client's `fetch` setting. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const headers = [...request.headers];
    const reply = this.#run({ call: "answer", request: { method: request.method, target: pathname + search, headers, body: await request.text() } });
    if (typeof reply === "string" || !("response" in reply)) throw unexpected(reply);
    const { status, headers: names, body } = reply.response;
    return new Response(body, { status, headers: names });
  };

  /**
   * Does what is due, payments confirmed and lapsed included, and sends the webhooks that are due to `receiver`, one
   * after the other; what it answers is taken as the receiver's answer.
   */
  async deliver(receiver: (request: Request) => Response | Promise<Response>): Promise<SandboxDelivery[]> {
    const reply = this.#run({ call: "work" });
    if (typeof reply === "string" || !("outbound" in reply)) throw unexpected(reply);
    const deliveries: SandboxDelivery[] = [];
    for (const { organisation, event, url, headers, body } of reply.outbound) {
      const request = (): Request => new Request(url, { method: "POST", headers, body });
      const delivery: SandboxDelivery = { event, request: request() };
      let outcome: unknown;
      try {
        const response = await receiver(request());
        delivery.response = response.clone();
        const answered = { status: response.status, headers: [...response.headers], body: await response.text(), duration_ms: 0 };
        outcome = { answered };
      } catch (error) {
        delivery.error = error;
        outcome = { failed: { error: String(error), duration_ms: 0 } };
      }
      this.#run({ call: "report", organisation, event, url, body, outcome });
      deliveries.push(delivery);
    }
    return deliveries;
  }

  /** Computes every balance again from the postings and tells each difference; none when the books balance. */
  verify(): string[] {
    const reply = this.#run({ call: "verify" });
    if (typeof reply === "string" || !("differences" in reply)) throw unexpected(reply);
    return reply.differences;
  }

  /** The database as bytes: give it to `new Sandbox({ image })` to start there as often as needed. */
  image(): Uint8Array {
    return this.#engine.image();
  }

  /** Carries out one step of a recording, with its own moment and seed. */
  replay(step: SandboxStep): unknown {
    return JSON.parse(this.#engine.step(JSON.stringify(step)));
  }

  #run(command: { call: string; [argument: string]: unknown }): Reply {
    this.#calls += 1;
    const seed = this.#calls.toString(16).padStart(64, "0");
    const step = { ...command, now: new Date(this.#now).toISOString(), seed };
    const reply = JSON.parse(this.#engine.step(JSON.stringify(step))) as Reply;
    if (typeof reply === "object" && "failed" in reply) throw new Error(`the sandbox failed: ${reply.failed}`);
    return reply;
  }
}

function unexpected(reply: Reply): Error {
  return new Error(`the sandbox gave an unexpected reply: ${JSON.stringify(reply)}`);
}

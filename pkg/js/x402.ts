// The facilitator of the official middleware of x402, without a dependency on it: any `fetch`, so that of a sandbox, too.

/** A network by its CAIP-2 id, `eip155:8453`. */
export type X402Network = `${string}:${string}`;

/** Whether a payment can be settled. */
export interface X402Verification {
  isValid: boolean;
  invalidReason?: string;
  invalidMessage?: string;
  payer?: string;
}

/** How a payment was settled, or why not. */
export interface X402Settlement {
  success: boolean;
  errorReason?: string;
  errorMessage?: string;
  payer?: string;
  /** Hash of the transaction; empty if none was sent. */
  transaction: string;
  network: X402Network;
}

/** The payments that can be settled. */
export interface X402Supported {
  kinds: { x402Version: number; scheme: string; network: X402Network }[];
  extensions: string[];
  signers: Record<string, string[]>;
}

/** Checks and settles payments; the `FacilitatorClient` of the official packages. */
export interface X402Facilitator {
  verify(payment: object, requirements: object): Promise<X402Verification>;
  settle(payment: object, requirements: object): Promise<X402Settlement>;
  getSupported(): Promise<X402Supported>;
}

/** Where the facilitator is. `sandbox.settings(organisation)` fits. */
export interface X402Settings {
  baseUrl: string;
  apiKey: string;
  fetch?: (input: string, init?: RequestInit) => Promise<Response>;
}

/** The service has answered that it does nothing. */
class Refused extends Error {}

/** After this time any request gets the answer of a settlement whose own request was lost. */
const LOST_MS_MAX = 60_000;
const RETRY_MS = 1000;

/** The facilitator of a service, for `x402ResourceServer` of the official packages. */
export function facilitator({ baseUrl, apiKey, fetch: send = fetch }: X402Settings): X402Facilitator {
  async function call<Answer>(endpoint: string, init: RequestInit = {}, more: Record<string, string> = {}): Promise<Answer> {
    const headers = { "X-API-KEY": apiKey, "Content-Type": "application/json", ...more };
    const response = await send(`${baseUrl}/v1/x402/${endpoint}`, { ...init, headers });
    const json = (await response.json()) as Answer & { error?: { message?: string } };
    if (response.ok) return json;
    const message = `${endpoint}: ${response.status} ${json.error?.message ?? ""}`.trim();
    throw response.status < 500 ? new Refused(message) : new Error(message);
  }
  const post = <Answer>(endpoint: string, payment: object, requirements: object, more?: Record<string, string>): Promise<Answer> => {
    const { x402Version } = payment as { x402Version?: unknown };
    return call(endpoint, { method: "POST", body: JSON.stringify({ x402Version, paymentPayload: payment, paymentRequirements: requirements }) }, more);
  };
  return {
    verify: (payment, requirements) => post("verify", payment, requirements),
    async settle(payment, requirements) {
      // A payment is settled once: an answer that was lost is had again with its key, or as soon as it is anybody's.
      const key = { "Idempotency-Key": crypto.randomUUID() };
      const end = Date.now() + LOST_MS_MAX;
      for (let isLost = false; ; ) {
        const answer = await post<X402Settlement>("settle", payment, requirements, key).catch((error: Error) => error);
        if (answer instanceof Refused) throw answer;
        isLost ||= answer instanceof Error;
        const isPending = answer instanceof Error || (isLost && answer.errorReason === "settlement_pending");
        if (!isPending || Date.now() >= end) {
          if (answer instanceof Error) throw answer;
          return answer;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    },
    getSupported: () => call("supported"),
  };
}

/** A request as an {@link X402Server} reads it. */
export interface X402Request {
  adapter: {
    getHeader(name: string): string | undefined;
    getMethod(): string;
    getPath(): string;
    getUrl(): string;
    getAcceptHeader(): string;
    getUserAgent(): string;
  };
  path: string;
  method: string;
}

/** The price of a handler: the `x402HTTPResourceServer` of the official packages, with one route configuration instead of several by path. */
export interface X402Server {
  readonly routes: object;
  initialize(): Promise<void>;
  requiresPayment(request: X402Request): boolean;
  processHTTPRequest(request: X402Request): Promise<{ type: string }>;
  processSettlement(
    payment: never,
    requirements: never,
    extensions?: Record<string, unknown>,
    transport?: never,
    overrides?: never,
    before?: never,
  ): Promise<{ success: boolean }>;
  createFailurePathSettlementHeaders?(cancellation: never, before?: never, payment?: never): Record<string, string> | undefined;
}

/** What the official packages answer instead of a handler. */
interface Instructions {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  isHtml?: boolean;
}

type Processed =
  | { type: "no-payment-required" }
  | { type: "payment-error"; response: Instructions }
  | {
      type: "payment-verified";
      paymentPayload: never;
      paymentRequirements: never;
      declaredExtensions?: Record<string, unknown>;
      beforeHandlerSettlement?: never;
      cancellationDispatcher: { cancel(reason: object): Promise<unknown> };
    };
type Settled = { success: true; headers: Record<string, string> } | { success: false; response: Instructions };

const instead = ({ status, headers, body, isHtml }: Instructions): Response =>
  new Response(isHtml ? String(body ?? "") : JSON.stringify(body ?? {}), { status, headers });

/** Statuses of answers without a body. */
const EMPTY = [204, 205, 304];

/** A complete answer: one that breaks off is not settled. */
async function complete(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(EMPTY.includes(response.status) ? null : body, response);
}

/** Runs a handler for requests that are paid, each before its answer. */
function gate(server: X402Server): (request: X402Request, handler: () => Response | Promise<Response>, isGone: () => boolean) => Promise<Response> {
  // Nothing decides by path or method whether a request is paid, or its price: routers read them in their own ways.
  if (!("accepts" in server.routes)) throw new Error("a paid handler has one price: give the x402HTTPResourceServer one route configuration, not several by path");
  let ready: Promise<void> | null = null;
  return async (request, handler, isGone) => {
    ready ??= server.initialize();
    try {
      await ready;
    } catch (error) {
      // The next request tries again.
      ready = null;
      throw error;
    }
    if (!server.requiresPayment(request)) throw new Error(`${request.method} ${request.path} has no price`);
    const result = (await server.processHTTPRequest(request)) as Processed;
    if (result.type === "payment-error") return instead(result.response);
    // A hook of the merchant lets the caller in.
    if (result.type === "no-payment-required") return handler();
    const { paymentPayload, paymentRequirements, declaredExtensions, beforeHandlerSettlement, cancellationDispatcher } = result;
    let response: Response;
    try {
      response = await complete(await handler());
    } catch (error) {
      await cancellationDispatcher.cancel({ reason: "handler_threw", error });
      throw error;
    }
    // An answer that nobody hears is not paid.
    if (response.status >= 400 || isGone()) {
      const cancellation = (await cancellationDispatcher.cancel({ reason: "handler_failed", responseStatus: response.status })) as never;
      // Some payments are settled before the handler: their receipt comes with its failure.
      const headers = server.createFailurePathSettlementHeaders?.(cancellation, beforeHandlerSettlement, paymentPayload) ?? {};
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    }
    const transport = { request } as never;
    const settling = server.processSettlement(paymentPayload, paymentRequirements, declaredExtensions, transport, undefined, beforeHandlerSettlement);
    const settled = (await settling) as Settled;
    if (!settled.success) return instead(settled.response);
    for (const [name, value] of Object.entries(settled.headers)) response.headers.set(name, value);
    // A shared cache would give the answer away.
    if (!/no-store/i.test(response.headers.get("cache-control") ?? "")) response.headers.set("cache-control", "private");
    return response;
  };
}

const read = (method: string, url: string, header: (name: string) => string | undefined): X402Request => {
  const path = url.replace(/^https?:\/\/[^/?#]*/, "").replace(/[?#].*/s, "") || "/";
  return {
    adapter: {
      getHeader: header,
      getMethod: () => method,
      getPath: () => path,
      getUrl: () => url,
      getAcceptHeader: () => header("accept") ?? "",
      getUserAgent: () => header("user-agent") ?? "",
    },
    path,
    method,
  };
};

/**
 * A handler of `Request`s, each of which is paid: for workers, Deno and Bun. The payment is settled after the handler and before its answer is sent:
 * the handler does nothing that can’t be undone.
 */
export function paidFetch<More extends unknown[]>(
  server: X402Server,
  handler: (request: Request, ...more: More) => Response | Promise<Response>,
): (request: Request, ...more: More) => Promise<Response> {
  const serve = gate(server);
  return (request, ...more) => serve(read(request.method, request.url, (name) => request.headers.get(name) ?? undefined), () => handler(request, ...more), () => request.signal.aborted);
}

/** The part of Fastify's request that {@link paidFastify} reads. */
export interface FastifyRequestLike {
  method: string;
  url: string;
  protocol: string;
  host: string;
  headers: Record<string, string | string[] | undefined>;
  raw: { socket?: { destroyed?: boolean } | null };
}

/** The part of Fastify's reply that {@link paidFastify} uses. */
export interface FastifyReplyLike {
  code(status: number): unknown;
  header(name: string, value: string | string[]): unknown;
  send(payload: Uint8Array): unknown;
}

/** The same as a route handler of Fastify: `app.get("/tea", paidFastify(server, (request) => Response.json({ tea: 1 })))`. */
export function paidFastify<Asked extends FastifyRequestLike>(
  server: X402Server,
  handler: (request: Asked) => Response | Promise<Response>,
): (request: Asked, reply: FastifyReplyLike) => Promise<unknown> {
  const serve = gate(server);
  return async (request, reply) => {
    const header = (name: string): string | undefined => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    };
    const url = /^https?:/i.test(request.url) ? request.url : `${request.protocol}://${request.host}${request.url}`;
    const response = await serve(read(request.method, url, header), () => handler(request), () => request.raw.socket?.destroyed === true);
    reply.code(response.status);
    for (const [name, value] of response.headers) if (name !== "set-cookie") reply.header(name, value);
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) reply.header("set-cookie", cookies);
    return reply.send(new Uint8Array(await response.arrayBuffer()));
  };
}

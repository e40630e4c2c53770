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

/** The facilitator of a service, for `x402ResourceServer` of the official packages. */
export function facilitator({ baseUrl, apiKey, fetch: send = fetch }: X402Settings): X402Facilitator {
  async function call<Answer>(endpoint: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { "X-API-KEY": apiKey, "Content-Type": "application/json" };
    const response = await send(`${baseUrl}/v1/x402/${endpoint}`, { ...init, headers });
    const json = (await response.json()) as Answer & { error?: { message?: string } };
    if (!response.ok) throw new Error(`${endpoint}: ${response.status} ${json.error?.message ?? ""}`.trim());
    return json;
  }
  const post = <Answer>(endpoint: string, payment: object, requirements: object): Promise<Answer> => {
    const { x402Version } = payment as { x402Version?: unknown };
    return call(endpoint, { method: "POST", body: JSON.stringify({ x402Version, paymentPayload: payment, paymentRequirements: requirements }) });
  };
  return {
    verify: (payment, requirements) => post("verify", payment, requirements),
    settle: (payment, requirements) => post("settle", payment, requirements),
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
    getQueryParams(): Record<string, string | string[]>;
    getQueryParam(name: string): string | string[] | undefined;
  };
  path: string;
  /** As routers compare it: `%74ea` is `tea`. */
  decodedPath: string;
  method: string;
  paymentHeader?: string;
}

/** The protected routes: the `x402HTTPResourceServer` of the official packages. */
export interface X402Server {
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
}

/** What a framework answers instead of, or besides, its own answer. */
interface Instructions {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  isHtml?: boolean;
}

/** A paid request while its handler runs. */
interface Paid {
  /** The headers to add to the handler's answer, or the answer to give instead. Nothing is taken for an answer of 400 or more. */
  settle(status: number): Promise<{ headers: Record<string, string> } | Instructions>;
  /** Takes nothing: the handler has failed. */
  cancel(error: unknown): Promise<void>;
}

/** What the official packages return. */
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

const isInstead = (settled: { headers: Record<string, string> } | Instructions): settled is Instructions => "status" in settled;

/** The body of an answer as text. */
const text = ({ body, isHtml }: Instructions): string => (isHtml ? String(body ?? "") : JSON.stringify(body ?? {}));

/** Asks for payment: the answer to give instead, a verified payment, or null for a free route. */
function gate(server: X402Server): (request: X402Request) => Promise<Paid | Instructions | null> {
  let ready: Promise<void> | null = null;
  return async (request) => {
    if (!server.requiresPayment(request)) return null;
    ready ??= server.initialize();
    try {
      await ready;
    } catch (error) {
      // The next request tries again.
      ready = null;
      throw error;
    }
    const result = (await server.processHTTPRequest(request)) as Processed;
    if (result.type === "payment-error") return result.response;
    if (result.type !== "payment-verified") return null;
    const { paymentPayload, paymentRequirements, declaredExtensions, beforeHandlerSettlement, cancellationDispatcher } = result;
    return {
      async settle(status) {
        if (status >= 400) {
          await cancellationDispatcher.cancel({ reason: "handler_failed", responseStatus: status });
          return { headers: {} };
        }
        const transport = { request } as never;
        const settling = server.processSettlement(paymentPayload, paymentRequirements, declaredExtensions, transport, undefined, beforeHandlerSettlement);
        const settled = (await settling) as Settled;
        // A shared cache would give it away.
        return settled.success ? { headers: { ...settled.headers, "cache-control": "private" } } : settled.response;
      },
      async cancel(error) {
        await cancellationDispatcher.cancel({ reason: "handler_threw", error });
      },
    };
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function read(method: string, url: string, header: (name: string) => string | undefined): X402Request {
  const { pathname, searchParams } = new URL(url);
  const queries = (name: string): string | string[] | undefined => {
    const values = searchParams.getAll(name);
    return values.length > 1 ? values : values[0];
  };
  const paymentHeader = header("payment-signature") ?? header("x-payment");
  return {
    adapter: {
      getHeader: header,
      getMethod: () => method,
      getPath: () => pathname,
      getUrl: () => url,
      getAcceptHeader: () => header("accept") ?? "",
      getUserAgent: () => header("user-agent") ?? "",
      getQueryParams: () => Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, queries(name) ?? ""])),
      getQueryParam: queries,
    },
    path: pathname,
    decodedPath: decoded(pathname),
    method,
    ...(paymentHeader !== undefined && { paymentHeader }),
  };
}

/**
 * A handler of `Request`s whose protected routes are served for payment: in workers, Deno and Bun. The payment is settled after the handler and
 * before its answer is sent: the handler does nothing that can’t be undone.
 */
export function paidFetch<More extends unknown[]>(
  server: X402Server,
  handler: (request: Request, ...more: More) => Response | Promise<Response>,
): (request: Request, ...more: More) => Promise<Response> {
  const ask = gate(server);
  return async (request, ...more) => {
    const paid = await ask(read(request.method, request.url, (name) => request.headers.get(name) ?? undefined));
    if (!paid) return handler(request, ...more);
    if (!("settle" in paid)) return new Response(text(paid), paid);
    let response: Response;
    try {
      response = await handler(request, ...more);
    } catch (error) {
      await paid.cancel(error);
      throw error;
    }
    const settled = await paid.settle(response.status);
    if (isInstead(settled)) return new Response(text(settled), settled);
    const answer = new Response(response.body, response);
    for (const [name, value] of Object.entries(settled.headers)) answer.headers.set(name, value);
    return answer;
  };
}

/** The part of a Fastify instance that {@link paidFastify} uses. */
export interface FastifyHooks {
  addHook(name: never, hook: never): unknown;
}

interface FastifyRequest {
  method: string;
  url: string;
  protocol: string;
  host: string;
  headers: Record<string, string | string[] | undefined>;
}

interface FastifyReply {
  statusCode: number;
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  removeHeader(name: string): FastifyReply;
  send(payload: string): FastifyReply;
}

/** Lets the protected routes of a Fastify instance be served for payment. Call it before the routes are added. */
export function paidFastify(app: FastifyHooks, server: X402Server): void {
  const ask = gate(server);
  const payments = new WeakMap<FastifyRequest, Paid>();
  const hook = (name: string, run: object): unknown => app.addHook(name as never, run as never);
  hook("preHandler", async (request: FastifyRequest, reply: FastifyReply) => {
    const header = (name: string): string | undefined => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : value;
    };
    const paid = await ask(read(request.method, `${request.protocol}://${request.host}${request.url}`, header));
    if (!paid) return undefined;
    if ("settle" in paid) {
      payments.set(request, paid);
      return undefined;
    }
    return reply.code(paid.status).headers(paid.headers).send(text(paid));
  });
  hook("onSend", async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const paid = payments.get(request);
    if (!paid) return payload;
    payments.delete(request);
    const settled = await paid.settle(reply.statusCode);
    reply.headers(settled.headers);
    if (!isInstead(settled)) return payload;
    (payload as { destroy?(): void } | null)?.destroy?.();
    reply.code(settled.status).removeHeader("content-length");
    return text(settled);
  });
}

import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { Failure } from "../commands/failure.js";
import { VERSION } from "../version.js";
import type { Assets } from "./assets.js";
import { LiveStreams, operationTarget, streamLimits } from "./live.js";
import { secure } from "./security.js";
import type { LocalService, ServiceRequest } from "./service.js";

const HOST = "127.0.0.1";
/** Bytes of a request's body. */
const BODY_MAX = 1 << 20;
const PREFIX = "/v1";
const SIGN_IN = "/v1/sessions";
/** Names of this machine, also in containers, with any port: a tunnel may have another one. Nobody can register these names. */
const OWN_HOST = /^(?:127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)*localhost|host\.(?:docker|containers)\.internal)(?::\d+)?$/i;

type Headers = Record<string, string>;

/** What answers requests. */
export interface Handlers {
  service: LocalService;
  assets: Assets;
  /** Called before a request to sign in. */
  prepareSignIn(): void;
  /** Told of failures that are no answers of the service. */
  fail(error: unknown): void;
}

/** The server on this machine. It listens before the service is ready; requests wait until then. */
export class LocalServer {
  readonly #server: Server;
  readonly #ready: Promise<Handlers>;
  #serve!: (handlers: Handlers) => void;
  #streams: LiveStreams | undefined;
  #notice: string | undefined;

  private constructor() {
    this.#ready = new Promise((resolve) => (this.#serve = resolve));
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  /** Starts to listen on a port, 0 for a free one. Throws a `Failure`. */
  static async listen(port: number): Promise<LocalServer> {
    const local = new LocalServer();
    await new Promise<void>((resolve, reject) => {
      local.#server.once("error", (error) => reject(new Failure(describe(error, port))));
      local.#server.listen(port, HOST, resolve);
    });
    return local;
  }

  /** The address. */
  get url(): string {
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Tells callers what they wait for, until the service is ready. Without a notice, requests wait. */
  announce(notice: string): void {
    this.#notice = notice;
  }

  /** Answers requests from now on. */
  serve(handlers: Handlers): void {
    this.#notice = undefined;
    this.#streams = new LiveStreams(handlers.service);
    this.#serve(handlers);
  }

  /** Ends streams and connections. */
  async close(): Promise<void> {
    this.#streams?.close();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    // Open requests are answered at once; slow readers are cut off.
    setTimeout(() => this.#server.closeAllConnections(), 500).unref();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    const { host } = request.headers;
    // A page of another site reaches this port by a name of its own (DNS rebinding), and to a browser it is then this site.
    if (host !== undefined && !OWN_HOST.test(host)) return refuse(response, 403, "ORIGIN_FOREIGN", "the host of the request is not this machine");
    if (this.#notice !== undefined) return wait(request, response, this.#notice);
    const handlers = await this.#ready;
    try {
      await this.#answer(request, response, handlers);
    } catch (error) {
      // The caller has left.
      if (!request.complete) return void response.destroy();
      handlers.fail(error);
      if (!response.headersSent) refuse(response, 500, "INTERNAL", "the request could not be completed");
      else response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, handlers: Handlers): Promise<void> {
    const { method = "GET", url: target = "/" } = request;
    const [pathname = "/"] = target.split("?", 1);
    if (pathname === PREFIX || pathname.startsWith(`${PREFIX}/`)) return this.#api(request, response, handlers, pathname);
    if (pathname === "/healthz") return write(response, 200, JSON_HEADERS, `${JSON.stringify({ status: "ok", version: VERSION })}\n`);
    if (pathname === "/metrics") return refuse(response, 404, "PATH_UNKNOWN", "no operation has this path");
    const { status, headers, body } = handlers.assets.answer(method, pathname, request.headers);
    // The document is the answer of an operation of the server.
    write(response, status, pathname === "/openapi.json" ? { ...headers, "cache-control": "no-store" } : headers, body);
  }

  async #api(request: IncomingMessage, response: ServerResponse, { service, prepareSignIn, fail }: Handlers, pathname: string): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, 413, "BODY_TOO_LARGE", `the body is larger than ${BODY_MAX} bytes`);
    const { method = "GET", url: target = "/" } = request;
    const limits = streamLimits(pathname);
    if (limits !== undefined && method !== "GET") return write(response, 405, { allow: "GET" }, "");
    const asked: ServiceRequest = { method, target: limits === undefined ? target : operationTarget(target), headers: headersOf(request), body };
    if (pathname === SIGN_IN && method === "POST") prepareSignIn();
    const answer = service.answer(asked);
    // Of a full disk, its files tell.
    if (answer.status >= 500 && answer.status !== 503) fail(new Error(`${method} ${pathname} was answered with status ${answer.status}`));
    if (limits === undefined || answer.status > 299) {
      return write(response, answer.status, { "cache-control": "no-store" }, answer.body, answer.headers);
    }
    // A buffering proxy would hold messages back.
    const headers = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };
    response.writeHead(200, complete(headers));
    this.#streams?.open(response, asked, answer, limits);
  }
}

const JSON_HEADERS: Headers = { "content-type": "application/json", "cache-control": "no-store" };

function describe(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === "EADDRINUSE") return `Port ${port} is in use by another program: choose another with --port, or --port 0 for a free one.`;
  if (error.code === "EACCES") return `Port ${port} needs more permissions: choose one from 1024 on with --port.`;
  return `Port ${port} cannot be used: ${error.message}`;
}

/** The body as text; nothing if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read, too: a client that is still sending does not read the answer.
    if (size <= BODY_MAX) chunks.push(chunk);
  }
  return size > BODY_MAX ? undefined : Buffer.concat(chunks).toString("utf8");
}

/** The headers as sent, without a caller's own request id, which could be mistaken for the server's. */
function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (name !== "x-request-id") headers.push([name, rawHeaders[index + 1] as string]);
  }
  return headers;
}

function complete(headers: Headers): Headers {
  return { ...secure(headers), "x-request-id": `req_${randomBytes(12).toString("hex")}` };
}

/** Sends an answer. `more` are headers of the service, of which some names may come twice. */
function write(response: ServerResponse, status: number, headers: Headers, body: string | Uint8Array, more: [string, string][] = []): void {
  for (const [name, value] of Object.entries(complete(headers))) response.setHeader(name, value);
  const repeated = new Map<string, string[]>();
  for (const [name, value] of more) repeated.set(name, [...(repeated.get(name) ?? []), value]);
  for (const [name, values] of repeated) response.setHeader(name, values.length === 1 ? (values[0] as string) : values);
  response.statusCode = status;
  response.end(body);
}

/** Answers before the service is ready: a page that loads itself again, or an error of the API. */
function wait({ url = "/" }: IncomingMessage, response: ServerResponse, notice: string): void {
  if (url.startsWith(PREFIX)) return refuse(response, 503, "UNAVAILABLE", notice);
  const page = `<!doctype html><html lang="en"><meta http-equiv="refresh" content="1"><title>Settlekit</title><h1>Settlekit</h1><p>${notice}</p></html>`;
  write(response, 503, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "1" }, page);
}

/** Sends an error in the envelope of the API. */
function refuse(response: ServerResponse, status: number, reason: string, message: string): void {
  const error = { code: status, message, errors: [{ domain: "service", reason, message }] };
  write(response, status, JSON_HEADERS, JSON.stringify({ error }));
}

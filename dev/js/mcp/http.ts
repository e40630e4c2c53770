import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

import type { Io } from "../command.js";
import type { Connection } from "../commands/connection.js";
import { Failure } from "../commands/failure.js";
import type { Allowed } from "../commands/mcp.js";
import { createServer } from "./server.js";
import { version } from "./version.js";

/** Path of the endpoint. */
const PATH = "/mcp";
/** Sessions at once. A client that vanished leaves one behind: the one that was used longest ago makes room. */
const SESSIONS_MAX = 32;

const SESSION = "mcp-session-id";

/** Serves over streamable HTTP on 127.0.0.1 until the caller stops. */
export async function serveHttp(connection: Connection, allow: Allowed, port: number, io: Io): Promise<number> {
  const token = randomBytes(32).toString("base64url");
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createHttpServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      io.err(`A request failed: ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) refuse(response, 500, "The request failed.");
      else response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { port } = server.address() as AddressInfo;
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    const { host, origin, authorization } = request.headers;
    // A page of another site reaches this port by a name of its own (DNS rebinding), or with its own origin.
    if (host === undefined || !hosts.includes(host)) return refuse(response, 403, "The host of the request is not this server.");
    if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) return refuse(response, 403, "Pages of other sites may not call this server.");
    if (!isToken(authorization, token)) {
      response.setHeader("www-authenticate", "Bearer");
      return refuse(response, 401, "The bearer token is missing or wrong: it is printed where the server was started.");
    }
    if (new URL(request.url ?? "/", "http://localhost").pathname !== PATH) return refuse(response, 404, `The endpoint is ${PATH}.`);
    const id = request.headers[SESSION];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) return refuse(response, 404, "Session not found");
    if (known !== undefined) {
      // The last one of the map is the one used last.
      sessions.delete(id as string);
      sessions.set(id as string, known);
      return known.handleRequest(request, response);
    }
    await (await open()).handleRequest(request, response);
  }

  /** A transport with a server of its own, kept once its client has initialised it. */
  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        const [oldest] = sessions.keys();
        if (sessions.size > SESSIONS_MAX && oldest !== undefined) void sessions.get(oldest)?.close();
      },
    });
    // The SDK's types do not know `exactOptionalPropertyTypes`.
    await createServer(connection, allow, version()).connect(transport as Parameters<ReturnType<typeof createServer>["connect"]>[0]);
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    return transport;
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new Failure(error.code === "EADDRINUSE" ? `Port ${port} is in use: choose another one with --http, or 0 for a free one.` : error.message));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  io.out(`http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`);
  io.out(`Authorization: Bearer ${token}`);
  await new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    io.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await Promise.all([...sessions.values()].map((transport) => transport.close()));
  server.close();
  server.closeAllConnections();
  return 0;
}

/** Whether a header has the token; the time it takes says nothing about it. */
function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(/^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "");
  const expected = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}

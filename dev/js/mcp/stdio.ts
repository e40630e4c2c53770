import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

import type { Io } from "../command.js";
import type { Connection } from "../commands/connection.js";
import type { Allowed } from "../commands/mcp.js";
import { createServer } from "./server.js";
import { version } from "./version.js";

/** Serves over standard input and output until the client leaves. Standard output has messages only. */
export async function serveStdio(connection: Connection, allow: Allowed, { stdin, signal }: Io): Promise<number> {
  const server = createServer(connection, allow, version());
  const closed = new Promise<void>((resolve) => {
    stdin.once("end", resolve).once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport(stdin, process.stdout));
  await closed;
  await server.close();
  return 0;
}

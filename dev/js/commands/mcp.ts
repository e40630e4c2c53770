import { connectionOf } from "./connection.js";
import { UsageError } from "./failure.js";
import { CONNECTION } from "./options.js";
import { simple } from "./simple.js";

/** What `--allow` takes; each includes those before it. */
const ALLOWED = ["read", "write", "payout"] as const;
export type Allowed = (typeof ALLOWED)[number];

export const mcp = simple({
  name: "mcp",
  summary: "Serves the operations as tools to agents, by the Model Context Protocol.",
  text: [
    "Speaks over standard input and output, or with --http over streamable HTTP on 127.0.0.1. Tools are read-only unless --allow says otherwise, and never more than the scopes of the key. What moves money, or changes where money or webhooks go, is confirmed by a person in the client.",
  ],
  options: [
    { name: "allow", value: "read|write|payout", values: ALLOWED, description: "write adds tools that change records, payout also those that a person confirms: they move money, or change where money or webhooks go; default: read" },
    { name: "http", value: "PORT", description: "port of streamable HTTP, 0 for a free one; prints the address and a bearer token" },
    ...CONNECTION,
  ],
  async run(options, io) {
    const allow = options.text("allow") ?? "read";
    if (!ALLOWED.includes(allow as Allowed)) throw new UsageError(`--allow is read, write or payout, not ${allow}`);
    const port = options.text("http");
    if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536)) throw new UsageError(`--http is a port such as 8090, not ${port}`);
    const connection = connectionOf(options, io);
    // Loaded on use: the SDK takes longer to load than any other command to run.
    if (port === undefined) {
      const { serveStdio } = await import("../mcp/stdio.js");
      return serveStdio(connection, allow as Allowed, io);
    }
    const { serveHttp } = await import("../mcp/http.js");
    return serveHttp(connection, allow as Allowed, Number(port), io);
  },
});

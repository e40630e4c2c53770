import { clientOf, connectionOf, isSandbox } from "./connection.js";
import { CONNECTION, OUTPUT } from "./options.js";
import { formatOf, record } from "./output.js";
import { printableJson } from "./printable.js";
import { scopesOf } from "./scopes.js";
import { simple } from "./simple.js";

export const status = simple({
  name: "status",
  summary: "Shows which service and organisation the commands use.",
  options: [OUTPUT, ...CONNECTION],
  async run(options, io) {
    const format = formatOf(options.text("output"), io.isTty);
    const connection = connectionOf(options, io);
    const client = clientOf(connection);
    const { id, name, webhook_url, webhook_paused_at } = await client.organisation.get({ signal: io.signal });
    const scopes = await scopesOf(client, connection.apiKey ?? "");
    const shown = {
      url: connection.url,
      from: connection.source,
      mode: (await isSandbox(client)) ? "sandbox" : "live",
      organisation: name,
      organisation_id: id,
      // As much of it as a list of keys shows.
      key_prefix: connection.apiKey?.slice(0, 10) ?? null,
      scopes: scopes ?? null,
      has_signing_secret: connection.signingSecret !== undefined,
      webhook_url: webhook_url ?? null,
      webhook_paused_at: webhook_paused_at ?? null,
    };
    if (format === "json") io.out(printableJson(shown));
    else for (const line of record({ ...shown, scopes: scopes ?? "unknown: only a key with the scope manage can list keys" })) io.out(line);
    return 0;
  },
});

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { SettlekitError } from "settlekit";
import { HEADERS } from "settlekit/core";

import { Failure } from "../failure.js";
import type { Scene } from "./scene.js";

/** How long the service may take to send the webhook, in milliseconds. */
const WAIT_MS = 20_000;
const LOOK_MS = 100;

/**
 * Has the service pause its webhook endpoint: an endpoint of this process answers 410 Gone to an event of the organisation, as its own
 * registration is one, and 503 to all others, which stay due. Then the organisation gets its URL back, and the event is sent there.
 */
export async function endpointGone(scene: Scene): Promise<void> {
  const { client, signal } = scene;
  const { webhook_url } = await client.organisation.get();
  const gone = new Set<string>();
  const server = createServer((request, response) => {
    void typeOf(request).then((type) => {
      const isOwn = type.startsWith("org.");
      if (isOwn) gone.add(String(request.headers[HEADERS.webhookId]));
      response.writeHead(isOwn ? 410 : 503).end();
    }, () => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await setUrl(scene, url);
    scene.say(`set the webhook URL to ${url}, which answers 410 Gone`);
    const until = Date.now() + WAIT_MS;
    while ((await client.organisation.get()).webhook_paused_at === undefined) {
      signal.throwIfAborted();
      if (Date.now() > until) throw new Failure(`The service did not call ${url} within ${WAIT_MS / 1000} s: it must run on this machine.`);
      await sleep(LOOK_MS);
    }
    scene.say("the service paused the endpoint");
  } finally {
    await client.organisation.update({ webhook_url: webhook_url ?? "" });
    scene.say(webhook_url === undefined ? "removed the webhook URL" : `set the webhook URL to ${webhook_url} again`);
    server.close();
    server.closeAllConnections();
  }
  if (webhook_url !== undefined) for (const event_id of gone) await client.events.retry({ event_id });
}

/** Event type of a webhook. */
async function typeOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { type: string }).type;
}

async function setUrl({ client }: Scene, webhook_url: string): Promise<void> {
  try {
    await client.organisation.update({ webhook_url });
  } catch (error) {
    if (error instanceof SettlekitError && error.reason === "URL_NOT_HTTPS") {
      throw new Failure("The service must be allowed to call this machine: start it with --allow-private-webhooks.");
    }
    throw error;
  }
}

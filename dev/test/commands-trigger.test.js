import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Settlekit } from "settlekit";

import { EVENTS } from "../dist/commands/catalogue.js";
import { STEPS } from "../dist/commands/trigger/steps.js";
import { bodyOf, listenOn, run, service, until } from "./commands-support.js";

/** The events that the service records: decision 85 lists each change with its events. */
function recorded() {
  const decision = readFileSync(fileURLToPath(new URL("../../docs/decisions/0085-event-catalogue.md", import.meta.url)), "utf8");
  const rows = decision.split("\n").filter((line) => /^\| .*`\w+\.\w+`/.test(line));
  return new Set(rows.flatMap((row) => {
    let type;
    // `.updated` has the type of the one before it.
    return [...row.matchAll(/`(\w*)\.(\w+)`/g)].map(([, written, action]) => {
      type = written || type;
      return `${type}.${action}`;
    });
  }));
}

test("each event of the service's list has steps, and each step an event", () => {
  const events = [...recorded()].sort();
  assert.ok(events.length > 40, String(events.length));
  assert.deepEqual(Object.keys(STEPS).sort(), events);
  const known = EVENTS.types.flatMap((type) => EVENTS.actions.map((action) => `${type}.${action}`.toLowerCase()));
  for (const event of events) assert.ok(known.includes(event), event);
});

for (const event of Object.keys(STEPS)) {
  test(`${event} happens`, async (t) => {
    const shop = await service();
    t.after(shop.stop);
    if (event.startsWith("org.")) {
      const receiver = await listenOn(async (request, response) => {
        await bodyOf(request);
        response.writeHead(204).end();
      });
      t.after(receiver.close);
      await new Settlekit(shop.sandbox.settings(shop.shop)).organisation.update({ webhook_url: receiver.url });
    }
    const { code, out, err } = await run(["trigger", event], { env: shop.env });
    assert.equal(err, "");
    assert.equal(code, 0, out);
    const [, id] = new RegExp(`^${event.replace(".", "\\.")} (evt_\\w+)$`).exec(out.split("\n").at(-1)) ?? assert.fail(out);
    const client = new Settlekit(shop.sandbox.settings(shop.shop));
    const found = await client.events.get({ event_id: id });
    assert.equal(`${found.type}.${found.action}`.toLowerCase(), event);
    // The output names the event's record, or the record that it belongs to.
    const { id: record, entity_id, reference, account, order_id, transaction_hash } = found.data;
    const names = [id, record, entity_id, reference, account?.reference, order_id, transaction_hash].filter((name) => typeof name === "string");
    if (!event.startsWith("org.")) assert.ok(names.slice(1).some((name) => out.includes(name)), `${JSON.stringify(found.data)}\n${out}`);
    assert.deepEqual(shop.sandbox.verify(), []);
  });
}

test("org.disabled leaves the webhook URL as it was", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const hooks = [];
  const receiver = await listenOn(async (request, response) => {
    hooks.push(JSON.parse(String(await bodyOf(request))).type);
    response.writeHead(204).end();
  });
  t.after(receiver.close);
  const client = new Settlekit(shop.sandbox.settings(shop.shop));
  await client.organisation.update({ webhook_url: receiver.url });
  const { code, out } = await run(["trigger", "org.disabled"], { env: shop.env });
  assert.equal(code, 0, out);
  const { webhook_url, webhook_paused_at } = await client.organisation.get();
  assert.deepEqual([webhook_url, webhook_paused_at], [receiver.url, undefined]);
  await until(() => hooks.includes("org.disabled"), "its webhook at the URL");
});

test("org.created without a webhook URL says what to set", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const { code, err } = await run(["trigger", "org.created"], { env: shop.env });
  assert.equal(code, 1);
  assert.match(err, /^An organisation is made once, by the operator.*settlekit organisation update --webhook_url URL\.$/);
});

test("live mode is refused before anything happens", async (t) => {
  const shop = await service({ live: true });
  t.after(shop.stop);
  const { code, out, err } = await run(["trigger", "payment.settled"], { env: shop.env });
  assert.deepEqual([code, out], [1, ""]);
  assert.equal(err, "The service is in live mode, where nothing is simulated: trigger works in sandbox mode only.");
});

test("an unknown event suggests the nearest, and the list has all", async () => {
  const wrong = await run(["trigger", "payment.setled"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /^payment\.setled is not an event of the service; did you mean payment\.settled\?/);
  const list = await run(["trigger", "--list"]);
  assert.equal(list.out.split("\n").length, Object.keys(STEPS).length);
  assert.equal((await run(["trigger"])).code, 2);
  assert.equal((await run(["trigger", "constructor"])).code, 2);
});

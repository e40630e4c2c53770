// Webhooks to a local receiver.

import assert from "node:assert/strict";
import { test } from "node:test";

import { verify } from "settlekit/webhooks";

import { paintOf } from "../dist/commands/colour.js";
import { describeDelivery } from "../dist/serve/deliveries.js";
import { receiver, session, until, unusedUrl } from "./serve-local.mjs";

test("webhooks reach the program and verify with its own clock, after the service's clock was moved, too", async (t) => {
  const hook = await receiver(t);
  const { merchant, credentials, told, call } = await session(t, { options: ["--forward-to", hook.url] });
  await merchant.pay();
  await merchant.advance(24);
  await until(() => hook.received.some(({ type }) => type === "payment.settled"), "the payment");
  for (const { headers, body, path } of hook.received) {
    assert.equal(path, "/hook");
    const payload = verify(body, headers, credentials.webhook_public_key);
    assert.equal(payload.type, JSON.parse(body).type);
  }
  await until(() => told.delivered.length === hook.received.length, "the lines");
  assert.ok(told.delivered.every(({ result, url }) => result === 200 && url === hook.url));
  const { body } = await call("GET", "/v1/events?delivery_status=pending");
  assert.equal(body.data.total, 0);
});

test("a program that is down or fails gets its webhooks again when it is asked to", async (t) => {
  const hook = await receiver(t);
  hook.status = 503;
  const { merchant, told, call } = await session(t, { options: ["--forward-to", hook.url] });
  await call("POST", "/v1/plan", { name: "Tea", price: "1", currency: "USDC" });
  await until(() => hook.received.some(({ type }) => type === "plan.created"), "the webhook");
  await until(() => told.delivered.some(({ type, result }) => type === "plan.created" && result === 503), "its line");
  hook.status = 204;
  const count = hook.received.length;
  assert.match(await merchant.retry(), /^(1 webhook is|\d+ webhooks are) sent again\.$/);
  await until(() => hook.received.slice(count).some(({ type }) => type === "plan.created"), "the webhook again");
  await until(async () => (await call("GET", "/v1/events?delivery_status=pending")).body.data.total === 0, "the end of all deliveries");
});

test("an endpoint that nobody serves is a failed delivery, and the reason is told", async (t) => {
  const hook = await receiver(t);
  const url = await unusedUrl();
  const { told, call } = await session(t, { options: ["--forward-to", url] });
  await until(() => told.delivered.some(({ result }) => result === "connection refused"), "the failure");
  // The organisation's own URL is used no more than before.
  await call("PUT", "/v1/orgs", { webhook_url: hook.url });
  await until(() => told.delivered.some(({ type, url: sent }) => type === "org.updated" && sent === url), "the second failure");
  assert.equal(hook.received.length, 0);
});

test("without a program, webhooks go to the organisation's URL, or stay in its inbox", async (t) => {
  const hook = await receiver(t);
  const { call, webhookUrl, told } = await session(t);
  assert.equal(webhookUrl, undefined);
  await call("POST", "/v1/plan", { name: "Tea", price: "1", currency: "USDC" });
  const inbox = await until(async () => (await call("GET", "/v1/sandbox/inbox")).body.data.items.find(({ type }) => type === "plan.created"), "the message");
  assert.ok(inbox);
  assert.equal(told.delivered.length, 0);
  await call("PUT", "/v1/orgs", { webhook_url: hook.url });
  await until(() => hook.received.some(({ type }) => type === "org.updated"), "the webhook");
});

test("a delivery is one line, coloured by its result in a terminal only", () => {
  const delivery = { type: "payment.settled", url: "http://localhost:3000/hook", result: 200, durationMs: 12 };
  const plain = paintOf({ env: {}, isTty: false });
  assert.equal(describeDelivery(delivery, plain, "14:02:03"), "14:02:03  payment.settled         200  12 ms  http://localhost:3000/hook");
  assert.match(describeDelivery(delivery, paintOf({ env: {}, isTty: true }), "14:02:03"), /\u001b\[32m200\u001b\[39m/);
  assert.match(describeDelivery({ ...delivery, result: "connection refused" }, paintOf({ env: {}, isTty: true }), "14:02:03"), /\u001b\[31mconnection refused/);
  assert.ok(!describeDelivery(delivery, paintOf({ env: { NO_COLOR: "1" }, isTty: true }), "14:02:03").includes("\u001b"));
});

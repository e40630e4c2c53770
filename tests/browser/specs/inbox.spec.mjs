// The inbox of the sandbox: received webhooks with their signature.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Hooks } from "../pages/hooks.mjs";
import { visitors } from "../session.mjs";

const INBOX = "https://inbox.invalid/";
const visitor = visitors("hooks", Hooks);

before(() => merchant.call("PUT", "/orgs", { webhook_url: INBOX }));
after(() => merchant.call("PUT", "/orgs", { webhook_url: "" }));

/** Creates a plan; returns the message about it. */
async function received() {
  const plan = await merchant.call("POST", "/plan", { name: "Inbox", price: "1", currency: "USDC" });
  return merchant.until("the webhook is received", async () => {
    const { items } = await merchant.call("GET", "/sandbox/inbox?limit=100");
    return items.find((one) => one.type === "plan.created" && JSON.parse(one.body).data.id === plan.id);
  });
}

test("a received webhook is shown with its event, headers, body and a valid signature", async () => {
  const message = await received();
  const { page, hooks, done } = await visitor();
  await hooks.go("/");
  await hooks.follow("Inbox");
  await hooks.row("plan.created").first().waitFor();
  await hooks.turn(`/inbox?open=${message.id}`);
  await hooks.drawer.getByText("Signature valid").waitFor();
  await hooks.drawer.getByText("webhook-signature: v1a,").waitFor();
  await hooks.drawer.getByText("plan.created").first().waitFor();
  await inspect(page, "inbox_message");
  await hooks.drawer.getByRole("link", { name: "View event" }).click();
  await page.waitForURL(`**/events?open=${message.event_id}`);
  await hooks.fact("Endpoint URL").filter({ hasText: INBOX }).waitFor();
  await done();
});

test("a changed webhook and one of another key are told apart", async () => {
  const message = await received();
  for (const [change, title] of [
    [(one) => (one.body = one.body.replace("Inbox", "Outbox")), "Signature invalid"],
    [(one) => (one.headers.find(({ name }) => name === "webhook-key-id").value = "0123456789abcdef"), "Signed with a replaced key"],
  ]) {
    const { page, hooks, done } = await visitor();
    await page.route(/\/v1\/sandbox\/inbox/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      change(json.data.items.find(({ id }) => id === message.id));
      await route.fulfill({ response, json });
    });
    await hooks.go(`/inbox?open=${message.id}`);
    await hooks.drawer.getByText(title).waitFor();
    await done();
  }
});

test("the inbox is emptied after a confirmation, and then says what will appear", async () => {
  const message = await received();
  const { page, hooks, done } = await visitor();
  await hooks.go("/inbox");
  await page.getByRole("button", { name: "Empty inbox" }).click();
  await hooks.confirm("Empty inbox");
  await page.getByText("Inbox emptied").waitFor();
  const { items } = await merchant.call("GET", "/sandbox/inbox?limit=100");
  assert.ok(items.every(({ id }) => id !== message.id));
  // Retries of other specs may arrive by now.
  await page.route(/\/v1\/sandbox\/inbox/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    Object.assign(json.data, { items: [], total: 0, next: undefined });
    await route.fulfill({ response, json });
  });
  await hooks.go("/inbox");
  await page.getByText("No webhooks received yet").waitFor();
  await page.getByRole("button", { name: "Empty inbox", disabled: true }).waitFor();
  await inspect(page, "inbox_empty");
  await hooks.turn("/inbox?open=1");
  await hooks.drawer.getByText("Webhook not found").waitFor();
  await done();
});

test("the page of webhooks leads to the inbox and shows its URL", async () => {
  const { page, hooks, done } = await visitor();
  await hooks.go("/settings/webhooks");
  assert.equal(await page.locator("#inbox-url span").first().innerText(), INBOX);
  await page.getByRole("link", { name: "Open inbox" }).click();
  await page.waitForURL("**/inbox");
  await done();
});

test("a test event is sent, and its delivery is shown on the page of webhooks", async () => {
  const { page, hooks, done } = await visitor();
  await hooks.go("/settings/webhooks");
  await page.getByLabel("Type", { exact: true }).selectOption("Invoice");
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("Test event delivered").waitFor();
  await page.locator("#test-event").getByText("invoice.settled").waitFor();
  await inspect(page, "test_event");
  await page.locator("#test-event").getByRole("link", { name: "View event" }).click();
  await page.waitForURL(/\/events\?open=evt_/);
  const event = await merchant.call("GET", `/events/${new URL(page.url()).searchParams.get("open")}`);
  assert.deepEqual([event.type, event.test], ["Invoice", true]);
  await done();
});

test("a test event that the endpoint refuses is shown with its response, and one without an endpoint is not sent", async () => {
  const receiver = await merchant.receiver(500);
  await merchant.call("PUT", "/orgs", { webhook_url: receiver.url });
  const { page, hooks, done } = await visitor({ expected: ["409"] });
  await hooks.go("/settings/webhooks");
  const send = page.getByRole("button", { name: "Send test event" });
  await send.click();
  await page.getByText("Test event not delivered").waitFor();
  await page.locator("#test-event").getByText("500").waitFor();
  assert.ok(receiver.deliveries.some(({ body }) => JSON.parse(body).test === true));
  await merchant.call("PUT", "/orgs", { webhook_url: "" });
  await send.click();
  await page.locator("form").filter({ has: send }).getByRole("alert").waitFor();
  await merchant.call("PUT", "/orgs", { webhook_url: INBOX });
  await receiver.close();
  await done();
});

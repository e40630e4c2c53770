import assert from "node:assert/strict";
import { test } from "node:test";
import { failUntilClick, inspect, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { withReceiver } from "../session.mjs";

const made = withReceiver(500);

test("the events page shows a paused endpoint and can resume it", async () => {
  const { page, done } = await visit(made.browser, "light", { storageState: made.storageState });
  const dashboard = new Dashboard(page);
  made.receiver.answer(410);
  await merchant.call("PUT", "/orgs", { webhook_url: made.receiver.url });
  await merchant.paylink();
  await merchant.until("the endpoint is paused", async () => (await merchant.call("GET", "/orgs")).webhook_paused_at);
  await dashboard.go("/settings/webhooks");
  await page.getByText("Webhooks paused").waitFor();
  await dashboard.go("/events");
  await page.getByText("Webhooks paused").waitFor();
  await inspect(page, "webhooks_paused");
  made.receiver.answer(200);
  await page.getByRole("button", { name: "Resume webhooks" }).click();
  await page.getByText("Webhooks paused").waitFor({ state: "detached" });
  await merchant.until("it is sent to", async () => made.receiver.deliveries.length > 1);
  assert.equal((await merchant.call("GET", "/orgs")).webhook_paused_at, undefined);
  made.receiver.answer(500);
  await done();
});

test("a failed delivery shows request and response and can be retried", async () => {
  const { page, done } = await visit(made.browser, "light", { storageState: made.storageState, expected: ["403"] });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/webhooks");
  await page.getByLabel("Endpoint URL").fill(made.receiver.url);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();

  const link = await merchant.paylink();
  let found;
  const failed = async () => {
    const { items } = await merchant.call("GET", `/events?type=Plan&action=Created&limit=5`);
    found = items.find((one) => JSON.stringify(one.data).includes(link.plan_id));
    return found?.webhook_response_status === 500 && found;
  };
  const event = await merchant.until("the first attempt failed", failed, { saw: () => found });

  // Loading the attempts failed and is retried.
  const succeedAfterClick = await failUntilClick(page, "**/v1/events/*/attempts**", { status: 403, message: "not now" });
  await dashboard.go(`/events?open=${event.id}`);
  await dashboard.drawer.getByText("Not now.").waitFor();
  await succeedAfterClick();
  await dashboard.drawer.getByRole("button", { name: "Try again" }).click();
  await dashboard.attempts.first().waitFor();
  assert.match(await dashboard.attempts.first().innerText(), /Failed[\s\S]*HTTP 500[\s\S]*ms/);
  await dashboard.attempts.first().locator("summary").first().click();
  await dashboard.attempts.first().getByText("the database is away").waitFor();
  await dashboard.attempts.first().getByText("plan.created").first().waitFor();

  made.receiver.answer(200);
  const before = await dashboard.attempts.count();
  await dashboard.deliverAgain();
  await dashboard.drawer.locator(".lede").getByText("Succeeded").waitFor({ timeout: 30_000 });
  await merchant.until("the attempt is in the list", async () => (await dashboard.attempts.count()) > before);
  assert.match(await dashboard.attempts.first().innerText(), /Delivered[\s\S]*HTTP 200/);
  const delivery = made.receiver.deliveries.filter((one) => one.headers["webhook-id"] === event.id).at(-1);
  assert.match(delivery.headers["webhook-signature"], /^v1a,/);
  await done();
});

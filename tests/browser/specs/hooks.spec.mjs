// Webhooks: differences between events, replays, verification.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Hooks } from "../pages/hooks.mjs";
import { visitors } from "../session.mjs";

const visitor = visitors("hooks", Hooks);

let receiver, since;
before(async () => {
  receiver = await merchant.receiver(200);
  await merchant.call("PUT", "/orgs", { webhook_url: receiver.url });
  since = new Date(Date.now() - 60_000).toISOString().slice(0, 10);
});
after(async () => {
  await merchant.call("PUT", "/orgs", { webhook_url: "" });
  await receiver.close();
});

test("an event shows the difference to the previous one, and its request as curl", async () => {
  const link = await merchant.paylink({ name: "Before" });
  await merchant.call("PATCH", "/paylinks/batch", { items: [{ id: link.id, plan: { name: "After" } }] });
  const event = await merchant.until("the change was delivered", async () => {
    const { items } = await merchant.call("GET", "/events?type=Plan&action=Updated&limit=10");
    return items.find((one) => one.data.id === link.plan_id && one.delivery_status === "succeeded");
  });
  const { page, hooks, done } = await visitor();
  await hooks.go(`/events?open=${event.id}`);
  await hooks.change("name").waitFor();
  assert.match(await hooks.change("name").innerText(), /name\s+Before\s+After/);
  await page.evaluate(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = (text) => ((globalThis.copied = text), write(text));
  });
  await hooks.attempts.first().locator("summary").first().click();
  await hooks.drawer.getByRole("button", { name: "Copy as curl" }).click();
  await page.waitForFunction(() => globalThis.copied);
  assert.match(await page.evaluate(() => globalThis.copied), new RegExp(`^curl -X POST '${receiver.url}' -H 'content-type: application/json' --data-raw '\\{`));
  await inspect(page, "event_difference");
  await done();
});

/** Target page of each event type. */
const LEADS = { MerchantContract: /\/paylinks\?open=pl_/, Customer: /\/customers\?open=cus_/, Payment: /\/payments\?open=pay_/, Transaction: /\/(movements|trade\/rfq|trade\/orders)\?(open|quote)=/ };

test("an event links to its record", async () => {
  const { page, hooks, done } = await visitor();
  for (const [type, address] of Object.entries(LEADS)) {
    const { items } = await merchant.call("GET", `/events?type=${type}&limit=1`);
    await hooks.go(`/events?open=${items[0].id}`);
    await hooks.drawer.getByRole("link", { name: "View object" }).click();
    await page.waitForURL(address);
    await page.locator(".facts").first().waitFor();
  }
  const { items } = await merchant.call("GET", "/events?type=Account&action=Created&limit=100");
  const made = items.find((one) => one.data.account_type);
  await hooks.go(`/events?open=${made.id}`);
  await hooks.drawer.getByRole("link", { name: "View object" }).click();
  await page.waitForURL(new RegExp(`/accounts/${made.data.id}$`));
  await done();
});

test("events are counted and replayed with progress", async () => {
  const { page, hooks, done } = await visitor();
  await hooks.go(`/events?type=Plan&since=${since}`);
  await page.getByRole("button", { name: "Resend events" }).click();
  await hooks.box.getByLabel("Delivery").selectOption("succeeded");
  await hooks.box.getByText(/will be resent/).waitFor();
  await inspect(page, "replay");
  const before = receiver.deliveries.length;
  await hooks.box.getByRole("button", { name: "Resend" }).click();
  await hooks.box.getByText("All events queued").waitFor();
  const all = hooks.box.getByText(/([1-9]\d*) of \1\b/);
  await all.waitFor();
  const count = Number((await all.innerText()).match(/(\d+) of/)[1]);
  await merchant.until("all arrived again", () => receiver.deliveries.length >= before + count);
  await done();
});

test("a failed count is retried, and a count of another filter starts no replay", async () => {
  const { page, hooks, done } = await visitor({ expected: ["500"] });
  await hooks.go(`/events?type=Plan&since=${since}`);
  // The number of failed events depends on earlier specs.
  const counted = hooks.box.getByText(/No matching events|will be resent/), send = hooks.box.getByRole("button", { name: "Resend" });
  let broken = true, held;
  await page.route("**/v1/events/replays/count**", async (route) => {
    if (broken) return route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' });
    await held;
    return route.continue();
  });
  await page.getByRole("button", { name: "Resend events" }).click();
  await hooks.box.getByText("The service failed.").waitFor();
  assert.equal(await hooks.box.getByText("Counting").count(), 0);
  broken = false;
  await hooks.box.getByRole("button", { name: "Try again" }).click();
  await counted.waitFor();
  await hooks.box.getByLabel("Delivery").selectOption("succeeded");
  await hooks.box.getByText(/will be resent/).waitFor();
  await hooks.box.locator("button:enabled", { hasText: "Resend" }).waitFor();
  let letGo;
  held = new Promise((resolve) => (letGo = resolve));
  await hooks.box.getByLabel("Delivery").selectOption("failed");
  await hooks.box.getByText("Counting").waitFor();
  assert.ok(await send.isDisabled());
  letGo();
  await counted.waitFor();
  await done();
});

test("a running replay is shown and can be stopped after a reload", async () => {
  const { page, hooks, done } = await visitor();
  await hooks.go(`/events?type=Plan&since=${since}`);
  let stopped = false;
  await page.route(/\/v1\/events\/replays\/rpl_[^/]*$/, async (route) => {
    stopped ||= route.request().method() === "DELETE";
    const response = await route.fetch({ method: "GET" });
    const answer = await response.json();
    answer.data.status = stopped ? "Canceled" : "Running";
    await route.fulfill({ response, json: answer });
  });
  await page.getByRole("button", { name: "Resend events" }).click();
  await hooks.box.getByLabel("Delivery").selectOption("succeeded");
  await hooks.box.getByText(/will be resent/).waitFor();
  await hooks.box.getByRole("button", { name: "Resend" }).click();
  await hooks.box.getByRole("button", { name: "Stop" }).waitFor();
  // The URL names it one frame later.
  await page.waitForURL((address) => address.searchParams.has("replay"));
  await page.reload();
  await hooks.box.getByRole("button", { name: "Stop" }).click();
  await hooks.box.getByText("Stopped", { exact: true }).waitFor();
  await hooks.box.getByRole("button", { name: "Close" }).click();
  await page.waitForURL((address) => !address.searchParams.has("replay"));
  await page.getByRole("button", { name: "Resend events" }).click();
  await hooks.box.getByRole("button", { name: "Resend" }).waitFor();
  await done();
});

test("selected events are retried, and failed retries can be repeated", async () => {
  const links = [await merchant.paylink({ name: "One" }), await merchant.paylink({ name: "Two" })];
  const about = links.map(({ plan_id }) => plan_id);
  await merchant.until("both are delivered", async () => {
    const { items } = await merchant.call("GET", "/events?type=Plan&action=Created&limit=10");
    return items.filter((one) => about.includes(one.data.id) && one.delivery_status === "succeeded").length === 2;
  });
  const { page, hooks, done } = await visitor({ expected: ["500"] });
  await hooks.go("/events?type=Plan&action=Created");
  const boxes = hooks.rows.getByRole("checkbox");
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  let broken = true;
  await page.route("**/v1/events/*/retry", (route) => {
    if (!broken) return route.continue();
    broken = false;
    return route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' });
  });
  await page.getByRole("group", { name: "Selected" }).getByRole("button", { name: "Resend" }).click();
  await hooks.box.getByText("2 selected").waitFor();
  await inspect(page, "together");
  const before = receiver.deliveries.length;
  await hooks.box.getByRole("button", { name: "Resend" }).click();
  await hooks.box.getByText("1 of 2 done, 1 failed").waitFor();
  await inspect(page, "together_half");
  await hooks.box.getByRole("button", { name: "Retry the rest" }).click();
  await hooks.box.getByText("2 of 2 done").waitFor();
  await merchant.until("both arrived again", () => receiver.deliveries.length >= before + 2);
  await hooks.box.getByRole("button", { name: "Close" }).click();
  await page.getByText("2 selected").waitFor({ state: "detached" });
  await done();
});

test("an event says when its delivery is tried next, and how long until then", async () => {
  const event = (await merchant.call("GET", "/events?limit=1")).items[0];
  const { page, hooks, done } = await visitor();
  let at;
  const inSeconds = async (seconds) => {
    const { now } = await merchant.call("GET", "/overview");
    at = new Date(Date.parse(now) + seconds * 1000).toISOString().replace("Z", "000Z");
  };
  await page.route(`**/v1/events/${event.id}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.next_attempt_at = at;
    await route.fulfill({ response, json });
  });
  await inSeconds(290);
  await hooks.go(`/events?open=${event.id}`);
  const next = hooks.fact("Next attempt");
  await next.getByText("in 4 minutes").waitFor();
  assert.equal(await next.locator("time").getAttribute("datetime"), at);
  await inspect(page, "next_attempt");
  await inSeconds(-1);
  await hooks.go(`/events?open=${event.id}`);
  await next.getByText("due now").waitFor();
  at = undefined;
  await hooks.go(`/events?open=${event.id}`);
  await hooks.drawer.locator(".facts").first().waitFor();
  assert.equal(await next.count(), 0);
  await done();
});

test("a huge payload is truncated until expanded", async () => {
  const event = (await merchant.call("GET", "/events?limit=1")).items[0];
  const { page, hooks, done } = await visitor();
  await page.route(`**/v1/events/${event.id}`, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.data.data.lines = Array.from({ length: 3000 }, (_, at) => `line ${at}`);
    await route.fulfill({ response, json: answer });
  });
  await hooks.go(`/events?open=${event.id}`);
  const all = hooks.drawer.getByRole("button", { name: /^Show all [\d,]+ bytes$/ });
  await all.waitFor();
  const tree = hooks.drawer.locator(".payload.tree").last();
  assert.ok((await tree.locator(".leaf").count()) <= 400);
  await inspect(page, "payload_cut");
  await all.click();
  await all.waitFor({ state: "detached" });
  assert.ok((await tree.locator(".leaf").count()) > 3000);
  await done();
});

test("a webhook is verified in the browser, and a changed one is rejected", async () => {
  const { body, headers } = receiver.deliveries.at(-1);
  const { page, hooks, done } = await visitor();
  await hooks.go("/events/verify");
  await hooks.key.filter({ hasText: "" }).waitFor();
  await page.waitForFunction(() => document.querySelector("textarea[name=key]").value.includes("PUBLIC KEY"));
  const lines = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => `${name}: ${headers[name]}`).join("\n");
  await page.getByLabel("Headers").fill(lines);
  await page.getByLabel("Body").fill(body);
  // The service's clock counts, not the browser's.
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 600_000;
  });
  await hooks.check.click();
  await page.getByText("Signature valid", { exact: true }).waitFor();
  await inspect(page, "verify_webhook");
  await page.getByLabel("Body").fill(body.replace("{", "{ "));
  // The result is cleared when the text changes.
  await page.getByText("Signature valid", { exact: true }).waitFor({ state: "detached" });
  await hooks.check.click();
  await page.getByText("Signature invalid").waitFor();
  await page.getByText("No signature matches the key and this body.").waitFor();
  // Verified an hour later, by the clock of the next overview.
  await page.getByLabel("Body").fill(body);
  await merchant.call("POST", "/sandbox/clock", { advance_seconds: 3_600 });
  await merchant.until("the page has the service's time", async () => {
    await hooks.check.click();
    return page.getByText("Signature valid, timestamp too old").isVisible();
  });
  await done();
});

// Settings of the organisation, of the webhook key and of this browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { failUntilClick, inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { visitors } from "../session.mjs";
import { password } from "../settings.mjs";

const visitor = visitors("dashboard", Dashboard);

test("thresholds, currency and notifications are saved", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["401"] });
  await dashboard.go("/settings");
  await page.getByLabel("Tolerance", { exact: false }).nth(1).fill("0.05");
  await page.getByLabel("Tolerance currency").fill("USDC");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved").waitFor();
  await page.getByText("Saved").waitFor({ state: "detached" });
  await page.getByLabel("Recipients").fill("till@shop.example\nbooks@shop.example");
  await page.getByLabel("Options").fill("payments: true\npayouts: false");
  await page.getByRole("button", { name: "Save" }).nth(1).click();
  await page.getByText("Saved").waitFor();
  const { properties } = await merchant.call("GET", "/orgs");
  assert.deepEqual(properties.forwarded_email_recipients, ["till@shop.example", "books@shop.example"]);
  assert.deepEqual(properties.email_notification_options, { payments: true, payouts: false });
  assert.equal(String(properties.underpay_thresholds.underpay_tolerance_amount), "0.05");
  await page.getByLabel("Recipients").fill("nobody");
  await page.getByRole("button", { name: "Save" }).nth(1).click();
  await page.getByText("Recipients (1) must be").waitFor();
  await inspect(page, "organisation_filled");
  await done();
});

test("the webhook key is rotated in steps, and the page shows the overlap", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["401"] });
  await dashboard.go("/settings/webhooks");
  await page.getByText("Prepare").waitFor();
  const before = (await merchant.call("GET", "/orgs")).webhook_public_key;
  await page.getByRole("button", { name: "Rotate key" }).click();
  await dashboard.confirm("Rotate key");
  await page.getByText("Confirm it’s you").or(page.getByText("Both keys sign until")).first().waitFor();
  if (await page.getByText("Confirm it’s you").isVisible()) await dashboard.prove(password);
  await page.getByText("Both keys sign until").waitFor();
  assert.notEqual((await merchant.call("GET", "/orgs")).webhook_public_key, before);
  await inspect(page, "rotated");
  await done();
});

test("high contrast and the time zone are stored in this browser", async () => {
  const { page, dashboard, done } = await visitor();
  await dashboard.go("/settings/appearance");
  await inspect(page, "appearance");
  await page.getByLabel("High contrast").check();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.contrast), "more");
  await inspect(page, "appearance_contrast");
  await page.getByRole("button", { name: "UTC", exact: true }).click();
  await page.waitForLoadState();
  await page.getByRole("button", { name: "UTC", exact: true, pressed: true }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.contrast), "more", "before the first paint");
  await page.goto(page.url().replace("/settings/appearance", "/"));
  await dashboard.title.waitFor();
  await page.locator(".bone").first().waitFor({ state: "detached" });
  await inspect(page, "overview_contrast");
  await done();
});

test("times can be shown in the organisation’s zone", async () => {
  await merchant.call("PUT", "/orgs", { time_zone: "Asia/Tokyo" });
  const { page, dashboard, done } = await visitor();
  await dashboard.go("/settings");
  assert.equal(await page.getByLabel("Time zone").inputValue(), "Asia/Tokyo");
  await dashboard.turn("/settings/appearance");
  const theirs = { name: "Organisation: Asia/Tokyo" };
  await page.getByRole("button", theirs).click();
  await page.getByRole("button", { ...theirs, pressed: true }).waitFor();
  await inspect(page, "appearance_zone");
  const at = await page.locator("time.timestamp").last().evaluate((element) => [element.dateTime, element.querySelector(".clock").textContent]);
  const tokyo = new Intl.DateTimeFormat("en-US", { timeZone: "Asia/Tokyo", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  assert.equal(at[1], tokyo.format(new Date(at[0])));
  await merchant.call("PUT", "/orgs", { time_zone: "" });
  await done();
});

/** Days of daylight saving changes: start and end of each. */
const CHANGED = [
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000000Z", "2026-11-01", "2026-11-02T04:59:59.999999Z"],
  ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00.000000Z", "2026-10-25", "2026-10-25T22:59:59.999999Z"],
  // Changes at midnight: one day starts at 01:00, another repeats its last hour.
  ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000000Z", "2026-09-06", "2026-09-07T02:59:59.999999Z"],
  ["America/Santiago", "2026-04-04", "2026-04-04T03:00:00.000000Z", "2026-04-04", "2026-04-05T03:59:59.999999Z"],
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000000Z", "2026-10-29", "2026-10-29T21:59:59.999999Z"],
];

test("days of daylight saving changes have the right length", async () => {
  for (const [zone, first, begins, last, ends] of CHANGED) {
    const { page, dashboard, done } = await visitor();
    await page.addInitScript((zone) => localStorage.setItem("settlekit.zone", zone), zone);
    const asked = page.waitForRequest((request) => request.url().includes("/v1/payments?") && request.url().includes("since"));
    await dashboard.go(`/payments?since=${first}&until=${last}`);
    const query = new URL((await asked).url()).searchParams;
    assert.equal(query.get("since"), begins, zone);
    assert.equal(query.get("until"), ends, zone);
    await done();
  }
});

test("the list of failed movements covers the overview's period in every zone", async () => {
  for (const timezoneId of ["America/New_York", "Asia/Tokyo"]) {
    const { page, dashboard, done } = await visitor({ timezoneId });
    await dashboard.go("/");
    const { volume } = await merchant.call("GET", "/overview");
    const asked = page.waitForRequest((request) => request.url().includes("/v1/movements?") && request.url().includes("since"));
    // Hidden while it is zero.
    await page.locator("a.counter", { hasText: "Failed movements" }).evaluate((link) => link.click());
    const early = Date.parse(volume[0].date) - Date.parse(new URL((await asked).url()).searchParams.get("since"));
    assert.ok(early >= 0 && early < 86_400_000, `${timezoneId}: ${early} ms`);
    await done();
  }
});

test("every page shows why actions are unavailable", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["/v1/overview/live"] });
  await page.route("**/v1/overview/live", (route) => route.abort());
  await page.route("**/v1/overview", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    Object.assign(answer.data, { is_suspended: true, suspension_type: "Compliance", quotes_open: 2, quote_expires_at: "2026-11-21T12:00:00.000000Z" });
    await route.fulfill({ response, json: answer });
  });
  await dashboard.go("/");
  await page.getByText("This organisation is suspended").waitFor();
  assert.match(await page.getByRole("link", { name: /Open quotes/ }).innerText(), /first expires[\s\S]*2$/);
  await inspect(page, "suspended");
  await dashboard.turn("/payments");
  await page.getByText("Compliance").waitFor();
  await done();
});

test("while a price is missing, the overview shows the total at the last known prices with their age", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["/v1/overview/live"] });
  await page.route("**/v1/overview/live", (route) => route.abort());
  await page.route("**/v1/overview", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    delete answer.data.total_usd;
    const last_total_at = new Date(Date.now() - 2 * 3_600_000 - 5_000).toISOString();
    Object.assign(answer.data, { last_total_usd: "1234.50", last_total_at });
    await route.fulfill({ response, json: answer });
  });
  await dashboard.go("/");
  const volume = page.getByRole("region", { name: "Volume" });
  await volume.getByText("Total at the last known prices, of").waitFor();
  const text = await volume.innerText();
  assert.match(text, /Total available\s+1,234\.50/);
  assert.match(text, /Total at the last known prices, of [^]*, 2 hours ago/);
  await inspect(page, "overview_last_prices");
  await done();
});

/** Days of a mocked series, oldest first; the last is today. */
const TODAY = "2026-11-21";
const day = (ago) => new Date(Date.parse(TODAY) - ago * 86_400_000).toISOString().slice(0, 10);

/** A part of a series from `first` to `last` days ago, without the days that `amount` has none for. */
function seriesPart(first, last, amount, hasSum) {
  const points = [];
  for (let ago = first; ago >= last; ago -= 1) if (amount(ago) !== undefined) points.push({ date: day(ago), amount_usd: String(amount(ago)) });
  const sum = points.reduce((sum, point) => sum + Number(point.amount_usd), 0);
  return { from: day(first), to: day(last), points, missing_days: first - last + 1 - points.length, ...(hasSum && points.length > 0 && { sum_usd: String(sum) }) };
}

/** Answers the series by amounts for each metric and number of days ago. */
const mockSeries = (page, amounts) =>
  page.route("**/v1/overview/series?**", (route) => {
    const metric = new URL(route.request().url()).searchParams.get("metric");
    const part = (first, last) => seriesPart(first, last, amounts[metric], metric !== "balance");
    return route.fulfill({ json: { error: false, message: "", data: { metric, current: part(29, 0), previous: part(59, 30) } } });
  });

test("the charts compare with the previous period, say which days are missing, and never divide by nothing", async () => {
  const { page, dashboard, done } = await visitor();
  await mockSeries(page, { balance: (ago) => (ago === 0 ? 110 : 100), in: (ago) => (ago < 30 ? 3 : 2), out: (ago) => (ago < 30 ? 1 : 0) });
  await dashboard.go("/");
  const panel = page.getByRole("region", { name: "Balance and volume" });
  const text = async () => (await panel.innerText()).replace(/\s+/g, " ");
  assert.match(await text(), /\+10% Before this period: 100\.00 USD/);
  assert.match(await text(), /In 90\.00 USD \+50% Previous period: 60\.00 USD/);
  assert.match(await text(), /Out 30\.00 USD Previous period: 0\.00 USD/);
  assert.doesNotMatch(await text(), /left out|have no price/);
  await page.unrouteAll();
  await mockSeries(page, { balance: (ago) => (ago > 20 ? undefined : 5), in: (ago) => (ago < 29 ? 3 : undefined), out: (ago) => (ago < 29 ? 1 : undefined) });
  await dashboard.go("/");
  assert.match(await text(), /No figure for the previous period/);
  assert.match(await text(), /9 days without a price are left out/);
  assert.match(await text(), /1 day without a price is left out/);
  assert.match(await text(), /30 days of the previous period have no price/);
  assert.doesNotMatch(await text(), /%/);
  await inspect(page, "overview_missing_days");
  await done();
});

test("charts that load, have nothing, have no price, or fail look different", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["500", "/v1/overview/series"] });
  await mockSeries(page, { balance: () => 0, in: () => 0, out: () => 0 });
  await dashboard.go("/");
  await page.getByText("No balance in this period").waitFor();
  await page.getByText("Nothing came in or went out in this period").waitFor();
  await inspect(page, "overview_nothing");
  await page.unrouteAll();
  await mockSeries(page, { balance: () => undefined, in: () => undefined, out: () => undefined });
  await dashboard.go("/");
  assert.equal(await page.getByText("No prices in this period").count(), 2);
  await page.unrouteAll();
  const succeedAfterClick = await failUntilClick(page, "**/v1/overview/series?**");
  await dashboard.go("/");
  // Three calls with one cause.
  const alert = page.getByRole("region", { name: "Balance and volume" }).getByRole("alert");
  assert.equal(await alert.count(), 1);
  await succeedAfterClick();
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.locator(".chart").first().waitFor();
  await done();
});

const TOTALS = { monthly_revenue: [], subscriptions_running: 0, subscriptions_running_before: 0, subscriptions_ended: 0, renewals: [], payouts: [], link_visits: 0, checkouts_started: 0, checkouts_paid: 0 };

test("the business figures lead to their lists, and a merchant without subscriptions sees none of them", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["500", "/v1/overview/business"] });
  const sum = (count, amount) => ({ currency: "USDC", count, amount, amount_usd: amount });
  const full = {
    monthly_revenue: [sum(12, "1200")], monthly_revenue_usd: "1200", subscriptions_running: 12, subscriptions_running_before: 16, subscriptions_ended: 1, churn_pct: "6.25",
    renewals: [sum(3, "300")], payouts: [sum(2, "45.5")], link_visits: 1200, checkouts_started: 40, checkouts_paid: 10, conversion_pct: "25",
  };
  let data = full;
  await page.route("**/v1/overview/business", (route) => route.fulfill({ json: { error: false, message: "", data } }));
  await dashboard.go("/");
  const panel = page.getByRole("region", { name: "Business figures" });
  const tiles = async () => (await panel.getByRole("link").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  assert.deepEqual(await tiles(), [
    "Monthly recurring revenue 12 subscriptions 1,200.00 USD",
    "Churn, 30 days 1 of 16 subscriptions ended 6.25%",
    "Renewals, 7 days 300.00 USDC 3",
    "Conversion, 30 days 10 of 40 checkouts paid · 1,200 visits 25%",
    "Payouts due 45.50 USDC 2",
  ]);
  assert.deepEqual(await panel.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))), ["/subscriptions?status=Active", "/subscriptions?status=Canceled", "/subscriptions?status=Active", "/paylinks", "/payouts"]);
  await inspect(page, "overview_business");
  data = { ...TOTALS, monthly_revenue_usd: "0", link_visits: 4 };
  await dashboard.go("/");
  assert.deepEqual(await tiles(), ["Conversion, 30 days 0 of 0 checkouts paid · 4 visits Not available"]);
  data = TOTALS;
  await dashboard.go("/");
  await panel.getByText("Conversion appears with the first visit").waitFor();
  await page.unrouteAll();
  const succeedAfterClick = await failUntilClick(page, "**/v1/overview/business");
  await dashboard.go("/");
  assert.equal(await panel.count(), 0);
  await succeedAfterClick();
  await page.getByRole("button", { name: "Try again" }).click();
  await panel.waitFor();
  await done();
});

test("a day is filtered in the zone that is shown", async () => {
  const { page, dashboard, done } = await visitor();
  await page.addInitScript(() => localStorage.setItem("settlekit.utc", "1"));
  const asked = page.waitForRequest((request) => request.url().includes("/v1/payments?") && request.url().includes("since"));
  await dashboard.go("/payments?since=2026-03-01&until=2026-03-01");
  const query = new URL((await asked).url()).searchParams;
  assert.equal(query.get("since"), "2026-03-01T00:00:00.000000Z");
  assert.equal(query.get("until"), "2026-03-01T23:59:59.999999Z");
  await done();
});

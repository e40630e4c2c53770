// Reading long content: sticky headings, payload search, built-in views, and the stale mark on every page.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Daily } from "../pages/daily.mjs";
import { visitors } from "../session.mjs";

/** All pages with a list. */
const LISTS = ["/movements", "/accounts", "/payments", "/paylinks", "/plans", "/subscriptions", "/invoices", "/customers", "/payouts", "/external-accounts", "/trade/quotes", "/trade/orders", "/events"];

const visitor = visitors("daily", Daily);

before(async () => {
  await merchant.paylink();
});

test("sticky headings do not cover the focused row", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/movements");
  await daily.rows.nth(20).waitFor();
  await daily.rows.nth(20).focus();
  const head = await page.locator(".page .table thead th").first().boundingBox();
  assert.ok(head.y >= 0 && head.y < 4, `the headings are at ${head.y}`);
  for (let step = 0; step < 12; step += 1) await page.keyboard.press("k");
  const row = await page.evaluate(() => document.activeElement.getBoundingClientRect().top);
  assert.ok(row >= head.y + head.height - 1, `the row is at ${row}, under the headings`);
  await done();
});

for (const locale of ["en-US", "de-DE"]) {
  test(`in ${locale} lists fit their panel unless they scroll`, async () => {
    const { page, daily, done } = await visitor({ locale });
    await daily.go("/");
    for (const width of [1262, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of [...LISTS, "/trade/markets"]) {
        await daily.turn(path);
        const [over, cut] = await page.evaluate(() => {
          const beyond = [...document.querySelectorAll(".page .panel > .table-box")].filter((box) => getComputedStyle(box).overflowX === "visible").map((box) => box.scrollWidth - box.clientWidth);
          return [document.documentElement.scrollWidth - innerWidth, Math.max(0, ...beyond)];
        });
        assert.ok(over <= 0, `${path} is ${over} px too wide at ${width} px`);
        assert.ok(cut <= 1, `the table of ${path} is ${cut} px wider than its panel at ${width} px`);
      }
    }
    await done();
  });
}

test("a timestamp's tooltip shows UTC and the relative time", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/movements");
  const timestamp = daily.rows.last().locator("time.timestamp");
  const utc = await timestamp.getAttribute("datetime");
  await timestamp.hover();
  await page.waitForFunction((element) => /·/.test(element.title), await timestamp.elementHandle());
  const told = await timestamp.getAttribute("title");
  assert.ok(told.startsWith(`${utc} · `) && /\d+ (second|minute|hour|day|month)s? ago$/.test(told), told);
  await done();
});

test("times are short, with the year only if it is not the current one", async () => {
  const { page, daily, done } = await visitor({ locale: "en-GB", timezoneId: "UTC" });
  const now = new Date();
  const times = [`${now.getUTCFullYear()}-01-02T03:04:05.678901Z`, `${now.getUTCFullYear() - 1}-11-12T13:14:15.000001Z`];
  await page.route(/\/v1\/movements\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.data.items = times.map((created_at, at) => ({ ...answer.data.items[at], created_at }));
    await route.fulfill({ response, json: answer });
  });
  await daily.go("/movements");
  const shown = page.locator(".page .table tbody time.timestamp");
  assert.deepEqual(await shown.allInnerTexts(), ["02 Jan 03:04", `12 Nov ${now.getUTCFullYear() - 1} 13:14`]);
  assert.deepEqual(await shown.evaluateAll((all) => all.map((one) => one.title)), times);
  await done();
});

test("numbers use the locale's separators", async () => {
  for (const [locale, grouped] of [["en-US", /^\d{1,3}(,\d{3})+$/], ["en-IN", /^\d{1,2}(,\d{2})*,\d{3}$/], ["de-DE", /^\d{1,3}(\.\d{3})+$/]]) {
    const { page, daily, done } = await visitor({ locale });
    await daily.go("/trade/markets");
    await page.locator(".page .table .amount .whole").first().waitFor();
    const long = (await page.locator(".page .table .amount .whole").allInnerTexts()).filter((text) => text.replace(/\D/g, "").length >= 6);
    assert.ok(long.length > 0 && long.every((text) => grouped.test(text)), `${locale}: ${long}`);
    await done();
  }
});

test("a payload is searched by name and value, and a field's path is copied", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/events");
  await daily.rows.first().click();
  const search = daily.drawer.getByRole("searchbox", { name: "Search keys and values" });
  await search.fill("CREATED_AT");
  const names = await daily.drawer.locator(".payload button.name").allInnerTexts();
  assert.ok(names.length > 0 && names.every((name) => name === "created_at:"), names.join());
  await inspect(page, "payload_searched");
  await page.evaluate(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = (text) => ((globalThis.copied = text), write(text));
  });
  await daily.drawer.locator(".payload button.name").first().click();
  await page.waitForFunction(() => /(^|\.)created_at$/.test(globalThis.copied ?? ""));
  await search.fill("no such thing");
  await daily.drawer.getByText("No matches.").waitFor();
  await done();
});

test("built-in views are available", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/events");
  await page.locator("summary", { hasText: "Views" }).click();
  await page.getByRole("link", { name: "Delivery: Failed" }).click();
  await page.waitForURL(/\/events\?delivery_status=failed$/);
  assert.equal(await page.getByRole("link", { name: "Delivery: Failed" }).isVisible(), false, "the list is not hidden behind the menu");
  await done();
});

test("every page shows a lost connection and keeps its data", async () => {
  const { page, daily, done } = await visitor({ expected: ["/v1/"] });
  await page.route("**/v1/overview**", (route) => route.abort());
  await daily.go("/customers");
  await daily.rows.first().waitFor();
  await page.getByText("Connection lost").waitFor({ timeout: 15_000 });
  await inspect(page, "not_current");
  await daily.turn("/plans");
  assert.equal(await page.getByText("Connection lost").isVisible(), true);
  assert.ok((await daily.rows.count()) > 0);
  await done();
});

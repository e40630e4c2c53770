// Tabs of statuses above the lists: their numbers are those of the service, and each is a link.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, inspectAs, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { Keyboard } from "../pages/keyboard.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

/** The number of a text: `Confirmed 2,207` is 2207; none without one. */
const number = (text) => {
  const digits = text.replaceAll(",", "").match(/\d+$/);
  return digits && Number(digits[0]);
};

/** Names and numbers of the tabs. */
async function numbers(page) {
  const texts = await page.locator(".page > .tabs a").allInnerTexts();
  return texts.map((text) => number(text.trim()));
}

for (const [path, query] of [
  ["/payments", "&payment_method=ProxyWallet,Direct"],
  ["/paylinks", ""],
  ["/subscriptions", ""],
  ["/invoices", ""],
  ["/events", ""],
]) {
  test(`the tabs of ${path} have the numbers of the service`, async () => {
    const { page, done } = await visit(browser, "light", { storageState });
    const dashboard = new Dashboard(page);
    await dashboard.go(path);
    const saw = {};
    // Records of other specs are made in between.
    await merchant.until("the same numbers", async () => {
      const { counts, total } = await merchant.call("GET", `${path}?limit=1&counts=status${query}`);
      // Only the links of invoices are ever paid.
      const listed = counts.filter(({ status }) => path !== "/paylinks" || status !== "Paid");
      saw.counted = [total, ...listed.map(({ count }) => count)];
      await page.reload();
      await dashboard.drawn();
      saw.shown = await numbers(page);
      return JSON.stringify(saw.shown) === JSON.stringify(saw.counted);
    }, { saw: () => saw });
    await inspect(page, `tabs_of_${path.slice(1)}`);
    await done();
  });
}

test("a tab keeps the other filters, and a filter that is not counted leaves the tabs without numbers", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const keyboard = new Keyboard(page);
  await keyboard.go("/movements?direction=IN");
  await keyboard.onTab("All");
  assert.ok((await numbers(page)).every((number) => number === null), "directions are not counted");
  await keyboard.tab("Confirmed").focus();
  await keyboard.press("Enter");
  await page.waitForURL((address) => address.searchParams.get("status") === "Confirmed" && address.searchParams.get("direction") === "IN");
  await keyboard.onTab("Confirmed");
  await keyboard.chip("Direction: In").waitFor();
  assert.equal(await keyboard.chip(/^Status: /).count(), 0);
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.waitForURL((address) => address.search === "?status=Confirmed");
  await page.waitForFunction(() => [...document.querySelectorAll(".page > .tabs a")].every((tab) => tab.querySelector(".count")));
  // A status without a tab has a chip.
  await keyboard.turn("/movements?status=Processing");
  await keyboard.chip("Status: Processing").waitFor();
  assert.equal(await page.locator(".page > .tabs [aria-current]").count(), 0);
  await done();
});

test("payouts are listed by status or by approval", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/payouts?reason=ApprovalRefused");
  await dashboard.onTab("Refused approval");
  await dashboard.tab("Confirmed").click();
  await page.waitForURL(/\/payouts\?status=Confirmed$/);
  await dashboard.onTab("Confirmed");
  await dashboard.tab("Awaiting approval").click();
  await page.waitForURL(/\/payouts\?reason=ApprovalRequired$/);
  await dashboard.tab("All payouts").click();
  await page.waitForURL(/\/payouts$/);
  await done();
});

test("on a phone the tabs are one row that scrolls to the current one", async () => {
  const { page, done } = await visit(browser, "narrow", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/payments?status=PartialRefunded");
  const tabs = page.locator(".page > .tabs");
  await dashboard.onTab("Partly refunded");
  await page.waitForFunction(() => {
    const nav = document.querySelector(".page > .tabs");
    const [row, tab] = [nav, nav.querySelector("[aria-current]")].map((element) => element.getBoundingClientRect());
    return tab.left >= row.left - 1 && tab.right <= row.right + 1;
  });
  const { rows, wide } = await tabs.evaluate((nav) => ({
    rows: new Set([...nav.children].map((tab) => tab.offsetTop)).size,
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  }));
  assert.equal(rows, 1);
  assert.ok(!wide, "the page does not scroll sideways");
  await inspectAs(page, "tabs", "narrow");
  await done();
});

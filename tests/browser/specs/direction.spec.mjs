// Right-to-left layout, in a test language that is made of the German file: each translation is marked, and is written from right to
// left. It proves that a file is enough for a further language, and that no text stands outside the table.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { visitors } from "../session.mjs";

const visitor = visitors("dashboard", Dashboard);

/** Two Hebrew letters, which begin each translation. */
const MARK = "\u05d0\u05d1";

/** The test language: the English texts, marked, with their placeholders. */
const written = (file) => {
  const german = JSON.parse(readFileSync(new URL(`../../../web/${file}`, import.meta.url), "utf8"));
  const marked = Object.keys(german).map((english) => [english, `${MARK} ${english.split("|")[0]}`]);
  return JSON.stringify({ ...Object.fromEntries(marked), ltr: "rtl" });
};

/** A page in the test language. */
async function mirrored(options = {}) {
  const visited = await visitor({ locale: "de-DE", ...options });
  for (const file of ["language/de.json", "pay/de.json"]) {
    await visited.page.route(`**/${file}`, (route) => route.fulfill({ contentType: "application/json", body: written(file) }));
  }
  return visited;
}

const middle = async (locator) => {
  const { x, width } = await locator.boundingBox();
  return x + width / 2;
};

test("a language that is written from right to left mirrors the dashboard", async () => {
  const { page, dashboard, done } = await mirrored();
  await dashboard.go("/");
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  const { width } = page.viewportSize();
  assert.ok((await middle(page.locator("#side"))) > width / 2, "the navigation stands on the right");
  for (const path of ["/", "/payments", "/movements", "/accounts", "/accounts/new", "/paylinks/new", "/payouts/new", "/events", "/trade/markets", "/settings", "/settings/members"]) {
    await dashboard.turn(path);
    await inspect(page, `mirrored${path.replaceAll("/", "_")}`);
  }
  await dashboard.turn("/movements");
  const points = await page.locator(".page .table td[data-column='1'] .fraction").evaluateAll((all) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().left)))]);
  assert.equal(points.length, 1, `the points stand at ${points}`);
  const next = page.locator(".pager button[name=next] .icon");
  assert.equal(await next.evaluate((icon) => getComputedStyle(icon).scale), "-1 1");
  await dashboard.rows.first().click();
  await dashboard.drawer.locator(".lede").waitFor();
  assert.ok((await middle(dashboard.drawer)) < width / 2, "the drawer opens on the left");
  await inspect(page, "mirrored_drawer");
  await done();
});

test("every text of the shell and the lists is in the table", async () => {
  const { page, dashboard, done } = await mirrored();
  await dashboard.go("/");
  for (const path of ["/", "/payments", "/movements", "/paylinks", "/subscriptions", "/invoices", "/customers", "/payouts", "/external-accounts", "/trade/orders", "/events", "/settings/webhooks"]) {
    await dashboard.turn(path);
    const bare = await page.evaluate((mark) => {
      const said = [...document.querySelectorAll("#side .nav a, h1, .lead, .page th, .page .filter > span, .page .button, .pager label > span")].filter((part) => part.checkVisibility());
      // A button may have only an icon; a heading of settings may be a name.
      return said.map((part) => part.textContent.trim()).filter((text) => /\p{L}/u.test(text) && !text.includes(mark));
    }, MARK);
    assert.deepEqual(bare, [], path);
  }
  await done();
});

test("a language that is written from right to left mirrors the payer's page", async () => {
  const link = await merchant.paylink();
  const { page, done } = await mirrored({ storageState: undefined });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  const option = page.locator("label.option").first();
  assert.ok((await middle(option.locator("b"))) < (await middle(option.locator("strong"))), "the amount stands on the left");
  await inspect(page, "mirrored_payer");
  await option.click();
  await page.locator("#step .button").click();
  await page.locator(".line").first().waitFor();
  await inspect(page, "mirrored_payer_pay");
  await done();
});

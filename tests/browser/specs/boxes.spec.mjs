// Overlays: drawers, dialogs, the palette. They are not the browser's modal dialogs, so keyboard, focus and the page behind
// are tested here.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX, Dashboard } from "../pages/dashboard.mjs";
import { visitors } from "../session.mjs";
import { password } from "../settings.mjs";

const visitor = visitors("dashboard", Dashboard);

let link;
before(async () => {
  link = await merchant.paylink({ name: "Beneath" });
});

/** Asserts that the focus is visible and inside the selected element. */
const within = (page, selector) => page.waitForFunction((selector) => document.activeElement?.closest(selector) !== null, selector);

test("Tab is trapped in an overlay, and closing it restores the focus", async () => {
  const { page, done, dashboard, box } = await visitor();
  await dashboard.go("/events");
  await dashboard.rows.first().waitFor();
  const opener = page.getByRole("button", { name: "Export" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: /./ }).waitFor();
  await within(page, BOX);
  const stops = await box.locator("button:enabled, input:enabled, select:enabled").count();
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let step = 0; step <= stops; step += 1) {
      await page.keyboard.press(key);
      assert.ok(await page.evaluate((selector) => document.activeElement.closest(selector) !== null, BOX), `${key} leaves the box`);
    }
  }
  // Focus that enters the page behind, as from the browser's address bar, moves into the overlay.
  await dashboard.navigation.getByRole("link").first().evaluate((behind) => behind.focus());
  await within(page, BOX);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("Export"));
  await done();
});

test("Esc and a click outside close only the top overlay, and single-key shortcuts are off", async () => {
  const { page, done, dashboard, box } = await visitor();
  await dashboard.go(`/paylinks?open=${link.id}`);
  await dashboard.drawer.locator(".lede").waitFor();
  await page.keyboard.press("Control+k");
  await within(page, BOX);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await within(page, ".drawer");
  await page.keyboard.press("Control+k");
  await within(page, BOX);
  await page.mouse.click(8, 8);
  await box.waitFor({ state: "detached" });
  await within(page, ".drawer");
  const address = page.url();
  await dashboard.drawer.getByRole("button", { name: /^Delete/ }).click();
  await box.getByRole("button", { name: /^Delete/ }).waitFor();
  // Single keys would switch records.
  await page.keyboard.press("]");
  await page.keyboard.press("?");
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  assert.equal(page.url(), address);
  await dashboard.drawer.locator(".lede").waitFor();
  await page.mouse.click(8, 8);
  await dashboard.drawer.waitFor({ state: "detached" });
  await done();
});

test("a click outside does not discard input, and the page behind does not scroll", async () => {
  const { page, done, dashboard, box } = await visitor();
  await page.setViewportSize({ width: 1440, height: 300 });
  await dashboard.go("/settings/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const name = box.getByLabel("Name", { exact: true });
  await name.fill("half a na");
  await page.mouse.click(8, 8);
  assert.equal(await name.inputValue(), "half a na");
  await page.mouse.move(8, 8);
  await page.mouse.wheel(0, 200);
  await name.press("PageDown");
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(await page.evaluate(() => document.scrollingElement.scrollTop), 0);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await done();
});

test("on a narrow screen the palette replaces the menu it is opened from", async () => {
  const { page, done, dashboard, box } = await visitor({ look: "narrow" });
  await dashboard.go("/payments");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: /^Search/ }).click();
  await within(page, BOX);
  assert.equal(await page.locator("#side:popover-open").count(), 0);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement !== document.body);
  await done();
});

test("input in a drawer is lost neither by a click outside nor by one Esc", async () => {
  const { page, done, dashboard } = await visitor();
  await dashboard.go("/payments?new=1");
  const amount = dashboard.drawer.getByLabel("Amount", { exact: true });
  await amount.fill("12.50");
  await page.mouse.click(8, 400);
  await amount.focus();
  await page.keyboard.press("Escape");
  await within(page, ".drawer");
  assert.equal(await amount.inputValue(), "12.50");
  await page.keyboard.press("Escape");
  await dashboard.drawer.waitFor({ state: "detached" });
  await done();
});

test("the palette finds links, plans and accounts by name, with amount and status", async () => {
  const { page, done, dashboard } = await visitor();
  const name = `Harvest ${Date.now()}`;
  await merchant.paylink({ name });
  await merchant.call("POST", "/accounts", { currencies: ["USDC"], chain_id: 1, name: `${name} till`, type: "CryptoPayIn" });
  await dashboard.go("/payments");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or go to" });
  await field.fill(name.toLowerCase());
  const note = page.locator(".palette-note");
  await note.getByText(/^\d+ results?$/).waitFor();
  const options = (await page.getByRole("option").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  for (const expected of [`${name} 12.50 USDC Open Payment link`, `${name} 12.50 USDC Plan`]) assert.ok(options.includes(expected), `${expected} in ${options.join("; ")}`);
  assert.ok(options.some((text) => text.startsWith(`${name} till · Ethereum`) && / Active Account$/.test(text)), options.join("; "));
  await inspect(page, "palette_names");
  await page.getByRole("option", { name: /Payment link$/ }).first().click();
  await page.waitForURL(/\/paylinks\?open=pl_/);
  await done();
});

test("the palette finds records by the beginning of an id, whatever their age", async () => {
  const { page, done, dashboard, box } = await visitor();
  const { items } = await merchant.call("GET", "/payments?limit=1&sort=asc&payment_method=ProxyWallet,Direct");
  await dashboard.go("/plans");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or go to" });
  await field.fill(items[0].id.slice(0, 20));
  const found = box.getByRole("option");
  await found.first().waitFor();
  assert.equal(await found.count(), 1);
  const [text] = (await found.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  assert.match(text, /\d [A-Z]+ [A-Z][a-z ]+ Payment$/, "with amount and status");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/payments?open=${items[0].id}`);
  await done();
});

test("the palette acts on a result by keyboard: it copies its id, and cancels a payment", async () => {
  const { page, done, dashboard, box } = await visitor();
  const link = await merchant.paylink();
  const { payment_id: id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  await dashboard.go("/plans");
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => ((globalThis.copied = text), Promise.resolve());
  });
  const field = page.getByRole("combobox", { name: "Search or go to" });
  const options = box.getByRole("option");
  const act = async () => {
    await page.keyboard.press("Control+k");
    await field.fill(id);
    await page.locator(".palette-note").getByText("1 result").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("listbox", { name: /^Actions for/ }).waitFor();
    await options.getByText("Cancel payment").waitFor();
  };
  await act();
  assert.deepEqual((await options.allInnerTexts()).map((text) => text.trim()), ["Open", "Copy ID", "Copy record link", "Cancel payment"]);
  await inspect(page, "palette_actions");
  // Back to the results, by the arrow and by Esc.
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("listbox", { name: "Search or go to" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("listbox", { name: /^Actions for/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox", { name: "Search or go to" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("listbox", { name: /^Actions for/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => globalThis.copied === id, id);
  await box.waitFor({ state: "detached" });
  await act();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.getByText("Cancel this payment?").waitFor();
  // The dialog comes once, not with every reload.
  await page.waitForURL(`**/payments?open=${id}`);
  await done();
});

test("history navigation closes the palette and the shortcut list", async () => {
  const { page, done, dashboard, box } = await visitor();
  await dashboard.go("/payments");
  await dashboard.tab("Confirmed").click();
  await page.waitForURL(/status=Confirmed/);
  await dashboard.follow("Plans");
  for (const [key, back] of [["Control+k", "/payments?status=Confirmed"], ["?", "/payments"]]) {
    await dashboard.drawn();
    await page.keyboard.press(key);
    await within(page, BOX);
    await page.goBack();
    await page.waitForURL((address) => address.pathname + address.search === back);
    await box.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement !== document.body);
  }
  await page.keyboard.press("Control+k");
  await within(page, BOX);
  await page.goForward();
  await box.waitFor({ state: "detached" });
  await done();
});

test("Tab is trapped in the visible part of a drawer", async () => {
  const { page, done, dashboard } = await visitor();
  const { items } = await merchant.call("GET", "/customers?limit=1");
  await dashboard.go(`/customers?open=${items[0].id}`);
  const edit = dashboard.drawer.locator("summary", { hasText: "Edit" });
  const close = dashboard.drawer.getByRole("button", { name: "Close" });
  await edit.waitFor();
  const has = (stop) => stop.evaluate((stop) => stop === document.activeElement);
  // From the drawer itself, and from its first focusable element.
  await within(page, ".drawer");
  await page.keyboard.press("Shift+Tab");
  assert.ok(await has(edit), "the last stop is the fold");
  await page.keyboard.press("Tab");
  assert.ok(await has(close), "after the last comes the first");
  await page.keyboard.press("Shift+Tab");
  assert.ok(await has(edit), "before the first comes the last");
  // Expanded content is included.
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".drawer form *")));
  await close.focus();
  await page.keyboard.press("Shift+Tab");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".drawer form *")));
  await done();
});

test("the dialog that asks for the password focuses its field, and Enter continues", async () => {
  // The browser logs the 401 that asks for step-up as an error.
  const { page, done, dashboard } = await visitor({ expected: ["401"] });
  await dashboard.go("/settings/signing-secret");
  await page.getByRole("button", { name: "Reveal" }).click();
  await page.waitForFunction((selector) => document.activeElement?.matches(`${selector} [name=password]`), BOX);
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.locator("#signing-secret").waitFor();
  await done();
});

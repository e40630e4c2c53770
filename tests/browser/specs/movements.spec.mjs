// Movements of all accounts: counts of the overview match the lists, and any movement opens by URL.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, inspectAs, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Daily } from "../pages/daily.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { Keyboard } from "../pages/keyboard.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
  await merchant.deposit("4.75");
});
after(() => browser.close());

/** The last number of a text: `1–25 of 2,207` is 2207. */
const digits = (text) => Number(text.replaceAll(",", "").match(/\d+/g).at(-1));

const COUNTERS = [
  { counter: "Pending movements", field: "movements_pending", tab: "Pending, Processing" },
  { counter: "Failed movements, 30 days", field: "movements_failed", tab: "Failed" },
];

for (const { counter, field, tab } of COUNTERS) {
  test(`"${counter}" leads to as many as it says, of whichever accounts`, async () => {
    const { page, done } = await visit(browser, "light", { storageState });
    const dashboard = new Dashboard(page);
    await dashboard.go("/");
    // Hidden while it is zero.
    await page.locator("a.counter", { hasText: counter }).evaluate((link) => link.click());
    await page.waitForURL(/\/movements\?status=/);
    await dashboard.drawn();
    assert.equal(await dashboard.chip(/^Account: /).count(), 0);
    await dashboard.onTab(tab);
    const saw = {};
    // Pending movements are confirmed in between, and both change.
    await merchant.until("as many as are counted", async () => {
      const none = await page.getByText("No results for these filters").isVisible();
      saw.shown = none ? 0 : digits(await dashboard.total.innerText());
      saw.counted = (await merchant.call("GET", "/overview"))[field];
      return saw.shown === saw.counted;
    }, { saw: () => saw });
    await done();
  });
}

test("movements of all accounts are listed with their account, and filtered by one", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/movements");
  const all = await merchant.call("GET", "/movements?limit=25");
  assert.equal(digits(await dashboard.total.innerText()), all.total);
  const moments = await page.locator(".page .table tbody time.timestamp").evaluateAll((rows) => rows.map((row) => row.dateTime));
  assert.deepEqual(moments, all.items.map((movement) => movement.created_at));
  await inspect(page, "movements_of_all");
  const one = all.items[0].account_id;
  await (await dashboard.filter("Account")).selectOption(String(one));
  await page.waitForURL(/account=/);
  const { total } = await merchant.call("GET", `/accounts/${one}/movement?limit=1`);
  await dashboard.total.getByText(String(total)).first().waitFor();
  // The account filter is a chip like others, and cleared with one click.
  const chosen = async () => (await dashboard.filter("Account")).locator("option:checked").innerText();
  const called = await chosen();
  await page.getByRole("button", { name: `Clear Account: ${called}`, exact: true }).click();
  await page.waitForURL((address) => !address.searchParams.has("account"));
  await page.locator(".chip-clear").waitFor({ state: "detached" });
  assert.equal(await chosen(), "All accounts");
  await (await dashboard.filter("Account")).selectOption(String(one));
  await page.waitForURL(/account=/);
  await (await dashboard.filter("Account")).selectOption("");
  await page.waitForURL((address) => !address.searchParams.has("account"));
  // The select always shows the current filter, and the same value can be chosen again.
  const two = all.items.find((movement) => movement.account_id !== one).account_id;
  for (let times = 0; times < 2; times += 1) {
    await (await dashboard.filter("Account")).selectOption(String(two));
    await page.waitForURL(/account=/);
    await page.getByRole("button", { name: /^Clear Account: / }).click();
    await page.waitForURL((address) => !address.searchParams.has("account"));
    assert.equal(await chosen(), "All accounts");
  }
  await done();
});

for (const [whose, account, path] of [["all accounts", "", "/movements"], ["one account", "account=shop-eu&", "/accounts/shop-eu/movement"]]) {
  test(`movements of ${whose} are filtered by the service, with an exact total and in the export`, async () => {
    const { page, done } = await visit(browser, "light", { storageState });
    const daily = new Daily(page);
    const { items } = await merchant.call("GET", `${path}?limit=100&type=Deposit&status=Confirmed`);
    const one = items.find((movement) => movement.transaction_hash && movement.chain);
    const filters = {
      type: "Deposit", status: "Confirmed", direction: "IN", chain_id: String(one.chain.id), currency: one.currency, amount_from: one.amount, amount_to: one.amount,
    };
    const asked = new URLSearchParams(filters);
    const { total } = await merchant.call("GET", `${path}?limit=1&${asked}`);
    assert.ok(total > 0);
    await daily.go(`/movements?${account}${asked}`);
    assert.equal(digits(await daily.total.innerText()), total);
    await daily.chip(`Chain: ${one.chain.name}`).waitFor();
    const rows = JSON.parse(await daily.takeAway("JSON"));
    assert.equal(rows.length, total);
    assert.ok(rows.every((row) => row.type === "Deposit" && row.status === "Confirmed" && row.currency === one.currency && row.amount === one.amount));
    await daily.box.getByRole("button", { name: "Close" }).click();
    // By hand: the whole hash, and a range of amounts, which needs a currency.
    await daily.go(`/movements?${account}`);
    await (await daily.filter("Search")).fill(one.transaction_hash);
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=/);
    const found = await merchant.call("GET", `${path}?limit=1&search=${one.transaction_hash}`);
    await page.waitForFunction((total) => document.querySelector(".pager-summary")?.textContent.endsWith(` of ${total}`), String(found.total));
    await daily.go(`/movements?${account}`);
    assert.ok(await (await daily.filter("At least", "Amount")).isDisabled());
    await (await daily.filter("Currency", "Amount")).selectOption(one.currency);
    await page.waitForURL(/currency=/);
    await (await daily.filter("At least", "Amount")).fill("1000000000000");
    await page.keyboard.press("Enter");
    await page.waitForURL(/amount_from=1000000000000/);
    await page.getByText("No results for these filters").waitFor();
    await (await daily.filter("Currency", "Amount")).selectOption("");
    await page.waitForURL((address) => !address.searchParams.has("amount_from"));
    await daily.rows.first().waitFor();
    await done();
  });
}

test("after history navigation the selects show the current filters", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/movements");
  const [order, rows] = [await dashboard.filter("Sort"), page.locator(".pager select")];
  for (const [select, name, chooses, others, shows] of [[order, "sort", "asc", "", "Newest first"], [rows, "rows", "50", "25", "25"]]) {
    // Changed twice by hand, then once more.
    await select.selectOption(chooses);
    await page.waitForURL((address) => address.searchParams.get(name) === chooses);
    await select.selectOption(others);
    await page.waitForURL((address) => (address.searchParams.get(name) ?? "") === others);
    await select.selectOption(chooses);
    await page.waitForURL((address) => address.searchParams.get(name) === chooses);
    await page.goBack();
    await page.waitForURL((address) => address.searchParams.get(name) !== chooses);
    await dashboard.drawn();
    assert.equal(await select.locator("option:checked").innerText(), shows);
  }
  await done();
});

test("a movement opens by URL, however far from the first page", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  const oldest = (await merchant.call("GET", "/movements?sort=asc&limit=1")).items[0];
  await dashboard.go(`/movements?open=${oldest.id}`);
  await dashboard.drawer.locator(".lede").waitFor();
  assert.match(await dashboard.drawer.innerText(), new RegExp(`\\b${oldest.id}\\b`));
  await done();
});

test("a movement shows its value at booking", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  const { items } = await merchant.call("GET", "/movements?limit=100");
  const { id, amount_usd, reporting_amount, reporting_currency } = items.find((movement) => movement.amount_usd);
  await dashboard.go(`/movements?open=${id}`);
  await dashboard.drawer.locator(".lede").waitFor();
  const own = reporting_amount && reporting_currency !== "USD" ? [`${reporting_amount} ${reporting_currency}`] : [];
  const shown = await dashboard.fact("Value").locator(".amount").allTextContents();
  // Zeros at the end are the currency's, not the amount's.
  const value = (text) => [Number(text.replaceAll(",", "").split(" ")[0]), text.split(" ")[1]];
  assert.deepEqual(shown.map(value), [...own, `${amount_usd} USD`].map(value));
  await done();
});

test("a failed movement says why, in the list and in its record", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  const reasons = { Reverted: "The transaction failed on the chain", ApprovalRefused: "A second member refused the payout", Unheard: "Unheard" };
  for (const [failure, reason] of Object.entries(reasons)) {
    const failed = (movement) => Object.assign(movement, { status: "Failed", failure });
    await page.route(/\/v1\/movements[/?]/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      failed(json.data.items?.[0] ?? json.data);
      await route.fulfill({ response, json });
    });
    await dashboard.go("/movements");
    assert.equal(await dashboard.rows.first().locator(".state.bad").getAttribute("title"), reason);
    await dashboard.rows.first().click();
    await dashboard.drawer.getByText(reason, { exact: true }).waitFor();
    await dashboard.drawer.getByText("has no effect on the account’s balance").waitFor();
    if (failure === "Reverted") await inspect(page, "failed_movement");
    await page.unroute(/\/v1\/movements[/?]/);
  }
  await done();
});

test("a movement without payment is found by transaction hash in the palette", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const keyboard = new Keyboard(page);
  const bare = await merchant.until("a deposit with its transaction", async () => {
    const { items } = await merchant.call("GET", "/movements?limit=25");
    return items.find((movement) => movement.transaction_hash && !movement.entity_id);
  });
  await keyboard.go("/movements?until=2001-01-01");
  await keyboard.find(bare.transaction_hash);
  await page.waitForURL(new RegExp(`/movements\\?.*open=${bare.id}$`));
  await keyboard.drawer.locator(".lede").waitFor();
  assert.equal(await keyboard.fact("Movement").innerText(), String(bare.id));
  assert.match(await keyboard.fact("Transaction").innerText(), new RegExp(bare.transaction_hash));
  await done();
});

test("ages follow the service's clock where the browser's is wrong", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + 90 * 86_400_000;
  });
  await merchant.deposit("3.25");
  await dashboard.go("/movements");
  const timestamp = dashboard.rows.first().locator("time.timestamp");
  await timestamp.hover();
  await page.waitForFunction((element) => /·/.test(element.title), await timestamp.elementHandle());
  assert.match(await timestamp.getAttribute("title"), /· (\d+ (second|minute|hour|day)s? ago|in 0 seconds)$/);
  await done();
});

test("on a narrow screen a row shows its account", async () => {
  const { page, done } = await visit(browser, "narrow", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/movements");
  const { items } = await merchant.call("GET", "/movements?limit=1");
  const [{ account_id, account_reference }] = items;
  const cell = dashboard.rows.first().locator("td[data-label=Account]");
  assert.ok(await cell.isVisible());
  assert.equal(await cell.innerText(), account_reference ?? `Account ${account_id}`);
  await inspectAs(page, "movements_of_all_narrow", "narrow");
  await done();
});

test("a failed copy is not shown as copied", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not here"));
  });
  await dashboard.go("/movements");
  await page.locator(".page .table .copy").first().click();
  const said = page.locator(".toast", { hasText: "Your browser blocked copying" });
  await said.waitFor();
  assert.equal(await said.getByRole("button", { name: "Close" }).count(), 1, "it stands as a failure does");
  await done();
});

// Daily work by keyboard: search, navigation, saved views, export.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { SIGNED_OUT, inspect, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Daily } from "../pages/daily.mjs";
import { BOX, startExport } from "../pages/dashboard.mjs";
import { memberSignedIn, visitors } from "../session.mjs";
import { email, password, url } from "../settings.mjs";

const mark = Date.now();

const visitor = visitors("daily", Daily);

let payment, record, customer;
before(async () => {
  const link = await merchant.paylink({ metadata: { customer_ident_collection: true } });
  payment = (await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", customer_ident: `typed-${mark}` })).payment_id;
  record = await merchant.call("GET", `/payments/${payment}`);
  customer = record.customer;
  // A name that a spreadsheet would interpret as a formula.
  await merchant.rename(customer.id, { name: `=SUM(${mark})`, customer_ident: `found-${mark}` });
});

test("the palette finds a payment by address despite the date filter, and remembers it", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/payments?since=2199-01-01");
  await daily.find(record.deposit_address.toUpperCase().replace("0X", "0x"));
  await daily.found.filter({ hasText: payment }).waitFor();
  await inspect(page, "palette");
  await page.keyboard.press("Enter");
  await daily.drawer.locator(".lede").waitFor();
  assert.match(page.url(), new RegExp(`/payments\\?open=${payment}$`));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await daily.found.filter({ hasText: payment }).filter({ hasText: "Recent" }).waitFor();
  await done();
});

test("the palette opens pages, starts actions, and finds ids, references and customers", async () => {
  const { page, daily, done } = await visitor();
  const { items } = await merchant.call("GET", "/accounts/external-account?limit=100");
  const destination = items.find((one) => one.address);
  await daily.go("/");
  for (const [typed, address] of Object.entries({
    "create pl": /\/plans\/new$/,
    subscr: /\/subscriptions/,
    "new payout": /\/payouts\/new$/,
    "request pay": /\/payments\?new=1$/,
    "create acc": /\/accounts\/new$/,
    members: /\/settings\/members$/,
    "quote desk": /\/trade\/rfq$/,
    sandbox: /\/sandbox$/,
    [customer.id]: new RegExp(`/customers\\?open=${customer.id}$`),
    "Cooperativa El": /\/external-accounts\?open=\d+$/,
    [destination.address.toLowerCase()]: new RegExp(`/external-accounts\\?open=${destination.id}$`),
    [`found-${mark}`]: new RegExp(`/customers\\?open=${customer.id}$`),
    [`SUM(${mark}`]: new RegExp(`/customers\\?open=${customer.id}$`),
  })) {
    await daily.find(typed);
    await daily.settled();
    await page.keyboard.press("Enter");
    await page.waitForURL(address);
    if (page.url().includes("open=")) await page.keyboard.press("Escape");
    await page.locator(BOX).waitFor({ state: "detached" });
  }
  const account = await merchant.account();
  await daily.go("/");
  await daily.find(String(account.id));
  await daily.found.filter({ hasText: "Account" }).first().waitFor();
  // Nothing is offered that is not there: too short a part of an id, an id of nothing, an account that nobody has.
  for (const typed of [payment.slice(0, 9), "pay_01a1fdef0632715bae95f074c12c2829", "99999999", "no such thing anywhere"]) {
    const answered = page.waitForResponse((response) => response.url().includes("/v1/find?"));
    await page.getByRole("combobox").fill(typed);
    await answered;
    await page.getByText("No results. IDs").waitFor();
    assert.equal(await daily.found.count(), 0, typed);
  }
  await inspect(page, "palette_empty");
  await done();
});

test("the palette counts all customers found, and leads to their list", async () => {
  const { page, daily, done } = await visitor();
  const herd = `Herd ${mark}`;
  const link = await merchant.paylink();
  for (let number = 1; number <= 7; number += 1) {
    await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", name: `${herd} ${number}`, email: `herd-${mark}-${number}@payer.example` });
  }
  await daily.go("/");
  await daily.find(herd);
  await page.getByText("7 results", { exact: true }).waitFor();
  assert.equal(await daily.found.filter({ hasText: herd }).count(), 5);
  await daily.found.filter({ hasText: "View all 7 customers" }).click();
  await page.waitForURL(/\/customers\?search=Herd/);
  await daily.drawn();
  assert.equal(await daily.rows.count(), 7);
  await done();
});

test("results of an earlier search are not opened by a later one", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/");
  await daily.find(customer.id);
  await daily.settled();
  await daily.found.filter({ hasText: "Customer" }).first().waitFor();
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route(/\/v1\/(find|customers)/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/v1\/find/);
  await page.getByRole("combobox").fill("movements");
  await asked;
  assert.equal(await daily.found.filter({ hasText: "Customer" }).count(), 0);
  letGo();
  await done();
});

test("no results are reported only after customers were searched too", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/");
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route(/\/v1\/customers/, async (route) => {
    await held;
    await route.continue();
  });
  const answered = page.waitForResponse(/\/v1\/find/);
  await daily.find(`found-${mark}`);
  await (await answered).finished();
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  assert.match(await page.locator(".palette-note").textContent(), /Searching/);
  letGo();
  await daily.settled();
  await daily.found.filter({ hasText: "Customer" }).first().waitFor();
  await done();
});

test("recent results are deleted on sign-out", async () => {
  const { page, daily, done } = await visitor({ storageState: undefined, expected: [SIGNED_OUT] });
  await page.goto(url);
  await daily.signIn(email, password);
  await daily.navigation.waitFor();
  await daily.find(customer.id);
  await daily.settled();
  await page.keyboard.press("Enter");
  await page.waitForURL(/open=cus_/);
  await daily.drawer.locator(".lede").waitFor();
  assert.ok(await page.evaluate(() => localStorage.getItem("settlekit.recent")));
  await page.keyboard.press("Escape");
  await daily.drawer.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await daily.signInButton.waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("settlekit.recent")), null);
  await done();
});

test("a failed search is not shown as empty", async () => {
  const { page, daily, done } = await visitor({ expected: ["500", "/v1/find", "/v1/customers"] });
  await daily.go("/plans");
  await page.route(/\/v1\/(find|customers)/, (route) => route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' }));
  await daily.find("0xdeadbeef");
  await page.getByText("The service failed.").waitFor();
  assert.equal(await page.getByText("No results. IDs").count(), 0);
  await done();
});

test("brackets switch records, and single-key shortcuts can be turned off", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/payments");
  await daily.rows.nth(2).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await daily.drawer.locator(".lede").waitFor();
  const first = page.url();
  await page.keyboard.press("]");
  await page.waitForURL((address) => address.href !== first);
  await page.keyboard.press("[");
  await page.waitForURL(first);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByText("Previous or next record").waitFor();
  await inspect(page, "keys");
  await page.getByLabel("Turn off single-key shortcuts").check();
  await page.keyboard.press("Escape");
  await page.locator(BOX).waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.waitForTimeout(0);
  assert.equal(await page.locator(BOX).count(), 0);
  await done();
});

test("brackets continue from the row of a record that has left the list", async () => {
  const { page, daily, done } = await visitor();
  const link = await merchant.paylink({ metadata: { customer_ident_collection: true } });
  const ids = [];
  for (const who of ["first", "second", "third", "fourth"]) {
    const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", customer_ident: `${who}-${mark}` });
    // The list shows the newest first.
    ids.unshift(payment_id);
  }
  const opens = async (key, id) => {
    await page.keyboard.press(key);
    await page.waitForURL((address) => address.searchParams.get("open") === id);
  };
  const leaves = async (id) => {
    const selected = page.locator("tr[aria-selected=true]");
    await selected.waitFor();
    await merchant.call("DELETE", `/payments/${id}`);
    await selected.waitFor({ state: "detached" });
  };
  await daily.go(`/payments?paylink_id=${link.id}&status=Processing&open=${ids[1]}`);
  await leaves(ids[1]);
  await opens("]", ids[2]);
  await leaves(ids[2]);
  await opens("[", ids[0]);
  await done();
});

test("the export of one row counts one row", async () => {
  const { daily, done } = await visitor();
  await daily.go(`/payments?customer_id=${customer.id}`);
  await daily.takeAway("JSON");
  await daily.box.getByText("1 row exported", { exact: true }).waitFor();
  await done();
});

test("a list is exported completely: exact decimals, UTC times, no formulas", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/customers?rows=25");
  await daily.rows.first().waitFor();
  const total = Number((await daily.total.innerText()).match(/of ([\d,]+)/)[1].replaceAll(",", ""));
  const csv = await daily.takeAway("CSV");
  const lines = csv.trim().split("\r\n");
  assert.equal(lines.length, total + 1);
  assert.match(lines[0], /^id,/);
  assert.ok(csv.includes(`'=SUM(${mark})`), "a name that looks like a formula is guarded");
  assert.match(lines[1], /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/);
  await daily.go("/payments?status=Confirmed");
  const rows = JSON.parse(await daily.takeAway("JSON"));
  assert.ok(rows.length > 0);
  assert.ok(rows.every((row) => row.status === "Confirmed" && /^\d+(\.\d+)?$/.test(row.amount)));
  assert.ok(rows[0].created_at >= rows.at(-1).created_at, "in the order of the list");
  // The filters apply to the file too.
  await daily.go("/movements?account=treasury&direction=OUT&rows=25");
  await daily.rows.first().waitFor();
  const shown = await daily.rows.count();
  const moved = JSON.parse(await daily.takeAway("JSON"));
  assert.ok(moved.length > shown, `${moved.length} movements, of which the page shows ${shown}`);
  assert.ok(moved.every((row) => row.direction === "OUT"));
  await inspect(page, "exported");
  await done();
});

test("an export has what movements were worth when they were booked, exactly and whatever prices are now", async () => {
  const { daily, done } = await visitor();
  const setPrice = (usd) => merchant.call("POST", "/sandbox/prices", { currency: "POL", usd });
  const { items: rates } = await merchant.call("GET", "/rates");
  const before = rates.find(({ currency }) => currency === "POL").usd;
  const { id } = await merchant.call("POST", "/accounts", { type: "CryptoPayIn", reference: `worth-${mark}`, chain_id: 137, currencies: ["POL"] });
  const booked = async (amount, usd, count) => {
    await setPrice(usd);
    await merchant.call("POST", "/sandbox/deposits", { account: String(id), chain_id: 137, currency: "POL", amount });
    const list = () => merchant.call("GET", `/accounts/${id}/movement?sort=asc&limit=100`);
    await merchant.until("the deposit is booked", async () => (await list()).items.filter(({ status }) => status === "Confirmed").length === count);
    return (await list()).items;
  };
  await booked("100", "0.5", 1);
  const movements = await booked("0.123456789", "0.987654", 2);
  // 0.123456789 * 0.987654 is 0.12193259…
  assert.deepEqual(movements.map(({ amount_usd }) => amount_usd), ["50", "0.121933"]);
  const exported = async () => {
    await daily.go(`/movements?account=worth-${mark}&sort=asc`);
    await daily.rows.first().waitFor();
    const [head, ...lines] = (await daily.takeAway("CSV")).trim().split("\r\n").map((line) => line.split(","));
    const worth = ["amount_usd", "reporting_amount", "reporting_currency"].map((name) => head.indexOf(name));
    return lines.map((line) => worth.map((column) => line[column]));
  };
  const expected = movements.map(({ amount_usd, reporting_amount, reporting_currency }) => [amount_usd, reporting_amount, reporting_currency]);
  assert.deepEqual(await exported(), expected);
  await setPrice("77");
  assert.deepEqual(await exported(), expected, "other prices change nothing that is booked");
  await setPrice(before);
  await done();
});

test("a failed export shows the reason, and an export can be canceled", async () => {
  const { page, daily, done } = await visitor({ expected: ["500", "/v1/payments"] });
  await daily.go("/payments");
  let held;
  await page.route("**/v1/payments?*limit=100*", (route) => void (held = route));
  await page.getByRole("button", { name: "Export" }).click();
  await startExport(daily.box, "CSV");
  await merchant.until("the first page is asked for", () => held);
  await daily.box.getByRole("button", { name: "Stop" }).click();
  await daily.box.getByRole("button", { name: "CSV" }).waitFor();
  await held.abort().catch(() => {});
  await page.unroute("**/v1/payments?*limit=100*");
  await page.route("**/v1/payments?*limit=100*", (route) => route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' }));
  await startExport(daily.box, "CSV");
  await daily.box.getByText("The service failed.").waitFor();
  await page.unroute("**/v1/payments?*limit=100*");
  const download = page.waitForEvent("download");
  await daily.box.getByRole("button", { name: "Try again" }).click();
  assert.equal((await download).suggestedFilename(), "payments.csv");
  await done();
});

test("an export goes on over history navigation: its file never mixes two lists", async () => {
  const { page, daily, done } = await visitor({ expected: ["/v1/payments"] });
  await daily.go(`/payments?customer_id=${customer.id}`);
  await daily.turn("/payments");
  const second = /\/v1\/payments\?(?=.*limit=100)(?=.*page=2)/;
  let hold;
  const held = new Promise((resolve) => (hold = resolve));
  await page.route(second, (route) => hold(route));
  const asked = [];
  page.on("request", (request) => request.url().includes("limit=100") && asked.push(request.url()));
  await page.getByRole("button", { name: "Export" }).click();
  await startExport(daily.box, "CSV");
  const route = await held;
  await page.goBack();
  await page.waitForURL(/customer_id=/);
  await daily.box.waitFor({ state: "detached" });
  const region = page.getByRole("region", { name: "Exports" });
  await region.getByText("payments.csv").waitFor();
  await inspect(page, "export_in_background");
  const download = page.waitForEvent("download");
  await route.continue();
  await page.unroute(second);
  const file = await readFile(await (await download).path(), "utf8");
  assert.ok(file.trim().split("\r\n").length > 101, "all payments, not those of the customer");
  assert.deepEqual(asked.filter((url) => url.includes("customer_id")), []);
  await region.waitFor({ state: "detached" });
  await page.getByText("rows exported").waitFor();

  // Stopped in the background, nothing is saved.
  const saved = [];
  page.on("download", (download) => saved.push(download.suggestedFilename()));
  await daily.turn("/payments");
  let stopped;
  await page.route(second, (route) => void (stopped = route));
  await page.getByRole("button", { name: "Export" }).click();
  await startExport(daily.box, "CSV");
  await merchant.until("the second page is asked for", () => stopped);
  await daily.box.getByRole("button", { name: "Continue in the background" }).click();
  await region.getByRole("button", { name: "Stop the export of payments.csv" }).click();
  await region.waitFor({ state: "detached" });
  await stopped.abort().catch(() => {});
  await page.unroute(second);
  assert.deepEqual(saved, []);
  await done();
});

test("an export survives removed rows, and reports a list that keeps changing", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/payments");
  let there = Array.from({ length: 150 }, (_, index) => ({ id: `row-${index}` }));
  // Like the service: pages are offsets into the current list.
  let leaves = 1;
  await page.route("**/v1/payments?*limit=100*", async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("page") ?? 1);
    const items = there.slice((number - 1) * 100, number * 100);
    const next = number * 100 < there.length ? number + 1 : null;
    const data = { items, total: there.length, next };
    if (number === 1 && leaves-- > 0) there = there.filter((_, index) => index !== 50);
    await route.fulfill({ json: { data } });
  });
  const rows = JSON.parse(await daily.takeAway("JSON"));
  assert.deepEqual(rows.map((row) => row.id).sort(), there.map((row) => row.id).sort());
  assert.equal(rows.length, 149);
  await daily.box.getByRole("button", { name: "Close" }).click();
  leaves = Infinity;
  await page.getByRole("button", { name: "Export" }).click();
  await startExport(daily.box, "CSV");
  await daily.box.getByText("The list kept changing").waitFor();
  await inspect(page, "export_moved");
  assert.equal(there.length, 145, "four times it is tried");
  leaves = 0;
  const download = page.waitForEvent("download");
  await daily.box.getByRole("button", { name: "Try again" }).click();
  assert.equal((await download).suggestedFilename(), "payments.csv");
  assert.equal(await daily.alert.count(), 0);
  await done();
});

test("an export notices that the oldest row leaves for a new one, though the total stays", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/payments");
  let there = Array.from({ length: 150 }, (_, index) => ({ id: `row-${index}` }));
  let moves = 1;
  await page.route("**/v1/payments?*limit=100*", async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("page") ?? 1);
    const data = { items: there.slice((number - 1) * 100, number * 100), total: there.length, next: number * 100 < there.length ? number + 1 : null };
    if (number === 1 && moves-- > 0) there = [...there.slice(1), { id: "row-new" }];
    await route.fulfill({ json: { data } });
  });
  const rows = JSON.parse(await daily.takeAway("JSON"));
  assert.deepEqual(rows.map((row) => row.id).sort(), there.map((row) => row.id).sort());
  await done();
});

test("active filters are shown as chips and saved as a view with a link", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/payments?status=Confirmed&sort=asc");
  await daily.onTab("Confirmed");
  assert.equal(await daily.chip(/^Status: /).count(), 0);
  await page.locator("summary", { hasText: "Views" }).click();
  await page.getByLabel("View name").fill("Settled");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Settled", exact: true }).waitFor();
  await inspect(page, "views");
  await page.getByRole("button", { name: "Clear Sort: Oldest first" }).click();
  await page.waitForURL((address) => !address.search.includes("sort"));
  await daily.go("/payments");
  await page.locator("summary", { hasText: "Views" }).click();
  await page.getByRole("link", { name: "Settled", exact: true }).click();
  await page.waitForURL(/status=Confirmed&sort=asc|sort=asc&status=Confirmed/);
  await page.locator("summary", { hasText: "Views" }).click();
  await page.getByRole("button", { name: "Remove Settled" }).click();
  await page.getByText("Set filters and save them").waitFor();
  await done();
});

/** Saves the current view under a name. */
async function keepView(page, name) {
  const field = page.getByLabel("View name");
  if (!(await field.isVisible())) await page.locator("summary", { hasText: "Views" }).click();
  await field.fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name, exact: true }).waitFor();
}

test("a view is kept by the service: another tab has it, renames it, and finds out that it is gone", async () => {
  const { page, daily, done } = await visitor({ expected: ["404"] });
  const beside = await page.context().newPage();
  const other = new Daily(beside);
  await daily.go("/payments?status=Confirmed");
  await keepView(page, "Large ones");
  await other.go("/payments");
  await beside.locator("summary", { hasText: "Views" }).click();
  await beside.getByRole("link", { name: "Large ones", exact: true }).waitFor();
  await beside.getByRole("button", { name: "Rename Large ones" }).click();
  await beside.getByLabel("New name").fill("Late ones");
  await beside.keyboard.press("Enter");
  await beside.getByRole("link", { name: "Late ones", exact: true }).waitFor();
  await daily.go("/payments");
  await page.locator("summary", { hasText: "Views" }).click();
  await page.getByRole("link", { name: "Late ones", exact: true }).waitFor();
  await beside.getByRole("button", { name: "Remove Late ones" }).click();
  await beside.getByRole("link", { name: "Late ones", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove Late ones" }).click();
  await page.getByText("Saved view not found").waitFor();
  await done();
});

test("a view is shared with the organisation: a colleague opens it and may not change it", async () => {
  const { page, daily, done } = await visitor();
  await daily.go("/payments?status=Failed");
  await keepView(page, "Lost ones");
  await page.getByRole("button", { name: "Share Lost ones with the organisation" }).click();
  await page.getByText("Shared with the organisation").waitFor();
  await inspect(page, "views_shared");
  const browser = page.context().browser();
  const { storageState } = await memberSignedIn(browser, "Vera", "a door that opens quietly", ["--role", "viewer"]);
  const guest = await visit(browser, "light", { storageState });
  await new Daily(guest.page).go("/payments");
  await guest.page.locator("summary", { hasText: "Views" }).click();
  await guest.page.getByRole("link", { name: "Lost ones", exact: true }).click();
  await guest.page.waitForURL(/status=Failed/);
  await guest.page.locator("summary", { hasText: "Views" }).click();
  await guest.page.getByRole("link", { name: "Lost ones", exact: true }).waitFor();
  assert.equal(await guest.page.getByRole("button", { name: "Remove Lost ones" }).count(), 0);
  assert.equal(await guest.page.getByLabel("Share with the organisation").count(), 0);
  await guest.done();
  await page.getByRole("button", { name: "Stop sharing Lost ones" }).click();
  await page.getByText("Shared with the organisation").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove Lost ones" }).click();
  await page.getByText("Set filters and save them").waitFor();
  await done();
});

test("views that an earlier version kept in the browser move to the service", async () => {
  const { page, daily, done } = await visitor();
  await page.addInitScript(() => localStorage.setItem("settlekit.views", JSON.stringify({ "/payments": [{ name: "From before", to: "/payments?status=Failed" }] })));
  await daily.go("/payments");
  await page.locator("summary", { hasText: "Views" }).click();
  const link = page.getByRole("link", { name: "From before", exact: true });
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), "/payments?status=Failed");
  assert.equal(await page.evaluate(() => localStorage.getItem("settlekit.views")), null);
  await page.getByRole("button", { name: "Remove From before" }).click();
  await page.getByText("Set filters and save them").waitFor();
  await done();
});

test("views that cannot be loaded say why and are loaded again", async () => {
  const { page, daily, done } = await visitor({ expected: ["500"] });
  let broken = true;
  await page.route("**/v1/saved-views", (route) => (broken ? route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' }) : route.continue()));
  await daily.go("/payments");
  await page.locator("summary", { hasText: "Views" }).click();
  const menu = page.locator(".menu-body");
  await menu.getByText("The service failed.").waitFor();
  broken = false;
  await menu.getByRole("button", { name: "Try again" }).click();
  await menu.getByText("Set filters and save them").waitFor();
  await done();
});

test("a view is of a list: neither its page, nor what is open, nor a replay that runs is kept in it", async () => {
  const { page, daily, box, done } = await visitor();
  const id = "rpl_019aa8dc480075ebb94823ae8f60cafd";
  const moment = "2026-11-21T12:00:00.000000Z";
  const running = { id, status: "Running", total: 3, queued: 1, created_at: moment, updated_at: moment };
  await page.route(`**/v1/events/replays/${id}`, (route) => route.fulfill({ contentType: "application/json", body: JSON.stringify({ data: running }) }));
  await daily.go(`/events?type=Plan&rows=10&page=2&replay=${id}`);
  await box.getByRole("progressbar").waitFor();
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await keepView(page, "Of plans");
  assert.equal(await page.getByRole("link", { name: "Of plans", exact: true }).getAttribute("href"), "/events?type=Plan&rows=10");
  await page.getByRole("button", { name: "Remove Of plans" }).click();
  await page.getByRole("link", { name: "Of plans", exact: true }).waitFor({ state: "detached" });
  await done();
});

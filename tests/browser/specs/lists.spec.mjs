import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { failUntilClick, inspect, inspectAs, open, shoot, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { Keyboard } from "../pages/keyboard.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
  await merchant.account();
  for (let made = 0; made < 3; made += 1) await merchant.paylink({ name: `List ${made}` });
});
after(() => browser.close());

/** Movements until this day are complete: no live update moves their rows between two looks. */
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

test("filters live in the URL, survive a reload and are cleared with one click", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/events");
  await (await dashboard.filter("Type")).selectOption("Plan");
  await page.waitForURL(/type=Plan/);
  await page.reload();
  await dashboard.title.waitFor();
  assert.equal(await (await dashboard.filter("Type")).inputValue(), "Plan");
  await dashboard.rows.first().waitFor();
  for (const kind of await page.locator(".table tbody tr td.mono").allInnerTexts()) assert.match(kind, /^plan\./);
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.waitForURL((address) => !address.search.includes("type"));
  await done();
});

test("an empty list and a failed list look different", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["500", "/v1/payments"] });
  const dashboard = new Dashboard(page);
  await dashboard.go("/payments?since=2199-01-01");
  await page.getByText("No results for these filters").waitFor();
  const succeedAfterClick = await failUntilClick(page, "**/v1/payments?**", { headers: { "x-request-id": "req_shown" } });
  await page.goto(page.url());
  await dashboard.alert.getByText("The service failed.").waitFor();
  await dashboard.alert.getByText("req_shown").waitFor();
  assert.equal(await page.getByText("No results for these filters").count(), 0);
  await succeedAfterClick();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No results for these filters").waitFor();
  await done();
});

test("rows are navigated and opened by keyboard, and Esc closes the drawer", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/paylinks");
  await dashboard.rows.nth(2).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const focused = await page.evaluate(() => [...document.querySelectorAll(".page .table tbody tr[tabindex]")].indexOf(document.activeElement));
  assert.equal(focused, 1, "the second row has the focus");
  await page.keyboard.press("Enter");
  await dashboard.drawer.locator(".lede").waitFor();
  await page.waitForURL(/open=pl_/);
  await page.keyboard.press("Escape");
  await dashboard.drawer.waitFor({ state: "detached" });
  await page.waitForURL((address) => !address.search.includes("open="));
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => Boolean(document.activeElement.closest(".filters"))), true);
  await done();
});

test("the keyboard can skip the rows of a long list", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const keyboard = new Keyboard(page);
  await keyboard.go(`/movements?rows=100&until=${YESTERDAY}`);
  await keyboard.rows.nth(99).waitFor();
  await keyboard.to("Skip rows");
  await shoot(page, "skip_rows", "light", { fullPage: false });
  await keyboard.press("Enter");
  await keyboard.lands(/^Rows/);
  assert.equal(new URL(page.url()).hash, "", "the address is that of the list");
  await keyboard.press("Shift+Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest("tr") === document.querySelector(".page .table tbody tr:last-child")), true);
  await done();
});

test("an id is copied completely", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go(`/paylinks?open=${link.id}`);
  // Pages can't read the clipboard, so writes are recorded.
  await page.evaluate(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = (text) => ((globalThis.copied = text), write(text));
  });
  await dashboard.drawer.getByRole("button", { name: "Copy payment page" }).click();
  await page.getByText("Payment page copied").waitFor();
  assert.equal(await page.evaluate(() => globalThis.copied), link.url);
  await done();
});

test("a failing service marks the page as stale until it recovers", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["/v1/overview"] });
  const dashboard = new Dashboard(page);
  await page.route("**/v1/overview/live", (route) => route.abort());
  await dashboard.go("/");
  await page.getByText("Connection lost").waitFor({ timeout: 15_000 });
  await page.unroute("**/v1/overview/live");
  await page.getByText("Live", { exact: true }).waitFor({ timeout: 40_000 });
  await done();
});

test("an outdated response does not replace a newer one", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/");
  await page.getByText("Live", { exact: true }).waitFor();
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  let taken;
  const isTaken = new Promise((resolve) => (taken = resolve));
  await page.route("**/v1/overview", async (route) => {
    const response = await route.fetch();
    taken();
    await held;
    return route.fulfill({ response });
  });
  await dashboard.createPaylink({ name: "Overtaken", amount: "3", currency: "USDC" });
  await isTaken;
  await dashboard.drawer.locator(".lede").waitFor();
  await page.keyboard.press("Escape");
  await dashboard.follow("Overview");
  await merchant.paylink({ name: "Overtaking" });
  const { paylinks_active } = await merchant.call("GET", "/overview");
  const counter = page.locator("a.counter", { hasText: new RegExp(`^Active payment links\\s*${paylinks_active.toLocaleString("en-US")}$`) });
  await counter.waitFor();
  const arrives = page.waitForResponse((response) => response.url().endsWith("/v1/overview"));
  letGo();
  await (await arrives).finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(await counter.count(), 1);
  await done();
});

test("an account beyond the offered ones is shown by name", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  // Simulates that the treasury is after the first hundred.
  await page.route(/\/v1\/accounts\?/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.items = body.data.items.filter(({ reference }) => reference !== "treasury");
    body.data.total = body.data.items.length + 1;
    await route.fulfill({ response: answer, json: body });
  });
  await dashboard.go("/movements?account=treasury");
  await dashboard.chip("Account: treasury").waitFor();
  assert.equal(await (await dashboard.filter("Account")).locator("option:checked").innerText(), "treasury");
  await dashboard.go("/movements");
  assert.notEqual(await (await dashboard.filter("Account")).locator("option:checked").innerText(), "treasury");
  await done();
});

test("up to a thousand accounts are offered, with a note if there are more", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  let one;
  await page.route(/\/v1\/accounts\?/, async (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get("page") ?? 1);
    const answer = await route.fetch();
    const body = await answer.json();
    one ??= body.data.items.find(({ reference }) => reference === "treasury");
    body.data.items = Array.from({ length: 100 }, (_, place) => ({ ...one, id: at * 100 + place, reference: `till-${at}-${place}`, name: `Till ${at}.${place}` }));
    body.data.total = 5_000;
    await route.fulfill({ response: answer, json: body });
  });
  await dashboard.go("/payouts/new");
  await page.getByText("Showing the first 1000 of 5000.").waitFor();
  const options = page.getByLabel("From account").locator("option");
  assert.equal(await options.count(), 1_001, "a thousand, and none");
  assert.match(await options.last().innerText(), /^Till 10\.99 · Base$/);
  await done();
});

test("movements of an account are filtered by type, status and direction", async () => {
  const { page, done } = await visit(browser, "light", { storageState, timezoneId: "UTC" });
  const dashboard = new Dashboard(page);
  await dashboard.go(`/movements?rows=100&account=treasury&until=${YESTERDAY}`);
  await dashboard.rows.nth(99).waitFor();
  await (await dashboard.filter("Direction")).selectOption("OUT");
  await page.waitForURL(/direction=OUT/);
  await dashboard.drawn();
  // A reference in the URL selects its account. The accounts may be loaded after the movements.
  await dashboard.chip("Account: Treasury, Base · Base").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".page .table tbody tr .way.in").length === 0);
  const { total } = await merchant.call("GET", `/accounts/treasury/movement?limit=1&direction=OUT&until=${YESTERDAY}T23:59:59.999999Z`);
  assert.ok(total > 0);
  assert.match(await dashboard.total.innerText(), new RegExp(` of ${total.toLocaleString("en-US")}$`), "the pager counts what matches");
  assert.equal(await page.locator(".page .table tbody tr .way.out").count(), await dashboard.rows.count());
  await dashboard.tab("Partly refunded").click();
  await page.getByText("No results for these filters").waitFor();
  await dashboard.tab("All").click();
  await page.waitForURL((address) => !address.searchParams.has("status"));
  await page.getByRole("button", { name: "Clear 3 filters" }).click();
  await page.waitForURL((address) => !address.searchParams.has("account"));
  await dashboard.rows.nth(99).waitFor();
  await done();
});

test("another page of a long list is drawn completely, without change marks, and immediately for printing", async () => {
  const { page, done } = await visit(browser, "light", { storageState, timezoneId: "UTC" });
  const dashboard = new Dashboard(page);
  const moments = () => page.locator(".page .table tbody time.timestamp").evaluateAll((all) => all.map((one) => one.dateTime));
  const wanted = async (number) => (await merchant.call("GET", `/accounts/treasury/movement?limit=100&page=${number}&until=${YESTERDAY}T23:59:59.999999Z`)).items.map((one) => one.created_at);
  await dashboard.go(`/movements?rows=100&account=treasury&until=${YESTERDAY}`);
  const first = await wanted(1);
  assert.deepEqual(await moments(), first);

  await page.locator(".pager").getByRole("button", { name: "Next" }).click();
  await page.waitForURL(/page=2/);
  await dashboard.drawn();
  const second = await wanted(2);
  await page.waitForFunction((last) => [...document.querySelectorAll(".page .table time.timestamp")].at(-1)?.dateTime === last, second.at(-1));
  assert.deepEqual(await moments(), second);
  assert.equal(await page.locator(".page .table tr.fresh").count(), 0);

  // Remaining rows are drawn before printing.
  const printed = page.evaluate((second) => new Promise((resolve) => {
    const rows = document.querySelector(".page .table tbody");
    const all = () => [...rows.querySelectorAll("time.timestamp")].map((one) => one.dateTime);
    const observer = new MutationObserver(() => {
      const before = all();
      // Ignores mutations until the first rows of the other page are drawn.
      if (before.every((moment) => second.includes(moment))) return;
      observer.disconnect();
      dispatchEvent(new Event("beforeprint"));
      setTimeout(() => resolve({ before, after: all() }));
    });
    observer.observe(rows, { subtree: true, childList: true, characterData: true });
  }), second);
  await page.locator(".pager").getByRole("button", { name: "Previous" }).click();
  const { before: drawn, after: complete } = await printed;
  assert.notDeepEqual(drawn, first, "most rows are still to be drawn");
  assert.deepEqual(complete, first);
  await done();
});

test("a chain without a loaded name is not shown by its number", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  const link = await merchant.paylink();
  const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route("**/v1/chains", async (route) => {
    await held;
    await route.continue();
  });
  await dashboard.go(`/payments?open=${payment_id}`);
  const chain = dashboard.fact("Chain");
  await chain.waitFor({ state: "attached" });
  assert.equal(await chain.innerText(), "");
  letGo();
  await chain.filter({ hasText: "Ethereum" }).waitFor();
  await done();
});

test("an event that was sent nowhere says why", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await page.route(/\/v1\/events\?/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.items[0].delivery_status = "skipped";
    await route.fulfill({ response, json });
  });
  await dashboard.go("/events");
  await dashboard.rows.first().getByText("No endpoint set").waitFor();
  await done();
});

test("headings of a table have one typeface", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  await new Dashboard(page).go("/events");
  const fonts = await page.locator(".page .table th").evaluateAll((heads) => heads.map((head) => getComputedStyle(head).fontFamily));
  assert.ok(fonts.length > 1);
  assert.equal(new Set(fonts).size, 1, fonts.join("; "));
  await done();
});

test("a link of somebody else shows its filters as text, and those that make no sense as an error", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  // Ten thousand words, markup, and values that are no amount, id or currency.
  for (const [name, value] of [["status", `${"x,".repeat(10_000)}x`], ["direction", "<img src=x onerror=document.title=1>"], ["amount_from", "1e400"], ["chain_id", "x"], ["currency", "A".repeat(5_000)]]) {
    await dashboard.go(`/movements?${new URLSearchParams({ [name]: value })}`);
    await page.getByText("This link has an invalid filter").first().waitFor();
    assert.equal(await page.locator("img[src=x]").count(), 0);
    await page.getByRole("button", { name: "Remove filter" }).first().click();
    await page.waitForURL((address) => address.search === "");
    await dashboard.rows.first().waitFor();
  }
  await done();
});

test("a filter is added, changed and removed by keyboard, and its chip has the focus in between", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const keyboard = new Keyboard(page);
  await keyboard.go("/movements");
  await keyboard.to("Add filter");
  await keyboard.press("Enter");
  await keyboard.lands(/^Account$/);
  await inspect(page, "add_filter");
  await keyboard.to("Amount");
  await keyboard.press("Enter");
  await keyboard.inEditor();
  await (await keyboard.filter("Currency", "Amount")).selectOption("USDC");
  await page.waitForURL(/currency=USDC/);
  await keyboard.to("At least");
  await keyboard.type("10.5");
  await keyboard.press("Enter");
  await page.waitForURL(/amount_from=10\.5/);
  await keyboard.lands(/^Currency: USDC · At least: 10\.5$/);
  await keyboard.press("Enter");
  await keyboard.inEditor();
  await inspect(page, "filter_editor");
  await keyboard.press("Escape");
  await keyboard.lands(/^Currency: USDC/);
  await keyboard.press("Tab", "Enter");
  await page.waitForURL((address) => address.search === "");
  await keyboard.lands(/^Add filter$/);
  // An editor that is closed without a value leaves no chip.
  await keyboard.press("Enter");
  await keyboard.to("Chain");
  await keyboard.press("Enter");
  await keyboard.inEditor();
  await keyboard.press("Escape");
  await keyboard.lands(/^Add filter$/);
  assert.equal(await page.locator(".chip:visible").count(), 0);
  await done();
});

test("on a narrow screen all filters are in one sheet", async () => {
  const { page, done } = await visit(browser, "narrow", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/movements?direction=OUT");
  assert.equal(await page.locator(".add-filter > button").isVisible(), false);
  const open = page.locator(".filters-open");
  assert.match(await open.innerText(), /^Filters\s*1$/);
  await open.click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.locator("label", { hasText: /^Type/ }).locator("select").selectOption("Withdraw");
  await page.waitForURL(/type=Withdraw/);
  for (const label of ["Account", "Direction", "Chain", "Currency", "At least", "From", "Sort"]) assert.equal(await sheet.locator("label", { has: page.getByText(label, { exact: true }) }).count(), 1, label);
  await inspectAs(page, "filter_sheet", "narrow");
  await sheet.getByRole("button", { name: "Done" }).click();
  await sheet.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.matches(".filters-open"));
  await dashboard.chip("Type: Withdrawal").waitFor();
  await dashboard.chip("Direction: Out").waitFor();
  await done();
});

test("the navigation is in groups", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/");
  const links = (group) => dashboard.navigation.getByRole("list", { name: group, exact: true }).getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.deepEqual(await links("Payments"), ["/payments", "/paylinks", "/plans", "/subscriptions", "/invoices", "/customers"]);
  // Partners also have sub-merchants.
  assert.deepEqual((await links("Money")).slice(0, 6), ["/accounts", "/movements", "/payouts", "/external-accounts", "/trade", "/automations"]);
  assert.deepEqual(await links("Developers"), ["/events", "/inbox", "/docs"]);
  const side = await page.locator("#side").evaluate((element) => [element.scrollHeight, element.clientHeight]);
  assert.ok(side[0] <= side[1], `the navigation is ${side[0]} pixels high, its place ${side[1]}`);
  await done();
});

test("deep pages show the pages above them", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/");
  const above = page.getByRole("navigation", { name: "Breadcrumbs" });
  for (const [path, name, to] of [["/plans/new", "Plans", "/plans"], ["/payouts/new", "Payouts", "/payouts"], ["/events/verify", "Events", "/events"]]) {
    await dashboard.turn(path);
    await above.getByRole("link", { name, exact: true }).click();
    await page.waitForURL(`**${to}`);
  }
  const { items } = await merchant.call("GET", "/accounts?limit=100");
  const child = items.find((one) => one.parent_id);
  await dashboard.turn(`/accounts/${child.id}`);
  await above.getByRole("link").nth(1).click();
  await page.waitForURL(`**/accounts/${child.parent_id}`);
  await done();
});

test("the overview shows who paid what, and only counters that are not zero", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["/v1/overview/live"] });
  const dashboard = new Dashboard(page);
  const payer = `Recent ${Date.now()}`;
  const link = await merchant.paylink({ name: "Beans", amount: "18.5" });
  await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", name: payer, email: "recent@payer.example" });
  const counts = { payments_processing: 0, movements_pending: 0, movements_failed: 0, deliveries_failed: 3, quotes_open: 0, payouts_awaiting_approval: 0 };
  await page.route("**/v1/overview/live", (route) => route.abort());
  await page.route("**/v1/overview", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    Object.assign(answer.data, counts);
    await route.fulfill({ response, json: answer });
  });
  await dashboard.go("/");
  const counters = page.getByRole("navigation", { name: "Needs attention" });
  assert.deepEqual((await counters.getByRole("link").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")), ["Failed deliveries Resend 3"]);
  await inspect(page, "overview_recent");
  const recent = page.getByRole("region", { name: "Recent payments" });
  const row = recent.locator("li", { hasText: payer });
  assert.match(await row.innerText(), /18\.50 USDC/);
  await row.getByRole("link").click();
  await page.waitForURL(/\/payments\?open=pay_/);
  counts.deliveries_failed = 0;
  await dashboard.go("/");
  await counters.getByText("Nothing needs attention").waitFor();
  assert.equal(await counters.getByRole("link").count(), 0);
  await done();
});

test("the overview shows largest balances and open issues with links", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/");
  const fullest = page.getByRole("region", { name: "Largest balances" });
  const worth = await fullest.locator("li .amount").allInnerTexts();
  const amounts = worth.map((text) => Number(text.replace(/[^\d.]/g, "")));
  assert.ok(amounts.length > 1 && amounts.length <= 10, `${amounts.length} accounts`);
  assert.deepEqual(amounts, amounts.toSorted((one, other) => other - one), "the fullest stands first");
  assert.equal(await fullest.getByRole("progressbar", { includeHidden: true }).count(), amounts.length);
  assert.equal(await page.getByText("Company: Approved").count(), 0, "approved reviews need no attention");
  const failed = page.getByRole("navigation", { name: "Needs attention" }).locator("a", { hasText: "Failed movements, 30 days" });
  assert.match(await failed.getAttribute("href"), /^\/movements\?status=Failed&since=\d{4}-\d\d-\d\d$/);
  await fullest.getByRole("link").nth(1).click();
  await page.waitForURL(/\/accounts\/\d+$/);
  await dashboard.title.waitFor();
  await done();
});

test("the charts of balance and volume are readable by keyboard and as a table", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/?period=30");
  for (const [title, drawn] of [["Balance over time", "path.line:not(.before)"], ["In and out", "path.bar-in"]]) {
    const section = page.locator("section", { has: page.getByRole("heading", { name: title, exact: true }) }).last();
    const [chart, reading] = [section.locator(".chart"), section.locator(".chart-read")];
    await chart.locator(drawn).first().waitFor({ state: "attached" });
    await chart.focus();
    await page.keyboard.press("End");
    const today = await reading.innerText();
    await page.keyboard.press("ArrowLeft");
    const yesterday = await reading.innerText();
    assert.notEqual(today, yesterday);
    await page.keyboard.press("Home");
    assert.notEqual(await reading.innerText(), yesterday);
    await section.getByText("Show as table").click();
    const rows = section.locator("details.more[open] tbody tr");
    await rows.first().waitFor();
    assert.equal(await rows.count(), 30, "a line for each day");
    for (const [at, read] of [today, yesterday].entries()) {
      const cells = (await rows.nth(at).locator("td").allInnerTexts()).map((text) => text.trim());
      for (const cell of cells) assert.ok(read.includes(cell), `${cell} is not in “${read}”`);
    }
  }
  await inspect(page, "overview_table");
  await done();
});

test("the charts show 7, 30, 90 or 365 days, chosen in the URL", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/");
  const bars = page.locator(".chart rect.day");
  const periods = page.getByRole("group", { name: "Period" });
  await periods.getByRole("button", { name: "30 days", pressed: true }).waitFor();
  // A year is drawn in weeks, the last of which ends today.
  for (const [name, days, drawn] of [["7 days", 7, 7], ["90 days", 90, 90], ["1 year", 365, 53]]) {
    const asked = page.waitForResponse((response) => response.url().includes("/v1/overview/series") && response.url().includes(`period=${days}`));
    await periods.getByRole("button", { name }).click();
    await page.waitForURL(new RegExp(`/\\?period=${days}$`));
    await asked;
    await bars.nth(drawn - 1).waitFor({ state: "attached" });
    await page.waitForFunction((drawn) => document.querySelectorAll(".chart rect.day").length === drawn, drawn);
  }
  await inspect(page, "overview_year");
  await page.reload();
  await periods.getByRole("button", { name: "1 year", pressed: true }).waitFor();
  await dashboard.go("/?period=8");
  await page.getByText("This link has an invalid filter").waitFor();
  await page.getByRole("button", { name: "Remove filter" }).click();
  await bars.nth(29).waitFor({ state: "attached" });
  await done();
});

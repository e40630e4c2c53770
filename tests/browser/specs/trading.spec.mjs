import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX } from "../pages/dashboard.mjs";
import { Money } from "../pages/money.mjs";
import { signedIn } from "../session.mjs";
import { password } from "../settings.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

const orders = async () => (await merchant.call("GET", "/trade/orders?limit=100")).items;

async function fill(money, amount) {
  await money.choose("Funded by", "Treasury, Base");
  await money.choose("You sell", "USDC on Base");
  await money.field("Amount to sell").fill(amount);
  await money.choose("You buy", "EURC on Base");
  await money.button("Get estimate").click();
  await money.button("Trade now").waitFor();
}

test("a quick trade needs an estimate, and both are shown", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const before = (await orders()).length;
  await money.go("/trade");
  await fill(money, "25.5");
  assert.equal((await orders()).length, before, "an estimate makes no order");
  await inspect(page, "quick_trade_estimate");
  // Every change invalidates the estimate.
  await money.field("Amount to sell").fill("26");
  await money.button("Trade now").waitFor({ state: "detached" });
  await money.button("Get estimate").click();
  await money.button("Trade now").click();
  await money.box.getByText("You’ll sell 26.00 USDC for about").waitFor();
  await money.confirm("Trade now");
  await page.getByRole("columnheader", { name: "Result" }).waitFor();
  await inspect(page, "quick_trade_result");
  await page.getByRole("link", { name: "View order" }).click();
  await money.drawer.locator(".lede", { hasText: "26" }).waitFor();
  assert.match(await money.fact("Sold").innerText(), /^26\.00\s*USDC$/);
  assert.match(await money.fact("Bought").innerText(), /EURC$/);
  assert.equal(await money.fact("Side").count(), 0, "every order of the contract is a buy, of what was bought");
  await inspect(page, "order");
  assert.equal((await orders()).length, before + 1);
  await done();
});

test("a late estimate of earlier input is ignored", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const sent = [];
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route("**/v1/trade/quicktrade", async (route) => {
    sent.push(route.request().postDataJSON());
    if (sent.length === 1) await held;
    await route.continue();
  });
  await money.go("/trade");
  await money.choose("Funded by", "Treasury, Base");
  await money.choose("You sell", "USDC on Base");
  await money.field("Amount to sell").fill("10");
  await money.choose("You buy", "EURC on Base");
  await money.button("Get estimate").click();
  await page.locator("form button:disabled", { hasText: "Get estimate" }).waitFor();
  await money.field("Amount to sell").fill("100");
  letGo();
  await page.locator("form button:enabled", { hasText: "Get estimate" }).waitFor();
  assert.equal(await money.button("Trade now").count(), 0, "ten is not offered to who says a hundred");
  await money.button("Get estimate").click();
  await money.button("Trade now").click();
  await money.box.getByText("You’ll sell 100.00 USDC for about").waitFor();
  await money.confirm("Trade now");
  await page.getByRole("columnheader", { name: "Result" }).waitFor();
  const [, { dry_run, ...estimated }, traded] = sent;
  assert.equal(dry_run, true);
  assert.deepEqual(traded, estimated, "what was estimated is what is traded");
  await done();
});

test("a quick trade without an answer is shown as unknown, and its order is found by reference", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["ERR_FAILED", "500"] });
  const money = new Money(page);
  await money.go("/trade");
  await fill(money, "11");
  const reference = await money.field("Reference").inputValue();
  await page.route("**/v1/trade/quicktrade", async (route) => {
    await route.fetch();
    await route.abort();
  });
  // The first polls fail, which is shown; polling continues.
  let down = true;
  await page.route("**/v1/trade/orders?**", (route) =>
    !down ? route.continue() : route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' }),
  );
  await money.button("Trade now").click();
  await money.confirm("Trade now");
  await page.getByText("Outcome unknown").waitFor();
  await page.getByText("The service failed.").waitFor();
  down = false;
  // The fields now describe another trade: the unanswered one is found by its own reference.
  await money.field("Reference").fill("another");
  await page.getByText("Order created").waitFor();
  await inspect(page, "quick_trade_unknown");
  assert.equal((await orders()).filter((one) => one.reference === reference).length, 1);
  await done();
});

test("an earlier order is not mistaken for the unanswered one", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["ERR_FAILED"] });
  const money = new Money(page);
  await money.go("/trade");
  await fill(money, "12");
  await money.button("Trade now").click();
  await money.confirm("Trade now");
  await page.getByRole("columnheader", { name: "Result" }).waitFor();
  const reference = await money.field("Reference").inputValue();
  await money.field("Amount to sell").fill("13");
  await money.button("Get estimate").click();
  await money.button("Trade now").waitFor();
  assert.equal(await money.field("Reference").inputValue(), reference, "both have one reference");
  await page.route("**/v1/trade/quicktrade", (route) => route.abort());
  await money.button("Trade now").click();
  await money.confirm("Trade now");
  await page.getByText("Outcome unknown").waitFor();
  await page.getByText(`No order with the reference ${reference}`).waitFor();
  for (let looks = 0; looks < 2; looks += 1) await page.waitForResponse(/\/v1\/trade\/orders\?/);
  assert.equal(await page.getByText("Order created").count(), 0);
  // A retry creates it.
  await page.unroute("**/v1/trade/quicktrade");
  await money.button("Retry").click();
  await page.getByRole("columnheader", { name: "Result" }).waitFor();
  const made = (await orders()).filter((one) => one.reference === reference);
  assert.deepEqual(made.map((one) => Number(one.from_amount)).sort(), [12, 13]);
  await done();
});

async function ask(money, amount) {
  await money.field("Currency 1 to sell").waitFor();
  const leg = money.page.getByRole("group", { name: "Currency 1 to sell" });
  await money.choose(leg.getByLabel("You sell"), "USDC on Base");
  await leg.getByLabel("Amount to sell").fill(amount);
  await money.choose(money.page.locator("select[name=buy_currency]"), "EURC on Base");
  await money.choose(money.page.locator("select[name=account_id]"), "Treasury, Base");
}

test("a quote counts down, shows its amounts on acceptance, and becomes an order", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/trade/rfq");
  await ask(money, "40");
  await money.button("Get estimate").click();
  await page.getByText("It can’t be accepted").waitFor();
  await inspect(page, "rfq_estimate");
  await money.button("Get quote").click();
  await page.getByRole("timer").waitFor();
  assert.match(await page.getByRole("timer").innerText(), /^Expires in \d+ seconds$/);
  await page.waitForURL(/quote=/);
  await inspect(page, "rfq_quote");
  await money.button("Accept").click();
  await money.box.getByText("You’ll sell 40.00 USDC for").waitFor();
  await money.confirm("Accept");
  await page.waitForURL("**/trade/orders?open=**");
  await money.drawer.locator(".lede", { hasText: "40" }).waitFor();
  await done();
});

test("a reopened quote counts down by the service’s clock", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await merchant.call("POST", "/sandbox/clock", { advance_seconds: 3_600 });
  await money.go("/trade/rfq");
  await ask(money, "41");
  await money.button("Get quote").click();
  const timer = page.getByRole("timer");
  const seconds = async () => Number((await timer.innerText()).match(/\d+/)[0]);
  await timer.waitFor();
  const before = await seconds();
  await page.waitForURL(/quote=/);
  await page.reload();
  await timer.waitFor();
  await merchant.until("it counts down", async () => (await seconds()) < before - 1, { seconds: 10 });
  await done();
});

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

test("settlement to an outside wallet is shown and needs step-up", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["401"] });
  const money = new Money(page);
  await money.go("/trade");
  await money.choose("Funded by", "Treasury, Base");
  await money.choose("You sell", "USDC on Base");
  await money.field("Amount to sell").fill("7");
  await money.choose("You buy", "EURC on Base");
  await money.choose(page.locator("select[name=settlement_account_id]"), "External wallet");
  await money.button("Get estimate").click();
  await page.getByText(/^Address /).first().waitFor();
  await money.field("Address").fill(WALLET);
  await money.button("Get estimate").click();
  await page.locator(BOX).last().getByLabel("Password").fill(password);
  await page.locator(BOX).last().getByRole("button", { name: "Continue" }).click();
  await page.locator(".compare").getByText(WALLET).waitFor();
  await page.locator(".compare").getByText("Fees").waitFor();
  await inspect(page, "quick_trade_outside");
  await money.button("Trade now").click();
  await money.box.getByText(`Proceeds go to ${WALLET}.`).waitFor();
  await money.confirm("Trade now");
  await page.getByRole("columnheader", { name: "Result" }).waitFor();
  const [made] = await orders();
  assert.equal(made.settlement_instruction.address, WALLET);
  await page.getByRole("link", { name: "View order" }).click();
  assert.match(await money.fact("Settled to").innerText(), new RegExp(WALLET));
  await done();
});

test("a quote shows its destination and chains before it is accepted", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const { items } = await merchant.call("GET", "/accounts?limit=100");
  const { id } = items.find((one) => one.name?.includes("Treasury, Base"));
  const asked = new URLSearchParams({ buy_currency: "EURC", buy_chain_id: 8453, sell_currency: "USDC", sell_chain_ids: 8453, sell_amount: "43", account_id: id, settlement_address: WALLET });
  const quote = await merchant.call("GET", `/trade/quote?${asked}`);
  await money.go(`/trade/rfq?quote=${quote.id}`);
  await page.locator(".sides").getByText("Base").first().waitFor();
  assert.match(await money.said("Settled to").innerText(), new RegExp(WALLET));
  await money.button("Accept").click();
  await money.box.getByText(`Proceeds go to ${WALLET}.`).waitFor();
  await money.box.getByRole("button", { name: "Cancel" }).click();
  await money.go("/trade/rfq");
  await ask(money, "44");
  await money.choose(page.locator("select[name=settlement_account_id]"), "External wallet");
  await money.field("Address").fill(WALLET);
  await inspect(page, "rfq_outside");
  await money.button("Get quote").click();
  await page.getByRole("timer").waitFor();
  assert.match(await money.said("Settled to").innerText(), new RegExp(WALLET));
  await done();
});

test("a quote of an exchange shows its slippage, price impact and network fee before it is accepted", async () => {
  const { page, done } = await visit(browser, "dark", { storageState });
  const money = new Money(page);
  const asked = new URLSearchParams({ buy_currency: "EURC", buy_chain_id: 8453, sell_currency: "USDC", sell_chain_ids: 8453, sell_amount: "45" });
  const quote = await merchant.call("GET", `/trade/quote?${asked}`);
  // The exchanges of a sandbox are simulated: only their quotes lack these.
  const properties = { estimate: false, expected_amount: 41.25, slippage_bps: 50, price_impact_bps: 1.25, network_fee: 0.00042, network_fee_currency: "ETH" };
  await page.route(`**/v1/trade/quote/${quote.id}`, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.properties = properties;
    await route.fulfill({ response: answer, json: body });
  });
  await money.go(`/trade/rfq?quote=${quote.id}`);
  assert.match(await money.said("Expected amount").innerText(), /41\.25\s*EURC/);
  assert.equal(await money.said("Slippage \\(bps\\)").innerText(), "At most 50");
  assert.equal(await money.said("Price impact \\(bps\\)").innerText(), "1.25");
  assert.equal(await money.said("Network fee").innerText(), "Up to 0.00042 ETH, paid by the service");
  await inspect(page, "rfq_exchange");
  await done();
});

test("a quote is rejected; the bought amount can be fixed; a basket sells several currencies", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/trade/rfq");
  await ask(money, "1");
  await money.button("Buy an exact amount").click();
  await page.getByLabel("Amount to buy", { exact: true }).fill("12.5");
  await money.button("Get quote").click();
  await money.button("Reject").click();
  await money.confirm("Reject");
  await page.getByText("Quote rejected").waitFor();
  await page.getByText("Buy amount", { exact: true }).waitFor();
  await inspect(page, "rfq_rejected");
  await done();
});

test("a basket sells two currencies at once", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/trade/rfq");
  await money.choose(page.getByRole("group", { name: "Currency 1 to sell" }).getByLabel("You sell"), "USDC on Base");
  await page.getByRole("group", { name: "Currency 1 to sell" }).getByLabel("Amount to sell").fill("60");
  await money.button("Add currency").click();
  const second = page.getByRole("group", { name: "Currency 2 to sell" });
  await money.choose(second.getByLabel("You sell"), "EURC on Base");
  await second.getByLabel("Amount to sell").fill("50.25");
  await money.choose(page.locator("select[name=buy_currency]"), "ETH on Base");
  await money.choose(page.locator("select[name=account_id]"), "Shop Europe, Base");
  await money.button("Get estimate").click();
  const sides = page.locator(".sides");
  await sides.waitFor();
  assert.match(await sides.innerText(), /60\.00 USDC[\s\S]*50\.25 EURC[\s\S]*ETH/);
  await inspect(page, "rfq_basket");
  await done();
});

test("the history shows all currencies of a basket", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const { items } = await merchant.call("GET", "/accounts?limit=100");
  const { id } = items.find((one) => one.name?.includes("Shop Europe") && one.chain_id === 8453);
  const basket = new URLSearchParams({ buy_currency: "ETH", sell_currency: "USDC,EURC", sell_amount: "61,50.25", account_id: id, deposit_method: "Balance" });
  await merchant.call("GET", `/trade/quote?${basket}`);
  await money.go("/trade/quotes");
  await money.line("61.00 USDC + 50.25 EURC").waitFor();
  await done();
});

test("pages for OTC trading say that it is not enabled", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["403"] });
  const money = new Money(page);
  // The demo organisation has OTC trading: the response of one without it is simulated.
  const errors = [{ domain: "trade", reason: "FEATURE_MISSING", message: "this needs the OTC feature" }];
  const body = JSON.stringify({ error: { code: 403, message: "this needs the OTC feature", errors } });
  await page.route(/\/v1\/trade\/(quote\/history|instruments)/, (route) => route.fulfill({ status: 403, contentType: "application/json", body }));
  for (const path of ["/trade/quotes", "/trade/markets"]) {
    await money.go(path);
    await page.getByText("OTC trading only").waitFor();
  }
  await inspect(page, "not_otc");
  await done();
});

test("the grid of tradable pairs links to their instruments", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/trade/markets");
  const cell = page.locator(".matrix tbody a").first();
  const [, count] = (await cell.innerText()).match(/(\d+) from [\d.]+ bps$/);
  await inspect(page, "market_grid");
  await cell.click();
  await page.waitForURL(/base=.*quote=|quote=.*base=/);
  const rows = page.getByRole("table", { name: "Instruments" }).locator("tbody tr");
  await page.waitForFunction((wanted) => document.querySelectorAll(".table tbody tr").length === wanted, Number(count));
  assert.equal(await rows.count(), Number(count));
  await done();
});

test("after history navigation the visible quote is the one accepted", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const sold = page.locator(".sides");
  await money.go("/trade/rfq");
  await ask(money, "41");
  await money.button("Get quote").click();
  await sold.getByText("41", { exact: true }).waitFor();
  // The URL names the quote one frame later than the page.
  const named = (address) => address.searchParams.get("quote");
  await page.waitForURL(named);
  const first = named(new URL(page.url()));
  const leg = page.getByRole("group", { name: "Currency 1 to sell" });
  await leg.getByLabel("Amount to sell").fill("42");
  await money.button("Get quote").click();
  await sold.getByText("42", { exact: true }).waitFor();
  await page.waitForURL((address) => named(address) && named(address) !== first);
  await page.goBack();
  await sold.getByText("41", { exact: true }).waitFor();
  await page.getByRole("timer").waitFor();
  await money.button("Accept").click();
  await money.box.getByText("You’ll sell 41.00 USDC").waitFor();
  // A confirmation closes with its quote.
  await page.goForward();
  await money.box.waitFor({ state: "detached" });
  await sold.getByText("42", { exact: true }).waitFor();
  // An estimate replaces the quote, and going back restores it.
  await money.button("Get estimate").click();
  await page.getByText("It can’t be accepted").waitFor();
  await page.waitForURL((address) => !named(address));
  await page.goBack();
  await page.getByRole("timer").waitFor();
  await money.button("Accept").click();
  await money.box.getByText("You’ll sell 42.00 USDC for").waitFor();
  await money.confirm("Accept");
  await page.waitForURL("**/trade/orders?open=**");
  await page.goBack();
  await page.getByText("Accepted").first().waitFor();
  assert.equal(await money.button("Accept").count(), 0, "it is accepted once");
  assert.equal(await page.getByRole("timer").count(), 0);
  await done();
});

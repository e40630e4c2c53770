import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX } from "../pages/dashboard.mjs";
import { Money } from "../pages/money.mjs";
import { signedIn } from "../session.mjs";
import { database, password, program, url } from "../settings.mjs";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

test("an automation with valid thresholds is created, disabled and deleted", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["401"] });
  const money = new Money(page);
  const reference = `auto-${Date.now()}`;
  await merchant.call("POST", "/accounts/virtual", { reference, name: "Automatic", chains: [{ chain_id: 8453, currencies: ["USDC"] }] });
  await money.go(`/automations?account=${reference}`);
  await page.getByText("No automations yet").waitFor();
  await money.button("Maintain a balance").click();
  await money.box.getByLabel("Minimum").fill("100");
  await money.box.getByLabel("Payout threshold").fill("50");
  await money.box.getByLabel("Pay the excess to").fill(WALLET);
  await money.confirm("Maintain a balance");
  await money.box.getByText("Payout threshold must be greater than").waitFor();
  await inspect(page, "maintain_balance");
  await money.box.getByLabel("Payout threshold").fill("250.5");
  await money.confirm("Maintain a balance");
  await page.locator(BOX).last().getByLabel("Password").fill(password);
  await page.locator(BOX).last().getByRole("button", { name: "Continue" }).click();
  const line = money.line("Maintain balance");
  await line.waitFor();
  await inspect(page, "automations");
  await line.getByRole("button", { name: "Disable" }).click();
  await money.confirm("Continue");
  await line.getByText("Disabled").waitFor();
  await line.getByRole("button", { name: "End" }).click();
  await money.confirm("End");
  await line.getByText("Ended").waitFor();
  assert.equal(await line.getByRole("button").count(), 0);
  await done();
});

test("a conversion is created with its cost limit, and sells the balance above its threshold", async () => {
  const { page, done } = await visit(browser, "dark", { storageState, expected: ["401"] });
  const money = new Money(page);
  const reference = `convert-${Date.now()}`;
  const made = await merchant.call("POST", "/accounts/virtual", { reference, name: "Converting", chains: [{ chain_id: 8453, currencies: ["USDC", "EURC"] }] });
  await money.go(`/automations?account=${reference}`);
  await money.button("Convert a balance").click();
  await money.box.getByLabel("Currency to sell").selectOption("USDC");
  await money.box.getByLabel("Currency to buy").selectOption("EURC");
  await money.box.getByLabel("Threshold").fill("10");
  await money.box.getByLabel("Cost limit").fill("2000");
  await money.confirm("Convert a balance");
  await money.box.getByText(/Cost limit .*1.*1,?000/).waitFor();
  await inspect(page, "convert_balance");
  await money.box.getByLabel("Cost limit").fill("100");
  await money.confirm("Convert a balance");
  await page.locator(BOX).last().getByLabel("Password").fill(password);
  await page.locator(BOX).last().getByRole("button", { name: "Continue" }).click();
  const line = money.line("Convert to EURC, at most 100 bps");
  await line.waitFor();
  await inspect(page, "automations_convert");
  await merchant.call("POST", "/sandbox/deposits", { account: made.sub_accounts[0].id, chain_id: 8453, currency: "USDC", amount: "25" });
  const converted = async () => {
    const held = await merchant.call("GET", `/accounts/${made.sub_accounts[0].id}/balances`);
    return held.some((one) => one.currency === "EURC" && Number(one.posted) > 0);
  };
  for (let tries = 0; !(await converted()); tries += 1) {
    assert.ok(tries < 150, "nothing was converted");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await done();
});

test("balances of an account and its sub-account are told apart beside its automations", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const mark = Date.now();
  const till = { chain_id: 1, currencies: ["USDC"], type: "CryptoPayIn" };
  const hall = await merchant.call("POST", "/accounts", { ...till, name: `Hall ${mark}`, reference: `hall-${mark}` });
  await merchant.call("POST", "/accounts", { ...till, name: `Stall ${mark}`, parent_account_id: hall.id });
  await money.go(`/automations?account=hall-${mark}`);
  for (const name of ["Hall", "Stall"]) await money.line(`${name} ${mark} · Ethereum`).filter({ hasText: "USDC" }).waitFor();
  await done();
});

test("acting for another organisation shows a banner, and an invalid id sends no request", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["404"] });
  const money = new Money(page);
  const asked = [];
  page.on("request", (request) => {
    if (request.url().includes("/v1/partners/accounts/")) asked.push(request.headers()["x-org-id"]);
  });
  await money.go("/automations?for=nobody&account=treasury");
  await page.getByText("Invalid organisation ID").waitFor();
  assert.deepEqual(asked, []);
  const stranger = "org_019aa8dc480075ebb94823ae8f60cafd";
  await money.go(`/automations?for=${stranger}&account=treasury`);
  await money.banner.getByText(stranger).waitFor();
  await page.locator(".failed").waitFor();
  assert.ok(asked.length > 0 && asked.every((target) => target === stranger), "every question names the organisation");
  await inspect(page, "acting_for");
  await money.button("Return to your organisation").click();
  await money.banner.waitFor({ state: "detached" });
  await page.getByText("Choose an account").waitFor();
  await inspect(page, "automations_choose");
  await done();
});

test("a partner lists sub-merchants, acts for one, reads its balances and automates one", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["401"] });
  const money = new Money(page);
  const { id: partner } = await merchant.call("GET", "/orgs");
  const name = `Kiosk ${Date.now()}`;
  const kiosk = JSON.parse(execFileSync(program, ["org", "create", "--database", `sqlite:${database}`, "--name", name, "--partner", partner, "--json"]));
  const asKiosk = (path, body) => fetch(`${url}/v1${path}`, { method: "POST", headers: { "x-api-key": kiosk.api_key, "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await asKiosk("/accounts/virtual", { reference: "till", name: "Kiosk till", chains: [{ chain_id: 8453, currencies: ["USDC", "EURC"] }] });
  assert.equal(answer.status, 201, await answer.text());
  assert.equal((await asKiosk("/sandbox/deposits", { account: "till", chain_id: 8453, currency: "USDC", amount: "25.75" })).status, 201);
  const held = async () => (await (await fetch(`${url}/v1/accounts/till/balances`, { headers: { "x-api-key": kiosk.api_key } })).json()).data;
  await merchant.until("the deposit is booked", async () => (await held()).some((balance) => balance.posted === "25.75"));
  const asked = [];
  page.on("request", (request) => {
    if (request.url().includes("/v1/partners/accounts/")) asked.push(request.headers()["x-org-id"]);
  });

  await money.go("/");
  await money.navigation.getByRole("link", { name: "Sub-merchants" }).click();
  await money.row(name).click();
  await money.drawer.locator("td", { hasText: "25.75 USDC" }).waitFor();
  await inspect(page, "sub_merchant_open");
  await money.drawer.getByRole("link", { name: "Automations" }).click();
  await page.waitForURL(new RegExp(`/automations\\?for=${kiosk.org_id}`));
  await money.banner.getByText(kiosk.org_id).waitFor();
  await page.getByLabel("Account reference").fill("till");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Kiosk till" }).waitFor();
  await money.line("USDC").getByText("25.75").first().waitFor();
  await money.button("Maintain a balance").click();
  await money.box.getByLabel("Minimum").fill("100");
  await money.box.getByLabel("Payout threshold").fill("500");
  await money.box.getByLabel("Pay the excess to").fill(WALLET);
  await money.confirm("Maintain a balance");
  await page.locator(BOX).last().getByLabel("Password").fill(password);
  await page.locator(BOX).last().getByRole("button", { name: "Continue" }).click();
  await money.line("Maintain balance").waitFor();
  await inspect(page, "sub_merchant");
  assert.ok(asked.length > 0 && asked.every((target) => target === kiosk.org_id), "every question names the sub-merchant");
  // Its movements too, still with the banner.
  await money.banner.getByRole("link", { name: "Movements" }).click();
  await page.waitForURL(new RegExp(`/movements\\?for=${kiosk.org_id}`));
  await money.banner.getByText(kiosk.org_id).waitFor();
  await money.row("25.75").waitFor();
  assert.equal(await money.rows.count(), 1, "nothing of the partner's own");
  await inspect(page, "movements_of_sub_merchant");
  await page.reload();
  await money.row("25.75").waitFor();
  assert.equal(await money.rows.count(), 1);
  await money.row("25.75").click();
  await money.drawer.locator(".lede", { hasText: "25.75" }).waitFor();
  await page.keyboard.press("Escape");
  // And quotes for its balance, which only the sub-merchant can accept.
  await money.banner.getByRole("link", { name: "Quote desk" }).click();
  await page.waitForURL(new RegExp(`/trade/rfq\\?for=${kiosk.org_id}`));
  await money.banner.getByText(kiosk.org_id).waitFor();
  await money.choose(page.locator(".leg select"), "USDC on Base");
  await page.locator(".leg").getByLabel("Amount to sell").fill("20");
  await money.choose(page.locator("select[name=buy_currency]"), "EURC on Base");
  await money.button("Get estimate").click();
  await page.getByText("It can’t be accepted").waitFor();
  const account = (await (await fetch(`${url}/v1/accounts/till`, { headers: { "x-api-key": kiosk.api_key } })).json()).data.id;
  await page.getByLabel("Funded by").fill(String(account));
  await page.getByLabel("Settled to").fill(String(account));
  await money.button("Get quote").click();
  await page.getByText("its members accept or reject it").waitFor();
  assert.equal(await money.button("Accept").count(), 0);
  await inspect(page, "quote_of_sub_merchant");
  const made = (await money.said("Quote").innerText()).match(/quo_[0-9a-f]+/)[0];
  const read = await (await fetch(`${url}/v1/trade/quote/${made}`, { headers: { "x-api-key": kiosk.api_key } })).json();
  assert.deepEqual([read.data.status, read.data.sell_assets[0].amount], ["Created", 20]);
  assert.equal(await money.said("Settled to").innerText(), `Account ${read.data.settlement_instruction.account_id}`);
  await money.button("Return to your organisation").click();
  await money.banner.waitFor({ state: "detached" });
  await page.locator("select[name=account_id]").waitFor();
  await page.getByText("No quote yet").waitFor();
  await money.go("/trade/rfq?for=nobody");
  await page.getByText("Invalid organisation ID").waitFor();
  assert.equal(await money.button("Get quote").count(), 0);
  await money.go("/movements?for=nobody");
  await page.getByText("Invalid organisation ID").waitFor();
  assert.equal(await money.rows.count(), 0);
  await money.go(`/movements?for=${kiosk.org_id}`);
  await money.button("Return to your organisation").click();
  await money.banner.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll(".page .table tbody tr[tabindex]").length > 1);
  await money.go("/automations");
  await money.pickFilter("Sub-merchant", name);
  await page.waitForURL((address) => address.searchParams.get("for") === kiosk.org_id);
  await money.chip(`Sub-merchant: ${name}`).waitFor();
  await money.button("Return to your organisation").click();
  await page.getByText("Choose an account").waitFor();
  await money.go("/sub-merchants");
  await money.row(name).waitFor();
  assert.match(await money.row(name).innerText(), /\b25\.75\b/, "the worth of its balances");
  await inspect(page, "sub_merchants");
  // Found by a part of its name among all.
  const search = page.getByPlaceholder("Name or ID");
  await search.fill(name.toUpperCase().slice(2));
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=/);
  await money.row(name).waitFor();
  assert.equal(await money.rows.count(), 1);
  await search.fill("nobody has this name");
  await page.keyboard.press("Enter");
  await page.getByText("No results for these filters").waitFor();
  // A part of an id acts for nobody.
  asked.length = 0;
  await money.turn("/sub-merchants?open=org_1");
  await money.drawer.getByText("Invalid organisation ID").waitFor();
  assert.deepEqual(asked, []);
  await done();
});

test("an automation form does not switch accounts on history navigation", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/automations");
  const offered = page.locator(".empty a");
  await offered.filter({ hasText: "Treasury, Base" }).waitFor();
  // A shared reference would be rejected.
  assert.equal(await offered.filter({ hasText: "Shop Europe" }).count(), 0);
  await offered.filter({ hasText: "Treasury, Base" }).click();
  await page.waitForURL(/account=treasury/);
  await money.button("Maintain a balance").click();
  await money.box.getByLabel("Minimum").waitFor();
  await page.goBack();
  await money.box.waitFor({ state: "detached" });
  await money.emptyTitle.waitFor();
  await done();
});

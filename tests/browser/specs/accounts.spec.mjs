import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard, startExport } from "../pages/dashboard.mjs";
import { Money } from "../pages/money.mjs";
import { signedIn } from "../session.mjs";
import { password } from "../settings.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

const REFUSED = ["409"];
const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const made = (reference, changes = {}) =>
  merchant.call("POST", "/accounts/virtual", { reference, name: `Account ${reference}`, chains: [{ chain_id: 1, currencies: ["USDC"] }], ...changes });

const OWN_WALLET = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const OTHER_OWN_WALLET = "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb";
const XPUB = "xpub6Bh6Cg7bvjFdW6VEAaZmsyhZh86WdJ9Kr5aqqY5LN7UFLpxTrxsiys213UCu8MAYjcq5JhF7jzZXvruGfWfPbxqsByNNhwWaNQRuhP3JcC3";
const PRIVATE = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";

test("balances of an account and its sub-account in one currency are told apart", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const mark = Date.now();
  const till = { chain_id: 1, currencies: ["USDC"], type: "CryptoPayIn" };
  const hall = await merchant.call("POST", "/accounts", { ...till, name: `Hall ${mark}` });
  await money.go(`/accounts/${hall.id}`);
  await money.line("USDC").waitFor();
  assert.equal(await money.line(`Hall ${mark}`).count(), 0, "a single balance needs no name");
  await merchant.call("POST", "/accounts", { ...till, name: `Stall ${mark}`, parent_account_id: hall.id });
  await money.go(`/accounts/${hall.id}`);
  for (const name of ["Hall", "Stall"]) await money.line(`${name} ${mark} · Ethereum`).filter({ hasText: "USDC" }).waitFor();
  await done();
});

test("accounts are listed with the worth of their balance, and what of it is reserved", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await merchant.deposit("3.20");
  await page.route(/\/v1\/accounts\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const worth = (account, at) => ({ ...account, balance_usd: at === 0 ? "2500.5" : undefined, reserved_usd: at === 0 ? "100" : undefined });
    answer.data.items = answer.data.items.slice(0, 2).map((account, at) => ({ ...worth(account, at), parent_id: undefined }));
    await route.fulfill({ response, json: answer });
  });
  await money.go("/accounts");
  const cells = (name) => page.locator(`.page .table td[data-label=${name}]`);
  const text = async (cell) => (await cell.innerText()).replace(/\s+/g, " ").trim();
  assert.equal(await text(cells("Balance").first()), "2,500.50 USD");
  assert.equal(await text(cells("Reserved").first()), "100.00 USD");
  assert.equal(await text(cells("Balance").nth(1)), "", "an unknown balance is not zero");
  await inspect(page, "accounts_worth");
  await done();
});

test("a virtual account is created and extended by chains, with a preview", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const reference = `shop-${Date.now()}`;
  await money.go("/accounts/new");
  await money.field("Name optional").fill("Browser shop");
  await money.field("Reference").fill(reference);
  await money.cell("USDC", "Base").check();
  await inspect(page, "create_account_filled");
  await money.button("Create account").click();
  await page.getByRole("heading", { level: 1, name: "Browser shop" }).waitFor();

  await money.cell("USDC", "Base").waitFor();
  assert.ok(await money.cell("USDC", "Base").isDisabled(), "what it takes stays");
  await money.cell("USDC", "Polygon").check();
  await money.cell("ETH", "Base").check();
  assert.deepEqual((await money.changes.allInnerTexts()).sort(), ["Add Polygon with USDC and a new wallet.", "Also accept ETH on Base."]);
  await inspect(page, "account_changes");
  await money.button("Apply changes").click();
  await money.confirm("Apply changes");
  await money.chain("Polygon").waitFor();

  await money.chain("Base").click();
  assert.deepEqual(await money.changes.allInnerTexts(), ["Turn Base off; its balance stays."]);
  await money.button("Apply changes").click();
  await money.confirm("Apply changes");
  await money.changes.first().waitFor({ state: "detached" });
  const account = await merchant.call("GET", `/accounts/${reference}`);
  const on = Object.fromEntries(account.sub_accounts.map((one) => [one.chain_id, [one.enabled, one.currencies]]));
  assert.deepEqual(on, { 8453: [false, ["ETH", "USDC"]], 137: [true, ["USDC"]] });
  await done();
});

test("a virtual account has the merchant's own wallet on each chain", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const reference = `own-${Date.now()}`;
  await money.go("/accounts/new");
  await money.field("Reference").fill(reference);
  await money.cell("USDC", "Base").check();
  await money.cell("USDC", "Polygon").check();
  await page.getByLabel("Wallet", { exact: true }).selectOption({ label: "Own wallet (address)" });
  // Without an address it never becomes a managed account.
  await money.button("Create account").click();
  const error = page.locator(".field-error", { hasText: "Your wallet address" });
  await error.waitFor();
  assert.equal(await error.count(), 1, "one error, not one per chain");
  await money.field("Your wallet address").fill(OTHER_OWN_WALLET);
  await inspect(page, "create_virtual_account_by_address");
  await money.button("Create account").click();
  await page.getByRole("heading", { level: 1, name: reference }).waitFor();
  const account = await merchant.call("GET", `/accounts/${reference}`);
  const wallets = account.sub_accounts.map((one) => [one.chain_id, one.address]);
  assert.deepEqual(wallets.sort(), [[137, OTHER_OWN_WALLET], [8453, OTHER_OWN_WALLET]]);
  await done();
});

test("deposit shares must not exceed 100 percent", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const { id } = await made(`splits-${Date.now()}`);
  const { id: treasury } = await merchant.account();
  await money.go(`/accounts/${id}`);
  const panel = money.panel("Deposit splits");
  await panel.getByRole("button", { name: "Add share" }).click();
  const first = panel.getByRole("group", { name: "Share 1" });
  await money.choose(first.getByLabel("Destination", { exact: true }), "Wholesale");
  await first.getByLabel("Share (%)").fill("60.5");
  await panel.getByText("Forwarded: 60.5%. Stays here: 39.5%.").waitFor();
  await panel.getByRole("button", { name: "Add share" }).click();
  const second = panel.getByRole("group", { name: "Share 2" });
  await second.getByLabel("Destination type").selectOption("account_ref");
  await second.getByLabel("Destination", { exact: true }).fill("treasury");
  await second.getByLabel("Share (%)").fill("40");
  await panel.getByText("The shares add up to 100.5%: more than 100%.").waitFor();
  assert.ok(await panel.getByRole("button", { name: "Save" }).isDisabled());
  await second.getByLabel("Share (%)").fill("39.5");
  await panel.getByRole("button", { name: "Save" }).click();
  await page.getByText("Deposit splits saved").waitFor();
  const { deposit_splits } = await merchant.call("GET", `/accounts/${id}`);
  assert.deepEqual(deposit_splits.map((split) => split.pct), ["60.5", "39.5"]);
  assert.ok(treasury);
  await done();
});

test("a share to an outside wallet needs step-up", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["401"] });
  const money = new Money(page);
  const { id } = await made(`outside-${Date.now()}`);
  await money.go(`/accounts/${id}`);
  const panel = money.panel("Deposit splits");
  await panel.getByRole("button", { name: "Add share" }).click();
  const share = panel.getByRole("group", { name: "Share 1" });
  await share.getByLabel("Destination type").selectOption("address");
  await share.getByLabel("Destination", { exact: true }).fill(WALLET);
  await share.getByLabel("Share (%)").fill("10");
  await panel.getByRole("button", { name: "Save" }).click();
  await money.prove(password);
  await page.getByText("Deposit splits saved").waitFor();
  const { deposit_splits } = await merchant.call("GET", `/accounts/${id}`);
  assert.deepEqual(deposit_splits, [{ address: WALLET, pct: "10" }]);
  await done();
});

test("input in one form of an account survives saving another", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const { id } = await made(`typed-${Date.now()}`);
  await money.go(`/accounts/${id}`);
  const panel = money.panel("Deposit splits");
  await panel.getByRole("button", { name: "Add share" }).click();
  await panel.getByLabel("Share (%)").fill("12.5");
  await money.cell("USDC", "Base").check();
  await money.button("Apply changes").click();
  await money.confirm("Apply changes");
  await page.getByText("Chains updated").waitFor();
  await page.locator(".matrix input:disabled[aria-label='USDC on Base']").waitFor();
  assert.equal(await panel.getByLabel("Share (%)").inputValue(), "12.5");
  await done();
});

test("a permanent address is created, and a non-empty account is not deleted", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: REFUSED });
  const money = new Money(page);
  const { id, name, sub_accounts } = await made(`gone-${Date.now()}`);
  await money.go(`/accounts/${id}`);
  await money.panel("Pay-in addresses").getByRole("button", { name: "Create address" }).click();
  await money.choose(money.box.getByLabel("Chain"), "Ethereum");
  await money.box.getByLabel("Reference optional").fill("Contract 7");
  await inspect(page, "create_pay_in_address");
  await money.confirm("Create address");
  await page.getByText("Address created").waitFor();
  await money.line("Contract 7").waitFor();

  await merchant.call("POST", "/sandbox/deposits", { account: String(sub_accounts[0].id), chain_id: 1, currency: "USDC", amount: "3.5" });
  await merchant.until("the deposit is booked", async () => (await merchant.call("GET", `/accounts/${id}/balances`))[0].posted === "3.5");
  await money.panel("Balances").locator("tbody tr", { hasText: "3.5" }).first().waitFor();
  await money.button("Delete account").click();
  const confirm = money.box.getByRole("button", { name: "Delete account" });
  assert.ok(await confirm.isDisabled(), "nothing is deleted before its name is typed");
  await money.box.getByRole("textbox").fill(name);
  await inspect(page, "delete_account");
  await confirm.click();
  await page.getByText("still holds USDC: pay it out or move it first").waitFor();
  await done();
});

test("permanent addresses are paged and exported", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const { id } = await made(`many-${Date.now()}`);
  // One per page: two pages.
  await money.go(`/accounts/${id}?rows=1`);
  const panel = money.panel("Pay-in addresses");
  for (const reference of ["Contract 1", "Contract 2"]) {
    await panel.getByRole("button", { name: "Create address" }).click();
    await money.choose(money.box.getByLabel("Chain"), "Ethereum");
    await money.box.getByLabel("Reference optional").fill(reference);
    await money.confirm("Create address");
    await money.box.waitFor({ state: "detached" });
    await money.line(reference).waitFor();
  }
  await panel.getByText("1–1 of 2").waitFor();
  await panel.getByRole("button", { name: "Next" }).click();
  await page.waitForURL(/page=2/);
  await money.line("Contract 1").waitFor();
  await page.goBack();
  await money.line("Contract 2").waitFor();
  await panel.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await startExport(money.box, "CSV");
  assert.equal((await download).suggestedFilename(), "pay-in-addresses.csv");
  await done();
});

test("an empty account is deleted after typing its name", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const { id, name } = await made(`empty-${Date.now()}`);
  await money.go("/accounts");
  await money.row(name).first().click();
  await page.waitForURL(`**/accounts/${id}`);
  await money.button("Delete account").click();
  await money.confirm("Delete account");
  await page.getByText("Account deleted").waitFor();
  await page.waitForURL("**/accounts");
  assert.ok((await merchant.call("GET", `/accounts/${id}`)).deleted_at);
  await done();
});

test("accounts with a shared reference can be filtered together and separately", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: REFUSED });
  const dashboard = new Dashboard(page);
  const reference = `till-${Date.now()}`;
  const paid = [];
  for (const [chain_id, name, amount] of [[8453, "Till on Base", "3.25"], [137, "Till on Polygon", "4.5"]]) {
    const { id } = await merchant.call("POST", "/accounts", { type: "CryptoPayIn", reference, name, chain_id, currencies: ["USDC"] });
    await merchant.call("POST", "/sandbox/deposits", { account: String(id), chain_id, currency: "USDC", amount });
    paid.push({ id, amount });
  }
  const list = () => merchant.call("GET", `/accounts/${reference}/movement`);
  await merchant.until("both deposits are booked", async () => (await list()).total === 2);

  await dashboard.go("/movements");
  const choice = () => dashboard.filter("Account");
  await (await choice()).selectOption({ label: `${reference} · all accounts` });
  await page.waitForURL((address) => address.searchParams.get("account") === reference);
  await dashboard.total.getByText("2").first().waitFor();
  await dashboard.row("4.5").waitFor();
  assert.equal(await dashboard.rows.count(), 2);
  const moments = await page.locator(".page .table tbody time.timestamp").evaluateAll((all) => all.map((one) => one.dateTime));
  assert.deepEqual(moments, (await list()).items.map((one) => one.created_at), "in the order of the service");
  await inspect(page, "movements_together");
  await page.reload();
  await dashboard.drawn();
  assert.equal(await (await choice()).inputValue(), reference, "it is chosen after a reload, too");

  for (const { id, amount } of paid) {
    await (await choice()).selectOption(String(id));
    await dashboard.row(amount).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".page .table tbody tr[tabindex]").length === 1);
  }
  // A page of a single account lists the accounts of the reference.
  await dashboard.go(`/accounts/${reference}`);
  const said = await dashboard.alert.innerText();
  for (const { id } of paid) assert.ok(said.includes(String(id)), said);
  await inspect(page, "account_ambiguous");
  await done();
});

test("a settlement account says who can move its money, and checks the wallet as it is typed", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/accounts/new?kind=settlement");
  const wallet = page.getByLabel("Wallet", { exact: true });
  await page.getByText("The service holds the keys: it can move the money").waitFor();
  assert.equal(await page.locator("input[name=address], input[name=xpub]").count(), 0);
  await money.choose("Chain", "Base");
  await page.getByRole("checkbox", { name: "USDC" }).check();

  await wallet.selectOption({ label: "Own wallet (extended public key)" });
  await page.getByText("Only you can move the money, with your wallet alone.").waitFor();
  const typed = page.locator(".as-typed .field-error");
  await money.field("Extended public key").fill(PRIVATE);
  await typed.getByText("not the private one").waitFor();
  await money.field("Extended public key").fill("xpub6Bh6C");
  await typed.getByText("must be an extended public key").waitFor();
  await inspect(page, "create_account_by_key");
  await money.field("Extended public key").fill(XPUB);
  await typed.waitFor({ state: "detached" });
  // Without a wallet it never becomes a managed account.
  await money.field("Extended public key").fill("");
  await money.button("Create account").click();
  await page.locator(".field-error", { hasText: "Extended public key" }).waitFor();

  await wallet.selectOption({ label: "Own wallet (address)" });
  await page.getByText("you sign each payout with your wallet").waitFor();
  assert.equal(await money.field("Your wallet address").inputValue(), "", "no key is taken for an address");
  await money.field("Your wallet address").fill(`${OWN_WALLET.slice(0, -1)}D`);
  await typed.waitFor();
  await inspect(page, "create_account_by_address");
  await money.field("Your wallet address").fill(OWN_WALLET);
  await typed.waitFor({ state: "detached" });
  await page.locator("input[name=name]").fill("Own till");
  await money.button("Create account").click();
  await page.getByRole("heading", { level: 1, name: "Own till" }).waitFor();
  assert.equal(await money.said("Keys held by").innerText(), "You");
  assert.equal(await page.getByRole("link", { name: "Pay out" }).count(), 0, "no wallet signs on a simulated chain");
  await inspect(page, "account_of_own_wallet");
  await done();
});

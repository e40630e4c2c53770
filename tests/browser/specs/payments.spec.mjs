// Payments without a link.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Money } from "../pages/money.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
  await merchant.account();
});
after(() => browser.close());

test("a payment is requested with errors at their fields, and its address is shown", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/payments");
  await money.button("Request payment").click();
  const form = money.drawer.locator("form");
  await money.choose(form.getByLabel("To account"), "Treasury, Base");
  await money.choose(form.getByLabel("Currency"), "USDC");
  const amount = form.getByLabel("Amount");
  await amount.fill("0");
  await form.getByRole("button", { name: "Request payment" }).click();
  await form.getByText("Amount must be greater than zero.").waitFor();
  await inspect(page, "request_payment");
  await amount.fill("17.25");
  await form.getByLabel("Reference").fill(`by-hand-${Date.now()}`);
  await form.getByLabel("Metadata").fill("no colon");
  await form.getByRole("button", { name: "Request payment" }).click();
  await form.getByText("needs a colon on line 1").waitFor();
  await form.getByLabel("Metadata").fill("ship: Aurora\nberth: 7");
  await form.getByRole("button", { name: "Request payment" }).click();
  await page.waitForURL(/open=pay_/);
  const id = new URL(page.url()).searchParams.get("open");
  await money.drawer.locator(".payload").getByText("ship").waitFor();
  const made = await merchant.call("GET", `/payments/${id}`);
  assert.equal(made.amount, "17.25");
  assert.deepEqual(made.metadata, { ship: "Aurora", berth: "7" });
  await money.drawer.getByText(made.deposit_address).first().waitFor();
  await money.drawer.getByText("QR code").click();
  await money.drawer.getByRole("img", { name: "QR code of the deposit address" }).waitFor();
  await inspect(page, "requested_payment");
  await done();
});

test("a payout among the payments is named and has a minus sign", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const { items } = await merchant.call("GET", "/payouts?limit=100");
  const payout = items.find((one) => !one.parent_id);
  assert.ok(payout);
  await page.route(/\/v1\/payments\?/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.items = [payout, { ...payout, id: payout.id.replace(/.$/, (last) => (last === "0" ? "1" : "0")), parent_id: payout.id }];
    body.data.total = 2;
    await route.fulfill({ response: answer, json: body });
  });
  await money.go("/payments?payment_method=Payout");
  for (const [at, kind] of [/^Payout/, /^Refund/].entries()) {
    assert.match(await money.rows.nth(at).locator("td").first().innerText(), kind);
    assert.match(await money.rows.nth(at).locator(".amount").first().innerText(), /^\u2212/);
  }
  await done();
});

/** The last number of a text: `1–25 of 2,207` is 2207. */
const last = (text) => Number(text.replaceAll(",", "").match(/\d+/g).at(-1));

test("payouts are not among the payments, unless they are asked for", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const count = async (methods) => (await merchant.call("GET", `/payments?limit=1${methods}`)).total;
  const received = "&payment_method=ProxyWallet,Direct";
  assert.ok((await count("")) > (await count(received)), "there are payouts");
  await money.go("/payments");
  for (const [chosen, title, asked] of [["Payments and payouts", "Payments and payouts", ""], ["Payouts", "Payouts", "&payment_method=Payout"], ["Payments", "Payments", received]]) {
    await (await money.filter("Type")).selectOption(chosen);
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    const saw = {};
    // Payments of other specs arrive in between.
    await merchant.until(`all ${title}`, async () => {
      saw.shown = last(await money.total.innerText());
      saw.counted = await count(asked);
      return saw.shown === saw.counted;
    }, { saw: () => saw });
  }
  await done();
});

test("the counter and the badge of processing payments have as many as their list", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const link = await merchant.paylink();
  await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  await money.go("/");
  await page.locator("a.counter", { hasText: "Payments processing" }).click();
  await page.waitForURL(/\/payments\?status=Processing$/);
  await money.drawn();
  const saw = {};
  await merchant.until("as many as are counted", async () => {
    saw.shown = last(await money.total.innerText());
    saw.badge = last(await money.navigation.getByRole("link", { name: /^Payments/ }).first().innerText());
    saw.counted = (await merchant.call("GET", "/overview")).payments_processing;
    return saw.shown === saw.counted && saw.badge === saw.counted;
  }, { saw: () => saw });
  await done();
});

test("payments are found by customer, link and reference, and by a range of amounts", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const mark = `Rare beans ${Date.now()}`;
  const link = await merchant.paylink({ name: mark, amount: "4321.5" });
  await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", name: `Ada ${mark}`, email: `ada-${Date.now()}@payer.example` });
  for (const text of [mark.toLowerCase(), `ada ${mark}`]) {
    await money.go("/payments");
    await (await money.filter("Search")).fill(text);
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=/);
    await page.locator(".pager-summary", { hasText: "1–1 of 1" }).waitFor();
    await money.row(mark).waitFor();
  }
  await money.go("/payments?currency=USDC&amount_from=4321&amount_to=4322");
  await money.row(mark).waitFor();
  for (const amount of await money.rows.locator("td[data-label=Amount]").allInnerTexts()) assert.match(amount, /^4,32[12]\.\d+ USDC$/);
  await (await money.filter("At most", "Amount")).fill("4321.4");
  await page.keyboard.press("Enter");
  await page.waitForURL(/amount_to=4321\.4/);
  await money.row(mark).waitFor({ state: "detached" });
  await inspect(page, "payments_by_amount");
  await done();
});

test("payments of a customer and of a link are found by picking them by name", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const mark = Date.now();
  const link = await merchant.paylink({ name: `Picked beans ${mark}` });
  const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", name: `Grace ${mark}`, email: `grace-${mark}@payer.example` });
  const { customer_id } = await merchant.call("GET", `/payments/${payment_id}`);
  for (const [filter, name, parameter, id] of [["Customer", `Grace ${mark}`, "customer_id", customer_id], ["Payment link", `Picked beans ${mark}`, "paylink_id", link.id]]) {
    await money.go("/payments");
    await money.pickFilter(filter, name);
    await page.waitForURL((address) => address.searchParams.get(parameter) === id);
    await money.chip(`${filter}: ${name}`).waitFor();
    await page.locator(".pager-summary", { hasText: "1–1 of 1" }).waitFor();
    // The name comes with the id after a reload, too, and another one can be chosen.
    await page.reload();
    await money.chip(`${filter}: ${name}`).waitFor();
    await money.chip(`${filter}: ${name}`).click();
    await inspect(page, `picker_${parameter}`);
    await page.locator(".filter-editor:popover-open").getByRole("button", { name: "Change" }).click();
    await page.waitForURL((address) => !address.searchParams.has(parameter));
    const field = page.locator(".filter-editor:popover-open").getByRole("combobox");
    await field.waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "combobox");
    // By keyboard: the first match is chosen by Enter.
    await field.fill(name);
    await page.locator(".filter-editor:popover-open").getByRole("option").nth(1).waitFor({ state: "detached" });
    await page.locator(".filter-editor:popover-open").getByRole("option", { name }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.searchParams.get(parameter) === id);
    await field.waitFor({ state: "detached" });
  }
  await money.go("/payments");
  await (await money.filter("Customer")).fill("nobody has this name");
  await page.getByText("No matching customers.").waitFor();
  await done();
});

test("the only customer is chosen by Enter, though the text finds no other than before", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const [only] = (await merchant.call("GET", "/customers?limit=1")).items;
  await page.route(/\/v1\/customers\?/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    Object.assign(json.data, { items: [{ ...only, name: "Ada Only" }], total: 1, next: undefined });
    await route.fulfill({ response, json });
  });
  await money.go("/payments");
  const field = await money.filter("Customer");
  const option = page.locator(".filter-editor:popover-open").getByRole("option", { name: "Ada Only" });
  await option.waitFor();
  await field.fill("ada");
  await page.locator(".filter-editor:popover-open [role=option][aria-selected=true]", { hasText: "Ada Only" }).waitFor();
  // Enter waits for the answer to the text.
  await merchant.until("the customer is chosen", async () => {
    if (await field.isVisible()) await page.keyboard.press("Enter");
    return page.url().includes(only.id);
  });
  await done();
});

test("payer data is shown on the payment, with a link to its paylink", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const link = await merchant.paylink({ name: `Beans by post ${Date.now()}`, metadata: { shipping_address_collection: true, tax_ident_collection: true, shelf: "B2" } });
  const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", shipping_address: "Hafenstr. 7\n20457 Hamburg", tax_ident: "DE123456789" });
  await money.go(`/payments?open=${payment_id}`);
  await money.drawer.locator(".lede").waitFor();
  assert.equal(await money.fact("Shipping address").innerText(), "Hafenstr. 7\n20457 Hamburg");
  assert.equal(await money.fact("Tax number").innerText(), "DE123456789");
  assert.match(await money.fact("Chain").innerText(), /Ethereum/);
  await inspect(page, "payment_with_answers");
  await money.drawer.getByRole("link", { name: "View payment link" }).click();
  await page.waitForURL(new RegExp(`/paylinks\\?open=${link.id}$`));
  await money.drawer.locator(".payload").getByText("shelf").waitFor();
  await inspect(page, "paylink_own_data");
  await merchant.call("POST", "/payments", { amount: "1", currency: "USDC", chain_id: 8453 });
  await money.drawer.getByRole("link", { name: "View payments" }).click();
  await page.waitForURL(new RegExp(`/payments\\?paylink_id=${link.id}$`));
  await page.getByRole("button", { name: /^Clear Payment link: Beans by post/ }).waitFor();
  assert.equal(await money.rows.count(), 1);
  await done();
});

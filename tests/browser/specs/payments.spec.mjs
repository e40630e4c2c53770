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
  await money.go("/payments");
  for (const [at, kind] of [/^Payout/, /^Refund/].entries()) {
    assert.match(await money.rows.nth(at).locator("td").first().innerText(), kind);
    assert.match(await money.rows.nth(at).locator(".amount").first().innerText(), /^\u2212/);
  }
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

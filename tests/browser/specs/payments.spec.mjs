// A payment without a link: asked for by hand, with an address of its own.

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

test("a payment is requested, complaints stand at their fields, and its address is passed on", async () => {
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
  await form.getByRole("button", { name: "Request payment" }).click();
  await page.waitForURL(/open=pay_/);
  const id = new URL(page.url()).searchParams.get("open");
  const made = await merchant.call("GET", `/payments/${id}`);
  assert.equal(made.amount, "17.25");
  await money.drawer.getByText(made.deposit_address).first().waitFor();
  await money.drawer.getByText("QR code").click();
  await money.drawer.getByRole("img", { name: "QR code of the deposit address" }).waitFor();
  await inspect(page, "requested_payment");
  await done();
});

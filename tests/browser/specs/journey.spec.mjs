// One payment end to end, with the merchant on one page and the payer on another.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

const THANKS = "https://shop.example/thanks";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
  await merchant.account();
});
after(() => browser.close());

test("a link is created, paid and confirmed; the payer is redirected; movement, balance and event appear live", async () => {
  const name = `Journey ${Date.now()}`;
  const one = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(one.page);
  await dashboard.go("/");
  await dashboard.createPaylink({ name, amount: "7.250001", currency: "USDC", redirect: THANKS });
  await dashboard.paylinkAddress.waitFor();
  const address = await dashboard.paylinkAddress.innerText();

  // The merchant has three pages open that are never reloaded.
  const watching = {};
  const { id: till } = await merchant.account();
  for (const [what, path] of Object.entries({ movements: `/movements?account=${till}`, overview: "/", events: "/events" })) {
    watching[what] = await visit(browser, "light", { storageState });
    await new Dashboard(watching[what].page).go(path);
    await watching[what].page.evaluate(() => (globalThis.notReloaded = true));
  }

  const two = await visit(browser, "narrow");
  await two.page.route(`${THANKS}**`, (route) => route.fulfill({ contentType: "text/html", body: "<title>Thanks</title>" }));
  const checkout = new Checkout(two.page);
  await checkout.go(address);
  assert.match(await checkout.price.innerText(), /7\.250001/);
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  await two.page.waitForURL(/payment=pay_/);
  assert.equal(await checkout.line("Amount").innerText(), "7.250001 USDC");
  assert.match(await checkout.line("Address").innerText(), /^0x[0-9a-fA-F]{40}$/);
  assert.ok((await checkout.qr.getAttribute("d")).length > 100);
  assert.match(await checkout.timeLeft.innerText(), /^\d+:\d\d/);

  const paymentId = new URL(two.page.url()).searchParams.get("payment");
  const three = await visit(browser, "light", { storageState });
  await new Dashboard(three.page).go(`/payments?open=${paymentId}`);
  const payment = new Dashboard(three.page);
  await payment.drawer.getByText("Processing").first().waitFor();

  await checkout.testWallet.click();
  await checkout.confirmations.waitFor();
  await merchant.until("confirmations are counted", async () => /\d+ of \d+/.test(await checkout.confirmations.innerText()));
  await two.page.getByRole("heading", { name: "Paid", exact: true }).waitFor({ timeout: 60_000 });
  await two.page.waitForURL(`${THANKS}**`, { timeout: 15_000 });
  assert.equal(await two.page.title(), "Thanks");

  await payment.drawer.locator(".lede").getByText("Confirmed").waitFor({ timeout: 20_000 });
  const movement = new Dashboard(watching.movements.page).row("7.250001").first();
  await movement.getByText("Confirmed").waitFor({ timeout: 20_000 });
  assert.match(await movement.innerText(), /\+7\.250001/);
  await watching.events.page.locator(".table tbody").getByText("payment.updated").first().waitFor({ timeout: 20_000 });
  const overview = await merchant.call("GET", "/overview");
  const { available } = overview.balances.find((one) => one.currency === "USDC" && one.chain.id === 1);
  await merchant.until("the balance is the exact one", async () => (await watching.overview.page.locator("#main").innerText()).replaceAll(",", "").includes(available.replace(/(\.\d*?)0+$/, "$1")));
  for (const { page } of Object.values(watching)) assert.equal(await page.evaluate(() => globalThis.notReloaded), true);

  for (const visitor of [one, two, three, ...Object.values(watching)]) await visitor.done();
});

test("reloading the payer's page keeps its step, and going back returns to the choice", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  const address = await checkout.line("Address").innerText();
  await page.waitForURL(/payment=pay_/);
  await page.reload();
  await checkout.testWallet.waitFor();
  assert.equal(await checkout.line("Address").innerText(), address);
  await page.goBack();
  await page.getByRole("heading", { name: "How do you want to pay?" }).waitFor();
  await done();
});

test("the payer can cancel the redirect", async () => {
  const link = await merchant.paylink({ after_completion: { type: "redirect", redirect_url: THANKS, custom_message: "Thank you for your order." } });
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.click();
  await checkout.stay.click({ timeout: 60_000 });
  await page.getByText("Staying on this page").waitFor();
  await page.getByText("Thank you for your order.", { exact: true }).waitFor();
  assert.match(page.url(), /\/pay\//);
  await done();
});

test("a closed link shows the reason", async () => {
  const link = await merchant.paylink();
  await merchant.call("DELETE", `/paylinks/${link.id}`);
  const { page, done } = await visit(browser, "narrow");
  await new Checkout(page).go(link.url);
  await page.getByRole("heading", { name: "This link no longer exists" }).waitFor();
  await done();
});

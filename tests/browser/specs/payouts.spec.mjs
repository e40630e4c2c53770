import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX } from "../pages/dashboard.mjs";
import { Money } from "../pages/money.mjs";
import { signedIn } from "../session.mjs";
import { password } from "../settings.mjs";

// The browser logs the 401 that asks for step-up as an error.
const PROOF = ["401"];
const WALLET = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const BUSY = '{"error":{"code":429,"message":"too many requests","errors":[]}}';
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

const payouts = async () => (await merchant.call("GET", "/payouts?limit=100")).items;

async function wallet(money, name, address) {
  await money.go("/external-accounts?new=1");
  await money.drawer.getByLabel("Name optional").fill(name);
  await money.choose(money.drawer.getByLabel("Chain"), "Base");
  await money.drawer.getByLabel("Address", { exact: true }).fill(address);
  await money.drawer.getByLabel("USDC").check();
}

test("a destination is added, paid with the fee shown, and removed, each with step-up", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  const money = new Money(page);
  const name = `Cold wallet ${Date.now()}`;
  await wallet(money, name, `${WALLET.slice(0, -1)}8`);
  await money.drawer.getByRole("button", { name: "Add payout destination" }).click();
  await money.drawer.locator(".field-error").waitFor();
  await money.drawer.getByLabel("Address", { exact: true }).fill(WALLET);
  await inspect(page, "create_external_account");
  await money.drawer.getByRole("button", { name: "Add payout destination" }).click();
  await money.prove(password);
  await money.drawer.locator(".lede", { hasText: name }).waitFor();
  await inspect(page, "external_account");

  await money.turn("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill("12.345678");
  await money.choose(money.field("To"), name);
  const estimate = page.locator("aside");
  await estimate.locator(".facts").waitFor();
  const fee = await estimate.locator(".facts dt", { hasText: "Network fee" }).locator("xpath=following-sibling::dd[1]").innerText();
  assert.match(fee, /^[0-9.]+\s+[A-Z]+$/);
  for (const name of ["Total", "Remaining balance"]) assert.match(await estimate.locator(".facts dt", { hasText: name }).locator("xpath=following-sibling::dd[1]").innerText(), /USDC$/);
  await inspect(page, "create_payout_filled");
  await money.button("Review payout").click();
  await money.box.getByText("You’ll send 12.345678 USDC").waitFor();
  await money.box.getByText(/the account is charged [\d.,]+ USDC.* [\d.,]+ USDC remain available\./i).waitFor();
  await inspect(page, "create_payout_ask");
  await money.confirm("Send payout");
  await page.waitForURL("**/payouts?open=**");
  await money.drawer.locator(".lede", { hasText: "12.345678" }).waitFor();
  const id = new URL(page.url()).searchParams.get("open");
  const paid = (await payouts()).find((one) => one.id === id);
  assert.equal(paid.amount, "12.345678");
  assert.equal(await money.row("12.345678").getByText(name).count(), 1, "it says which destination it went to");
  await inspect(page, "payout");

  await money.turn("/external-accounts");
  await money.row(name).getByText(name).click();
  await money.drawer.getByRole("button", { name: "Remove" }).click();
  await money.confirm("Remove");
  await page.getByText("Payout destination removed").waitFor();
  const removed = (await merchant.call("GET", "/accounts/external-account")).items.find((one) => one.name === name);
  assert.equal(removed.enabled, false);
  await money.row(name).getByText("Removed").waitFor();
  await done();
});

test("a payout without an answer is shown as unknown, and a retry pays once", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: [...PROOF, "ERR_FAILED", "429"] });
  const money = new Money(page);
  await money.go("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill("7.000001");
  await money.choose(money.field("To"), "Different address");
  await money.field("Address").fill(OTHER);
  const before = (await payouts()).filter((one) => one.amount === "7.000001").length;
  // The request succeeds, but its response is lost once.
  let lost = 0;
  const sent = [];
  await page.route("**/v1/payouts", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    // The first retry is rate limited, which says nothing about the payout.
    if (lost === 1 && sent.length === 1) return sent.push("busy"), route.fulfill({ status: 429, contentType: "application/json", body: BUSY });
    const answer = await route.fetch();
    if (answer.status() === 201) sent.push([route.request().headers()["idempotency-key"], route.request().postData()]);
    if (answer.status() !== 201 || lost > 0) return route.fulfill({ response: answer });
    lost += 1;
    return route.abort();
  });
  await money.button("Review payout").click();
  await money.confirm("Send payout");
  await money.prove(password);
  await page.getByText("Outcome unknown").waitFor();
  await inspect(page, "payout_unknown");
  await money.field("Amount").fill("70");
  await money.button("Retry").click();
  await page.getByText("Too many requests").waitFor();
  await money.button("Retry").click();
  await page.waitForURL("**/payouts?open=**");
  assert.equal(lost, 1);
  const [first, , again] = sent;
  assert.deepEqual(again, first, "the very same request under the same key, whatever the fields say");
  assert.equal((await payouts()).filter((one) => one.amount === "7.000001").length, before + 1);
  await done();
});

test("a rate-limited payout is not shown as unknown", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["429"] });
  const money = new Money(page);
  await money.go("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill("3");
  await money.choose(money.field("To"), "Different address");
  await money.field("Address").fill(OTHER);
  await page.route("**/v1/payouts", (route) => (route.request().method() === "POST" ? route.fulfill({ status: 429, contentType: "application/json", body: BUSY }) : route.continue()));
  await money.button("Review payout").click();
  await money.confirm("Send payout");
  await page.locator(".failed", { hasText: "Too many requests" }).waitFor();
  assert.equal(await page.getByText("Outcome unknown").count(), 0);
  await done();
});

test("an amount with a comma is rejected before a request is sent", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill("7,5");
  await money.button("Review payout").click();
  await page.locator(".field-error", { hasText: "Amount must be a number with a decimal point" }).waitFor();
  await page.locator(".field-error", { hasText: "To is required" }).waitFor();
  assert.equal(await money.box.count(), 0);
  await inspect(page, "payout_refused");
  await done();
});

test("an estimate is hidden when the amount changes", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  await money.go("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill("5");
  const costs = page.locator("aside .facts");
  await costs.filter({ hasText: "5.00 USDC" }).waitFor();
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route(/\/v1\/payouts\/estimate/, async (route) => {
    await held;
    await route.continue();
  });
  await money.field("Amount").fill("6");
  await costs.waitFor({ state: "detached" });
  letGo();
  await costs.filter({ hasText: "6.00 USDC" }).waitFor();
  await done();
});

test("leaving the page closes the step-up dialog", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  const money = new Money(page);
  await money.go("/payouts");
  await money.turn("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill("4");
  await money.choose(money.field("To"), "Different address");
  await money.field("Address").fill(OTHER);
  await money.button("Review payout").click();
  await money.confirm("Send payout");
  await money.stepUp.getByText("Confirm it’s you").waitFor();
  // Nothing is sent yet: the leave dialog opens above the step-up dialog.
  await page.evaluate(() => history.back());
  await money.stepUp.getByRole("button", { name: "Leave" }).click();
  await money.stepUp.first().waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
  await done();
});

test("a payout above the balance is refused before the password, else by the service", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: [...PROOF, "422"] });
  const money = new Money(page);
  await money.go("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill("99999999");
  await money.choose(money.field("To"), "Different address");
  await money.field("Address").fill(OTHER);
  await page.getByText("Insufficient balance").waitFor();
  await inspect(page, "payout_not_covered");
  await money.button("Review payout").click();
  await page.locator(".field-error", { hasText: /Amount and the fees exceed the available balance of [\d.,]+ [A-Z]+\./ }).waitFor();
  assert.equal(await money.box.count(), 0);
  // The balance may also fall after the estimate.
  await page.route("**/v1/payouts/estimate?**", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.covered = true;
    await route.fulfill({ response, json });
  });
  await money.field("Amount").fill("99999998");
  await page.getByText("Insufficient balance").waitFor({ state: "detached" });
  await money.button("Review payout").click();
  await money.confirm("Send payout");
  await money.prove(password);
  await page.locator(".failed, .field-error").first().waitFor();
  await done();
});

const begun = async () => {
  const link = await merchant.paylink();
  const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  return payment_id;
};
const pay = (id, body) => merchant.call("POST", `/sandbox/checkout/payments/${id}/pay`, body);

test("a partly paid payment cannot be canceled, with the reason shown", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const money = new Money(page);
  const id = await begun();
  await pay(id, { amount: "5" });
  await money.go(`/payments?open=${id}`);
  await money.drawer.getByText("It can’t be canceled: money was received.").waitFor();
  assert.ok(await money.drawer.getByRole("button", { name: "Cancel payment" }).isDisabled());
  await inspect(page, "payment_not_cancellable");
  await done();
});

test("a partial refund needs step-up", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  const money = new Money(page);
  const payment_id = await begun();
  await pay(payment_id, {});
  await money.go(`/payments?open=${payment_id}`);
  await money.drawer.getByRole("button", { name: "Refund" }).click({ timeout: 30_000 });
  // An empty amount does not mean a full refund.
  await money.box.getByLabel("Amount", { exact: true }).fill(" ");
  await money.box.getByRole("button", { name: "Review refund" }).click();
  await money.box.getByText("Amount must be a number with a decimal point").waitFor();
  // Nobody enters a password for a refund that is refused.
  await money.box.getByLabel("Amount", { exact: true }).fill("1000000");
  await money.box.getByRole("button", { name: "Review refund" }).click();
  await money.box.getByText(/Amount must be at most [\d.]+ USDC/).waitFor();
  assert.equal(await money.box.count(), 1, "nothing is asked");
  await money.box.getByLabel("Amount", { exact: true }).fill("2.5");
  await money.box.getByText("You’ll refund 2.50 USDC to 0x").waitFor();
  await money.box.getByText(/[\d.]+ USDC remain refundable\./).waitFor();
  await inspect(page, "refund");
  await money.box.getByRole("button", { name: "Review refund" }).click();
  await money.stepUp.last().getByText("You’ll refund 2.50 USDC to 0x").waitFor();
  await money.stepUp.last().getByText("This can’t be undone").waitFor();
  await inspect(page, "refund_ask");
  await money.confirm("Refund");
  await money.stepUp.last().getByText("Confirm it’s you").waitFor();
  await page.locator(BOX).last().getByLabel("Password").fill(password);
  await page.locator(BOX).last().getByRole("button", { name: "Continue" }).click();
  await page.getByText("The refund is on its way").waitFor();
  await money.drawer.getByText("Partly refunded").first().waitFor();
  await inspect(page, "payment_refunded");
  assert.equal((await merchant.call("GET", `/payments/${payment_id}`)).refunded_amount, "2.5");
  await done();
});

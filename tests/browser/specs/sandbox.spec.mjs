import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

test("a reorganised deposit disappears, and a transaction without a block is rejected", async () => {
  const { id } = await merchant.account();
  const { page, done } = await visit(browser, "light", { storageState, expected: ["422"] });
  await new Dashboard(page).go("/sandbox");
  await page.getByLabel("Account").selectOption(String(id));
  await page.getByLabel("Currency").selectOption("USDC");
  await page.getByLabel("Amount").fill("17.25");
  await page.getByRole("button", { name: "Send deposit" }).click();
  const hash = page.getByLabel("Transaction hash");
  // The deposit's hash is filled in.
  await page.waitForFunction((field) => field.value !== "", await hash.elementHandle());
  const sent = await hash.inputValue();
  await page.getByRole("button", { name: "Trigger reorg" }).click();
  await page.getByText("Reorg triggered").waitFor();
  const { items } = await merchant.call("GET", `/accounts/${id}/movement?limit=20`);
  assert.equal(items.find(({ transaction_hash }) => transaction_hash === sent)?.status, "Failed");

  await hash.fill("0xnobody");
  await page.getByRole("button", { name: "Trigger reorg" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  assert.equal(await hash.getAttribute("aria-invalid"), "true");
  await inspect(page, "sandbox_refused");
  await done();
});

test("failing an unknown payout shows the error at its field", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["422", "404", "400"] });
  await new Dashboard(page).go("/sandbox");
  const payout = page.getByLabel("Payout", { exact: true });
  await payout.fill("pay_nobody");
  await page.getByRole("button", { name: "Force failure" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  assert.equal(await payout.getAttribute("aria-invalid"), "true");
  await done();
});

test("refusing an unknown order shows the error at its field", async () => {
  const { page, done } = await visit(browser, "dark", { storageState, expected: ["422", "404", "400"] });
  await new Dashboard(page).go("/sandbox");
  const order = page.getByLabel("Order", { exact: true });
  await order.fill("ord_019cade5a0007000800000000000dead");
  await page.getByRole("button", { name: "Refuse order" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  assert.equal(await order.getAttribute("aria-invalid"), "true");
  await inspect(page, "sandbox_order");
  await done();
});

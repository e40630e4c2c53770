// An operator's day: twenty tasks, one after another, by keyboard alone.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { SIGNED_OUT, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX } from "../pages/dashboard.mjs";
import { Keyboard } from "../pages/keyboard.mjs";
import { withReceiver } from "../session.mjs";
import { email, password, url } from "../settings.mjs";
import { cells } from "../workbook.mjs";

const made = withReceiver(500);
const mark = Date.now();

/** A confirmed payment of a customer of this test, and the hash of its transaction. */
async function sale(name) {
  const link = await merchant.paylink({ name: `Day ${mark}`, });
  const chosen = { chain_id: 1, currency: "USDC", name, email: `day-${mark}@shop.example`, customer_ident: `day-${mark}` };
  const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, chosen);
  await merchant.call("POST", `/sandbox/checkout/payments/${payment_id}/pay`, {});
  const read = () => merchant.call("GET", `/payments/${payment_id}`);
  await merchant.until("the payment is confirmed", async () => (await read()).status === "Confirmed");
  const payment = await read();
  return { id: payment_id, hash: payment.crypto_transactions[0].transaction_hash, link };
}

test("an operator's day: twenty tasks by keyboard alone", async () => {
  const buyer = `Dana Day ${mark}`;
  await merchant.call("PUT", "/orgs", { webhook_url: made.receiver.url });
  const { id, hash, link } = await sale(buyer);
  await merchant.deposit("500");
  const { page, done } = await visit(made.browser, "light", { expected: [SIGNED_OUT, "401"] });
  const keyboard = new Keyboard(page);
  await keyboard.alone();
  const box = page.locator(BOX);
  let tasks = 0;
  const task = async (_, act) => {
    await act();
    await keyboard.noPointerWasUsed();
    tasks += 1;
  };
  const focused = (selector) => page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
  /** Goes to a page by the palette, as `g` and a name would. */
  const goTo = async (name) => {
    await keyboard.find(name);
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await keyboard.drawn();
  };
  const prove = async () => {
    await box.getByText("Confirm it’s you").waitFor();
    await focused("input[type=password]");
    await keyboard.type(password);
    await keyboard.press("Enter");
  };

  await task("sign in", async () => {
    await page.goto(url);
    await page.locator("#field-email").waitFor();
    await keyboard.to("Email");
    await keyboard.type(email);
    await keyboard.to("Password");
    await keyboard.type(password);
    await keyboard.press("Enter");
    await keyboard.navigation.waitFor();
    await keyboard.drawn();
  });

  await task("see what was available a month ago, exactly", async () => {
    await keyboard.to("Show as table");
    await keyboard.press("Enter");
    await page.locator(".page details[open] table tbody tr").first().waitFor();
  });

  await task("find a payment by its transaction", async () => {
    await keyboard.find(hash);
    await page.waitForURL(new RegExp(`open=${id}`));
    await keyboard.drawer.locator(".lede").waitFor();
    assert.match(await keyboard.drawer.locator(".timeline").innerText(), /Confirmed/);
  });

  await task("read gross, fee and net", async () => {
    for (const name of ["Gross", "Net"]) await keyboard.fact(name).waitFor();
  });

  await task("leave a note for a colleague", async () => {
    await keyboard.to(/^New note/);
    await keyboard.type("Called the payer");
    await keyboard.to("Add note");
    await keyboard.press("Enter");
    await keyboard.drawer.getByText("Called the payer").last().waitFor();
  });

  await task("see that a refund above the rest is refused before any password", async () => {
    await keyboard.to("Refund", "Shift+Tab");
    await keyboard.press("Enter");
    await keyboard.lands(/^Amount/);
    await keyboard.press("Control+a");
    await keyboard.type("99");
    await keyboard.to("Review refund");
    await keyboard.press("Enter");
    await box.getByText(/at most/).waitFor();
    assert.equal(await box.locator("input[type=password]").count(), 0);
  });

  await task("refund a part of it", async () => {
    await keyboard.lands(/^Amount/);
    await keyboard.press("Control+a");
    await keyboard.type("2.50");
    await keyboard.to("Review refund");
    await keyboard.press("Enter");
    await keyboard.lands(/^Cancel$/);
    await keyboard.to("Refund");
    await keyboard.press("Enter");
    await prove();
    await merchant.until("the refund is there", async () => (await merchant.call("GET", `/payments/${id}`)).refunding_amount ?? (await merchant.call("GET", `/payments/${id}`)).refunded_amount);
    await keyboard.press("Escape");
    await keyboard.drawer.waitFor({ state: "detached" });
  });

  await task("filter payments by status and amount", async () => {
    await goTo("Payments");
    await keyboard.press("/");
    await keyboard.lands(/^(Search|Add filter|Customer.*)$/);
    await keyboard.to("Add filter");
    await keyboard.press("Enter");
    await page.locator("#add-filter:popover-open").waitFor();
    await keyboard.to("Amount");
    await keyboard.press("Enter");
    await focused(".filter-editor:popover-open :is(input, select)");
    await keyboard.to(/At least|From/);
    await keyboard.type("5");
    await keyboard.press("Enter");
    await page.waitForURL(/amount_from=5/);
    await keyboard.press("Escape");
    await keyboard.drawn();
  });

  await task("save the filters as a view", async () => {
    await keyboard.to(/^Views/);
    await keyboard.press("Enter");
    await keyboard.to("View name");
    await keyboard.type(`Large ${mark}`);
    await keyboard.press("Enter");
    await page.getByRole("link", { name: `Large ${mark}` }).waitFor();
    await keyboard.press("Escape");
  });

  await task("export it for the accountant", async () => {
    await keyboard.to("Export");
    await keyboard.press("Enter");
    await box.waitFor();
    await keyboard.to("XLSX");
    await keyboard.press("Enter");
    await keyboard.to("Columns");
    await keyboard.press("A", "c");
    const download = page.waitForEvent("download");
    await keyboard.to("Download");
    await keyboard.press("Enter");
    const { rows } = await cells(page, await readFile(await (await download).path()));
    assert.ok(rows.length > 0);
    await keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
  });

  await task("create a payment link and switch it off", async () => {
    await keyboard.find("Create payment link");
    await page.getByLabel("Name", { exact: true }).waitFor();
    await keyboard.to(/^Name$/);
    await keyboard.type(`Evening ${mark}`);
    await keyboard.to(/^Price$/);
    await keyboard.type("12.34");
    await keyboard.to(/^Create payment link$/);
    await keyboard.press("Enter");
    await keyboard.paylinkAddress.waitFor();
    await keyboard.to(/^Enabled/);
    await keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector(".drawer [role=switch]")?.getAttribute("aria-checked") === "false");
    await keyboard.press("Escape");
    await keyboard.drawer.waitFor({ state: "detached" });
  });

  await task("see how often a link was opened and paid", async () => {
    await keyboard.find(link.id);
    await keyboard.drawer.getByText("Conversion").first().waitFor();
    await keyboard.press("Escape");
    await keyboard.drawer.waitFor({ state: "detached" });
  });

  await task("find a customer by name and see what they spent", async () => {
    await keyboard.find(buyer);
    await keyboard.drawer.getByText(buyer).first().waitFor();
    await keyboard.press("Escape");
    await keyboard.drawer.waitFor({ state: "detached" });
  });

  await task("see what is left before a payout is sent, and leave it", async () => {
    await goTo("Payouts");
    await keyboard.to("New payout");
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "New payout" }).waitFor();
    await keyboard.drawn();
    await keyboard.to(/^From/);
    await keyboard.press("ArrowDown");
    await keyboard.to(/^Amount/);
    await keyboard.type("5");
    await keyboard.press("Control+k");
    await keyboard.press("Escape");
  });

  await task("see why money did not leave", async () => {
    await goTo("Movements");
    await keyboard.to(/^Failed/);
    await keyboard.press("Enter");
    await page.waitForURL(/status=Failed/);
    await keyboard.drawn();
  });

  await task("send a failed webhook again", async () => {
    made.receiver.answer(200);
    await goTo("Events");
    await keyboard.to(/^Failed( [\d.,]+)?$/);
    await keyboard.press("Enter");
    await page.waitForURL(/delivery_status=failed/);
    await keyboard.rows.first().waitFor();
    await keyboard.press("j", "Enter");
    await keyboard.drawer.locator(".lede").waitFor();
    await keyboard.to("Resend");
    await keyboard.press("Enter");
    await keyboard.drawer.locator(".lede").getByText("Succeeded").waitFor({ timeout: 30_000 });
    await keyboard.press("Escape");
    await keyboard.drawer.waitFor({ state: "detached" });
  });

  await task("invite a colleague", async () => {
    await goTo("Settings");
    await keyboard.find("Members");
    await page.getByRole("button", { name: "Invite a member" }).waitFor();
    await keyboard.to("Invite a member");
    await keyboard.press("Enter");
    await keyboard.lands(/^Email/);
    await keyboard.type(`new-${mark}@shop.example`);
    await keyboard.press("Enter");
    await prove();
    await page.locator("#invitation-link").waitFor();
    await keyboard.to("I have copied it");
    await keyboard.press("Enter");
    await page.getByRole("cell", { name: `new-${mark}@shop.example` }).waitFor();
  });

  await task("turn the lights down", async () => {
    await keyboard.find("Dark");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  });

  await task("read the list of keys", async () => {
    await keyboard.press("Escape", "?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await keyboard.press("Escape");
  });

  await task("sign out", async () => {
    await keyboard.to("Sign out");
    await keyboard.press("Enter");
    await keyboard.signInButton.waitFor();
  });
  assert.equal(tasks, 20);
  await done();
});

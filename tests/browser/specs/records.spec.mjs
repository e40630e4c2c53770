// Records in their drawers: head, notes of members, and the timeline of a payment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Money } from "../pages/money.mjs";
import { memberSignedIn, visitors } from "../session.mjs";
import { url } from "../settings.mjs";

const visitor = visitors("money", Money);

/** A payment of a link; paid unless `open`. */
async function payment({ open = false } = {}) {
  const link = await merchant.paylink({ name: `Timeline beans ${Date.now()}` });
  const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  if (!open) await merchant.call("POST", `/sandbox/checkout/payments/${payment_id}/pay`, {});
  return payment_id;
}

const entry = (money, text) => money.drawer.locator(".timeline > li", { hasText: text });

async function write(money, text) {
  await money.drawer.getByLabel("New note").fill(text);
  await money.drawer.getByRole("button", { name: "Add note" }).click();
  await money.page.getByText("Note added").waitFor();
}

test("a payment's timeline shows its states, its transaction and its events with their delivery", async () => {
  const { page, money, done } = await visitor();
  const id = await payment();
  await merchant.until("the payment is confirmed", async () => (await merchant.call("GET", `/payments/${id}`)).status === "Confirmed");
  await money.go(`/payments?open=${id}`);
  await entry(money, "Transaction confirmed").getByText("USDC").first().waitFor();
  await entry(money, "payment.created").first().waitFor();
  const states = await money.drawer.locator(".timeline > li .state:first-child").allInnerTexts();
  assert.ok(states.indexOf("Confirmed") < states.indexOf("Processing"), `newest first: ${states}`);
  await inspect(page, "payment_timeline");
  await entry(money, "payment.created").first().getByRole("link").click();
  await page.waitForURL(/\/events\?open=evt_/);
  await done();
});

test("the timeline follows a payment live", async () => {
  const { money, done } = await visitor();
  const id = await payment({ open: true });
  await money.go(`/payments?open=${id}`);
  await entry(money, "Processing").first().waitFor();
  await merchant.call("POST", `/sandbox/checkout/payments/${id}/pay`, {});
  await entry(money, "Transaction").first().waitFor({ timeout: 30_000 });
  await done();
});

test("a note is written on a payment, kept after a reload, and deleted after a question", async () => {
  const { page, money, done } = await visitor();
  const id = await payment({ open: true });
  await money.go(`/payments?open=${id}`);
  await money.drawer.getByRole("button", { name: "Add note" }).click();
  await money.drawer.locator(".field-error").waitFor();
  await write(money, "Called the payer.\nSends the rest on Monday.");
  assert.equal(await money.drawer.getByLabel("New note").inputValue(), "");
  await page.reload();
  const note = entry(money, "Sends the rest on Monday.");
  await note.waitFor();
  await inspect(page, "payment_note");
  await note.getByRole("button", { name: /^Delete the note of/ }).click();
  await money.box.getByText("It disappears for all members.").waitFor();
  await inspect(page, "note_delete_ask");
  await money.box.getByRole("button", { name: "Delete note" }).click();
  await page.getByText("Note deleted").waitFor();
  await note.waitFor({ state: "detached" });
  await done();
});

test("every record has notes", async () => {
  const { page, money, done } = await visitor();
  const first = async (list) => (await merchant.call("GET", `/${list}?limit=1`)).items[0].id;
  const link = await merchant.paylink({ name: `Noted beans ${Date.now()}` });
  const pages = [`/customers?open=${await first("customers")}`, `/subscriptions?open=${await first("subscriptions")}`, `/invoices?open=${await first("invoices")}`, `/paylinks?open=${link.id}`, `/movements?open=${await first("movements")}`, `/accounts/${await first("accounts")}`];
  for (const path of pages) {
    await money.go(path);
    const notes = page.getByRole("region", { name: "Notes" });
    const text = `Seen at ${Date.now()}`;
    await notes.getByLabel("New note").fill(text);
    await notes.getByRole("button", { name: "Add note" }).click();
    await notes.locator("li", { hasText: text }).waitFor();
    await inspect(page, `notes_${path.split(/[/?]/)[1]}`);
  }
  await done();
});

test("a viewer reads notes and writes none", async () => {
  const { page, money, done } = await visitor();
  const browser = page.context().browser();
  const id = await payment({ open: true });
  await money.go(`/payments?open=${id}`);
  await write(money, "For everybody");
  await done();
  const { storageState } = await memberSignedIn(browser, "Nora", "read only and long enough", ["--role", "viewer"]);
  const guest = await visitor({ storageState });
  await guest.money.go(`/payments?open=${id}`);
  await entry(guest.money, "For everybody").waitFor();
  assert.ok(!(await guest.money.drawer.getByLabel("New note").isVisible()));
  assert.equal(await guest.money.drawer.getByRole("button", { name: /^Delete the note of/ }).count(), 0);
  await guest.done();
});

test("every record's head copies the call that reads it", async () => {
  const { page, money, done } = await visitor();
  const first = async (list) => (await merchant.call("GET", `/${list}?limit=1`)).items[0].id;
  const link = await merchant.paylink({ name: `Copied beans ${Date.now()}` });
  const records = [
    ["/payments", "/v1/payments/", await payment({ open: true })], ["/payouts", "/v1/payments/", await first("payouts")], ["/customers", "/v1/customers/", await first("customers")],
    ["/subscriptions", "/v1/subscriptions/", await first("subscriptions")], ["/invoices", "/v1/invoices/", await first("invoices")], ["/paylinks", "/v1/paylinks/", link.id],
  ];
  for (const [list, call, id] of records) {
    await money.go(`${list}?open=${id}`);
    await page.evaluate(() => {
      globalThis.copied = undefined;
      const write = navigator.clipboard.writeText.bind(navigator.clipboard);
      navigator.clipboard.writeText = (text) => ((globalThis.copied = text), write(text));
    });
    await money.drawer.getByRole("button", { name: "Copy as curl" }).click();
    await page.waitForFunction(() => globalThis.copied);
    assert.equal(await page.evaluate(() => globalThis.copied), `curl '${url}${call}${id}' -H 'x-api-key: <your API key>'`);
    if (list === "/paylinks") continue;
    await money.drawer.getByRole("button", { name: "Copy record link" }).click();
    await page.waitForFunction((link) => globalThis.copied === link, `${url}${list}?open=${id}`);
  }
  await done();
});

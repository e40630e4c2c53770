// Three typical tasks by keyboard only.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SIGNED_OUT, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Keyboard } from "../pages/keyboard.mjs";
import { withReceiver } from "../session.mjs";
import { email, password, url } from "../settings.mjs";

const made = withReceiver(500);

async function visitor(options) {
  const { page, done } = await visit(made.browser, "light", options);
  const keyboard = new Keyboard(page);
  await keyboard.alone();
  return {
    page,
    keyboard,
    async done() {
      await keyboard.noPointerWasUsed();
      await done();
    },
  };
}

/** A refundable payment and one of its transactions. */
async function paid() {
  const { items } = await merchant.call("GET", "/payments?status=Confirmed&limit=100");
  for (const { id } of items) {
    const payment = await merchant.call("GET", `/payments/${id}`);
    const hash = payment.crypto_transactions?.[0]?.transaction_hash;
    if (hash && payment.payment_method !== "Payout" && payment.timeline?.length) return { id, hash };
  }
  throw new Error("the demo year has no payment that was paid on a chain");
}

test("signing in, finding a payment by transaction, reading its timeline, opening and leaving a refund", async () => {
  const { id, hash } = await paid();
  const { page, keyboard, done } = await visitor({ expected: [SIGNED_OUT] });
  await page.goto(url);
  await page.locator("#field-email").waitFor();
  await keyboard.to("Email");
  await keyboard.type(email);
  await keyboard.to("Password");
  await keyboard.type(password);
  await keyboard.press("Enter");
  await keyboard.navigation.waitFor();

  await keyboard.find(hash);
  await keyboard.drawer.locator(".lede").waitFor();
  await page.waitForURL(new RegExp(`open=${id}`));
  await page.waitForFunction(() => document.activeElement.closest(".drawer"));
  assert.match(await keyboard.drawer.locator(".timeline").innerText(), /Confirmed/);

  await keyboard.to("Refund");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: /Refund|Send/ }).last().waitFor();
  await keyboard.lands(/^(Amount|Cancel)$/);
  await keyboard.to("Cancel");
  await keyboard.press("Enter");
  await keyboard.lands(/^Refund$/);
  await keyboard.press("Escape");
  await keyboard.drawer.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement !== document.body);
  await keyboard.seen();
  await done();
});

test("creating a payment link, disabling it, and returning to it in the list", async () => {
  const name = `Keys ${Date.now()}`;
  const { page, keyboard, done } = await visitor({ storageState: made.storageState });
  await keyboard.go("/");
  await keyboard.press("Tab");
  assert.equal(await keyboard.seen(), "Skip to content");
  await keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "main");
  await keyboard.to("Create payment link");
  await keyboard.press("Enter");
  await page.getByLabel("Name", { exact: true }).waitFor();

  await keyboard.to(/^Name$/);
  await keyboard.type(name);
  await keyboard.to(/^Price$/);
  await keyboard.type("12.34");
  await keyboard.to(/^Create payment link$/);
  await keyboard.press("Enter");
  await keyboard.paylinkAddress.waitFor();
  await page.waitForFunction(() => document.activeElement.closest(".drawer"));

  await keyboard.to(/^Enabled/);
  await keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector(".drawer [role=switch]")?.getAttribute("aria-checked") === "false");
  await keyboard.lands(/^Enabled/);
  await keyboard.press("Escape");
  await keyboard.drawer.waitFor({ state: "detached" });
  await keyboard.lands(new RegExp(name));
  await done();
});

test("handling failed webhooks: filter, open, retry, next", async () => {
  await merchant.call("PUT", "/orgs", { webhook_url: made.receiver.url });
  await merchant.paylink();
  await merchant.until("two deliveries failed", async () => (await merchant.call("GET", "/events?delivery_status=failed&limit=2")).items.length === 2);
  made.receiver.answer(200);

  const { page, keyboard, done } = await visitor({ storageState: made.storageState });
  await keyboard.go("/");
  await keyboard.to(/^Events/);
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
  await keyboard.rows.first().waitFor();
  await keyboard.press("/");
  await keyboard.lands(/^Add filter$/);
  await keyboard.to(/^Failed( \d+)?$/, "Shift+Tab");
  await keyboard.press("Enter");
  await page.waitForURL(/delivery_status=failed/);
  await keyboard.onTab("Failed");
  await keyboard.rows.first().waitFor();
  await keyboard.press("j");
  await keyboard.lands(/^\w+\.\w+.*Failed/);
  await keyboard.press("j", "k", "Enter");
  await keyboard.drawer.locator(".lede").waitFor();
  const first = page.url();
  await keyboard.to("Resend");
  await keyboard.press("Enter");
  await keyboard.drawer.locator(".lede").getByText("Succeeded").waitFor({ timeout: 30_000 });
  await keyboard.lands(/^Resend$/);
  await keyboard.press("]");
  await page.waitForURL((address) => address.href !== first);
  await keyboard.press("Escape");
  await keyboard.drawer.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement !== document.body);
  await keyboard.seen();
  await done();
});

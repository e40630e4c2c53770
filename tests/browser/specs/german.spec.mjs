// German error messages, with all values of the English ones.

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

const german = async (expected) => {
  const { page, done } = await visit(browser, "light", { storageState, locale: "de-DE", timezoneId: "Europe/Berlin", expected });
  return { page, done, dashboard: new Dashboard(page) };
};

const refusing = (page, path, code, detail) =>
  page.route(path, (route) =>
    route.fulfill({ status: code, contentType: "application/json", body: JSON.stringify({ error: { code, message: detail.message, errors: [{ domain: "plan", ...detail }] } }) }),
  );

test("a limit of a field is shown in German with its number", async () => {
  const { page, dashboard, done } = await german([]);
  await dashboard.go("/paylinks/new");
  await page.locator("#field-name").fill("x".repeat(2_000));
  await page.getByRole("button", { name: "Zahlungslink anlegen" }).click();
  const error = page.locator(".field-error", { hasText: /darf höchstens \d+ Zeichen lang sein\./ });
  await error.waitFor();
  assert.equal(await error.locator("[lang=en]").count(), 0, "nothing is left to say in English");
  await done();
});

test("a German error message contains the values", async () => {
  const { page, dashboard, done } = await german(["409"]);
  await refusing(page, /\/v1\/plan\?/, 409, { reason: "STATE_FORBIDS", message: "account 17 still holds 12.50 USDC: pay it out or move it first" });
  await dashboard.go("/plans");
  await dashboard.alert.getByText("Auf dem Konto 17 liegen noch 12.50 USDC: Zahlen Sie es zuerst aus oder buchen Sie es um.").waitFor();
  assert.equal(await dashboard.alert.locator("[lang=en]").count(), 0);
  await done();
});

test("a message without translation shows its reason in German above the English text", async () => {
  const { page, dashboard, done } = await german(["409"]);
  await refusing(page, /\/v1\/plan\?/, 409, { reason: "STATE_FORBIDS", message: "the ninth of 12 seals is broken until 2026-12-01" });
  await dashboard.go("/plans");
  await dashboard.alert.getByText("Der jetzige Zustand lässt das nicht zu.").waitFor();
  assert.equal(await dashboard.alert.locator("[lang=en]").innerText(), "The ninth of 12 seals is broken until 2026-12-01.");
  await inspect(page, "refused_in_german");
  await done();
});

test("webhook verification errors are shown in German", async () => {
  const { page, dashboard, done } = await german([]);
  await dashboard.go("/events/verify");
  await page.waitForFunction(() => document.querySelector("textarea[name=key]").value.includes("PUBLIC KEY"));
  const check = page.locator("form.verify button");
  await page.locator("textarea[name=body]").fill("{}");
  await check.click();
  await dashboard.alert.getByText("Webhook-id, webhook-timestamp oder webhook-signature fehlt oder ist nicht richtig geschrieben.").waitFor();
  const signature = `v1a,${Buffer.alloc(64).toString("base64")}`;
  await page.locator("textarea[name=headers]").fill(`webhook-id: msg_1\nwebhook-timestamp: ${Math.floor(Date.now() / 1000)}\nwebhook-signature: ${signature}`);
  await check.click();
  await dashboard.alert.getByText("Keine Signatur passt zum Schlüssel und zu diesem Inhalt.").waitFor();
  await page.locator("textarea[name=key]").fill("PUBLIC KEY");
  await check.click();
  await dashboard.alert.getByText("Der Schlüssel ist kein öffentlicher Ed25519-Schlüssel in PEM.").waitFor();
  await done();
});

test("UTC times show the local time in German", async () => {
  const { page, dashboard, done } = await german([]);
  await page.addInitScript(() => localStorage.setItem("settlekit.utc", "1"));
  await dashboard.go("/events");
  assert.match(await dashboard.rows.locator("time.timestamp").first().getAttribute("title"), /^\d{2}\. \p{L}+\.? \d{4}, \d{2}:\d{2}:\d{2} MES?Z$/u);
  await done();
});

test("words with two meanings have two translations", async () => {
  const { page, dashboard, done } = await german([]);
  await dashboard.go("/subscriptions?status=Canceled&since=2026-01-02");
  await dashboard.onTab("Gekündigt");
  await page.locator(".chips").getByText("Ab: 2026-01-02").waitFor();
  await dashboard.turn("/subscriptions?status=InTrial");
  await dashboard.onTab("In der Testphase");
  await dashboard.turn("/payments?status=Canceled");
  await dashboard.onTab("Storniert");
  await done();
});

test("the scopes of an API key are shown by their labels", async () => {
  const { page, dashboard, done } = await german([]);
  await dashboard.go("/settings/api-keys");
  await page.locator(".table td", { hasText: /^Lesen, Schreiben/ }).first().waitFor();
  await done();
});

test("amounts are entered and shown with a decimal comma", async () => {
  const { page, dashboard, done } = await german([]);
  await dashboard.go("/paylinks/new");
  const preview = page.getByRole("complementary", { name: "Vorschau" });
  const price = page.getByLabel("Preis", { exact: true });
  assert.equal(await price.getAttribute("placeholder"), "25,00");
  // `1.234` may be one or a thousand, so it is no amount.
  for (const [typed, understood] of [["1.234,50", "1.234,50 USD"], ["12.50", "12,50 USD"], ["1.234", "–"], ["49,90", "49,90 USD"], ["1.23,50", "–"]]) {
    await price.fill(typed);
    await preview.locator(".amount", { hasText: understood }).waitFor();
    assert.equal(await price.inputValue(), typed, "the text stays as typed");
  }
  // The form shows how it understands a number that is typed in another way.
  const said = price.locator("xpath=../../output");
  for (const [typed, understood] of [["1234,5", "= 1.234,5"], ["12.50", "= 12,50"], ["49,90", null], ["1.234", null]]) {
    await price.fill(typed);
    if (understood) await said.filter({ hasText: understood }).waitFor();
    else await said.waitFor({ state: "detached" });
  }
  await page.locator("#field-name").fill("Komma");
  await price.fill("1.234");
  await page.getByRole("button", { name: "Zahlungslink anlegen" }).click();
  await page.getByText("muss eine Zahl ohne Tausendertrennzeichen sein").waitFor();
  await price.fill("49,90");
  await page.getByRole("button", { name: "Zahlungslink anlegen" }).click();
  await page.waitForURL(/open=pl_/);
  const made = await merchant.call("GET", `/paylinks/${new URL(page.url()).searchParams.get("open")}`);
  assert.equal(made.plan.price, "49.90");
  await done();
});

// French, the third language: dashboard, payer's page and embedded element, with the spaces and separators of French texts.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

const french = async () => {
  const { page, done } = await visit(browser, "light", { storageState, locale: "fr-FR", timezoneId: "Europe/Paris" });
  return { page, done, dashboard: new Dashboard(page) };
};

test("a French browser gets the dashboard in French", async () => {
  const { page, dashboard, done } = await french();
  await dashboard.go("/");
  assert.equal(await page.locator("html").getAttribute("lang"), "fr");
  for (const [path, heading] of [["/", "Vue d’ensemble"], ["/payments", "Paiements"], ["/movements", "Mouvements"], ["/paylinks/new", "Créer un lien de paiement"], ["/payouts", "Versements"], ["/settings", "Paramètres"]]) {
    await dashboard.turn(path);
    await page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
    await inspect(page, `french${path.replaceAll("/", "_")}`);
  }
  await done();
});

test("French amounts have spaces between thousands and a decimal comma", async () => {
  const { page, dashboard, done } = await french();
  await dashboard.go("/paylinks/new");
  const preview = page.getByRole("complementary", { name: "Aperçu" });
  const price = page.getByLabel("Prix", { exact: true });
  // A point may be meant as one of thousands, a space never as a decimal one.
  for (const [typed, understood] of [["1 234,50", "1\u202f234,50 USD"], ["1\u00a0234,50", "1\u202f234,50 USD"], ["1\u202f234,50", "1\u202f234,50 USD"], ["1 234", "1\u202f234,00 USD"], ["12.50", "12,50 USD"], ["1.234", "–"], ["1 23,50", "–"]]) {
    await price.fill(typed);
    await preview.locator(".amount", { hasText: understood }).waitFor();
  }
  await done();
});

test("the language is chosen in the settings", async () => {
  const { page, done } = await visit(browser, "light", { storageState, locale: "en-GB" });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/appearance");
  await page.getByRole("button", { name: "Français" }).click();
  await page.getByRole("heading", { name: "Langue", exact: true }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "fr");
  await done();
});

test("a French browser gets the payer's page in French", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { locale: "fr-CA" });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await checkout.heading("Comment souhaitez-vous payer\u202f?").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "fr");
  await inspect(page, "payer_french");
  await page.locator("label.option", { hasText: "USDC" }).filter({ hasText: "Ethereum" }).click();
  await page.getByRole("button", { name: "Continuer" }).click();
  await checkout.heading("Envoyez USDC sur Ethereum").waitFor();
  await page.getByRole("button", { name: "Copier\u00a0: adresse" }).waitFor();
  await inspect(page, "payer_french_pay");
  await page.getByRole("button", { name: "Payer avec le portefeuille de test" }).click();
  await checkout.heading("Payé").waitFor({ timeout: 60_000 });
  await done();
});

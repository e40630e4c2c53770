// Every page in each look: accessible, no wider than the screen, a picture of it in tests/shots.

import { after, before, test } from "node:test";
import { LOOKS, SIGNED_OUT, accessible, fits, open, shoot, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";
import { url } from "../settings.mjs";

let browser, storageState, link, payment, event, movement;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
  link = await merchant.paylink();
  const option = { chain_id: 1, currency: "USDC" };
  payment = await merchant.call("POST", `/checkout/${link.id}/payments`, option);
  await merchant.deposit("3.20");
  event = (await merchant.call("GET", "/events?limit=1")).items[0];
  const { id } = await merchant.account();
  movement = await merchant.until("a movement is there", async () => (await merchant.call("GET", `/accounts/${id}/movement?limit=1`)).items[0]);
});
after(() => browser.close());

const PAGES = {
  overview: () => "/",
  movements: () => "/movements",
  movement: () => `/movements?account=${movement.account_id}&open=${movement.id}`,
  payments: () => "/payments",
  payment: () => `/payments?open=${payment.payment_id}`,
  paylinks: () => "/paylinks",
  paylink: () => `/paylinks?open=${link.id}`,
  create_paylink: () => "/paylinks/new",
  events: () => "/events",
  event: () => `/events?open=${event.id}`,
  organisation: () => "/settings",
  webhooks: () => "/settings/webhooks",
  api_keys: () => "/settings/api-keys",
  signing_secret: () => "/settings/signing-secret",
  nothing_found: () => "/payments?since=2199-01-01",
  nowhere: () => "/no-such-page",
};

for (const look of Object.keys(LOOKS)) {
  for (const [name, path] of Object.entries(PAGES)) {
    test(`${name} in ${look}`, async () => {
      const { page, done } = await visit(browser, look, { storageState });
      await new Dashboard(page).go(path());
      if (path().includes("open=")) await page.locator("dialog.drawer[open] .lede").waitFor();
      await accessible(page, name);
      await fits(page, name);
      await shoot(page, name, look);
      await done();
    });
  }

  test(`sign in in ${look}`, async () => {
    const { page, done } = await visit(browser, look, { expected: [SIGNED_OUT] });
    await page.goto(url);
    await new Dashboard(page).signInButton.waitFor();
    await accessible(page, "sign in");
    await fits(page, "sign in");
    await shoot(page, "sign_in", look);
    await done();
  });

  test(`the payer's page in ${look}`, async () => {
    const { page, done } = await visit(browser, look);
    const checkout = new Checkout(page);
    await checkout.go(link.url);
    for (const [step, act] of [
      ["choose", async () => {}],
      ["pay", () => checkout.choose("USDC", "Ethereum").then(() => checkout.testWallet.waitFor())],
      ["processing", () => checkout.testWallet.click().then(() => checkout.confirmations.waitFor())],
      ["paid", () => page.getByRole("heading", { name: "Paid", exact: true }).waitFor({ timeout: 60_000 })],
    ]) {
      await act();
      await accessible(page, step);
      await fits(page, step);
      await shoot(page, `payer_${step}`, look);
    }
    await done();
  });
}

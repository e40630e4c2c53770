// Every page of the dashboard in every look, turned to as a reader does: the program is loaded once.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SIGNED_OUT, inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";
import { url } from "../settings.mjs";

let browser, link, payment, event, movement, visitor, dashboard;
before(async () => {
  browser = await open();
  const storageState = await signedIn(browser);
  link = await merchant.paylink();
  payment = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  await merchant.deposit("3.20");
  event = (await merchant.call("GET", "/events?limit=1")).items[0];
  const { id } = await merchant.account();
  movement = await merchant.until("a movement is there", async () => (await merchant.call("GET", `/accounts/${id}/movement?limit=1`)).items[0]);
  visitor = await visit(browser, "light", { storageState });
  dashboard = new Dashboard(visitor.page);
  await dashboard.go("/");
});
after(async () => {
  await visitor.done();
  await browser.close();
});

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

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name} in every look`, async () => {
    await dashboard.turn(path());
    if (path().includes("open=")) await dashboard.drawer.locator(".lede").waitFor();
    await inspect(visitor.page, name);
  });
}

test("sign in in every look", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  await page.goto(url);
  await new Dashboard(page).signInButton.waitFor();
  await inspect(page, "sign_in");
  await done();
});

test("a payment is named by what was sold, whole", async () => {
  await dashboard.turn("/payments");
  await dashboard.row("Filter coffee").first().waitFor();
  assert.equal(await dashboard.rows.filter({ hasText: "pl_" }).count(), 0);
});

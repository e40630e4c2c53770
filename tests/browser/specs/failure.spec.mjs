// Every page when the service fails, is away, or no longer knows the reader.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

const ID = "01a1fdef0632715bae95f074c12c2829";
/** Every page that asks the service for something of its own. */
const PAGES = [
  "/movements",
  "/accounts",
  "/accounts/17",
  "/payments",
  `/payments?open=pay_${ID}`,
  "/payouts",
  `/payouts?open=pay_${ID}`,
  "/payouts/new",
  "/external-accounts",
  "/external-accounts?open=17",
  "/paylinks",
  `/paylinks/edit?ids=pl_${ID}`,
  "/paylinks/new",
  "/plans",
  `/plans?open=plan_${ID}`,
  "/subscriptions",
  `/subscriptions?open=sub_${ID}`,
  "/subscriptions/new",
  "/invoices",
  `/invoices/sheet?open=inv_${ID}`,
  "/customers",
  `/customers?open=cus_${ID}`,
  "/trade",
  "/trade/rfq",
  "/trade/quotes",
  "/trade/orders",
  `/trade/orders?open=ord_${ID}`,
  "/trade/markets",
  "/trade/markets?view=assets&currency=USDC",
  "/trade/markets?view=currencies",
  "/automations?account=club",
  "/events",
  `/events?open=evt_${ID}`,
  "/settings",
  "/settings/webhooks",
  "/settings/api-keys",
  "/settings/members",
];
/** Beside a form stands that nothing has been asked for yet. */
const ASKED = ["/trade", "/trade/rfq"];
/** What the shell itself asks for: the pages stand in it. */
const SHELL = /\/v1\/(sessions|overview)/;

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

const failing = async (answer, expected) => {
  const visitor = await visit(browser, "light", { storageState, expected });
  const dashboard = new Dashboard(visitor.page);
  await dashboard.go("/settings/appearance");
  await visitor.page.route("**/v1/**", (route) => (SHELL.test(route.request().url()) ? route.continue() : answer(route)));
  return { ...visitor, dashboard };
};

test("a fault of the service is said on every page, with the request's id, and is not an empty list", async () => {
  const fault = { status: 500, headers: { "x-request-id": "req_shown" }, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' };
  const { page, dashboard, done } = await failing((route) => route.fulfill(fault), ["500", "/v1/"]);
  for (const path of PAGES) {
    await dashboard.turn(path);
    await page.getByText("The service failed.").first().waitFor();
    await page.getByText("req_shown").first().waitFor();
  }
  await inspect(page, "failed");
  await done();
});

test("a service that is away is said on every page, and the page comes by itself or by trying again", async () => {
  let away = true;
  const { page, dashboard, done } = await failing((route) => (away ? route.abort() : route.continue()), ["/v1/", "ERR_FAILED"]);
  for (const path of PAGES) {
    await dashboard.turn(path);
    await page.getByText("The service could not be reached").first().waitFor();
  }
  await dashboard.turn("/plans");
  await page.getByText("The service could not be reached").first().waitFor();
  away = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await dashboard.rows.first().waitFor();
  await done();
});

test("a service that is slow leaves every page its shape, which is neither empty nor a failure", async () => {
  let letGo, held;
  const { page, dashboard, done } = await failing(async (route) => {
    await held;
    await route.continue();
  }, ["404"]);
  for (const path of PAGES) {
    held = new Promise((resolve) => (letGo = resolve));
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await page.locator("#main .bone, .drawer .bone, #main [aria-busy=true]").first().waitFor();
    const others = ASKED.includes(path) ? ["[role=alert]"] : [".empty", "[role=alert]"];
    for (const other of others) assert.equal(await page.locator(`#main ${other}:visible`).count(), 0, `${path} shows ${other}`);
    letGo();
    await page.locator("#main .bone, .drawer .bone").first().waitFor({ state: "detached" });
  }
  await done();
});

test("a session that has ended leads to the sign-in from every page, and back", async () => {
  const ended = { status: 401, contentType: "application/json", body: '{"error":{"code":401,"message":"the session is over","errors":[{"domain":"session","reason":"SESSION_INVALID"}]}}' };
  for (const path of ["/customers", "/subscriptions/new", "/events/verify", "/settings/webhooks"]) {
    const { page, dashboard, done } = await failing((route) => route.fulfill(ended), ["401"]);
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await page.getByText("Your session has ended").waitFor();
    await dashboard.signInButton.waitFor();
    await done();
  }
});

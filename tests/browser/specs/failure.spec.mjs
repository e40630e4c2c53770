// Every page when the service fails, is unreachable, or the session has ended.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SIGNED_OUT, inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX, Dashboard } from "../pages/dashboard.mjs";
import { memberSignedIn, signedIn } from "../session.mjs";
import { email, password, url } from "../settings.mjs";

const ID = "01a1fdef0632715bae95f074c12c2829";
/** All pages that load data. */
const PAGES = [
  "/movements",
  "/accounts",
  "/accounts/new?kind=settlement",
  "/accounts/17",
  "/payments",
  `/payments?open=pay_${ID}`,
  "/payouts",
  "/payouts?reason=ApprovalRequired",
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
  "/trade/markets?view=rates",
  "/automations?account=club",
  "/sub-merchants",
  "/events",
  `/events?open=evt_${ID}`,
  "/inbox",
  "/settings",
  "/settings/webhooks",
  "/settings/api-keys",
  "/settings/members",
  "/installation",
];
/** Placeholder next to a form before the first request. */
const ASKED = ["/trade", "/trade/rfq"];
/** Requests of the shell around the pages. */
const SHELL = /\/v1\/(sessions|overview)/;

const FAULT = { status: 500, headers: { "x-request-id": "req_shown" }, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' };
const ENDED = { status: 401, contentType: "application/json", body: '{"error":{"code":401,"message":"the session has ended","errors":[{"domain":"session","reason":"SESSION_INVALID"}]}}' };

let browser, storageState, operator;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
  ({ storageState: operator } = await memberSignedIn(browser, "Olga", "a door that opens quietly", ["--operator"]));
});
after(() => browser.close());

const failing = async (answer, expected) => {
  // Operators see all pages.
  const visitor = await visit(browser, "light", { storageState: operator, expected });
  const dashboard = new Dashboard(visitor.page);
  await dashboard.go("/settings/appearance");
  await visitor.page.route("**/v1/**", (route) => (SHELL.test(route.request().url()) ? route.continue() : answer(route)));
  return { ...visitor, dashboard };
};

test("an error of the service is shown on every page with the request id", async () => {
  const { page, dashboard, done } = await failing((route) => route.fulfill(FAULT), ["500", "/v1/"]);
  for (const path of PAGES) {
    await dashboard.turn(path);
    await page.getByText("The service failed.").first().waitFor();
    await page.getByText("req_shown").first().waitFor();
  }
  await inspect(page, "failed");
  await done();
});

test("missing permissions are shown without a retry", async () => {
  let reason;
  const refused = (route) => {
    const error = { code: 403, message: "this is refused", errors: [{ domain: "service", reason, message: "this is refused" }] };
    return route.fulfill({ status: 403, contentType: "application/json", body: JSON.stringify({ error }) });
  };
  const { page, dashboard, done } = await failing(refused, ["403"]);
  for (reason of ["SCOPE_MISSING", "FEATURE_MISSING", "SUSPENDED", "SANDBOX_ONLY"]) {
    for (const path of ["/payments", `/customers?open=cus_${ID}`, "/plans"]) {
      await dashboard.turn(path);
      await dashboard.alert.filter({ hasText: "This is refused." }).first().waitFor();
      assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0, `${path}: ${reason}`);
    }
  }
  await inspect(page, "no_right");
  await done();
});

test("an unreachable service is shown on every page, which recovers by itself or by retry", async () => {
  let away = true;
  const { page, dashboard, done } = await failing((route) => (away ? route.abort() : route.continue()), ["/v1/", "ERR_FAILED"]);
  for (const path of PAGES) {
    await dashboard.turn(path);
    await page.getByText("Can’t reach the service").first().waitFor();
  }
  // Several parts of a page fail for one cause: none of them is an alert.
  await dashboard.turn("/movements");
  await page.getByText("Can’t reach the service").nth(1).waitFor();
  assert.equal(await dashboard.alert.count(), 0);
  await inspect(page, "offline");
  await dashboard.turn("/plans");
  await page.getByText("Can’t reach the service").first().waitFor();
  away = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await dashboard.rows.first().waitFor();
  await done();
});

test("a slow service shows placeholders on every page", async () => {
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
    await page.locator("#main .bone, .drawer .bone, #main [aria-busy=true]").filter({ visible: true }).first().waitFor();
    const others = ASKED.includes(path) ? ["[role=alert]"] : [".empty", "[role=alert]"];
    // The previous page may still be rendered; the new one cannot change while its requests are held.
    for (const other of others) await page.locator(`#main ${other}:visible`).first().waitFor({ state: "detached" });
    letGo();
    // An empty list that is loaded now must not stay while the next page loads.
    await page.locator("#main .bone, .drawer .bone, #main [aria-busy=true]").first().waitFor({ state: "detached" });
  }
  await done();
});


test("the overview shows errors, and placeholders without the live badge while loading", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["500", "/v1/overview"] });
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  let broken = true;
  await page.route("**/v1/overview**", async (route) => {
    await held;
    await (broken ? route.fulfill(FAULT) : route.continue());
  });
  await page.goto(url);
  await page.locator("#main .bone:visible").first().waitFor();
  assert.equal(await page.locator("#main [role=alert]").count(), 0);
  assert.equal(await page.getByText("Live", { exact: true }).count(), 0);
  await inspect(page, "overview_slow");
  letGo();
  await page.getByText("The service failed.").first().waitFor();
  await page.getByText("req_shown").first().waitFor();
  await inspect(page, "overview_failed");
  broken = false;
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByText("Total available").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await done();
});

test("the sign-in shows errors, keeps its input, and waits for a slow service", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT, "/v1/sessions"] });
  const dashboard = new Dashboard(page);
  let letGo, answer;
  await page.route(/\/v1\/sessions$/, async (route) => {
    await new Promise((resolve) => (letGo = resolve));
    await answer(route);
  });
  await page.goto(url);
  for (const [words, how] of [["The service failed.", (route) => route.fulfill(FAULT)], ["Can’t reach the service", (route) => route.abort()]]) {
    answer = how;
    letGo = undefined;
    await dashboard.signIn(email, password);
    await merchant.until("it was asked", () => letGo);
    assert.ok(await dashboard.signInButton.isDisabled(), "it is not sent twice");
    letGo();
    await page.getByText(words).first().waitFor();
    assert.equal(await dashboard.email.inputValue(), email);
  }
  await inspect(page, "sign_in_failed");
  answer = (route) => route.continue();
  letGo = undefined;
  await dashboard.signInButton.click();
  await merchant.until("it was asked", () => letGo);
  letGo();
  await dashboard.navigation.waitFor();
  await done();
});

test("the payer's page shows errors and placeholders", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { expected: ["500"] });
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  let broken = true;
  await page.route("**/v1/checkout/**", async (route) => {
    await held;
    await (broken ? route.fulfill(FAULT) : route.continue());
  });
  await page.goto(link.url);
  await page.locator("#card[aria-busy=true] .bone").first().waitFor();
  await inspect(page, "payer_slow");
  letGo();
  await page.getByRole("heading", { name: "The page could not be loaded" }).waitFor();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "How do you want to pay?" }).waitFor();
  await done();
});

test("a missing response times out", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["/v1/"] });
  await page.route(/\/v1\/customers\?/, () => {});
  await new Dashboard(page).go("/settings/appearance");
  // Timeouts end a hundred times as fast, but only after the first requests were answered.
  await page.evaluate(() => {
    const own = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => own(ms / 100);
  });
  await new Dashboard(page).turn("/customers");
  await page.getByText("Can’t reach the service").first().waitFor();
  await done();
});

test("a list with a failed refresh is marked as stale until it succeeds", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["500"] });
  const dashboard = new Dashboard(page);
  await dashboard.go("/payments");
  await dashboard.rows.first().waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  let broken = true;
  await page.route(/\/v1\/payments\?/, (route) => (broken ? route.fulfill(FAULT) : route.continue()));
  // Every change reloads the list.
  await merchant.paylink();
  await page.getByText("Connection lost").waitFor();
  assert.equal(await page.getByText("Live", { exact: true }).count(), 0);
  assert.ok((await dashboard.rows.count()) > 0, "what was loaded stays readable");
  broken = false;
  await page.getByText("Live", { exact: true }).waitFor();
  assert.equal(await page.getByText("Connection lost").count(), 0);
  await done();
});

test("invalid URL parameters are shown and not ignored", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["404"] });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/appearance");
  for (const [path, field] of [["/invoices?customer_id=Ada", "customer_id"], ["/subscriptions?customer_id=Ada", "customer_id"], ["/payments?customer_id=Ada", "customer_id"], ["/payments?paylink_id=Ada", "paylink_id"], ["/payments?status=Lost", "status"], ["/events?since=yesterday", "since"], ["/customers?page=none", "page"]]) {
    await dashboard.turn(path);
    await page.locator(".page").getByRole("alert").getByText(field).first().waitFor();
    assert.equal(await page.locator(".page .table tbody tr:visible").count(), 0, `${path} shows rows`);
  }
  await inspect(page, "unreadable_filter");
  for (const path of ["/payments?open=pay_019aa0…8c9e01", "/customers?open=Ada", "/events?open=evt_1"]) {
    await dashboard.turn(path);
    await dashboard.drawer.getByRole("alert").getByText("open").first().waitFor();
  }
  await inspect(page, "unreadable_record");
  await done();
});

test("a page past the last is not an empty list", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/payments?page=999");
  await page.getByText("This page no longer exists").waitFor();
  await inspect(page, "past_the_end");
  await page.getByRole("button", { name: "First page" }).click();
  await dashboard.rows.first().waitFor();
  await done();
});

test("an ended session asks for a sign-in on every page", async () => {
  for (const path of ["/customers", "/subscriptions/new", "/events/verify", "/settings/webhooks"]) {
    const { page, dashboard, done } = await failing((route) => route.fulfill(ENDED), ["401"]);
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await page.getByText("Your session has ended").waitFor();
    await dashboard.signInButton.waitFor();
    assert.equal(await page.locator(".shell").isVisible(), false, "nothing of the page is seen");
    await done();
  }
});

test("signing in again keeps page and input", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["401"] });
  const dashboard = new Dashboard(page);
  await dashboard.go("/paylinks/new");
  await page.getByLabel("Name", { exact: true }).fill("Half a thought");
  let over = true;
  await page.route("**/v1/**", (route) => (over ? route.fulfill(ENDED) : route.continue()));
  await page.getByLabel("Price", { exact: true }).fill("4.20");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.getByText("Your session has ended").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("dialog.lock [name=password]"));
  await inspect(page, "session_ended");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  assert.equal(await page.locator(BOX).isVisible(), false, "no key reaches what is covered");
  over = false;
  assert.equal(await dashboard.email.inputValue(), email, "it is known who signs in");
  await dashboard.signIn(email, password);
  await page.getByText("Your session has ended").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Half a thought");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await dashboard.drawer.locator(".lede").getByText("Half a thought").waitFor();
  await done();
});

test("loading the accounts of a filter can be retried", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["500"] });
  const dashboard = new Dashboard(page);
  let broken = true;
  await page.route(/\/v1\/accounts\?/, (route) => (broken ? route.fulfill(FAULT) : route.continue()));
  await dashboard.go("/trade/markets?view=assets");
  await dashboard.alert.getByText("The service failed.").waitFor();
  const offered = page.getByLabel("Account").locator("option");
  assert.equal(await offered.count(), 1);
  broken = false;
  await dashboard.alert.getByRole("button", { name: "Try again" }).click();
  await offered.nth(1).waitFor({ state: "attached" });
  assert.equal(await dashboard.alert.count(), 0);
  await done();
});

// URL parameters: invalid ones are shown and can be removed with one click.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

/** Lists with an invalid URL parameter. */
const UNREAD = [
  ["/movements", "since=abc"],
  ["/movements", "status=Foo"],
  ["/movements", "type=Foo"],
  ["/movements", "direction=sideways"],
  ["/payments", "status=Foo"],
  ["/payments", "rows=1000"],
  ["/payouts", "until=soon"],
  ["/external-accounts", "sort=sideways"],
  ["/paylinks", "page=first"],
  ["/plans", "sort=up"],
  ["/subscriptions", "status=Foo"],
  ["/subscriptions", "customer_id=nobody"],
  ["/invoices", "payment_status=Foo"],
  ["/customers", "visit_type=Foo"],
  ["/trade/quotes", "since=tomorrow"],
  ["/trade/orders", "page=0"],
  ["/trade/markets", "venue=some where"],
  ["/events", "delivery_status=Foo"],
  ["/events", "order_by=Foo"],
];

test("an invalid filter is shown as written and removed with one click", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["400"] });
  const dashboard = new Dashboard(page);
  for (const [path, written] of UNREAD) {
    await dashboard.go(`${path}?${written.replace(" ", "%20")}`);
    const failure = dashboard.alert.filter({ hasText: "This link has an invalid filter" }).first();
    await failure.waitFor({ timeout: 5_000 }).catch(() => assert.fail(`${path}?${written}: ${page.url()}`));
    assert.equal(await failure.locator("code").innerText(), written, path);
    assert.equal(await failure.getByRole("button", { name: "Try again" }).count(), 0, "to try again is of no use");
    if (written === "status=Foo" && path === "/payments") await inspect(page, "unread_address");
    await failure.getByRole("button", { name: "Remove filter" }).click();
    await page.waitForURL((address) => address.search === "");
    await dashboard.drawn();
    await failure.waitFor({ state: "detached" });
    assert.ok((await page.locator(".page .table tbody tr").count()) > 0 || (await page.locator(".page .empty").isVisible()), `${path} shows its list`);
  }
  await done();
});

test("an invalid record id in the URL is shown and closed with one click", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/payments?open=nothing");
  await dashboard.drawer.locator("code", { hasText: "open=nothing" }).waitFor();
  await dashboard.drawer.getByRole("button", { name: "Remove filter" }).click();
  await dashboard.drawer.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).search, "");
  await done();
});

/** Missing records and the target of the back link: in a drawer, as a filter, on their own page. */
const NOTHING = [
  ["/payments?status=Confirmed&open=pay_019aa8dc480075ebb94823ae8f60cafd", "/payments?status=Confirmed"],
  ["/paylinks?open=pl_019aa8dc480075ebb94823ae8f60cafd", "/paylinks"],
  ["/movements?account=99999999", "/movements"],
  ["/movements?open=99999999", "/movements"],
  ["/automations?account=no-such-account", "/automations"],
];

test("a missing record offers the way back to the list and no retry", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["404"] });
  const dashboard = new Dashboard(page);
  for (const [path, back] of NOTHING) {
    await dashboard.go(path);
    const failure = dashboard.alert.filter({ hasText: "not found" }).first();
    await failure.waitFor({ timeout: 5_000 }).catch(() => assert.fail(path));
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0, path);
    if (path.startsWith("/payments")) await inspect(page, "no_such_record");
    await failure.getByRole("link", { name: "Back to list" }).click();
    await page.waitForURL((address) => address.pathname + address.search === back);
    await dashboard.drawn();
    await failure.waitFor({ state: "detached" });
  }
  await done();
});

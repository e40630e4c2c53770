// The demo: a folder on a minimal static host, with the service in the browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, inspectAs, open, visit } from "../browser.mjs";
import { serveFolder } from "../folder.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { Demo } from "../pages/demo.mjs";

const folder = process.env.SETTLEKIT_DEMO_FOLDER;
assert.ok(folder, "SETTLEKIT_DEMO_FOLDER is not set: the folder that `cargo xtask dist demo` makes");
const { SETTLEKIT_DEMO_AT: origin, SETTLEKIT_DEMO_ROOT: root } = process.env;
assert.ok(origin && root, "SETTLEKIT_DEMO_AT and SETTLEKIT_DEMO_ROOT are not set: what `cargo xtask dist demo --at /folder` makes, and the folder");

/** Timeout for creating the demo data on a busy machine. */
const YEAR_MS = 180_000;

/** Console errors for the rejected markup and script of a test. */
const REFUSED = ["'TrustedHTML' assignment and the 'default' policy failed", "no 'default' policy for 'TrustedScriptURL'"];

let browser;
let host;
let first;
before(async () => {
  [browser, host] = [await open(), await serveFolder(folder)];
});
after(async () => {
  // Always closed: an open browser would block the run.
  try {
    await first?.done();
  } finally {
    await browser.close();
    await host.end();
  }
});

test("the first visit creates demo data with progress and signs in", async () => {
  first = await visit(browser, "light", { expected: REFUSED });
  const demo = new Demo(first.page);
  await first.page.goto(host.url);
  await demo.progress.waitFor();
  await inspectAs(first.page, "demo_making", "light");
  await demo.note.waitFor({ timeout: YEAR_MS });
  const dashboard = new Dashboard(first.page);
  await dashboard.navigation.waitFor();
  await first.page.getByText("Northlight Coffee Roasters").first().waitFor();
  await demo.note.click();
  await inspect(first.page, "demo_note");
  await demo.note.click();
});

test("the demo's own texts are translated", async () => {
  const reader = await visit(browser, "light", { locale: "de-DE" });
  const demo = new Demo(reader.page);
  await reader.page.goto(host.url);
  await demo.progress.waitFor();
  await reader.page.getByText(/^Ein Jahr Demodaten wird erstellt: Tag \d+ von \d+$/).waitFor();
  await inspectAs(reader.page, "demo_making_german", "light");
  await reader.page.getByRole("button", { name: "Abbrechen" }).click();
  await reader.page.getByText("Die Demodaten wurden nicht erstellt. Es wurde nichts gespeichert.").waitFor();
  await reader.done();
});

test("the browser rejects executable markup and foreign scripts", async () => {
  const refused = await first.page.evaluate(() => {
    const outcome = (act) => {
      try {
        act();
        return "taken";
      } catch (error) {
        return error.name;
      }
    };
    return [outcome(() => (document.createElement("div").innerHTML = "<img src=x onerror=alert(1)>")), outcome(() => new Worker("/other.js"))];
  });
  assert.deepEqual(refused, ["TypeError", "TypeError"]);
});

test("a payment in a second tab appears in the dashboard and is confirmed", async () => {
  const { page } = first;
  const demo = new Demo(page);
  const { payer } = await demo.pay();
  const id = new URL(payer.url()).searchParams.get("payment");
  await payer.close();

  await page.goto(`${host.url}/sandbox`);
  await page.getByRole("button", { name: "1 hour" }).click();
  await page.getByText("1 h", { exact: true }).waitFor();
  await inspect(page, "sandbox");
  await page.goto(`${host.url}/payments?open=${id}`);
  await new Dashboard(page).drawer.getByText("Confirmed", { exact: true }).first().waitFor();
});

test("the page comes before the demo's note, also when the service was ready first", async () => {
  const page = await first.page.context().newPage();
  // The dashboard's code arrives last: the other tab's worker answers before.
  await page.route("**/settlekit-web-*.wasm", async (route) => {
    await page.locator("#demo").waitFor({ state: "attached" });
    await route.continue();
  });
  await page.goto(`${host.url}/sandbox`);
  await new Dashboard(page).navigation.waitFor();
  // What the page asks by itself takes the focus from nobody.
  await page.locator("#clock").filter({ hasText: /\d/ }).waitFor();
  await page.evaluate(() => { requestAnimationFrame(() => requestAnimationFrame(() => { document.title += "."; })); });
  await page.waitForFunction(() => document.title.endsWith("."));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.close();
});

test("changes survive closing the tab, at any URL", async () => {
  const context = first.page.context();
  const before = await new Demo(first.page).ask("GET", "/v1/payments?limit=1");
  const second = await context.newPage();
  const dashboard = new Dashboard(second);
  await second.goto(`${host.url}/payments?status=Confirmed`);
  await dashboard.title.waitFor();
  await first.page.close();
  // The second tab's worker takes over.
  assert.deepEqual(await new Demo(second).ask("GET", "/v1/payments?limit=1"), before);
  first.page = second;
});

test("creating the demo data can be canceled and started again", async () => {
  const { page, done } = await visit(browser);
  const demo = new Demo(page);
  await page.goto(host.url);
  await demo.cancel.click();
  await page.getByText("Nothing was saved").waitFor();
  await inspectAs(page, "demo_given_up", "light");
  await page.getByRole("button", { name: "Create demo data" }).click();
  await demo.progress.waitFor();
  await done();
});

test("starting over deletes all changes", async () => {
  const { page } = first;
  const demo = new Demo(page);
  page.once("dialog", (dialog) => dialog.accept());
  await demo.note.click();
  await demo.over.click();
  await demo.progress.waitFor();
});

test("a demo in a folder keeps its links, URLs, payer's page and API reference inside", async (t) => {
  const shared = await serveFolder(origin);
  t.after(() => shared.end());
  // The host answers unknown URLs with 404, which the browser logs as an error.
  const { page, done } = await visit(browser, "light", { expected: ["404 (Not Found)"] });
  const [demo, dashboard] = [new Demo(page), new Dashboard(page)];
  const at = (path) => `${shared.url}${root}${path}`;
  // The first visit is to a page that the host does not serve.
  await page.goto(at("/accounts/new"));
  await demo.note.waitFor({ timeout: YEAR_MS });
  await page.getByRole("heading", { name: "Create account" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or go to" }).fill("customers");
  await page.locator(".palette").getByRole("option").first().click();
  await page.waitForURL(at("/customers"));
  await dashboard.navigation.getByRole("link", { name: "Payments" }).click();
  await page.waitForURL(at("/payments"));
  await dashboard.rows.first().click();
  await page.waitForURL(`${at("/payments")}?open=pay_*`);
  await dashboard.drawer.getByText("Timeline").waitFor();
  await page.keyboard.press("Escape");
  await dashboard.tab("Confirmed").click();
  await page.waitForURL(`${at("/payments")}?status=Confirmed`);
  await page.reload();
  await dashboard.onTab("Confirmed");
  const outside = await page.locator("a[href^='/']").evaluateAll((links, root) => links.map((link) => link.getAttribute("href")).filter((to) => to !== root && !to.startsWith(`${root}/`)), root);
  assert.deepEqual(outside, [], "a link leads out of the folder");
  await dashboard.navigation.getByRole("link", { name: "Overview" }).click();
  await page.waitForURL(at(""));
  await page.reload();
  await page.getByText("Total available").waitFor();

  const { link, payer } = await demo.pay();
  assert.ok(link.url.startsWith(at("/pay/")), link.url);
  await payer.goto(at("/docs"));
  await payer.getByText("/accounts/{account}/movement").waitFor();
  await payer.close();
  await done();
});

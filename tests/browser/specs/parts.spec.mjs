// Code splitting: size of the first load, lazy parts, and their failures.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";
import { url } from "../settings.mjs";

/** Brotli size of everything but API responses; 1 KB is 1000 bytes. */
const FIRST_LOAD_BYTES_MAX = 350_000;
/** A figure of the overview. */
const FIGURE = ".figure .value .amount";
const PART = /\/(split|chunk)_\w+-[0-9a-f]+\.wasm$/;

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

/** Files fetched so far, without API responses. */
const fetched = (page) =>
  page.evaluate(() => {
    const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return all.filter(({ name }) => !new URL(name).pathname.startsWith("/v1/")).map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize }));
  });

test("the first load is at most 350 KB, with and without a session", async () => {
  for (const state of [undefined, storageState]) {
    const { page, done } = await visit(browser, "light", { storageState: state });
    const dashboard = new Dashboard(page);
    await page.goto(url);
    await (state ? dashboard.title : dashboard.signInButton).waitFor();
    // The browser may record a file after its program has started.
    await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("_bg.wasm")));
    // Prefetches come later.
    const files = (await fetched(page)).filter(({ name }) => !PART.test(name));
    const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    const listed = files.map(({ name, encodedBodySize }) => `${encodedBodySize} ${name}`).join("\n");
    assert.ok(files.some(({ name, encodedBodySize, decodedBodySize }) => name.endsWith("_bg.wasm") && encodedBodySize < decodedBodySize), `the program comes compressed:\n${listed}`);
    assert.ok(bytes <= FIRST_LOAD_BYTES_MAX, `${bytes} bytes:\n${listed}`);
    await done();
  }
});

test("the first page needs no lazy part, and the others are prefetched", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const early = [];
  let panels = 0;
  await page.route(PART, async (route) => {
    const name = route.request().url();
    if (!(await page.locator(FIGURE).count())) early.push(name);
    panels += Number(/split_home/.test(name));
    await route.continue();
  });
  const dashboard = new Dashboard(page);
  const events = page.waitForResponse((response) => /split_setup/.test(response.url()));
  await dashboard.go("/");
  assert.deepEqual(early, [], "before the overview was there");
  assert.ok(panels > 0, "the panels came after it");
  await events;
  await dashboard.follow("Events");
  await done();
});

/** Opens the overview without waiting for its panels, which are a part. */
async function arrive(page) {
  await page.goto(url);
  await page.locator(FIGURE).first().waitFor();
}

test("hovered and focused links are prefetched", async () => {
  for (const point of [(link) => link.hover(), (link) => link.focus()]) {
    const { page, done } = await visit(browser, "light", { storageState });
    const dashboard = new Dashboard(page);
    await arrive(page);
    const coming = page.waitForRequest(/split_trade/);
    await point(dashboard.navigation.getByRole("link", { name: "Trading" }));
    await coming;
    await done();
  }
});

test("while a part loads, navigation stays and the page shows a placeholder", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  const letGo = await hold(page, PART);
  await arrive(page);
  const before = await dashboard.navigation.boundingBox();
  await dashboard.navigation.getByRole("link", { name: "Payments" }).click();
  await page.locator(".page[aria-busy=true] .bone").first().waitFor();
  assert.deepEqual(await dashboard.navigation.boundingBox(), before);
  await inspect(page, "part_waiting", { besides: ["page-has-heading-one"] });
  letGo();
  await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
  await done();
});

/** Holds back requests until they are released. */
async function hold(page, pattern) {
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route(pattern, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

const FIND = "input[aria-label='Search or go to']";

test("text typed into the palette before it is loaded is searched", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const letGo = await hold(page, PART);
  await arrive(page);
  await page.keyboard.press("Control+k");
  await page.locator(`.palette[aria-busy=true] ${FIND}:focus`).waitFor();
  await page.keyboard.type("appear");
  letGo();
  await page.getByRole("option", { name: /Appearance/ }).first().waitFor();
  await page.keyboard.type("ance");
  assert.equal(await page.locator(FIND).inputValue(), "appearance");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/settings/appearance");
  await done();
});

test("a page that loads behind the palette does not take its focus or input", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  const letGo = await hold(page, /\/split_money/);
  await dashboard.go("/");
  await dashboard.navigation.getByRole("link", { name: "Payments" }).click();
  await page.locator(".page[aria-busy=true]").waitFor();
  await page.keyboard.press("Control+k");
  await page.locator(`.palette:not([aria-busy]) ${FIND}:focus`).waitFor();
  await page.keyboard.type("appear");
  letGo();
  await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
  await dashboard.rows.first().waitFor();
  await page.keyboard.type("ance");
  assert.equal(await page.locator(FIND).inputValue(), "appearance");
  await page.getByRole("option", { name: /Appearance/ }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/settings/appearance");
  await done();
});

test("a part that fails to load can be retried", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: [".wasm", "Failed to fetch", "__wasm_split"] });
  const dashboard = new Dashboard(page);
  let away = true;
  await page.route(PART, (route) => (away ? route.abort() : route.continue()));
  await dashboard.go("/");
  for (const path of ["/payments", "/settings"]) {
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await page.locator(FIGURE).first().waitFor({ state: "detached" });
    await page.getByText("Can’t reach the service").waitFor();
  }
  await inspect(page, "part_lost");
  away = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  assert.equal(await page.getByText("Can’t reach the service").count(), 0);
  await done();
});

// The documentation site: a folder on a minimal static host, with a runner for its examples and the demo beside it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { inspectAs, LOOKS, open, visit } from "../browser.mjs";
import { serveFolder } from "../folder.mjs";
import { judgeUrl, lost } from "../lighthouse.mjs";
import { Demo } from "../pages/demo.mjs";

const folder = process.env.SETTLEKIT_SITE_FOLDER;
assert.ok(folder, "SETTLEKIT_SITE_FOLDER is not set: the folder that `cargo xtask dist site` makes");

/** Bytes of the first page, compressed as a host does. */
const FIRST_PAGE_MAX = 200_000;
/** Time that an example may take, the first with the download. */
const EXAMPLE_MS = 60_000;
/** Pages that stand for their kind. */
const KINDS = ["", "guides/quickstart.html", "guides/payers-page.html", "guides/going-live.html", "concepts/states.html", "reference/", "reference/paylink.html", "reference/errors.html", "decisions/", "decisions/0002-nonce.html", "changelog.html"];

/** Rules that the markup of VitePress's search breaks: links within options, which have a name of their own. */
const SEARCH = ["nested-interactive", "label-content-name-mismatch"];

/** The pages of the site without the demo, by address. */
const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html") && !name.startsWith("demo/"));
const addressOf = (name) => `/${name.replace(/(^|\/)index\.html$/, "$1")}`;
const pages = new Map(files.filter((name) => name !== "404.html").map((name) => [addressOf(name), readFileSync(join(folder, name), "utf8")]));

let browser, host;
before(async () => {
  [browser, host] = [await open(), await serveFolder(folder)];
});
after(async () => {
  await browser.close();
  await host.end();
});

/** The requests of a page to another origin. */
function elsewhereOf(page) {
  const elsewhere = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(host.url) && !/^(data|blob):/.test(url)) elsewhere.push(url);
  });
  return elsewhere;
}

const settled = (page) => page.locator(".VPNav").waitFor();

test("pages of each kind are shown in every look, and nothing comes from elsewhere", async () => {
  for (const [look, { viewport }] of Object.entries({ ...LOOKS, narrow: { viewport: { width: 390, height: 844 } } })) {
    const { page, done } = await visit(browser, look);
    await page.setViewportSize(viewport);
    const elsewhere = elsewhereOf(page);
    for (const path of KINDS) {
      await page.goto(`${host.url}/${path}`);
      await settled(page);
      assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
      await inspectAs(page, `site_${path.replace(".html", "").replaceAll("/", "_") || "home"}`, look);
    }
    assert.deepEqual(elsewhere, []);
    await done();
  }
});

test("a reader chooses dark, and it stays", async () => {
  const { page, done } = await visit(browser, "light");
  await page.goto(`${host.url}/guides/quickstart.html`);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("switch").first().click();
  await page.waitForFunction((light) => getComputedStyle(document.body).backgroundColor !== light, light);
  const dark = await ground();
  await page.goto(`${host.url}/concepts/ledger.html`);
  assert.equal(await ground(), dark);
  await done();
});

test("the keyboard reaches the content by the skip link", async () => {
  const { page, done } = await visit(browser);
  await page.goto(`${host.url}/guides/webhooks.html`);
  await settled(page);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Skip to content");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "VPContent");
  await done();
});

test("the search works without a network, and finds `refund`", async () => {
  const { page, done } = await visit(browser);
  const elsewhere = elsewhereOf(page);
  await page.goto(`${host.url}/guides/quickstart.html`);
  await settled(page);
  await page.keyboard.press("Control+k");
  await page.locator("#localsearch-input").fill("refund");
  await page.locator(".result .titles", { hasText: "Refunds" }).first().waitFor();
  await inspectAs(page, "site_search", "light", { besides: SEARCH });
  await page.keyboard.press("Enter");
  await page.waitForURL(/refund/);
  assert.deepEqual(elsewhere, []);
  await done();
});

/** Presses an example's button and returns its state and output. */
async function press(page, example) {
  await example.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction((element) => !["idle", "loading", "running"].includes(element.dataset.state), await example.elementHandle(), { timeout: EXAMPLE_MS });
  return { state: await example.getAttribute("data-state"), output: (await example.locator(".run-output").allInnerTexts()).join("\n") };
}

/** Goes to a page as a link does: the service that the tab has loaded stays. */
async function follow(page, path, html) {
  const title = html.match(/<title>(.*?)<\/title>/)[1].replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&lt;", "<");
  const count = html.match(/data-example/g).length;
  await page.evaluate((path) => {
    const link = Object.assign(document.createElement("a"), { href: path });
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.waitForFunction(([path, title, count]) => location.pathname === path && document.title === title && document.querySelectorAll("[data-example]").length === count, [path, title, count]);
}

test("every Run button of every page runs its example without an error", async () => {
  const { page, done } = await visit(browser);
  const elsewhere = elsewhereOf(page);
  let count = 0;
  await page.goto(`${host.url}/changelog.html`);
  await settled(page);
  for (const [path, html] of pages) {
    if (!html.includes("data-example")) continue;
    await follow(page, path, html);
    const tabs = page.getByRole("tab", { name: "JavaScript" });
    if ((await tabs.count()) > 0) await tabs.first().click();
    for (const example of await page.locator("[data-example]").all()) {
      const { state, output } = await press(page, example);
      assert.equal(state, "done", `${path}: ${await example.locator("code").first().innerText()}\n${output}`);
      count += 1;
    }
  }
  assert.ok(count > 150, `${count} examples`);
  assert.deepEqual(elsewhere, []);
  await done();
});

test("an example shows its output and webhooks, is edited, and an endless loop is stopped", async () => {
  const { page, done } = await visit(browser);
  await page.goto(`${host.url}/guides/webhooks.html`);
  await settled(page);
  const example = page.locator("[data-example]").first();
  const { output } = await press(page, example);
  assert.match(output, /^payment\.settled pay_/m);
  await example.getByText(/^\d+ webhooks sent$/).click();
  const webhook = example.locator(".run-webhooks > details").filter({ has: page.locator("summary", { hasText: /^payment\.settled/ }) });
  await webhook.locator("summary").click();
  await webhook.getByText('"status": "Confirmed"').waitFor();
  await inspectAs(page, "site_run", "light");

  await example.getByRole("button", { name: "Edit" }).click();
  const code = example.getByRole("textbox", { name: "Code" });
  await code.fill('console.log("mine", 1 + 1);');
  assert.equal((await press(page, example)).output.trim(), "mine 2");
  await code.fill("throw new TypeError('not so');");
  const failed = await press(page, example);
  assert.equal(failed.state, "failed");
  assert.match(failed.output, /TypeError: not so/);
  await inspectAs(page, "site_run_failed", "dark");
  await code.fill("for (;;);");
  await example.getByRole("button", { name: "Run", exact: true }).click();
  await example.getByRole("button", { name: "Stop" }).click();
  await example.getByText("Stopped.").waitFor();
  await example.getByRole("button", { name: "Reset" }).click();
  assert.equal((await press(page, example)).state, "done");
  await done();
});

test("the download shows its progress and can be canceled", async () => {
  const { page, done } = await visit(browser);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.context().route("**/sandbox-*.wasm", async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.goto(host.url);
  await settled(page);
  const example = page.locator("[data-example]").first();
  await example.getByRole("button", { name: "Run", exact: true }).click();
  await example.getByRole("progressbar", { name: "Loading the service" }).waitFor();
  await example.getByRole("button", { name: "Cancel" }).click();
  await example.getByText("Stopped.").waitFor();
  release();
  assert.equal((await press(page, example)).state, "done");
  await done();
});

test("the language of the examples is chosen by keyboard, for all pages", async () => {
  const { page, done } = await visit(browser);
  await page.goto(`${host.url}/reference/paylink.html`);
  await settled(page);
  await page.getByRole("tab", { name: "JavaScript" }).first().focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Rust");
  await page.getByText("let call = Call::<CreatePaylink>").waitFor();
  await page.goto(`${host.url}/reference/payment.html`);
  await page.getByRole("tab", { name: "Rust", selected: true }).first().waitFor();
  await done();
});

test("the demo is at /demo", async () => {
  const { page, done } = await visit(browser);
  const elsewhere = elsewhereOf(page);
  await page.goto(host.url);
  await page.getByRole("link", { name: "Open the demo" }).click();
  await page.waitForURL(`${host.url}/demo/`);
  await new Demo(page).progress.waitFor();
  assert.deepEqual(elsewhere, []);
  await done();
});

test("every link of every page leads somewhere", () => {
  const broken = [];
  const idsOf = (html) => new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  const known = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));
  const served = new Set(readdirSync(folder, { recursive: true }).map((name) => `/${name}`));
  for (const [path, html] of pages) {
    for (const [, href] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue;
      const [target, anchor] = href.replaceAll("&amp;", "&").split("#");
      const address = target === "" ? path : new URL(target, `${host.url}${path}`).pathname;
      // The demo answers all of its addresses itself.
      if (address.startsWith("/demo/") || served.has(address)) continue;
      if (!known.has(address)) broken.push(`${path}: ${href}`);
      else if (anchor && !known.get(address).has(decodeURIComponent(anchor))) broken.push(`${path}: ${href}`);
    }
  }
  assert.deepEqual([...new Set(broken)], []);
});

test("the first page is at most 200 KB, compressed", async (t) => {
  const { page, done } = await visit(browser);
  const asked = new Set();
  page.on("request", (request) => asked.add(new URL(request.url()).pathname));
  await page.goto(host.url);
  await page.waitForLoadState("networkidle");
  const bytes = [...asked].map((path) => readFileSync(join(folder, path === "/" ? "index.html" : path))).reduce((sum, file) => sum + brotliCompressSync(file).length, 0);
  t.diagnostic(`first page: ${bytes} bytes in ${asked.size} files`);
  assert.ok(bytes > 0 && bytes <= FIRST_PAGE_MAX, `${bytes} bytes`);
  await done();
});

for (const path of ["", "guides/quickstart.html", "reference/paylink.html"]) {
  test(`Lighthouse finds nothing to say against ${path || "the first page"}`, async () => {
    const categories = ["accessibility", "best-practices", "seo"];
    const lhr = await judgeUrl(`${host.url}/${path}`, categories);
    assert.deepEqual(categories.flatMap((category) => lost(lhr, category)), []);
  });
}

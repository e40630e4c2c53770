// The embedded checkout in a shop of another origin, under the policy that docs/guides/embedded.md gives.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { url } from "../settings.mjs";
import { provide } from "../wallet.mjs";

const EMBED_BYTES_MAX = 15_000;
const ID = "pl_019aa0b5c3f07c0d9f2e3b6a7d8c9e01";
const HASH = "0x8b1f0c9a4c9c39e5b6a1f2d3e4c5b6a7980f1e2d3c4b5a69788796a5b4c3d2e1";
const PAYER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const EVENTS = ["started", "seen", "confirmed", "ended", "closed", "error"].map((name) => `settlekit-${name}`);

const guide = readFileSync(new URL("../../../docs/guides/embedded.md", import.meta.url), "utf8");
/** The examples of the guide for this service: a block of code by its language, and the policy. */
const example = (language) => guide.match(new RegExp(`^\`\`\`${language}(?: [^\n]*)?\n(.*?)^\`\`\``, "ms"))[1].replaceAll("https://pay.example", url);
const POLICY = example("http").match(/Content-Security-Policy: (.*)/)[1];

/** Chromium loses clicks in a frame of another process while that frame's size changes. */
const FRAMES_IN_PROCESS = ["--disable-site-isolation-trials"];

let browser, shop, origin;
before(async () => {
  browser = await open(FRAMES_IN_PROCESS);
  await merchant.account();
  shop = createServer((request, response) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="${searchParams.get("scheme") ?? "light dark"}"><title>Tea House</title><link rel="icon" href="data:,"></head>
      <body><main><h1>Tea House</h1>${searchParams.get("markup") ?? ""}</main></body></html>`;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": `${POLICY}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'` }).end(page);
  });
  await new Promise((listening) => shop.listen(0, "127.0.0.1", listening));
  // Another site than 127.0.0.1: the frame has no storage in common with the service's own pages.
  origin = `http://localhost:${shop.address().port}`;
});
after(async () => {
  await browser.close();
  await new Promise((closed) => shop.close(closed).closeAllConnections());
});

const SCRIPT = `<script type="module" src="${url}/embed.js"></script>`;
const element = (link, attributes = "") => `${SCRIPT}<settlekit-pay paylink="${link}" ${attributes}></settlekit-pay>`;

/** Opens a page of the shop, and records the events that reach it. */
async function visitShop(markup, { look = "light", scheme, prepare, ...options } = {}) {
  const { page, done } = await visit(browser, look, options);
  await page.addInitScript((names) => {
    globalThis.events = [];
    for (const name of names) addEventListener(name, ({ type, detail }) => globalThis.events.push({ type, ...detail }));
  }, EVENTS);
  await prepare?.(page);
  const query = new URLSearchParams({ markup, ...(scheme && { scheme }) });
  await page.goto(`${origin}/?${query}`);
  const frame = page.frameLocator("settlekit-pay iframe");
  return { page, done, frame, checkout: new Checkout(frame), events: () => page.evaluate(() => globalThis.events) };
}

const types = async (events) => (await events()).map(({ type }) => type);
const height = (page) => page.locator("settlekit-pay iframe").evaluate((frame) => frame.getBoundingClientRect().height);
const content = (frame) => frame.locator("body").evaluate((body) => body.getBoundingClientRect().height);
const fitted = (page, frame) => merchant.until("the frame is as high as its content", async () => Math.abs((await height(page)) - Math.ceil(await content(frame))) <= 1);

test("the script is small, and only the embedded address may be framed", async () => {
  const script = await fetch(`${url}/embed.js`, { headers: { "accept-encoding": "identity" } });
  const bytes = (await script.arrayBuffer()).byteLength;
  assert.ok(bytes > 0 && bytes <= EMBED_BYTES_MAX, `${bytes} bytes`);
  assert.equal(script.headers.get("access-control-allow-origin"), "*");
  assert.match(script.headers.get("cache-control"), /^public, max-age=[1-9]/);
  const [own, embedded] = await Promise.all(["pay", "embed"].map(async (folder) => (await fetch(`${url}/${folder}/${ID}`)).headers));
  assert.match(own.get("content-security-policy"), /frame-ancestors 'none'/);
  assert.equal(own.get("x-frame-options"), "DENY");
  assert.match(embedded.get("content-security-policy"), /^default-src 'none'; (?!.*frame-ancestors 'none').*frame-ancestors \*/);
  assert.equal(embedded.get("x-frame-options"), null);
});

test("a shop with the strict policy takes a payment inline, hears of it in order, and the frame is as high as its content", async () => {
  const link = await merchant.paylink({ after_completion: { type: "redirect", redirect_url: "https://shop.example/thanks" } });
  const { page, done, frame, checkout, events } = await visitShop(example("html").replace("pl_…", link.id));
  await checkout.continueButton.waitFor();
  await fitted(page, frame);
  const first = await height(page);
  await inspect(page, "embed_inline");
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  await fitted(page, frame);
  assert.notEqual(await height(page), first);
  await inspect(page, "embed_inline_pay");
  await checkout.testWallet.click();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  const [started, seen, confirmed, ...others] = await events();
  assert.deepEqual([started.type, seen.type, confirmed.type, others], ["settlekit-started", "settlekit-seen", "settlekit-confirmed", []]);
  const { payment_id } = started;
  assert.deepEqual(confirmed, { type: "settlekit-confirmed", payment_id, paylink_id: link.id, status: "Confirmed", redirect_url: "https://shop.example/thanks" });
  assert.equal((await merchant.call("GET", `/payments/${payment_id}`)).status, "Confirmed");
  // The frame stays; the payer goes back with the whole page.
  assert.equal(await frame.locator("#stay").count(), 0);
  assert.deepEqual(await frame.locator("#go").evaluate(({ href, target }) => [href, target]), ["https://shop.example/thanks", "_top"]);
  await fitted(page, frame);
  await inspect(page, "embed_inline_paid");
  await done();
});

test("a button opens a dialog by keyboard; closed, opened again or loaded again, the same payment goes on", async () => {
  const link = await merchant.paylink();
  const { page, done, frame, checkout, events } = await visitShop(element(link.url, 'label="Buy tea"'));
  const button = page.getByRole("button", { name: "Buy tea" });
  const dialog = page.getByRole("dialog", { name: "Payment" });
  await inspect(page, "embed_button");
  await button.focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  assert.ok(await page.evaluate(() => document.querySelector("settlekit-pay").shadowRoot.activeElement?.closest("dialog")), "focus is in the dialog");
  await checkout.continueButton.waitFor();
  await inspect(page, "embed_dialog");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.querySelector("settlekit-pay").shadowRoot.activeElement?.textContent), "Buy tea", "focus is back");
  await button.click();
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  await inspect(page, "embed_dialog_pay");
  const address = await checkout.line("Address").innerText();
  // From within the frame, too.
  await checkout.testWallet.focus();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await button.click();
  assert.equal(await checkout.line("Address").innerText(), address);
  await page.reload();
  await button.click();
  assert.equal(await checkout.line("Address").innerText(), address);
  await page.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
  // Paid while the dialog is closed.
  const { payment_id } = (await events())[0];
  await merchant.call("POST", `/sandbox/checkout/payments/${payment_id}/pay`);
  await merchant.until("the shop hears of it", async () => (await types(events)).includes("settlekit-confirmed"));
  assert.deepEqual(await types(events), ["settlekit-started", "settlekit-closed", "settlekit-seen", "settlekit-confirmed"]);
  await button.click();
  await checkout.heading("Paid").waitFor();
  await page.evaluate(() => history.length).then((entries) => assert.ok(entries <= 3, "the frame adds nothing to the history"));
  assert.equal(await frame.locator("html").getAttribute("lang"), "en");
  await done();
});

test("a moved element, another mode and another language keep the payment; another link starts a new one", async () => {
  const [link, other] = [await merchant.paylink(), await merchant.paylink({ name: "Green tea" })];
  const { page, done, frame, checkout, events } = await visitShop(element(link.id, 'mode="inline"'));
  await checkout.choose("USDC", "Ethereum");
  const address = await checkout.line("Address").innerText();
  const pay = page.locator("settlekit-pay");
  await pay.evaluate((element) => document.body.append(element));
  assert.equal(await checkout.line("Address").innerText(), address);
  await pay.evaluate((element) => (element.language = "de-DE"));
  await frame.getByRole("button", { name: "Aus der Test-Wallet zahlen" }).waitFor();
  assert.equal(await frame.locator(".line", { hasText: "Adresse" }).locator("dd span").innerText(), address);
  await frame.getByRole("link", { name: "In neuem Tab öffnen" }).waitFor();
  await pay.evaluate((element) => (element.mode = "button"));
  await page.getByRole("button", { name: "Bezahlen" }).click();
  assert.equal(await frame.locator(".line", { hasText: "Adresse" }).locator("dd span").innerText(), address);
  await inspect(page, "embed_dialog_german");
  assert.deepEqual(await types(events), ["settlekit-started"]);
  await pay.evaluate((element, id) => Object.assign(element, { paylink: id, language: "en" }), other.id);
  await frame.getByRole("heading", { name: "Green tea" }).waitFor();
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  const { payment_id } = (await events()).at(-1);
  const { expires_at, server_time } = await merchant.call("GET", `/checkout/payments/${payment_id}`);
  await merchant.call("POST", "/sandbox/clock", { advance_seconds: Math.ceil((Date.parse(expires_at) - Date.parse(server_time)) / 1000) + 1 });
  await checkout.heading("Payment expired").waitFor({ timeout: 60_000 });
  assert.deepEqual((await events()).slice(1).map(({ type, paylink_id, status }) => [type, paylink_id, status]), [["settlekit-started", other.id, "Processing"], ["settlekit-ended", other.id, "Expired"]]);
  // Nothing is in progress: loaded again, the payer chooses again.
  await pay.evaluate((element, id) => (element.paylink = id), link.id);
  await pay.evaluate((element, id) => (element.paylink = id), other.id);
  await checkout.continueButton.waitFor();
  await done();
});

test("messages of others are ignored, and links to elsewhere are refused", async () => {
  const link = await merchant.paylink();
  const hostile = ["javascript:alert(1)", "https://evil.example/pay/pl_1", `${url}.evil.example/pay/pl_1`, `${url}/embed/pl_1`, `${url}/pay/../v1`, "//evil.example", "pl_1/../../x", "data:text/html,x"];
  const { page, done, checkout, events } = await visitShop(element(link.id, 'mode="inline"') + hostile.map((paylink, index) => `<settlekit-pay id="h${index}" paylink="${paylink}"></settlekit-pay>`).join(""));
  await checkout.continueButton.waitFor();
  const refusals = await events();
  assert.deepEqual(refusals.map(({ type, reason }) => [type, reason]), hostile.map(() => ["settlekit-error", "paylink"]));
  assert.match(refusals[0].message, /^paylink must be the id of a payment link or its URL at .*, not "javascript:alert\(1\)"$/);
  assert.equal(await page.getByText("This payment link is not valid here. Contact the merchant.").count(), hostile.length);
  assert.equal(await page.locator("settlekit-pay iframe").count(), 1);
  await inspect(page, "embed_refused");
  const before = await height(page);
  // The page itself, and a frame of another origin, say that it is paid.
  await page.evaluate(async (id) => {
    const lie = { settlekit: "confirmed", payment_id: "pay_1", paylink_id: id, status: "Confirmed", redirect_url: "https://evil.example" };
    postMessage(lie, "*");
    postMessage({ settlekit: "height", height: 9000 }, "*");
    const frame = document.querySelector("settlekit-pay").shadowRoot.querySelector("iframe");
    // The frame's own window, and another origin.
    dispatchEvent(new MessageEvent("message", { data: lie, origin: "https://evil.example", source: frame.contentWindow }));
    for (const data of [null, "confirmed", 7, [], { settlekit: "height", height: -1 }, { settlekit: "height", height: "9000" }, { settlekit: "started" }, { ...lie, paylink_id: "pl_2" }, { ...lie, status: {} }, { settlekit: "navigate" }]) {
      dispatchEvent(new MessageEvent("message", { data, origin: new URL(frame.src).origin, source: frame.contentWindow }));
    }
    await new Promise((done) => setTimeout(done));
  }, link.id);
  assert.equal((await events()).length, hostile.length);
  assert.equal(await height(page), before);
  // A URL that would run a script is left out of the event.
  await page.evaluate((id) => {
    const frame = document.querySelector("settlekit-pay").shadowRoot.querySelector("iframe");
    const data = { settlekit: "confirmed", payment_id: "pay_1", paylink_id: id, status: "Confirmed", redirect_url: "javascript:alert(1)" };
    dispatchEvent(new MessageEvent("message", { data, origin: new URL(frame.src).origin, source: frame.contentWindow }));
  }, link.id);
  assert.deepEqual((await events()).at(-1), { type: "settlekit-confirmed", payment_id: "pay_1", paylink_id: link.id, status: "Confirmed" });
  await done();
});

test("a page that frames the payer's own page shows nothing of it", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visitShop(`<iframe title="Payment" src="${link.url}"></iframe>`, { expected: ["frame-ancestors", "ERR_BLOCKED_BY_RESPONSE"] });
  await page.waitForLoadState();
  assert.equal(await page.frameLocator("iframe").locator("#card").count(), 0);
  await done();
});

test("a service that does not answer is told, and tried again", async () => {
  const link = await merchant.paylink();
  const { page, done, checkout, events } = await visitShop(element(link.id, 'mode="inline"'), {
    expected: ["ERR_FAILED"],
    prepare: (page) => page.route("**/embed/**", (route) => route.abort()),
  });
  await page.getByText("The payment could not be loaded. Nothing was charged.").waitFor();
  assert.equal(await page.getByRole("link", { name: "Open in a new tab" }).getAttribute("href"), `${url}/pay/${link.id}`);
  assert.deepEqual((await events()).map(({ type, reason }) => [type, reason]), [["settlekit-error", "unavailable"]]);
  await inspect(page, "embed_failed");
  await page.unroute("**/embed/**");
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  await page.route("**/embed/**", (route) => held.then(() => route.continue()));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("status").filter({ hasText: "Loading payment…" }).waitFor();
  answer();
  await checkout.continueButton.waitFor();
  assert.equal(await page.getByText("The payment could not be loaded.").isVisible(), false);
  await done();
});

test("a light shop has a light frame in a dark system, and a dark one follows the system", async () => {
  const link = await merchant.paylink();
  const colour = (frame) => frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  const light = await visitShop(element(link.id, 'mode="inline"'), { look: "dark", scheme: "light" });
  await light.checkout.continueButton.waitFor();
  assert.equal(await colour(light.frame), "rgb(255, 255, 255)");
  await light.done();
  const dark = await visitShop(element(link.id, 'mode="inline"'), { look: "dark" });
  await dark.checkout.continueButton.waitFor();
  assert.equal(await colour(dark.frame), "rgb(22, 24, 31)");
  await dark.page.emulateMedia({ colorScheme: "light" });
  await merchant.until("the frame is light", async () => (await colour(dark.frame)) === "rgb(255, 255, 255)");
  await dark.done();
});

test("a wallet announced in the frame pays, and a tab opened from it asks for no second payment", async () => {
  const link = await merchant.paylink({ amount: "10" });
  const withTransaction = async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const transaction = { to: data.address, value: "0x0", data: "0x", token_address: null, units: "10000000", decimals: 6 };
    await route.fulfill({ response, json: { data: { ...data, sandbox: false, authorization: undefined, unsigned_transaction: transaction } } });
  };
  const { page, done, frame, checkout } = await visitShop(element(link.id, 'mode="inline"'), {
    prepare: async (page) => {
      await page.context().route("**/v1/checkout/payments/*", withTransaction);
      await page.context().route("**/v1/checkout/payments/*/live", (route) => route.fulfill({ status: 204 }));
      await page.context().addInitScript(provide, { accounts: [PAYER], chain: "0x1", hash: HASH, answers: { eth_sendTransaction: "?" } });
    },
  });
  const tab = frame.getByRole("link", { name: "Open in a new tab" });
  await checkout.choose("USDC", "Ethereum");
  const pay = frame.getByRole("button", { name: "Pay with Test Wallet" });
  await pay.waitFor();
  // The frame tells the shop's page by message, and the shop's page tells the reloaded frame.
  const remembered = (isAsked) =>
    page.waitForFunction((isAsked) => Object.values(sessionStorage).some((value) => JSON.parse(value).isAsked === isAsked), isAsked);
  const opened = async () => {
    const [other] = await Promise.all([page.waitForEvent("popup"), tab.click()]);
    await new Checkout(other).card.waitFor();
    return other;
  };
  // While the payment may go on in the tab, the frame asks for nothing.
  const first = await opened();
  await new Checkout(first).qr.waitFor();
  await checkout.heading("Payment opened in another tab").waitFor();
  assert.deepEqual([await pay.count(), await checkout.qr.count()], [0, 0]);
  await first.close();
  await inspect(page, "embed_elsewhere");
  // A frame that is loaded again still asks for nothing.
  await remembered(true);
  await page.reload();
  await frame.locator("#step").getByText("We don’t know whether your browser wallet sent this payment.").waitFor();
  assert.deepEqual([await pay.count(), await checkout.qr.count()], [0, 0]);
  await frame.getByRole("button", { name: "I didn’t confirm it: pay again" }).click();
  await pay.waitFor();
  await (await opened()).close();
  await frame.getByRole("button", { name: "I didn’t pay there: continue here" }).click();
  await pay.click();
  const unsure = "We don’t know whether Test Wallet sent this payment.";
  await frame.locator("#step").getByText(unsure).waitFor();
  // A tab and a frame that is loaded again have another storage, or none, and know it nevertheless.
  const second = await opened();
  await second.locator("#step").getByText("We don’t know whether your browser wallet sent this payment.").waitFor();
  assert.equal(await new Checkout(second).qr.count(), 0);
  assert.equal(new URL(second.url()).hash, "");
  await frame.locator("#step").getByText(unsure).waitFor();
  await remembered(true);
  await page.reload();
  await frame.locator("#step").getByText("We don’t know whether your browser wallet sent this payment.").waitFor();
  assert.deepEqual([await pay.count(), await checkout.qr.count()], [0, 0]);
  await frame.getByRole("button", { name: "I didn’t confirm it: pay again" }).click();
  await pay.waitFor();
  await remembered(false);
  await page.reload();
  await pay.waitFor();
  await done();
});

test("the page in the frame is accessible in every look", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(`${url}/embed/${link.id}`);
  await inspect(page, "embedded_choose");
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  await inspect(page, "embedded_pay");
  await page.getByRole("button", { name: /^Copy address/ }).click();
  await page.getByText("Address copied").waitFor();
  await done();
});

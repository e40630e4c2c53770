// The documentation: the viewer of the API reference and the guides beside it, served by the server under its content security policy,
// and requests that are sent from the reference in a sandbox.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { LOOKS, inspect, inspectAs, open, visit } from "../browser.mjs";
import { memberSignedIn, signedIn } from "../session.mjs";
import { password, url } from "../settings.mjs";

// Known issues in the viewer's markup that styles cannot fix: a summary is a button around a link to itself, a code block
// scrolls without being focusable, the select of examples has no name, headings skip a level, the title is outside of the
// main element.
const VIEWERS = ["nested-interactive", "scrollable-region-focusable", "select-name", "heading-order", "region"];

const GUIDES = ["quickstart", "authentication", "signing", "webhooks", "errors", "idempotency", "lists", "sandbox"];

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

/** The URLs outside of the server that a page asks for. */
function elsewhereOf(page) {
  const elsewhere = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) elsewhere.push(request.url());
  });
  return elsewhere;
}

// Reloaded in each look: the viewer reads its colours at startup only.
for (const look of Object.keys(LOOKS)) {
  test(`the interface is shown in ${look}, and nothing comes from elsewhere`, async () => {
    const { page, done } = await visit(browser, look);
    const elsewhere = elsewhereOf(page);
    await page.goto(`${url}/docs`);
    await page.locator("#operations-paylink-createPaylink").waitFor();
    const document = await (await fetch(`${url}/openapi.json`)).json();
    const operations = Object.values(document.paths).flatMap((item) => Object.keys(item));
    assert.equal(await page.locator(".opblock").count(), operations.length);
    await page.locator("#operations-paylink-createPaylink .opblock-summary-control").click();
    await page.locator("#operations-paylink-createPaylink .response-col_status", { hasText: "201" }).waitFor();
    assert.deepEqual(elsewhere, []);
    assert.equal(await page.getByRole("button", { name: "Try requests", exact: true }).count(), 0, "nobody has signed in");
    await inspectAs(page, "docs", look, { besides: VIEWERS });
    await done();
  });
}

test("every guide is shown in every look, and nothing comes from elsewhere", async () => {
  const { page, done } = await visit(browser);
  const elsewhere = elsewhereOf(page);
  for (const guide of GUIDES) {
    const response = await page.goto(`${url}/docs/${guide}`);
    assert.match(response.headers()["content-security-policy"], /default-src 'none'.*trusted-types 'none'/);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await page.locator("nav [aria-current=page]").getAttribute("href"), `/docs/${guide}`);
    await inspect(page, `docs_${guide}`);
  }
  assert.deepEqual(elsewhere, []);
  await done();
});

test("guides are read by keyboard, from the skip link to a section", async () => {
  const { page, done } = await visit(browser);
  await page.goto(`${url}/docs/signing`);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "3. Write the message" }).press("Enter");
  await page.waitForURL(/#3-write-the-message$/);
  const { y } = await page.locator('[id="3-write-the-message"]').boundingBox();
  assert.ok(y >= 0 && y < page.viewportSize().height, `the section is at ${y}`);
  await done();
});

test("a code block is copied as it is shown", async () => {
  const { page, done } = await visit(browser);
  await page.goto(`${url}/docs/signing`);
  // Pages may not read the clipboard.
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => ((globalThis.copied = text), Promise.resolve());
  });
  const button = page.getByRole("button", { name: "Copy: X-API-Signature" });
  await button.click();
  await page.getByRole("status").filter({ hasText: "X-API-Signature copied" }).waitFor();
  const { requests } = JSON.parse(readFileSync(new URL("../../vectors/signing.json", import.meta.url), "utf8"));
  assert.equal(await page.evaluate(() => globalThis.copied), requests.find(({ name }) => name === "a body").signature);
  await done();
});

test("the guides follow the dashboard's theme", async () => {
  const { page, done } = await visit(browser, "light");
  await page.addInitScript(() => localStorage.setItem("settlekit.theme", "dark"));
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto(`${url}/docs/webhooks`);
  assert.equal(await ground(), "rgb(20, 22, 28)");
  await page.goto(`${url}/docs`);
  assert.equal(await ground(), "rgb(20, 22, 28)");
  await done();
});

/** The code of a guide's example. */
async function example(guide, name) {
  const { page, done } = await visit(browser);
  await page.goto(`${url}/docs/${guide}`);
  const code = await page.locator(`[data-example=${name}]`).textContent();
  await done();
  return code;
}

const imported = (code) => import(`data:text/javascript,${encodeURIComponent(code)}`);
const vectors = (name) => JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8"));

test("the signing examples sign every vector", async () => {
  const { requests, secret, nonce } = vectors("signing");
  const { sign } = await imported(await example("signing", "node"));
  for (const request of requests) assert.equal(sign(request, secret, nonce)["x-api-signature"], request.signature, request.name);
  assert.match(sign(requests[0], secret)["x-api-nonce"], /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);

  const python = `${await example("signing", "python")}

import json, sys
told = json.load(sys.stdin)
signed = [sign(one["method"], one["path"], told["secret"], one["query"], one["organisation"], one["body"].encode(), told["nonce"]) for one in told["requests"]]
print(json.dumps([one["x-api-signature"] for one in signed] + [new_nonce()]))`;
  const said = JSON.parse(execFileSync("python3", ["-c", python], { input: JSON.stringify({ requests, secret, nonce }) }));
  assert.match(said.pop(), /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.deepEqual(said, requests.map(({ signature }) => signature));
});

test("the webhook examples accept a delivery and refuse a changed one", async () => {
  const { deliveries: [delivery], public_key } = vectors("webhook");
  const headers = { "webhook-id": delivery.id, "webhook-timestamp": String(delivery.timestamp), "webhook-signature": delivery.signature };
  const { read } = await imported(await example("webhooks", "node"));
  assert.deepEqual(read(headers, delivery.body, public_key, delivery.timestamp), JSON.parse(delivery.body));
  assert.throws(() => read(headers, `${delivery.body} `, public_key, delivery.timestamp), /no signature matches/);
  assert.throws(() => read(headers, delivery.body, public_key, delivery.timestamp + 301), /signed too long ago/);
  // The package that verifies is not part of Python.
  const python = await example("webhooks", "python");
  execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: python });
});

const paylinks = (page) => page.locator("#operations-paylink-listPaylinks");

/** Presses *Try requests* and confirms with a password. */
async function begin(page, secret = password) {
  await page.getByRole("button", { name: "Try requests", exact: true }).click();
  await page.getByRole("textbox", { name: "Password" }).fill(secret);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

test("an owner sends requests from the reference, with a key that ends in an hour and with the tab", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["401"] });
  await page.goto(`${url}/docs`);
  await page.getByRole("button", { name: "Try requests", exact: true }).click();
  await inspectAs(page, "docs_try", "light", { besides: VIEWERS });
  await page.getByRole("textbox", { name: "Password" }).fill("not the password");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.locator("#try-error").waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();

  await begin(page);
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  const stored = await page.evaluate(() => JSON.parse(sessionStorage.getItem("settlekit.docs.key")));
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(stored.key), "the key is kept in this tab only");
  const listed = async () => {
    const { data } = await (await fetch(`${url}/v1/api-keys`, { headers: { "x-api-key": stored.key } })).json();
    return data.items.find(({ id }) => id === stored.id);
  };
  const key = await listed();
  assert.equal(key.name, "API reference: try requests");
  assert.deepEqual(key.scopes, ["read", "write", "payout", "manage"]);
  const lasts = Date.parse(key.expires_at) - Date.parse(key.created_at);
  assert.ok(lasts > 3_590_000 && lasts <= 3_600_000, `it lasts ${lasts} ms`);

  await paylinks(page).locator(".opblock-summary-control").click();
  const asked = page.waitForRequest((request) => request.url().includes("/v1/paylinks"));
  await paylinks(page).getByRole("button", { name: "Send", exact: true }).click();
  const request = await asked;
  assert.doesNotMatch(new URL(request.url()).search, /status|search|since/, "no filter is filled in");
  assert.equal((await request.allHeaders())["x-api-key"], stored.key);
  assert.equal((await request.allHeaders()).cookie, undefined, "the session is not sent");
  await paylinks(page).locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();

  const payout = page.locator("#operations-payout-createPayout");
  await payout.locator(".opblock-summary-control").click();
  await payout.getByText("It must be signed, and the signing secret does not belong in a browser.").waitFor();
  assert.equal(await payout.getByRole("button", { name: "Send", exact: true }).count(), 0);
  for (const secret of ["#operations-api_key-createApiKey", "#operations-organisation-getSigningSecret"]) {
    const operation = page.locator(secret);
    await operation.locator(".opblock-summary-control").click();
    await operation.getByText("Its answer is a secret that outlives this page.").waitFor();
    assert.equal(await operation.getByRole("button", { name: "Send", exact: true }).count(), 0);
  }

  // Another tab of the same browser has no key.
  const other = await page.context().newPage();
  await other.goto(`${url}/docs`);
  await other.getByRole("button", { name: "Try requests", exact: true }).waitFor();
  assert.equal(await other.evaluate(() => sessionStorage.getItem("settlekit.docs.key")), null);
  await other.close();

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Try requests", exact: true }).waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem("settlekit.docs.key")), null);
  assert.equal((await fetch(`${url}/v1/orgs`, { headers: { "x-api-key": stored.key } })).status, 401, "the key is revoked");
  await done();
});

test("the reference says when its key has ended", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: ["401"] });
  await page.goto(`${url}/docs`);
  await begin(page);
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  const { id, key } = await page.evaluate(() => JSON.parse(sessionStorage.getItem("settlekit.docs.key")));
  assert.equal((await fetch(`${url}/v1/api-keys/${id}`, { method: "DELETE", headers: { "x-api-key": key } })).status, 200);
  await paylinks(page).locator(".opblock-summary-control").click();
  await paylinks(page).getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The key has ended. Press Try requests for a new one.").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem("settlekit.docs.key")), null);
  await done();
});

test("no request can be tried in live mode", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  await page.route("**/v1/sessions/current", async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    await route.fulfill({ response, json: { ...rest, data: { ...data, sandbox: false } } });
  });
  const answered = page.waitForResponse("**/v1/sessions/current");
  await page.goto(`${url}/docs`);
  await (await answered).finished();
  await page.locator("#operations-paylink-createPaylink").waitFor();
  assert.equal(await page.getByRole("button", { name: "Try requests", exact: true }).count(), 0);
  await done();
});

test("only owners can try requests", async () => {
  const viewer = await memberSignedIn(browser, "Vera", "a long enough secret", ["--role", "viewer"]);
  const { page, done } = await visit(browser, "light", { storageState: viewer.storageState });
  const answered = page.waitForResponse("**/v1/sessions/current");
  await page.goto(`${url}/docs`);
  await (await answered).finished();
  await page.locator("#operations-paylink-createPaylink").waitFor();
  assert.equal(await page.getByRole("button", { name: "Try requests", exact: true }).count(), 0);
  await done();
});

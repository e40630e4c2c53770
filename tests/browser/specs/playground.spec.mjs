// The playground of the demo: requests built, their errors shown and their answers read by the npm package's core.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import { serveFolder } from "../folder.mjs";
import { Playground } from "../pages/playground.mjs";

const { SETTLEKIT_DEMO_FOLDER: folder, SETTLEKIT_DEMO_AT: origin, SETTLEKIT_DEMO_ROOT: root } = process.env;
assert.ok(folder && origin && root, "SETTLEKIT_DEMO_FOLDER, SETTLEKIT_DEMO_AT and SETTLEKIT_DEMO_ROOT are not set: the folders that `cargo xtask dist demo` makes");

/** Timeout for creating the demo data on a busy machine. */
const YEAR_MS = 180_000;

let browser;
let host;
let shared;
before(async () => {
  [browser, host, shared] = [await open(), await serveFolder(folder), await serveFolder(origin)];
});
after(async () => {
  await browser.close();
  await host.end();
  await shared.end();
});

/** A new visitor on the playground. */
async function playground(t, hash = "", url = host.url) {
  const { page, done } = await visit(browser);
  t.after(done);
  const playground = new Playground(page);
  await playground.go(url, hash);
  return playground;
}

test("errors appear beside their fields as somebody types, in the service's words", async (t) => {
  const it = await playground(t);
  await it.verdict("Valid");
  await it.fill("amount", "-1");
  await it.error("amount", "must be greater than zero NOT_POSITIVE");
  await it.verdict("1 error");
  assert.equal(await it.curl.textContent(), "", "an invalid request is not shown");
  await it.optional.click();
  await it.fill("after_completion", '{ "type": "redirect", "redirect_url": "nowhere" }');
  await it.error("after_completion", /^after_completion\.redirect_url .+ URL_MALFORMED$/);
  await it.verdict("2 errors");
  await inspect(it.page, "playground_errors");
  await it.fill("amount", "12.50");
  await it.fill("after_completion", "");
  await it.verdict("Valid");
});

test("the signed message and the signature in curl are those of Node's crypto", async (t) => {
  const it = await playground(t);
  await it.operation.selectOption("CreatePayout");
  await it.verdict("Valid");
  const curl = await it.curl.textContent();
  const body = /--data-raw '(.*)'$/.exec(curl)?.[1];
  const lines = await it.message();
  assert.equal(lines["SHA-256 of the body"], createHash("sha256").update(body).digest("hex"));
  const message = ["v1", "POST", "/v1/payouts", "", lines.Nonce, "", lines["SHA-256 of the body"]].join("\n");
  const signature = createHmac("sha256", "ss_example").update(message).digest("hex");
  assert.equal(lines.Signature, signature);
  assert.ok(curl.includes(`'x-api-signature: ${signature}'`), curl);
  await it.address.fill("");
  await it.verdict("1 error");
  await it.address.fill("https://pay.example");
  await it.verdict("Valid");
  await it.nonce.click();
  await it.page.waitForFunction((before) => document.querySelector("#curl").textContent !== before, curl);
});

test("a link holds operation and arguments, and no credentials", async (t) => {
  const it = await playground(t);
  await it.operation.selectOption("ListMovements");
  await it.fill("account", "till");
  await it.page.getByLabel("API key").fill("sk_secret");
  await it.optional.click();
  await it.fill("limit", "7");
  const link = new URL(await it.page.evaluate(() => location.href));
  assert.equal(link.hash, "#ListMovements?account=till&limit=7");
  await it.operation.selectOption("CreateSession");
  await it.fill("email", "somebody@example.com");
  await it.fill("password", "a secret of theirs");
  assert.equal(await it.page.evaluate(() => location.hash), "#CreateSession?email=somebody%40example.com");
  assert.equal(await it.input("password").getAttribute("type"), "password");
  const other = await playground(t, link.hash);
  assert.equal(await other.input("account").inputValue(), "till");
  assert.match(await other.curl.textContent(), /\/v1\/accounts\/till\/movement\?limit=7'/);
});

test("an answer that is pasted is read: a page, and an error by its kind", async (t) => {
  const it = await playground(t, "#ListPaylinks?limit=1");
  const page = { data: { total: 2, page: 1, limit: 1, offset: 0, next: 2, items: [] } };
  await it.answer(200, JSON.stringify(page));
  await it.readAs("A page; the next one is page 2");
  const refusal = (errors) => JSON.stringify({ error: { code: 404, message: "no such link", errors } });
  await it.answer(404, refusal([{ domain: "paylink", reason: "NOT_FOUND", message: "no such link" }]));
  await it.readAs("Error of kind not_found: no such link");
  // Without a reason, nothing says that the list's path is known.
  await it.answer(404, refusal([]));
  await it.readAs("Error of kind unsupported: no such link");
  await it.answer(502, "<html>");
  await it.readAs(/^Error of kind api: /);
});

test("a link is created in the demo and listed page by page, all signed", async (t) => {
  const it = await playground(t);
  await it.fill("name", "Darjeeling");
  await it.send.click();
  await it.page.locator("#read-as", { hasText: "A record" }).waitFor({ timeout: YEAR_MS });
  assert.equal(await it.status.inputValue(), "201");
  const link = JSON.parse(await it.value.textContent());
  assert.equal(link.plan.name, "Darjeeling");
  await it.operation.selectOption("ListPaylinks");
  await it.fill("limit", "1");
  await it.send.click();
  await it.readAs("A page; the next one is page 2");
  assert.equal(JSON.parse(await it.value.textContent()).items[0].id, link.id);
  await it.page.getByRole("button", { name: "Next page" }).click();
  await it.readAs("A page; the next one is page 3");
  // The demo answers and accepts the signature, whichever service the request is for.
  await it.address.fill("https://shop.example/v1/pay");
  await it.operation.selectOption("CreatePayout");
  await it.send.click();
  await it.readAs("A record");
  assert.equal(JSON.parse(await it.value.textContent()).payment_method, "Payout");
  await it.fill("amount", "1000000000");
  await it.send.click();
  await it.readAs(/^Error of kind validation: .+ exceed the available balance/);
  await inspect(it.page, "playground");
});

test("a double click sends a request once, also when the answer comes between its clicks", async (t) => {
  const it = await playground(t);
  for (const name of ["Assam", "Ceylon"]) {
    // From the second on, the demo is ready and answers within milliseconds.
    await it.fill("name", name);
    await it.send.dblclick({ delay: 200 });
    await it.page.waitForFunction((name) => document.querySelector("#value").textContent.includes(name), name, { timeout: YEAR_MS });
    await it.readAs("A record");
  }
  await it.operation.selectOption("ListPaylinks");
  await it.fill("limit", "10");
  await it.send.click();
  await it.readAs(/^A page/);
  const { items } = JSON.parse(await it.value.textContent());
  assert.deepEqual(items.map(({ plan }) => plan.name).filter((name) => ["Assam", "Ceylon"].includes(name)), ["Ceylon", "Assam"]);
});

test("the playground works in a folder of an origin", async (t) => {
  const it = await playground(t, "", `${shared.url}${root}`);
  await it.verdict("Valid");
  await it.send.click();
  await it.page.locator("#read-as", { hasText: "A record" }).waitFor({ timeout: YEAR_MS });
  assert.equal(await it.status.inputValue(), "201");
});

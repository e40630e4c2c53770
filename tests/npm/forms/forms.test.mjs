// Forms that validate with settlekit/core, in a browser: they must say what the service says. SETTLEKIT_URL is the service,
// CHROMIUM the browser.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { chromium } from "playwright-core";
import { Settlekit } from "settlekit";
import { HEADERS } from "settlekit/core";
import { build } from "vite";

const here = import.meta.dirname;
const baseUrl = process.env.SETTLEKIT_URL;
const { api_key: apiKey, signing_secret: signingSecret } = JSON.parse(process.env.SETTLEKIT_ORGANISATION);
const settlekit = new Settlekit({ baseUrl, apiKey, signingSecret });

const ENTRIES = { react: "react.jsx", svelte: "svelte.js", validate: "validate.js" };
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".jsonl": "text/plain" };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

/** Sends a body to the service. */
function create(body) {
  const headers = { "content-type": "application/json", [HEADERS.apiKey]: apiKey };
  return fetch(`${baseUrl}/v1/paylinks`, { method: "POST", headers, body });
}

/** The service's messages for a wrong body, by field. */
async function refused(values) {
  const { error } = await (await create(JSON.stringify(values))).json();
  return Object.fromEntries(error.errors.map(({ field, message }) => [field, message]));
}

/** Bodies that pages sent. */
const sent = [];
const server = createServer(async (request, response) => {
  try {
    if (request.method === "POST" && request.url === "/paylinks") {
      const body = Buffer.concat(await request.toArray()).toString();
      sent.push(JSON.parse(body));
      const answer = await create(body);
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") }).end(await answer.text());
      return;
    }
    const path = normalize(new URL(request.url, "http://page.test").pathname);
    const content = readFileSync(join(here, path === "/refusals.jsonl" ? path : join("built", path)));
    response.writeHead(200, { "content-type": TYPES[extname(path)], "content-security-policy": POLICY }).end(content);
  } catch (error) {
    response.writeHead(404).end(String(error));
  }
});
let browser;

before(async () => {
  const html = readFileSync(join(here, "page.html"), "utf8");
  const input = Object.keys(ENTRIES).map((name) => join(here, `${name}.html`));
  for (const [name, entry] of Object.entries(ENTRIES)) writeFileSync(join(here, `${name}.html`), html.replace("/entry", `/${entry}`));
  const options = { outDir: "built", target: "es2022", rolldownOptions: { input } };
  await build({ root: here, configFile: false, logLevel: "error", plugins: [svelte()], build: options });
  const chains = await settlekit.chains.list();
  const chain = chains.find(({ assets }) => assets.some(({ symbol }) => symbol === "USDC"));
  await settlekit.accounts.create({ currencies: ["USDC"], reference: "forms", type: "CryptoPayIn", chain_id: chain.id });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"] });
});

after(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
});

/** Opens a page; its console must stay empty but for calls that the service refused. */
async function open(name, run) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const errors = [];
    page.on("console", (message) => {
      const refused = message.location().url.endsWith("/paylinks");
      if (["error", "warning"].includes(message.type()) && !refused) errors.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/${name}.html`);
    await run(page);
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
  }
}

/** The fields as the browser tells them to a screen reader: label, value, message, and whether wrong and focused. */
async function fields(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.filter(({ role }) => role?.value === "textbox").map(({ name, description, value, properties }) => {
    const of = (wanted) => properties.find(({ name }) => name === wanted)?.value.value;
    const told = { label: name.value, value: value?.value ?? "", message: description?.value ?? "" };
    return { ...told, wrong: of("invalid") === "true", focused: of("focused") === true };
  });
}

const field = (label, value, message = "", focused = false) => ({ label, value, message, wrong: message !== "", focused });

for (const framework of ["react", "svelte"]) {
  test(`a form of ${framework} says what the service says, at the fields, and sends what the service accepts`, () =>
    open(framework, async (page) => {
      const [name, amount, currency] = ["Name", "Amount", "Currency"].map((label) => page.getByLabel(label));
      const submit = page.getByRole("button", { name: "Create link" });
      await submit.waitFor();
      sent.length = 0;
      assert.deepEqual(await fields(page), [field("Name", ""), field("Amount", ""), field("Currency", "USDC")]);

      // One field while it is typed; the others are left alone.
      await amount.pressSequentially("12.");
      const typed = await refused({ name: "Tea", amount: "12.", currency: "USDC" });
      assert.deepEqual(await fields(page), [field("Name", ""), field("Amount", "12.", typed.amount, true), field("Currency", "USDC")]);
      assert.ok(await page.getByText(typed.amount, { exact: true }).isVisible());
      await amount.pressSequentially("5");
      assert.deepEqual(await fields(page), [field("Name", ""), field("Amount", "12.5", "", true), field("Currency", "USDC")]);

      // All of them on submit, with the focus on the first.
      await amount.fill("-1");
      await currency.fill("$");
      await submit.click();
      const wrong = await refused({ name: "", amount: "-1", currency: "$" });
      assert.deepEqual(Object.keys(wrong).sort(), ["amount", "currency", "name"]);
      assert.deepEqual(await fields(page), [field("Name", "", wrong.name, true), field("Amount", "-1", wrong.amount), field("Currency", "$", wrong.currency)]);
      for (const message of Object.values(wrong)) assert.ok(await page.getByText(message, { exact: true }).isVisible(), message);
      assert.deepEqual(sent, []);

      // What only the service knows is shown in the same way.
      await name.fill("Tea");
      await amount.fill("12.50");
      await currency.fill("DOGS");
      assert.deepEqual(await fields(page), [field("Name", "Tea"), field("Amount", "12.50"), field("Currency", "DOGS", "", true)]);
      await submit.click();
      await page.locator("#currency[aria-invalid=true]").waitFor();
      const dogs = { name: "Tea", amount: "12.50", currency: "DOGS" };
      const { currency: unsupported } = await refused(dogs);
      assert.deepEqual(await fields(page), [field("Name", "Tea"), field("Amount", "12.50"), field("Currency", "DOGS", unsupported, true)]);
      assert.deepEqual(sent.splice(0), [dogs]);

      await currency.fill("USDC");
      await submit.click();
      const status = await page.getByRole("status").filter({ hasText: "Link created" }).textContent();
      const stored = await settlekit.paylinks.get({ paylink_id: status.replace("Link created: ", "") });
      assert.deepEqual([stored.plan.name, stored.plan.price, stored.plan.currency], ["Tea", "12.50", "USDC"]);
      assert.deepEqual(sent.splice(0), [{ ...dogs, currency: "USDC" }]);
    }));
}

test("Chromium makes every recorded refusal of the service", () =>
  open("validate", async (page) => {
    const lines = readFileSync(join(here, "refusals.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
    assert.ok(lines.length > 1000, String(lines.length));
    const made = await page.evaluate(async () => {
      const text = await (await fetch("/refusals.jsonl")).text();
      const lines = text.trim().split("\n").map((line) => JSON.parse(line));
      return JSON.stringify(lines.map(({ operation, arguments: given }) => globalThis.validate(operation, given)));
    });
    const errors = JSON.parse(made);
    assert.equal(errors.length, lines.length);
    for (const [index, line] of lines.entries()) assert.deepEqual(errors[index], line.errors, `${line.operation} ${JSON.stringify(line.arguments)}`);
  }));

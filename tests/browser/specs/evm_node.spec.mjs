// A live server beside a real EVM node: nothing of the sandbox is shown, the merchant's own wallet signs a payout, and payers pay with a
// wallet of another project on the hosted page and in a shop of another origin.
//
// The merchant's wallet is an EIP-1193 provider of the spec that passes its calls on to the node.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createWallet, installMockWallet } from "@johanneskares/wallet-mock";
import { custom, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { SIGNED_OUT, inspect, inspectAs, open, visit } from "../browser.mjs";
import { receiver, until } from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { Money } from "../pages/money.mjs";
import { program } from "../settings.mjs";

const ROOT = new URL("../../../", import.meta.url).pathname;
const CHAIN = 31337;
const RECIPIENT = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const SUPPLIER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
/** The key of the payer, the second account of every Anvil. */
const PAYER_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const DECLINED = "The owner declines.";
/** Words of the sandbox. */
const SANDBOX = /sandbox|simulat|test wallet|no real money/i;

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

let folder, demo, node, url, apiKey, token, payer, password, webhooks, shop, browser, storageState;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "settlekit-live-"));
  const [nodePort, serverPort] = [await freePort(), await freePort()];
  [node, url] = [`http://127.0.0.1:${nodePort}`, `http://127.0.0.1:${serverPort}`];
  const anvil = join(ROOT, "tests/node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil");
  demo = spawn(process.execPath, [join(ROOT, "demo/live/start.mjs"), program, anvil, join(ROOT, "contracts/test/tokens/tokens.json"), join(folder, "data"), String(nodePort), String(serverPort)]);
  let printed = "";
  for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (part) => (printed += part));
  const after = (words) => printed.match(new RegExp(`${words}\\s+(\\S+)`))?.[1];
  await until("the live server answers", () => after("Sign-in:") && fetch(`${url}/healthz`).then((answer) => answer.ok, () => false), { seconds: 180, saw: () => printed });
  [apiKey, token, payer] = ["API key:", "Token USDC:", "Payer:"].map(after);
  password = printed.match(/Sign-in:\s+\S+ (\S+)/)[1];
  webhooks = await receiver(200);
  await call("PUT", "/orgs", { webhook_url: webhooks.url });
  shop = await startShop();
  browser = await open();
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const dashboard = new Money(page);
  await page.goto(url);
  await dashboard.signIn("ada@shop.example", password);
  await dashboard.navigation.waitFor();
  storageState = await page.context().storageState();
  for (const origin of storageState.origins) origin.localStorage = origin.localStorage.filter(({ name }) => name !== "settlekit.active");
  await done();
});
after(async () => {
  await browser?.close();
  demo?.kill("SIGTERM");
  await webhooks?.close();
  await shop?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function call(method, path, body) {
  const answer = await fetch(`${url}/v1${path}`, { method, headers: { "x-api-key": apiKey, "content-type": "application/json" }, body: body && JSON.stringify(body) });
  const read = await answer.json();
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(read)}`);
  return read.data;
}

async function rpc(method, params) {
  const answer = await fetch(node, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });
  const { result, error } = await answer.json();
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}

const word = (value) => value.replace(/^0x/, "").toLowerCase().padStart(64, "0");
const balance = async (address) => BigInt(await rpc("eth_call", [{ to: token, data: `0x70a08231${word(address)}` }, "latest"]));
/** Sends units of the token from the payer's wallet. */
const transfer = (to, units) => rpc("eth_sendTransaction", [{ from: payer, to: token, data: `0xa9059cbb${word(to)}${word(units.toString(16))}` }]);

/** What `settlekit verify --chain` prints. */
function verified() {
  const words = ["verify", "--database", `sqlite:${join(folder, "data/live.db")}`, "--chain", "--json"];
  try {
    return JSON.parse(execFileSync(program, words, { encoding: "utf8" }));
  } catch (failure) {
    // Its exit status is 1 if there is a difference.
    return JSON.parse(failure.stdout);
  }
}

/** Opens pages of the live dashboard. */
async function visitor(options = {}) {
  const visited = await visit(browser, "light", { storageState, ...options });
  const money = new Money(visited.page);
  const go = async (path) => {
    await visited.page.goto(url + path);
    await money.drawn();
  };
  return { ...visited, money, go };
}

test("the merchant's own wallet signs a payout, which is sent once the chain has it", async () => {
  const { page, money, go, done } = await visitor({ expected: ["401"] });
  // The provider passes calls on to the node, which holds the wallet's key.
  await page.exposeFunction("askNode", (method, params) => rpc(method, params));
  await page.addInitScript((account) => {
    const provider = { request: ({ method, params }) => (method === "eth_requestAccounts" ? Promise.resolve([account]) : globalThis.askNode(method, params)) };
    const detail = Object.freeze({ info: { uuid: "350670db-19fa-4704-a166-e52e178b59d2", name: "Test Wallet", icon: "data:,", rdns: "wallet.example" }, provider });
    addEventListener("eip6963:requestProvider", () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail })));
  }, payer.toLowerCase());

  await go("/accounts/new?kind=settlement");
  await money.choose("Chain", "Local Anvil");
  await page.getByRole("checkbox", { name: "USDC" }).check();
  await page.locator("input[name=name]").fill("Own wallet");
  await page.getByLabel("Wallet", { exact: true }).selectOption({ label: "Own wallet (address)" });
  await money.field("Your wallet address").fill(payer);
  await money.button("Create account").click();
  await page.getByRole("heading", { level: 1, name: "Own wallet" }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await until("the books begin with what lies in the wallet", async () => {
    const balances = await call("GET", `/accounts/${id}/balances`);
    // Nothing of it is available to the service: the wallet's owner alone can send it.
    return balances.some(({ currency, posted, available }) => currency === "USDC" && posted === "10000" && available === "0");
  });

  await page.getByRole("link", { name: "Pay out" }).click();
  await money.field("Amount").fill("250.5");
  await money.choose(money.field("To"), "Different address");
  await money.field("Address").fill(RECIPIENT);
  await money.choose("Chain", "Local Anvil");
  await money.field("Currency").selectOption("USDC");
  await page.getByText("Shown by your wallet").waitFor();
  await page.getByText("In your wallet", { exact: true }).waitFor();
  await page.locator("aside .test-money").waitFor();
  await inspectAs(page, "live_create_payout", "light");
  await money.button("Review payout").click();
  await money.box.getByText("Nothing is sent until your wallet signs it.").waitFor();
  await money.confirm("Prepare payout");
  await money.prove(password);
  await page.waitForURL("**/payouts?open=**");
  await money.drawer.getByRole("button", { name: "Sign with Test Wallet" }).waitFor();
  assert.equal(await balance(RECIPIENT), 0n);
  await inspect(page, "live_payout_to_sign");
  await money.drawer.getByRole("button", { name: "Sign with Test Wallet" }).click();
  // A block brings it within seconds, and three confirm it.
  await money.drawer.getByText("Sign this payout with your wallet").waitFor({ state: "detached" });
  await money.drawer.locator(".lede", { hasText: "Confirmed" }).waitFor({ timeout: 60_000 });
  assert.equal(await balance(RECIPIENT), 250_500_000n);
  await inspectAs(page, "live_payout_confirmed", "light");
  await done();
});

const PAGES = ["/", "/movements", "/accounts", "/payments", "/paylinks", "/payouts", "/payouts?reason=ApprovalRequired", "/external-accounts", "/trade", "/trade/rfq", "/trade/markets", "/trade/markets?view=rates", "/automations", "/events", "/installation", "/settings", "/settings/webhooks", "/settings/api-keys", "/settings/members", "/payouts/new", "/paylinks/new", "/accounts/new", "/accounts/new?kind=settlement"];

test("no page of a live server has words or functions of the sandbox", async () => {
  const { page, money, go, done } = await visitor();
  await go("/");
  for (const path of PAGES) {
    await money.turn(path);
    assert.doesNotMatch(await page.locator("body").innerText(), SANDBOX, path);
  }
  await page.keyboard.press("Control+k");
  await money.box.or(page.locator(".palette")).first().waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), SANDBOX, "the palette");
  await done();
});

test("the operator sees a connected chain and its wallet, in English and in German", async () => {
  const german = { lang: "de-DE", title: "Blockchains und Wallet", state: "Auf dem neuesten Stand" };
  for (const { lang, title, state } of [{ title: "Chains and wallet", state: "Up to date" }, german]) {
    const { page, go, done } = await visitor({ locale: lang });
    await go("/installation");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    const chain = page.getByRole("region", { name: "Local Anvil", exact: true });
    await chain.getByText(state).waitFor();
    if (lang) await inspectAs(page, "live_installation_german", "light");
    else await inspect(page, "live_installation");
    await done();
  }
});

test("live overview and trading pages name the missing connections", async () => {
  const { page, money, go, done } = await visitor();
  await go("/");
  await page.getByText("No price source is connected").waitFor();
  await inspectAs(page, "live_overview", "light");
  for (const path of ["/trade", "/trade/markets"]) {
    await money.turn(path);
    await page.getByText("No trading venue is connected").waitFor();
    await inspectAs(page, `live${path.replaceAll("/", "_")}`, "light");
  }
  await done();
});

/** Installs a payer's wallet in a page, on Ethereum at first. With `isSigner` it signs typed data; `declines` lists methods that its owner declines once, and transactions wait for `confirmation`. */
async function installWallet(page, key, { isSigner = false, declines = [], confirmation } = {}) {
  const account = privateKeyToAccount(key);
  const ethereum = custom({ request: async ({ method }) => (method === "eth_chainId" ? "0x1" : null) });
  const wallet = createWallet(account, { 1: ethereum, [CHAIN]: http(node) });
  const [requests, declined] = [[], new Set(declines)];
  const request = async (asked) => {
    requests.push(asked.method);
    if (declined.delete(asked.method)) throw new Error(DECLINED);
    if (asked.method === "eth_sendTransaction") await confirmation;
    if (isSigner && asked.method === "eth_signTypedData_v4") return account.signTypedData(JSON.parse(asked.params[1]));
    return wallet.request(asked);
  };
  await installMockWallet({ page, wallet: { request } });
  // A page's errors lose their code on the way from the wallet.
  await page.addInitScript((declined) => {
    const ask = globalThis.eip1193Request;
    globalThis.eip1193Request = (request) =>
      ask(request).catch((error) => {
        throw error.message.includes(declined) ? Object.assign(error, { code: 4001 }) : error;
      });
  }, DECLINED);
  const asked = (method) => requests.filter((one) => one === method).length;
  return { address: account.address, asked };
}

/** A payer who has units of the token, and no coins for the network. */
async function payerWithoutCoins(units) {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await transfer(address, units);
  await until("the payer has the money", async () => (await balance(address)) === BigInt(units));
  return key;
}

/** A link whose payments go to the merchant's till. */
async function newLink(amount) {
  const { items } = await call("GET", "/accounts");
  if (!items.some(({ name }) => name === "Till")) {
    const till = await call("POST", "/accounts", { currencies: ["USDC"], chain_id: CHAIN, name: "Till", type: "CryptoPayIn" });
    assert.equal(till.provider, "Managed");
  }
  const link = await call("POST", "/paylinks", { amount, currency: "USDC", name: "Filter coffee" });
  return { ...link, url: new URL(new URL(link.url).pathname, url).href };
}

async function agreesWithChain() {
  let found;
  await until("the books agree with the chain", () => (found = verified()).differences.length === 0 && found.chains[0].block !== null, { saw: () => found });
}

const payButton = (page) => page.getByRole("button", { name: "Pay with Mock Wallet" });

test("a payer’s wallet that can’t sign typed data switches the network and sends the payment once, through a reload", async () => {
  const link = await newLink("12.50");
  const { page, done } = await visit(browser, "narrow");
  const wallet = await installWallet(page, PAYER_KEY);
  const before = await balance(wallet.address);
  await page.goto(link.url);
  await page.getByRole("heading", { name: "Pay with" }).waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), SANDBOX);
  await inspectAs(page, "live_payer_choice", "narrow");
  const checkout = new Checkout(page);
  await checkout.continueButton.click();
  await page.locator("a.qr").waitFor();
  await page.locator(".care", { hasText: "Local Anvil is a test network." }).waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), SANDBOX);
  await inspect(page, "live_payer");
  const german = await visit(browser, "narrow", { locale: "de-DE" });
  await german.page.goto(page.url());
  await german.page.getByText("Warten auf Ihre Zahlung").waitFor();
  await inspectAs(german.page, "live_payer_german", "narrow");
  await german.done();

  await payButton(page).click();
  await page.getByRole("alert").filter({ hasText: "Nothing was sent." }).waitFor();
  assert.equal(wallet.asked("wallet_switchEthereumChain"), 1);
  assert.equal(await balance(wallet.address), before);
  await payButton(page).click();
  await payButton(page).waitFor({ state: "detached" });
  await until("the wallet was asked", () => wallet.asked("eth_sendTransaction") === 1);
  await page.reload();
  await checkout.card.waitFor();
  assert.deepEqual([await payButton(page).count(), await checkout.qr.count()], [0, 0], "nothing asks for another payment");
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  await page.locator(".care", { hasText: "Test network: this payment has no value" }).waitFor();
  await inspectAs(page, "live_paid", "light");
  assert.deepEqual([await balance(wallet.address), wallet.asked("eth_sendTransaction")], [before - 12_500_000n, 1]);
  await done();
  await agreesWithChain();
});

test("a payer without coins declines, then signs, and the merchant sees what the network cost the operator", async () => {
  const link = await newLink("7.25");
  const { page, done } = await visit(browser, "light");
  const wallet = await installWallet(page, await payerWithoutCoins(10_000_000), { isSigner: true, declines: ["eth_signTypedData_v4"] });
  await page.goto(link.url);
  const checkout = new Checkout(page);
  await checkout.continueButton.click();
  await page.getByText("You sign, and pay no network fee.", { exact: true }).waitFor();
  await payButton(page).click();
  await page.getByRole("alert").filter({ hasText: "You declined the request in Mock Wallet. Nothing was sent." }).waitFor();
  assert.equal(await balance(wallet.address), 10_000_000n);
  const isAuthorization = (response) => response.url().endsWith("/authorizations");
  await Promise.all([page.waitForResponse(isAuthorization), payButton(page).click()]);
  await until("the wallet was asked again", () => wallet.asked("eth_signTypedData_v4") === 2);
  await page.reload();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.deepEqual([await balance(wallet.address), wallet.asked("eth_sendTransaction")], [2_750_000n, 0]);
  assert.equal(BigInt(await rpc("eth_getBalance", [wallet.address, "latest"])), 0n);
  await done();

  const { items } = await call("GET", "/payments");
  const paid = items.find(({ amount }) => Number(amount) === 7.25);
  const dashboard = await visitor();
  await dashboard.go(`/payments?open=${paid.id}`);
  const detail = await call("GET", `/payments/${paid.id}`);
  assert.equal(detail.network_fee_currency, "ETH");
  await dashboard.money.drawer.getByText("Network fee").waitFor();
  await dashboard.money.drawer.getByText(`${detail.network_fee} ETH`).waitFor();
  await inspect(dashboard.page, "live_payment_network_fee");
  await dashboard.done();
  await agreesWithChain();
});

/** A shop of another origin under the policy of the guide. Its page shows the paylink that the query names. */
async function startShop() {
  const guide = readFileSync(join(ROOT, "docs/guides/embedded.md"), "utf8");
  const policy = guide.replaceAll("https://pay.example", url).match(/Content-Security-Policy: (.*)/)[1];
  const markup = (paylink) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tea House</title><link rel="icon" href="data:,">
    <script type="module" src="${url}/embed.js"></script></head><body><main><h1>Tea House</h1><settlekit-pay paylink="${paylink}" mode="inline"></settlekit-pay></main></body></html>`;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": `${policy}; img-src data:` }).end(markup(searchParams.get("paylink")));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    pageOf: (paylink) => `http://localhost:${server.address().port}/?paylink=${paylink}`,
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  };
}

/** Opens a link in the shop with a payer's wallet, and starts its payment. The shop's page records the events since it was last loaded. */
async function startPaymentInShop(link, key, options) {
  const { page, done } = await visit(browser, "light");
  const wallet = await installWallet(page, key, options);
  await page.addInitScript(() => {
    globalThis.events = [];
    for (const name of ["started", "seen", "confirmed"]) addEventListener(`settlekit-${name}`, ({ type, detail }) => globalThis.events.push([type, detail.payment_id]));
  });
  await page.goto(shop.pageOf(link.id));
  const frame = page.frameLocator("settlekit-pay iframe");
  const checkout = new Checkout(frame);
  await checkout.continueButton.click();
  await payButton(frame).waitFor();
  const events = () => page.evaluate(() => globalThis.events);
  const [, id] = await until("the shop hears of the payment", async () => (await events())[0]);
  const assertNothingAsked = async () => assert.deepEqual([await payButton(frame).count(), await checkout.qr.count()], [0, 0], "nothing asks for another payment");
  return { page, done, wallet, frame, checkout, events, id, assertNothingAsked };
}

/** The link has one payment, which is confirmed: the reloaded shop, the API and the webhook name it. */
async function assertConfirmedOnce(link, id, events) {
  await until("the shop hears that it is paid", async () => (await events()).some(([type]) => type === "settlekit-confirmed"));
  assert.deepEqual(await events(), ["started", "seen", "confirmed"].map((name) => [`settlekit-${name}`, id]));
  const { items } = await call("GET", `/payments?paylink_id=${link.id}`);
  assert.deepEqual(items.map(({ id, status }) => [id, status]), [[id, "Confirmed"]]);
  const settled = () => webhooks.deliveries.map(({ body }) => JSON.parse(body)).filter(({ type, data }) => type === "payment.settled" && data.id === id);
  await until("the webhook comes", () => settled().length > 0, { saw: () => webhooks.deliveries.map(({ body }) => body) });
  assert.equal(settled()[0].data.status, "Confirmed");
}

/** Acts while the node makes no blocks, so that nothing is confirmed. */
async function withoutBlocks(act) {
  await rpc("evm_setIntervalMining", [0]);
  try {
    await act();
  } finally {
    await rpc("evm_setIntervalMining", [1]);
  }
}

test("a payer declines, then signs in the frame of a shop of another origin under the strict policy, and the payment goes on after the shop is reloaded", async () => {
  const link = await newLink("3");
  const key = await payerWithoutCoins(3_000_000);
  const { page, done, wallet, frame, checkout, events, id, assertNothingAsked } = await startPaymentInShop(link, key, { isSigner: true, declines: ["eth_signTypedData_v4"] });
  await payButton(frame).click();
  await frame.getByRole("alert").filter({ hasText: "You declined the request in Mock Wallet. Nothing was sent." }).waitFor();
  await payButton(frame).waitFor();
  assert.equal(await balance(wallet.address), 3_000_000n);
  await inspectAs(page, "live_embedded_declined", "light");
  await withoutBlocks(async () => {
    const isAuthorization = (response) => response.url().endsWith(`/${id}/authorizations`);
    const [answer] = await Promise.all([page.waitForResponse(isAuthorization), payButton(frame).click()]);
    assert.ok(answer.ok(), `${answer.status()}`);
    await page.reload();
    await checkout.heading("Payment authorized").waitFor();
    await inspectAs(page, "live_embedded_authorized", "light");
    await assertNothingAsked();
  });
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  await frame.locator(".care", { hasText: "Test network: this payment has no value" }).waitFor();
  await assertConfirmedOnce(link, id, events);
  assert.deepEqual([await balance(wallet.address), wallet.asked("eth_signTypedData_v4"), wallet.asked("eth_sendTransaction")], [0n, 2, 0]);
  await inspectAs(page, "live_embedded_paid", "light");
  await done();
  await agreesWithChain();
});

test("a wallet that can’t sign typed data is asked for one payment in the frame of a shop, and sends it after the shop is reloaded", async () => {
  const link = await newLink("4.75");
  let confirm;
  const confirmation = new Promise((confirmed) => (confirm = confirmed));
  const { page, done, wallet, frame, checkout, events, id, assertNothingAsked } = await startPaymentInShop(link, PAYER_KEY, { confirmation });
  const before = await balance(wallet.address);
  await payButton(frame).click();
  await frame.getByRole("alert").filter({ hasText: "Nothing was sent." }).waitFor();
  assert.deepEqual([wallet.asked("wallet_switchEthereumChain"), wallet.asked("eth_sendTransaction")], [1, 0]);
  await payButton(frame).click();
  await until("the wallet was asked", () => wallet.asked("eth_sendTransaction") === 1);
  // The frame tells the shop's page by message, and the shop's page tells the reloaded frame.
  await page.waitForFunction(() => Object.values(sessionStorage).some((value) => JSON.parse(value).isAsked === true));
  await page.reload();
  // The browser denies the frame storage, so the shop's page is all that remembers the request.
  await frame.locator("#step").getByText("We don’t know whether your browser wallet sent this payment.").waitFor();
  await inspect(page, "live_embedded_asked");
  await assertNothingAsked();
  assert.equal(await balance(wallet.address), before);
  confirm();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  await assertConfirmedOnce(link, id, events);
  assert.deepEqual([await balance(wallet.address), wallet.asked("wallet_switchEthereumChain"), wallet.asked("eth_sendTransaction")], [before - 4_750_000n, 1, 1]);
  await done();
  await agreesWithChain();
});

test("what payers paid goes out to a supplier, and signed webhooks tell of all of it", async () => {
  const { page, money, go, done } = await visitor({ expected: ["401"] });
  await go("/payouts/new");
  await money.choose("From account", "Till");
  await money.field("Amount").fill("20");
  await money.choose(money.field("To"), "Different address");
  await money.field("Address").fill(SUPPLIER);
  await money.button("Review payout").click();
  await money.confirm("Send payout");
  await money.prove(password);
  await page.waitForURL("**/payouts?open=**");
  await money.drawer.locator(".lede", { hasText: "Confirmed" }).waitFor({ timeout: 60_000 });
  assert.equal(await balance(SUPPLIER), 20_000_000n);
  await inspectAs(page, "live_managed_payout_confirmed", "light");
  await done();
  await agreesWithChain();

  const { webhook_public_key: key } = await call("GET", "/orgs");
  const lists = await Promise.all(["/payments?limit=100", "/payouts?limit=100"].map((path) => call("GET", path)));
  const confirmed = lists.map(({ items }) => items.filter(({ status }) => status === "Confirmed").map(({ id }) => id));
  assert.ok(confirmed[0].length >= 3 && confirmed[1].length >= 1, JSON.stringify(confirmed));
  const told = () => webhooks.deliveries.map(({ body }) => JSON.parse(body).data).filter(({ status }) => status === "Confirmed").map(({ id }) => id);
  await until("the webhooks come", () => confirmed.flat().every((id) => told().includes(id)), { saw: told });
  for (const { headers, body } of webhooks.deliveries) {
    const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
    const signature = Buffer.from(headers["webhook-signature"].replace(/^v1a,/, ""), "base64");
    assert.ok(verify(null, signed, key, signature), body);
  }
});

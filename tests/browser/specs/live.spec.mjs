// The dashboard of a live server beside a real EVM node: nothing of the sandbox is shown, and the merchant's own wallet signs a payout.
// The wallet is an EIP-1193 provider of the spec that passes its calls on to the node.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SIGNED_OUT, inspect, inspectAs, open, visit } from "../browser.mjs";
import { until } from "../merchant.mjs";
import { Money } from "../pages/money.mjs";
import { program } from "../settings.mjs";

const ROOT = new URL("../../../", import.meta.url).pathname;
const CHAIN = 31337;
const RECIPIENT = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** Words of the sandbox. */
const SANDBOX = /sandbox|simulat|test wallet|no real money/i;

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

let folder, demo, node, url, apiKey, token, payer, password, browser, storageState;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "settlekit-live-"));
  const [nodePort, serverPort] = [await freePort(), await freePort()];
  [node, url] = [`http://127.0.0.1:${nodePort}`, `http://127.0.0.1:${serverPort}`];
  const anvil = join(ROOT, "tests/node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil");
  demo = spawn(process.execPath, [join(ROOT, "demo/live/start.mjs"), program, anvil, join(ROOT, "tests/support/contracts/token.hex"), join(folder, "data"), String(nodePort), String(serverPort)]);
  let printed = "";
  for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (part) => (printed += part));
  const after = (words) => printed.match(new RegExp(`${words}\\s+(\\S+)`))?.[1];
  await until("the live server answers", () => after("Sign-in:") && fetch(`${url}/healthz`).then((answer) => answer.ok, () => false), { seconds: 180, saw: () => printed });
  [apiKey, token, payer] = ["API key:", "Token USDC:", "Payer:"].map(after);
  password = printed.match(/Sign-in:\s+\S+ (\S+)/)[1];
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

test("a payer pays a live link with their own wallet, and the books agree with the chain", async () => {
  const account = await call("POST", "/accounts", { currencies: ["USDC"], chain_id: CHAIN, name: "Till", type: "CryptoPayIn" });
  assert.equal(account.provider, "Managed");
  const link = await call("POST", "/paylinks", { amount: "12.50", currency: "USDC", name: "Filter coffee" });
  const { page, done } = await visit(browser, "narrow");
  await page.goto(new URL(new URL(link.url).pathname, url).href);
  await page.getByRole("heading", { name: "Pay with" }).waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), SANDBOX);
  await inspectAs(page, "live_payer_choice", "narrow");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("a.qr").waitFor();
  await page.locator(".care", { hasText: "Local Anvil is a test network." }).waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), SANDBOX);
  await inspect(page, "live_payer");
  const german = await visit(browser, "narrow", { locale: "de-DE" });
  await german.page.goto(page.url());
  await german.page.getByText("Warten auf Ihre Zahlung").waitFor();
  await inspectAs(german.page, "live_payer_german", "narrow");
  await german.done();

  await transfer(await page.locator(".line .code").innerText(), 12_500_000);
  await page.getByRole("heading", { name: "Paid" }).waitFor({ timeout: 60_000 });
  await inspectAs(page, "live_paid", "light");
  await done();
  let found;
  await until("the books agree with the chain", () => (found = verified()).differences.length === 0 && found.chains[0].block !== null, { saw: () => found });
});

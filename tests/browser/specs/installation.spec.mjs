// The page of the installation's operators. The spec's server is a sandbox without connected chains, so the chains of the filled
// page are answered here.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { failUntilClick, inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX, Dashboard } from "../pages/dashboard.mjs";
import { memberSignedIn } from "../session.mjs";
import { database, program, url } from "../settings.mjs";

const OWN = "a door that opens quietly";
const PATH = "/installation";

let browser, storageState, who;
before(async () => {
  browser = await open();
  ({ who, storageState } = await memberSignedIn(browser, "Olga", OWN, ["--operator"]));
});
after(() => browser.close());

/** How far the service's clock is ahead: other specs advance it. */
let ahead = 0;
const learnClock = async () => ({ ahead_seconds: ahead } = await merchant.call("POST", "/sandbox/clock", { advance_seconds: 0 }));
const ago = (seconds) => new Date(Date.now() + (ahead - seconds) * 1000).toISOString();
const node = (host, head, more = {}) => ({ host, ready: true, head, lag: 0, last_success_at: ago(1), ...more });
const report = (node_head, providers, more = {}) => ({ reported_at: ago(4), head_at: ago(6), node_head, providers, ...more });
const asset = (symbol, scale = 6) => ({ symbol, scale });
const WALLET = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const HASH = "0x8b1f0c9a4c9c39e5b6a1f2d3e4c5b6a7980f1e2d3c4b5a69788796a5b4c3d2e1";

const chain = (id, name, more = {}) => ({
  id, name, native_currency_symbol: "ETH", assets: [asset("ETH", 18), asset("EURC"), asset("USDC")], paused: false, head: 31_204_118, lag: 0, settled_block: 31_204_089, confirmations_required: 30, finality: false,
  block_seconds: 2, base_fee_gwei: "0.004182", unswept: [], unconfigured_tokens: [], transactions_under_way: 0, ...more,
});
const chains = () => [
  chain(8453, "Base", {
    explorer_url: "https://basescan.org",
    report: report(31_204_118, [node("base-mainnet.node.example", 31_204_118), node("rpc.own.example", 31_204_117, { lag: 1 })]),
    comparison: { compared_at: ago(7200), block: 31_200_518, balances: 218, difference_count: 0, differences: [] },
    unswept: [{ currency: "USDC", amount: "1204.55", proxies: 17 }, { currency: "EURC", amount: "80", proxies: 1 }],
    unconfigured_tokens: [
      { contract: "0x4ed4E862860beD51a9570b96d89aF5E1B0Efefed", transfers: 3, last_block: 31_204_101 },
      { contract: "0x532f27101965dd16442E59d40670FaF5eBB142E4", transfers: 1, last_block: 31_190_412 },
    ],
    transactions_under_way: 2,
  }),
  chain(1, "Ethereum", {
    head: 21_004_100, lag: 14, settled_block: 21_004_089, finality: true, block_seconds: 12, base_fee_gwei: "11.25",
    report: report(21_004_114, [
      node("eth.node.example", 21_004_114),
      node("eth.other.example", 21_004_100, { ready: false, lag: 14, last_error: "eth_getLogs of eth.other.example: HTTP 429", last_error_at: ago(9) }),
    ], { problem: "1 of 2 needed providers are ready" }),
    comparison: { compared_at: ago(90_000), block: 21_000_000, balances: 40, difference_count: 1, differences: ["Ethereum: 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 holds 1.5 ETH, the books say 2 ETH"] },
  }),
  chain(84532, "Base Sepolia", { test_network: true, paused: true, lag: undefined, confirmations_required: 1 }),
];
const gas = (chain_id, available, low, payouts_left) => ({ chain_id, currency: "ETH", available, reserved: low ? "0.0011" : "0", warn_below: "0.0731", low, payouts_left });
const wallets = () => [{
  address: WALLET,
  holdings: [{ chain_id: 8453, currency: "ETH", amount: "0.41" }, { chain_id: 8453, currency: "USDC", amount: "48210.07" }, { chain_id: 1, currency: "USDC", amount: "912.5" }],
  gas: [gas(8453, "0.41", false, 280), gas(1, "0.0212", true, 14)],
}];
const transaction = (id, more) => ({
  id, chain_id: 8453, from: WALLET, to: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", purpose: "payout", status: "Sent", amount: "250", currency: "USDC", attempts: 2, nonce: 40 + id,
  transaction_hash: HASH, max_fee_gwei: "0.012", max_fee: "0.00000078", can_raise_fee: false, created_at: ago(190), updated_at: ago(20), ...more,
});
const transactions = () => ({ items: [
  transaction(1, { can_raise_fee: true }),
  transaction(2, { purpose: "sweep", amount: "0", status: "Signed", attempts: 1 }),
  transaction(3, { status: "Queued", attempts: 0, nonce: undefined, transaction_hash: undefined, max_fee_gwei: undefined, max_fee: undefined }),
] });

const answer = (data) => ({ contentType: "application/json", body: JSON.stringify({ data, error: false, message: "ok" }) });

/** The operator on the page; with `filled`, of an installation with chains. */
async function visitor({ filled = true, locale, expected } = {}) {
  const { page, done } = await visit(browser, "light", { storageState, locale, expected });
  if (filled) {
    await page.route("**/v1/installation/chains", async (route) => {
      await learnClock();
      await route.fulfill(answer(chains()));
    });
    await page.route("**/v1/installation/wallets", (route) => route.fulfill(answer(wallets())));
    await page.route("**/v1/installation/transactions?*", (route) => route.fulfill(answer(transactions())));
    // Names and explorers of the wallet's and the transactions' chains.
    await page.route("**/v1/chains", (route) => route.fulfill(answer(chains().map(({ id, name, native_currency_symbol, assets, explorer_url, test_network, confirmations_required, block_seconds }) => ({ id, name, native_currency_symbol, family: "evm", assets, explorer_url, test_network, confirmations_required, block_seconds })))));
  }
  const dashboard = new Dashboard(page);
  return { page, dashboard, done, panel: (name) => page.getByRole("region", { name, exact: true }) };
}

test("an operator sees each chain, its nodes, the wallet and its transactions in every look", async () => {
  const { page, dashboard, panel, done } = await visitor();
  await dashboard.go("/");
  await dashboard.follow("Chains and wallet");
  await panel("Base").getByText("Following").waitFor();
  await panel("Base").getByText("Up to date").waitFor();
  await panel("Base").getByText("218 balances at block 31,200,518").waitFor();
  await panel("Base").getByText("3 transfers, latest in block 31,204,101").waitFor();
  await panel("Ethereum").getByText("1 of 2 needed providers are ready").waitFor();
  await panel("Ethereum").getByText("14 blocks behind").waitFor();
  await panel("Base Sepolia").getByText("Paused").waitFor();
  await panel("Base Sepolia").getByText("Test money").waitFor();
  await panel("Base").getByText("30 confirmations, a block every 2 s").waitFor();
  await panel("Base Sepolia").getByText("1 confirmation, a block every 2 s").waitFor();
  await page.getByText("Low: top up").waitFor();
  await page.getByText("About 14 payouts at today’s fees").waitFor();
  const link = page.getByRole("link", { name: "View in block explorer" }).first();
  assert.equal(await link.getAttribute("href"), `https://basescan.org/tx/${HASH}`);
  assert.match(await link.getAttribute("rel"), /noopener/);
  await inspect(page, "installation");
  await done();
});

test("the page is in German", async () => {
  const { page, dashboard, panel, done } = await visitor({ locale: "de-DE" });
  await dashboard.go(PATH);
  await page.getByRole("heading", { level: 1, name: "Blockchains und Wallet" }).waitFor();
  await panel("Base").getByText("Auf dem neuesten Stand").waitFor();
  await inspect(page, "installation_german");
  await done();
});

test("an installation without chains says how to connect one", async () => {
  const { page, dashboard, done } = await visitor({ filled: false });
  await dashboard.go(PATH);
  await page.getByText("No chain is connected").waitFor();
  await page.getByText("No hot wallet").waitFor();
  await page.getByText("Nothing in progress").waitFor();
  await inspect(page, "installation_empty");
  await done();
});

test("a failure is shown as one and not as an empty list", async () => {
  const { page, dashboard, done } = await visitor({ filled: false, expected: ["500"] });
  const restore = await failUntilClick(page, "**/v1/installation/**");
  await page.goto(url + PATH);
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.first().waitFor();
  assert.equal(await page.getByText("No chain is connected").count(), 0);
  assert.equal(await page.getByText("Nothing in progress").count(), 0);
  await inspect(page, "installation_failed");
  await restore();
  await retry.first().click();
  for (const other of await retry.all()) if (await other.isVisible()) await other.click({ timeout: 500 }).catch(() => {});
  await page.getByText("No chain is connected").waitFor();
  await dashboard.drawn();
  await done();
});

test("a fee is raised by keyboard, once, and names the form that was seen", async () => {
  const { page, dashboard, done } = await visitor();
  const sent = [];
  await page.route("**/v1/installation/transactions/*/raise-fee", (route) => {
    sent.push([new URL(route.request().url()).pathname, route.request().postDataJSON()]);
    return route.fulfill(answer(transaction(1, { attempts: 3 })));
  });
  await dashboard.go(PATH);
  const raise = page.getByRole("button", { name: "Raise fee" });
  await raise.waitFor();
  assert.equal(await raise.count(), 1, "only the nonce that the network waits for");
  await raise.focus();
  await page.keyboard.press("Enter");
  const box = page.locator(BOX);
  await box.getByText("Raise the fee of nonce 41?").waitFor();
  await inspect(page, "installation_raise");
  await box.getByRole("button", { name: "Raise fee" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Fee raised. The replacement is sent now.").waitFor();
  assert.deepEqual(sent, [["/v1/installation/transactions/1/raise-fee", { attempts: 2 }]]);
  await done();
});

test("a chain is paused after a question and resumed without one", async () => {
  const { page, dashboard, panel, done } = await visitor();
  const sent = [];
  await page.route("**/v1/installation/chains/*", (route) => {
    sent.push([new URL(route.request().url()).pathname, route.request().postDataJSON()]);
    return route.fulfill(answer(chains()[0]));
  });
  await dashboard.go(PATH);
  await panel("Base").getByRole("button", { name: "Pause" }).click();
  const box = page.locator(BOX);
  await box.getByText("No money moves.").waitFor();
  await box.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Chain paused").waitFor();
  await panel("Base Sepolia").getByRole("button", { name: "Resume Base Sepolia" }).click();
  await page.getByText("Chain resumed").waitFor();
  assert.deepEqual(sent, [["/v1/installation/chains/8453", { paused: true }], ["/v1/installation/chains/84532", { paused: false }]]);
  await done();
});

test("addresses that are not swept are shown in parts", async () => {
  const { page, dashboard, panel, done } = await visitor();
  const proxy = (index) => ({ address: `0x${String(index).padStart(40, "0")}`, destination: WALLET, currency: "USDC", amount: "70.85", sweep_at: ago(-1800) });
  await page.route("**/v1/installation/chains/8453/unswept-proxies?*", (route) => {
    const after = new URL(route.request().url()).searchParams.get("after");
    const [from, next] = after ? [25, undefined] : [0, "1.0x0.USDC"];
    return route.fulfill(answer({ items: Array.from({ length: after ? 5 : 25 }, (_, index) => proxy(from + index)), next }));
  });
  await dashboard.go(PATH);
  await panel("Base").getByRole("button", { name: "Show addresses" }).click();
  const rows = page.locator(`${BOX} tbody tr`);
  await page.locator(BOX).getByRole("button", { name: "Show more" }).click();
  await page.waitForFunction((selector) => document.querySelectorAll(selector).length === 30, `${BOX} tbody tr`);
  assert.equal(await rows.count(), 30);
  await inspect(page, "installation_proxies");
  await page.keyboard.press("Escape");
  await page.locator(BOX).waitFor({ state: "detached" }).catch(() => {});
  await done();
});

test("the wallets that payers are offered are added, removed after a question, and restored", async () => {
  const { page, dashboard, panel, done } = await visitor();
  const usual = [
    { name: "MetaMask", template: "https://link.metamask.io/dapp/{page_address}" },
    { name: "Trust Wallet", template: "https://link.trustwallet.com/open_url?coin_id=60&url={page_url}" },
  ];
  const house = { name: "House", template: "house://open?url={page_url}" };
  let listed = usual;
  await page.route("**/v1/installation/wallet-links{,/*}", (route) => {
    const [method, path] = [route.request().method(), new URL(route.request().url()).pathname];
    if (method === "POST") listed = [...listed, route.request().postDataJSON()];
    if (method === "DELETE") listed = path.endsWith("wallet-links") ? usual : listed.filter(({ name }) => name !== decodeURIComponent(path.split("/").at(-1)));
    return route.fulfill(answer(listed));
  });
  await dashboard.go(PATH);
  const wallets = panel("Payers’ wallets");
  await wallets.getByText(usual[1].template).waitFor();
  await wallets.getByRole("button", { name: "Add wallet" }).click();
  const box = page.locator(BOX);
  await box.locator("[name=name]").fill(house.name);
  await box.locator("[name=template]").fill("javascript://x/{page_url}");
  await box.getByRole("button", { name: "Add wallet" }).click();
  await box.getByText("must start with https:// or the wallet's own scheme").waitFor();
  await box.locator("[name=template]").fill(house.template);
  await inspect(page, "installation_wallet_links");
  await box.getByRole("button", { name: "Add wallet" }).click();
  await wallets.getByText(house.template).waitFor();
  await wallets.getByRole("button", { name: "Remove Trust Wallet" }).click();
  await box.getByText("Payers are not offered this wallet any more.").waitFor();
  await box.getByRole("button", { name: "Remove" }).click();
  await wallets.getByText(usual[1].template).waitFor({ state: "detached" });
  assert.deepEqual(listed, [usual[0], house]);
  await wallets.getByRole("button", { name: "Restore usual wallets" }).click();
  await box.getByRole("button", { name: "Restore usual wallets" }).click();
  await wallets.getByText(usual[1].template).waitFor();
  assert.deepEqual(listed, usual);
  await done();
});

test("without the mark the page is neither linked nor answered", async () => {
  execFileSync(program, ["member", "operator", "--database", `sqlite:${database}`, "--email", who, "--remove"]);
  const { page, dashboard, done } = await visitor({ filled: false, expected: ["403"] });
  await page.goto(url + PATH);
  await page.getByRole("alert").first().waitFor();
  assert.equal(await dashboard.navigation.getByRole("link", { name: "Chains and wallet" }).count(), 0);
  await done();
});

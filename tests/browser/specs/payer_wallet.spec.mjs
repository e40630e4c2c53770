// The payer's page with a wallet in the browser. The spec's server has no real chains, so that the transaction to sign is added to
// its answers here, and the wallet is an EIP-1193 provider of the spec.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { url } from "../settings.mjs";
import { provide } from "../wallet.mjs";

const PAYER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const HASH = "0x8b1f0c9a4c9c39e5b6a1f2d3e4c5b6a7980f1e2d3c4b5a69788796a5b4c3d2e1";
const ICON = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><path fill='teal' d='M0 0h1v1H0z'/></svg>";
const hex = (number) => `0x${BigInt(number).toString(16)}`;
const RICH = { eth_call: hex(100_000_000), eth_getBalance: hex(10n ** 18n), eth_gasPrice: hex(10n ** 9n), eth_estimateGas: hex(60_000) };

let browser, link;
before(async () => {
  browser = await open();
  await merchant.account();
  link = await merchant.paylink({ amount: "10" });
});
after(() => browser.close());

/** Opens a started payment of 10 USDC on Ethereum with a wallet in the browser. */
async function paying({ wallet = {}, look = "light", locale } = {}) {
  const payment = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  const visited = await visit(browser, look, { locale });
  const { page } = visited;
  await page.route(`**/v1/checkout/payments/${payment.payment_id}`, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const units = BigInt(Math.round((data.amount - data.paid_amount) * 1e6));
    data.sandbox = false;
    if (units > 0n && ["Pending", "Processing"].includes(data.status)) {
      data.unsigned_transaction = { to: TOKEN, value: "0x0", data: transfer(data.address, units), token_address: TOKEN, units: String(units), decimals: 6 };
    }
    await route.fulfill({ response, json: { data } });
  });
  if (wallet) await page.addInitScript(provide, { accounts: [PAYER], chain: "0x1", hash: HASH, answers: RICH, icon: ICON, ...wallet });
  const checkout = new Checkout(page);
  await checkout.go(`${url}/pay/${link.id}?payment=${payment.payment_id}`);
  const calls = () => page.evaluate(() => globalThis.wallet.calls);
  const asked = async () => (await calls()).filter(([method]) => method === "eth_sendTransaction");
  const send = (amount) => merchant.call("POST", `/sandbox/checkout/payments/${payment.payment_id}/pay`, amount && { amount });
  return { ...visited, checkout, payment, calls, asked, send, pay: page.getByRole("button", { name: "Pay with Test Wallet" }) };
}

const transfer = (to, units) => `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, "0")}${units.toString(16).padStart(64, "0")}`;

test("a wallet on another network is switched, pays exactly what is due by one confirmation, and is not asked again", async () => {
  const { page, checkout, payment, pay, calls, asked, send, done } = await paying({ wallet: { chain: "0x2105" } });
  await pay.waitFor();
  await inspect(page, "payer_wallet");
  await page.evaluate(() => {
    globalThis.wallet.hold = new Promise((open) => (globalThis.confirm = open));
  });
  await pay.click();
  await page.locator("#step").getByText("Confirm the payment in Test Wallet.").waitFor();
  await inspect(page, "payer_wallet_confirm");
  assert.equal(await checkout.qr.count(), 0, "no other payment is asked for meanwhile");
  await page.evaluate(() => globalThis.confirm());
  await page.getByText("Sent from Test Wallet. Waiting for the network.").waitFor();
  await page.locator(".line", { hasText: HASH }).waitFor();
  await inspect(page, "payer_wallet_sent");
  const methods = (await calls()).map(([method]) => method);
  assert.deepEqual(methods.slice(0, 4), ["eth_requestAccounts", "eth_chainId", "wallet_switchEthereumChain", "eth_chainId"]);
  assert.deepEqual(await asked(), [["eth_sendTransaction", { from: PAYER, to: TOKEN, value: "0x0", data: transfer(payment.address, 10_000_000n), chainId: "0x1" }]]);
  await page.reload();
  await page.getByText("Sent from Test Wallet. Waiting for the network.").waitFor();
  assert.equal(await checkout.qr.count(), 0);
  await send();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("settlekit.wallet"))), []);
  await done();
});

for (const [name, wallet, said] of [
  ["that declines", { errors: { eth_sendTransaction: { code: 4001 } } }, "You declined in Test Wallet. Nothing was sent."],
  ["that declines to connect", { errors: { eth_requestAccounts: { code: 4001 } } }, "You declined in Test Wallet. Nothing was sent."],
  ["that is locked", { accounts: [] }, "Test Wallet offers no account. Unlock it, then try again."],
  ["that shows an earlier request", { errors: { eth_requestAccounts: { code: -32002 } } }, "Test Wallet shows an earlier request."],
  ["that doesn’t know the network", { chain: "0x2105", errors: { wallet_switchEthereumChain: { code: 4902 } } }, "Test Wallet doesn’t know Ethereum."],
  ["that says so within another error", { chain: "0x2105", errors: { wallet_switchEthereumChain: { code: -32603, data: { originalError: { code: 4902 } } } } }, "Test Wallet doesn’t know Ethereum."],
  ["that stays on another network", { chain: "0x2105", stays: true }, "Test Wallet is still on another network."],
  ["with too little money", { answers: { ...RICH, eth_call: hex(9_999_999) } }, "0xf39F…2266 has 9.999999 USDC on Ethereum, and 10 USDC is due."],
  ["without money for the network fee", { answers: { ...RICH, eth_getBalance: hex(59_999n * 10n ** 9n) } }, "has 0.00006 ETH, not enough for the network fee of about 0.00006 ETH."],
  ["whose transfer would revert", { errors: { eth_estimateGas: { code: 3, message: "execution reverted: blocked." } } }, "The network would refuse this payment: execution reverted: blocked. Nothing was sent."],
  ["that fails before it is asked to send", { errors: { eth_chainId: { message: "no connection" } } }, "Test Wallet failed: no connection. Nothing was sent."],
]) {
  test(`a wallet ${name} has paid nothing, and can be asked again`, async () => {
    const { page, checkout, pay, done } = await paying({ wallet });
    await pay.click();
    await page.getByRole("alert").filter({ hasText: said }).waitFor();
    assert.ok(await pay.isEnabled());
    assert.equal(await checkout.qr.count(), 1, "it can be paid another way");
    if (name === "with too little money") await inspect(page, "payer_wallet_short");
    await done();
  });
}

test("a wallet that answers no question about its balance is asked for the payment", async () => {
  const errors = Object.fromEntries(Object.keys(RICH).map((method) => [method, { code: -32601, message: "unknown method" }]));
  const { page, pay, asked, done } = await paying({ wallet: { answers: {}, errors } });
  await pay.click();
  await page.getByText("Sent from Test Wallet").waitFor();
  assert.equal((await asked()).length, 1);
  await done();
});

test("after an unclear answer nobody is asked to pay twice before the payer has looked", async () => {
  const { page, checkout, pay, asked, send, done } = await paying({ wallet: { errors: { eth_sendTransaction: { code: -32603, message: "timeout" } } } });
  await pay.click();
  const unclear = page.locator("#step").getByText("Test Wallet was asked for this payment. If you confirmed it there, it shows up here by itself.");
  await unclear.waitFor();
  await inspect(page, "payer_wallet_unclear");
  assert.deepEqual([await pay.count(), await checkout.qr.count()], [0, 0]);
  await page.reload();
  await unclear.waitFor();
  await page.getByRole("button", { name: "It wasn’t sent: pay again" }).click();
  await pay.waitFor();
  assert.equal(await checkout.qr.count(), 1);
  assert.equal((await asked()).length, 0, "since the page was loaded again");
  // It was paid in part meanwhile: the rest is another payment.
  await send("4");
  await checkout.heading("Send the rest").waitFor();
  await pay.waitFor();
  await done();
});

test("a page that is reloaded while the wallet asks does not ask again, and one that was left sends nothing", async () => {
  const { page, checkout, pay, asked, done } = await paying();
  await page.evaluate(() => {
    globalThis.wallet.hold = new Promise(() => {});
  });
  await pay.click();
  await page.locator("#step").getByText("Confirm the payment in Test Wallet.").waitFor();
  await page.reload();
  await page.locator("#step").getByText("Test Wallet was asked for this payment.").waitFor();
  assert.equal(await pay.count(), 0);
  await page.getByRole("button", { name: "It wasn’t sent: pay again" }).click();
  await pay.waitFor();
  await page.evaluate(() => {
    globalThis.wallet.answers.eth_requestAccounts = new Promise((open) => (globalThis.connect = open));
  });
  await pay.click();
  await page.locator("#step").getByText("Connect an account in Test Wallet.").waitFor();
  await page.getByRole("button", { name: "Pay another way" }).click();
  await checkout.qr.waitFor();
  await page.evaluate((account) => globalThis.connect([account]), PAYER);
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  assert.equal((await asked()).length, 0);
  await pay.waitFor();
  await done();
});

test("the wallets that announce themselves are offered, else the one that injects itself, else none", async () => {
  const none = await paying({ wallet: null });
  await none.checkout.qr.waitFor();
  assert.equal(await none.page.getByRole("button", { name: /^Pay with/ }).count(), 0);
  await none.page.evaluate(() => (globalThis.ethereum = { request: async () => [] }));
  await none.page.getByRole("button", { name: "Pay with browser wallet" }).waitFor({ timeout: 10_000 });
  await none.done();
  const two = await paying();
  await two.pay.waitFor();
  await two.page.evaluate(() => {
    const announce = (info, provider) => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider } }));
    announce({ name: "Second Wallet", icon: "javascript:alert(1)" }, { request: async () => [] });
    announce({ name: 7 }, { request: async () => [] });
    announce({ name: "No Wallet" }, {});
  });
  await two.page.getByRole("button", { name: "Pay with Second Wallet" }).waitFor();
  assert.equal(await two.page.getByRole("button", { name: /^Pay with/ }).count(), 2);
  assert.deepEqual(await two.page.locator(".button img").evaluateAll((icons) => icons.map((icon) => icon.src.slice(0, 11))), ["data:image/"]);
  await inspect(two.page, "payer_wallets");
  await two.done();
});

test("paying with a wallet is in German", async () => {
  const { page, done } = await paying({ locale: "de-DE" });
  await page.getByRole("button", { name: "Mit Test Wallet zahlen" }).click();
  await page.getByText("Von Test Wallet gesendet. Warten auf das Netzwerk.").waitFor();
  await inspect(page, "payer_wallet_german");
  await done();
});

// The payer's page with a wallet in the browser. The spec's server has no real chains, so that the transaction to sign is added to
// its answers here, and the wallet is an EIP-1193 provider of the spec.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { privateKeyToAccount } from "viem/accounts";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { url } from "../settings.mjs";
import { provide } from "../wallet.mjs";

const PAYER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/** The first key of test nodes, whose address is the payer's. */
const SIGNER = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
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
async function paying({ wallet = {}, look = "light", locale, isGasless = false, isPhone = false, details = () => ({}), expected = [] } = {}) {
  const payment = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  const visited = await visit(browser, look, { locale, expected, isPhone });
  const tab = await inTab(visited.page, payment, wallet, isGasless, details);
  const again = async (other = wallet) => inTab(await visited.page.context().newPage(), payment, other, isGasless, details);
  const send = (amount) => merchant.call("POST", `/sandbox/checkout/payments/${payment.payment_id}/pay`, amount && { amount });
  return { ...visited, ...tab, payment, again, send };
}

async function inTab(page, payment, wallet, isGasless, details) {
  const checkout = new Checkout(page);
  await checkout.withoutStream(payment);
  await page.route(`**/v1/checkout/payments/${payment.payment_id}`, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const units = BigInt(Math.round((data.amount - data.paid_amount) * 1e6));
    Object.assign(data, { sandbox: false }, details(payment));
    if (!isGasless) delete data.authorization;
    if (units > 0n && ["Pending", "Processing"].includes(data.status)) {
      data.unsigned_transaction = { to: TOKEN, value: "0x0", data: transfer(data.address, units), token_address: TOKEN, units: String(units), decimals: 6 };
    }
    await route.fulfill({ response, json: { data } });
  });
  if (isGasless) await page.exposeFunction("signTypedData", (text) => SIGNER.signTypedData(JSON.parse(text)));
  if (wallet) await page.addInitScript(provide, { accounts: [PAYER], chain: "0x1", hash: HASH, answers: RICH, icon: ICON, ...wallet });
  await checkout.go(`${url}/pay/${link.id}?payment=${payment.payment_id}`);
  const calls = () => page.evaluate(() => globalThis.wallet.calls);
  const asked = async () => (await calls()).filter(([method]) => method === "eth_sendTransaction");
  return { page, checkout, calls, asked, pay: page.getByRole("button", { name: "Pay with Test Wallet" }) };
}

const transfer = (to, units) => `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, "0")}${units.toString(16).padStart(64, "0")}`;

/** Lets a request of the wallet wait; the returned function answers it. */
async function hold(page, method, answer) {
  await page.evaluate(
    ([method, answer]) => {
      globalThis.wallet.answers[method] = new Promise((open) => (globalThis.answer = () => open(answer)));
    },
    [method, answer],
  );
  return () => page.evaluate(() => globalThis.answer());
}

const step = (page, text) => page.locator("#step").getByText(text);
const RELEASE = { name: "I didn’t confirm it: pay again" };

test("a wallet on another network is switched, pays the amount due by one confirmation, and is not asked again", async () => {
  const { page, checkout, payment, pay, calls, asked, send, done } = await paying({ wallet: { chain: "0x2105" } });
  await pay.waitFor();
  await inspect(page, "payer_wallet");
  const confirm = await hold(page, "eth_sendTransaction", HASH);
  await pay.click();
  await step(page, `Confirm 10 USDC to ${payment.address} in Test Wallet.`).waitFor();
  await inspect(page, "payer_wallet_confirm");
  assert.equal(await checkout.qr.count(), 0, "the page asks for no other payment");
  await confirm();
  await step(page, "Test Wallet says that it sent the payment. Waiting for it to arrive.").waitFor();
  await page.locator(".line", { hasText: HASH }).waitFor();
  await inspect(page, "payer_wallet_sent");
  const methods = (await calls()).map(([method]) => method);
  assert.deepEqual(methods.slice(0, 4), ["eth_requestAccounts", "eth_chainId", "wallet_switchEthereumChain", "eth_chainId"]);
  assert.deepEqual(await asked(), [["eth_sendTransaction", { from: PAYER, to: TOKEN, data: transfer(payment.address, 10_000_000n), chainId: "0x1" }]]);
  await page.reload();
  await step(page, "Test Wallet says that it sent the payment.").waitFor();
  assert.equal(await checkout.qr.count(), 0);
  // Somebody sends dust to the address.
  await send("0.000001");
  await step(page, "0.000001 USDC received, less than the amount due.").waitFor();
  assert.deepEqual([await pay.count(), await checkout.qr.count()], [0, 0], "the rest is on its way");
  await send();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("settlekit.sent"))), []);
  // A transaction that replaced the wallet's one paid.
  assert.equal(await page.getByText(HASH).count(), 0);
  await done();
});

for (const [name, wallet, said] of [
  ["that declines", { errors: { eth_sendTransaction: { code: 4001 } } }, "You declined the request in Test Wallet. Nothing was sent."],
  ["that declines to connect", { errors: { eth_requestAccounts: { code: 4001 } } }, "You declined the request in Test Wallet. Nothing was sent."],
  ["that is locked", { accounts: [] }, "No account is available in Test Wallet. Unlock it, then try again."],
  ["that answers anything", { accounts: [{ address: PAYER }] }, "No account is available in Test Wallet."],
  ["that shows an earlier request", { errors: { eth_requestAccounts: { code: -32002 } } }, "Test Wallet shows an earlier request. Decline it there"],
  ["that doesn’t know the network", { chain: "0x2105", errors: { wallet_switchEthereumChain: { code: 4902 } } }, "Test Wallet doesn’t know Ethereum."],
  ["that says so within another error", { chain: "0x2105", errors: { wallet_switchEthereumChain: { code: -32603, data: { originalError: { code: 4902 } } } } }, "Test Wallet doesn’t know Ethereum."],
  ["that stays on another network", { chain: "0x2105", stays: true }, "Test Wallet is on another network."],
  ["on whose network the token is not", { answers: { ...RICH, eth_call: "0x" } }, "Test Wallet is on another network."],
  ["with too little money", { answers: { ...RICH, eth_call: hex(9_999_999) } }, "0xf39F…2266 has 9.999999 USDC on Ethereum, and 10 USDC is due."],
  ["without money for the network fee", { answers: { ...RICH, eth_getBalance: hex(59_999n * 10n ** 9n) } }, "has 0.000059 ETH, and about 0.000061 ETH is needed, network fee included."],
  ["whose transfer would revert", { errors: { eth_estimateGas: { code: 3, message: "execution reverted: blocked." } } }, "The network would refuse this payment: execution reverted: blocked. Nothing was sent."],
  ["that fails before it is asked to send", { errors: { eth_chainId: { message: "no connection" } } }, "Test Wallet reported an error: no connection. Nothing was sent."],
]) {
  test(`a wallet ${name} has paid nothing, and can be asked again`, async () => {
    const { page, checkout, pay, asked, done } = await paying({ wallet });
    await pay.click();
    await page.getByRole("alert").filter({ hasText: said }).waitFor();
    assert.ok(await pay.isEnabled());
    assert.equal(await checkout.qr.count(), 1, "it can be paid another way");
    if (name === "with too little money") await inspect(page, "payer_wallet_short");
    if (name === "without money for the network fee") {
      // Some wallets pay it otherwise.
      await pay.click();
      await step(page, "Test Wallet says that it sent the payment.").waitFor();
      assert.equal((await asked()).length, 1);
    }
    await done();
  });
}

test("a wallet that answers no question about its balance is asked for the payment", async () => {
  const errors = Object.fromEntries(Object.keys(RICH).map((method) => [method, { code: -32601, message: "unknown method" }]));
  const { page, pay, asked, done } = await paying({ wallet: { answers: {}, errors } });
  await pay.click();
  await step(page, "Test Wallet says that it sent the payment.").waitFor();
  assert.equal((await asked()).length, 1);
  await done();
});

for (const [name, error] of [["an unclear error", { code: -32603, message: "timeout" }], ["an earlier request that is still open", { code: -32002 }], ["an error around another one", { code: -32603, data: { originalError: { code: 4001 } } }]]) {
  test(`after ${name} no other payment is asked for before the payer has looked`, async () => {
    const { page, checkout, pay, asked, done } = await paying({ wallet: { errors: { eth_sendTransaction: error } } });
    await pay.click();
    const unclear = step(page, "We don’t know whether Test Wallet sent this payment.");
    await unclear.waitFor();
    if (error.message) await inspect(page, "payer_wallet_unclear");
    assert.deepEqual([await pay.count(), await checkout.qr.count()], [0, 0]);
    // Also if the script that asks wallets does not load again.
    await page.route("**/pay/wallet.js", (route) => route.abort());
    await page.reload();
    await unclear.waitFor();
    assert.equal(await checkout.qr.count(), 0);
    await page.getByRole("button", RELEASE).click();
    await checkout.qr.waitFor();
    assert.equal((await asked()).length, 0, "since the page was loaded again");
    await done().catch((error) => assert.match(error.message, /wallet\.js/));
  });
}

test("while the wallet asks, nobody can pay again, and a reloaded page does not ask", async () => {
  const { page, checkout, pay, asked, done } = await paying();
  await hold(page, "eth_sendTransaction", HASH);
  await pay.click();
  await step(page, "Confirm 10 USDC to").waitFor();
  assert.equal(await page.getByRole("button", { name: "Cancel" }).count(), 0);
  await page.reload();
  await step(page, "We don’t know whether Test Wallet sent this payment.").waitFor();
  assert.deepEqual([await pay.count(), (await asked()).length], [0, 0]);
  await page.getByRole("button", RELEASE).click();
  await pay.waitFor();
  assert.equal(await checkout.qr.count(), 1);
  await done();
});

test("a payment that was left, paid or changed while the wallet connected is not sent", async () => {
  const { page, checkout, pay, asked, send, done } = await paying();
  let connect = await hold(page, "eth_requestAccounts", [PAYER]);
  await pay.click();
  await step(page, "Connect an account in Test Wallet.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await checkout.qr.waitFor();
  await connect();
  await pay.waitFor();
  connect = await hold(page, "eth_requestAccounts", [PAYER]);
  await pay.click();
  await step(page, "Connect an account in Test Wallet.").waitFor();
  await send("4");
  await connect();
  await page.getByRole("alert").filter({ hasText: "The payment has changed. Nothing was sent." }).waitFor();
  connect = await hold(page, "eth_requestAccounts", [PAYER]);
  await checkout.heading("Send the rest").waitFor();
  await pay.click();
  await send();
  await checkout.confirmations.waitFor();
  await connect();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.equal((await asked()).length, 0);
  await done();
});

test("a wallet that changes its network while it is checked is not asked to send", async () => {
  const { page, pay, asked, done } = await paying();
  const check = await hold(page, "eth_estimateGas", hex(60_000));
  await pay.click();
  await step(page, "Checking network and balance").waitFor();
  await page.evaluate(() => {
    globalThis.wallet.chain = "0x2105";
  });
  await check();
  await page.getByRole("alert").filter({ hasText: "Test Wallet is on another network." }).waitFor();
  assert.equal((await asked()).length, 0);
  await done();
});

test("of two tabs one asks for the payment, and the other one shows it", async () => {
  const first = await paying();
  const second = await first.again();
  await second.pay.waitFor();
  const confirm = await hold(first.page, "eth_sendTransaction", HASH);
  await first.pay.click();
  await step(first.page, "Confirm 10 USDC to").waitFor();
  await step(second.page, "We don’t know whether Test Wallet sent this payment.").waitFor({ timeout: 1_500 });
  assert.equal(await second.pay.count(), 0);
  await confirm();
  await step(second.page, "Test Wallet says that it sent the payment.").waitFor({ timeout: 1_500 });
  await first.done();
});

test("a payment that expires after a wallet was asked is not started again before the payer has looked", async () => {
  const { page, checkout, pay, payment, done } = await paying();
  await pay.click();
  await step(page, "Test Wallet says that it sent the payment.").waitFor();
  const { expires_at, server_time } = await merchant.call("GET", `/checkout/payments/${payment.payment_id}`);
  await merchant.call("POST", "/sandbox/clock", { advance_seconds: Math.ceil((Date.parse(expires_at) - Date.parse(server_time)) / 1000) + 1 });
  await checkout.heading("Payment expired").waitFor({ timeout: 30_000 });
  await step(page, "Test Wallet was asked for this payment. If it was sent, contact the merchant.").waitFor();
  const again = page.getByRole("button", { name: "Start again" });
  assert.equal(await again.count(), 0);
  await inspect(page, "payer_wallet_expired");
  await page.reload();
  await page.getByRole("button", { name: "It wasn’t sent" }).click();
  await again.waitFor();
  await done();
});

test("the wallets that announce themselves are offered, else the one that injects itself, else none", async () => {
  const none = await paying({ wallet: null });
  await none.checkout.qr.waitFor();
  assert.equal(await none.page.getByRole("button", { name: /^Pay with/ }).count(), 0);
  await none.page.evaluate(() => {
    globalThis.ethereum = { request: async () => [] };
  });
  await none.page.getByRole("button", { name: "Pay with your browser wallet" }).waitFor({ timeout: 10_000 });
  await none.done();
  const two = await paying();
  await two.pay.waitFor();
  await two.page.evaluate(() => {
    const request = async () => [];
    const announce = (info, provider) => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider } }));
    announce({ uuid: "2", name: "Second Wallet", icon: "javascript:alert(1)" }, { request });
    announce({ uuid: "2", name: "Second Wallet" }, { request });
    announce({ uuid: "3", name: 7 }, { request });
    announce({ uuid: "4", name: " \u202e " }, { request });
    announce({ uuid: "5", name: "No Wallet" }, {});
    Object.defineProperty(globalThis, "ethereum", { get: () => { throw new Error("broken"); } });
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
  await step(page, "Die Zahlung wurde laut Test Wallet gesendet. Warten auf den Eingang.").waitFor();
  await inspect(page, "payer_wallet_german");
  await done();
});

test("a payer without coins signs, and the service sends the payment", async () => {
  const { page, checkout, payment, pay, calls, asked, done } = await paying({ isGasless: true, wallet: { answers: { ...RICH, eth_getBalance: "0x0" } } });
  await step(page, "You sign, and pay no network fee.").waitFor();
  await inspect(page, "payer_wallet_gasless");
  await pay.click();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  const read = await merchant.call("GET", `/checkout/payments/${payment.payment_id}`);
  assert.deepEqual([read.paid_amount, read.authorization_status], ["10", "Executed"]);
  assert.deepEqual(await asked(), []);
  const [[, signer, typed]] = (await calls()).filter(([method]) => method === "eth_signTypedData_v4");
  assert.equal(signer, PAYER);
  assert.equal(JSON.parse(typed).message.value, "10000000");
  await done();
});

test("a signature that the payer declines pays nothing and can be asked for again", async () => {
  const { page, pay, done } = await paying({ isGasless: true, wallet: { errors: { eth_signTypedData_v4: { code: 4001 } } } });
  await pay.click();
  await page.getByRole("alert").filter({ hasText: "You declined the request in Test Wallet. Nothing was sent." }).waitFor();
  await step(page, "You sign, and pay no network fee.").waitFor();
  await done();
});

test("a wallet that cannot sign typed data pays by a transaction the next time", async () => {
  const { page, pay, asked, done } = await paying({ isGasless: true, wallet: { answers: { ...RICH, eth_signTypedData_v4: "0x" } } });
  await pay.click();
  await page.getByRole("alert").filter({ hasText: "Test Wallet can’t sign this payment. Nothing was sent." }).waitFor();
  assert.equal(await step(page, "You sign, and pay no network fee.").count(), 0);
  await pay.click();
  await step(page, "Test Wallet says that it sent the payment.").waitFor();
  assert.equal((await asked()).length, 1);
  await done();
});

test("a signature by another key is refused by the service, and nothing is paid", async () => {
  const other = `0x${"11".repeat(64)}1b`;
  const { page, payment, pay, done } = await paying({ isGasless: true, wallet: { answers: { ...RICH, eth_signTypedData_v4: other } }, expected: ["422"] });
  await pay.click();
  await page.getByRole("alert").filter({ hasText: "The signature was not accepted. Nothing was sent." }).waitFor();
  await inspect(page, "payer_wallet_refused_signature");
  assert.equal((await merchant.call("GET", `/checkout/payments/${payment.payment_id}`)).paid_amount, "0");
  await done();
});

const NODE = { public_rpc_url: "https://rpc.example", explorer_url: "https://scan.example" };

test("a network that a wallet doesn’t know is added to it", async () => {
  const { page, pay, asked, calls, done } = await paying({ wallet: { chain: "0x2105", errors: { wallet_switchEthereumChain: { code: 4902 } } }, details: () => NODE });
  await pay.click();
  await page.getByText("Test Wallet says that it sent the payment.").waitFor();
  assert.equal((await asked()).length, 1);
  const [[, added]] = (await calls()).filter(([method]) => method === "wallet_addEthereumChain");
  assert.deepEqual(added, { chainId: "0x1", chainName: "Ethereum", rpcUrls: [NODE.public_rpc_url], nativeCurrency: { name: "ETH", symbol: "ETH", decimals: 18 }, blockExplorerUrls: [NODE.explorer_url] });
  await done();
});

for (const [name, code, said] of [
  ["declines", 4001, "You declined the request in Test Wallet. Nothing was sent."],
  ["doesn’t know how", 4200, "Test Wallet doesn’t know Ethereum. Add the network there, then try again."],
]) {
  test(`a wallet that ${name} to add the network is not asked to pay`, async () => {
    const errors = { wallet_switchEthereumChain: { code: 4902 }, wallet_addEthereumChain: { code } };
    const { page, pay, asked, done } = await paying({ wallet: { chain: "0x2105", errors }, details: () => NODE });
    await pay.click();
    await page.getByRole("alert").filter({ hasText: said }).waitFor();
    assert.deepEqual(await asked(), []);
    await done();
  });
}

test("an authorized payment is told by the service, also after a reload, and no other payment is asked for", async () => {
  const { page, checkout, payment, done } = await paying({ isGasless: true });
  await page.route(`**/v1/checkout/payments/${payment.payment_id}`, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    delete data.authorization;
    await route.fulfill({ response, json: { data: { ...data, sandbox: false, authorization_status: "Accepted" } } });
  });
  await page.reload();
  await checkout.heading("Payment authorized").waitFor();
  await inspect(page, "payer_wallet_authorized");
  assert.equal(await checkout.qr.count(), 0);
  await done();
});

test("a failed authorization is signed again, and nothing else is asked for until it expires", async () => {
  const { page, checkout, payment, pay, calls, done } = await paying({ isGasless: true });
  await page.route(`**/v1/checkout/payments/${payment.payment_id}`, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, sandbox: false, ...(data.authorization && { authorization_status: "Failed" }) } } });
  });
  await page.reload();
  await checkout.heading("Sign again").waitFor();
  await inspect(page, "payer_wallet_sign_again");
  assert.equal(await checkout.qr.count(), 0);
  await pay.click();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.equal((await calls()).filter(([method]) => method === "eth_signTypedData_v4").length, 1);
  await done();
});

/** The links of a service with the usual wallets, and what a page must never lead to. */
const links = ({ payment_id: id }) => {
  const page = `${url}/pay/${link.id}?payment=${id}`;
  const wallet_links = [
    { name: "MetaMask", url: `https://link.metamask.io/dapp/${page.split("://")[1]}` },
    { name: "Trust Wallet", url: `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(page)}` },
    { name: "House", url: `house://open?url=${encodeURIComponent(page)}` },
    ...["javascript://x.example/%0aalert(1)", "JavaScript://x/", " javascript://x/", "java\tscript://x/", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://wallet.example/", "blob:https://x.example/1", "//x.example/", "", null, 7].map((url) => ({ name: "Evil", url })),
    { name: null, url: "https://wallet.example/" },
  ];
  return { wallet_links };
};
const wallets = (page) => page.locator(".wallet-links").getByRole("link");

test("a phone without a wallet in its browser opens the payment in a wallet, and both browsers see the same payment", async () => {
  const { page, checkout, again, send, done } = await paying({ wallet: null, look: "narrow", isPhone: true, details: links });
  const open = wallets(page);
  await open.first().waitFor();
  assert.deepEqual(await open.allTextContents(), ["Open in MetaMask", "Open in Trust Wallet", "Open in House"]);
  await inspect(page, "payer_wallet_links");
  const opened = await open.nth(1).getAttribute("href");
  assert.equal(new URL(opened).searchParams.get("url"), page.url());
  // The wallet's own browser opens that page.
  const inWallet = await again({});
  await inWallet.pay.waitFor();
  assert.equal(await wallets(inWallet.page).count(), 0, "it has a wallet");
  assert.equal(inWallet.page.url(), page.url());
  await send("4");
  await step(inWallet.page, "4 USDC received, less than the amount due.").waitFor();
  await page.bringToFront();
  await step(page, "4 USDC received, less than the amount due.").waitFor();
  assert.equal(await open.count(), 3, "the rest can be paid from a wallet, too");
  await send();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.equal(await open.count(), 0);
  await inWallet.page.bringToFront();
  await inWallet.checkout.heading("Paid").waitFor({ timeout: 60_000 });
  await done();
});

test("a computer is offered no links to wallets of a phone", async () => {
  const { page, checkout, done } = await paying({ wallet: null, details: links });
  await checkout.qr.waitFor();
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/wallet.js")));
  assert.equal(await wallets(page).count(), 0);
  await done();
});

test("links to wallets are in German", async () => {
  const { page, done } = await paying({ wallet: null, look: "narrow", isPhone: true, details: links, locale: "de-DE" });
  await step(page, "Diese Zahlung in einer Wallet auf diesem Gerät öffnen:").waitFor();
  await page.getByRole("link", { name: "In MetaMask öffnen" }).waitFor();
  await done();
});

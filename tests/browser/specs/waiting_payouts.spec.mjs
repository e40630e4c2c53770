// Payouts that wait: for a second member's approval, and for the signature of the merchant's own wallet. The spec's server has no
// real chains, so prepared payouts are answered here, and the wallet is an EIP-1193 provider of the spec.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Money } from "../pages/money.mjs";
import { memberSignedIn, signedIn } from "../session.mjs";
import { database, password, program } from "../settings.mjs";
import { provide } from "../wallet.mjs";

// The browser logs the 401 that asks for step-up as an error.
const PROOF = ["401"];
const OWN = "a door that opens quietly";
const DESTINATION = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const SIGNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const STRANGER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const HASH = "0x8b1f0c9a4c9c39e5b6a1f2d3e4c5b6a7980f1e2d3c4b5a69788796a5b4c3d2e1";
const DATA = `0xa9059cbb${DESTINATION.slice(2).toLowerCase().padStart(64, "0")}${(250_000_000).toString(16).padStart(64, "0")}`;

let browser, storageState, ben, org;
const limits = (perPayout) => execFileSync(program, ["wallet", "limits", "--database", `sqlite:${database}`, "--currency", "USDC", "--org", org, "--per-payout", perPayout]);
before(async () => {
  ({ id: org } = await merchant.call("GET", "/orgs"));
  limits("500");
  browser = await open();
  storageState = await signedIn(browser);
  ({ storageState: ben } = await memberSignedIn(browser, "Ben", OWN));
});
after(async () => {
  limits("none");
  await browser.close();
});

const visitor = async (state, { expected = [], ...options } = {}) => {
  const visited = await visit(browser, "light", { storageState: state, expected: [...PROOF, ...expected], ...options });
  return { ...visited, money: new Money(visited.page) };
};

/** A payout of the first member, as the form creates it. */
async function request(money, amount) {
  await money.go("/payouts/new");
  await money.choose("From account", "Treasury, Base");
  await money.field("Amount").fill(amount);
  await money.choose(money.field("To"), "Different address");
  await money.field("Address").fill(DESTINATION);
  await money.button("Review payout").click();
  await money.confirm("Send payout");
  await money.prove(password);
  await money.page.waitForURL("**/payouts?open=**");
  return new URL(money.page.url()).searchParams.get("open");
}

const waiting = (money) => money.drawer.locator(".notice", { hasText: "This payout waits for approval" });

test("a payout above a limit waits for another member, who finds and approves it", async () => {
  const { page, money, done } = await visitor(storageState);
  const id = await request(money, "600.000001");
  await page.getByText("The payout waits for another member’s approval").waitFor();
  await waiting(money).getByText("Above your organisation’s limit of 500.00 USDC per payout. It exceeds the limit by 100.000001 USDC.").waitFor();
  await waiting(money).getByText("You requested this payout, so another member has to decide.").waitFor();
  assert.equal(await money.drawer.getByRole("button", { name: "Approve payout" }).count(), 0);
  await inspect(page, "payout_waits_own");
  await money.navigation.getByText("awaiting approval").waitFor({ state: "attached" });
  await done();

  const other = await visitor(ben);
  await other.money.go("/");
  await other.page.getByText(/payouts? awaits? approval/).first().waitFor();
  await inspect(other.page, "overview_awaiting");
  await other.page.getByRole("link", { name: "Review payouts" }).click();
  await other.page.locator(".tabs [aria-current]", { hasText: "Awaiting approval" }).waitFor();
  await other.money.row("600.000001").waitFor();
  await inspect(other.page, "payouts_waiting");
  await other.money.row("600.000001").getByText("600.000001").click();
  await waiting(other.money).getByText("Requested by").waitFor();
  await inspect(other.page, "payout_waits");
  await other.money.drawer.getByRole("button", { name: "Approve payout" }).click();
  await other.money.box.getByText(`600.000001 USDC will be sent to ${DESTINATION}`).waitFor();
  // The drawer below the dialog is dimmed; the dialog's own contrast is checked where it stands alone.
  await inspect(other.page, "payout_approve_ask", { besides: ["color-contrast"] });
  await other.money.confirm("Approve payout");
  await other.money.prove(OWN);
  await other.page.getByText("Payout approved").waitFor();
  await waiting(other.money).waitFor({ state: "detached" });
  assert.equal(await other.money.fact("Approved by").innerText(), "Ben");
  const approved = await merchant.call("GET", `/payments/${id}`);
  assert.equal(approved.reason, undefined);
  await inspect(other.page, "payout_approved");
  await other.done();
});

test("a refused payout returns its money and is listed as refused", async () => {
  const { money, done } = await visitor(storageState);
  const id = await request(money, "700.25");
  await waiting(money).waitFor();
  await done();
  const other = await visitor(ben);
  await other.money.go(`/payouts?reason=ApprovalRequired&open=${id}`);
  await other.money.drawer.getByRole("button", { name: "Refuse payout" }).click();
  await other.money.box.getByText("Nothing is sent, and all of its money is available again.").waitFor();
  await other.money.confirm("Refuse payout");
  await other.money.prove(OWN);
  await other.page.getByText("Payout refused").waitFor();
  assert.equal(await other.money.fact("Refused by").innerText(), "Ben");
  await other.page.keyboard.press("Escape");
  await other.page.getByRole("link", { name: "Refused approval" }).click();
  await other.money.row("700.25").getByText("Failed").waitFor();
  const refused = await merchant.call("GET", `/payments/${id}`);
  assert.deepEqual([refused.status, refused.reason], ["Failed", "ApprovalRefused"]);
  await other.page.locator(".tabs").getByText("Awaiting approval").click();
  await other.page.getByText("Nothing awaits approval").waitFor();
  await inspect(other.page, "payouts_waiting_none");
  await other.done();
});

// --- Signing with the merchant's own wallet ---

/** A prepared payout as the service of a live installation answers it. */
async function prepared() {
  const [any] = (await merchant.call("GET", "/payouts?limit=1")).items;
  const payment = {
    ...any, status: "Pending", amount: "250", currency: "USDC", chain_id: 8453, next_action: "SignTransaction", sender_address: SIGNER,
    payout_splits: [{ address: DESTINATION, amount: "250", chain_id: 8453, currency: "USDC", reference: "Roastery" }], timeline: [{ status: "Pending", at: any.created_at }],
    prepared_transaction: { chain_id: 8453, from: SIGNER, to: TOKEN, value: "0x0", data: DATA, link: `ethereum:${TOKEN}@8453/transfer?address=${DESTINATION}&uint256=250000000` },
  };
  for (const name of ["reason", "approval", "settlement_transaction", "paid_amount"]) delete payment[name];
  return { ...payment, paid_amount: "0" };
}

/** Opens a prepared payout; the answer may be changed. */
async function signing({ wallet, expected, locale, index } = {}) {
  const visited = await visitor(storageState, { expected, locale });
  const state = { payment: await prepared() };
  state.payment.prepared_transaction.derivation_index = index;
  await visited.page.route(`**/v1/payments/${state.payment.id}`, (route) => (route.request().method() === "GET" ? route.fulfill({ json: { data: state.payment } }) : route.fallback()));
  if (wallet) await visited.page.addInitScript(provide, { accounts: [SIGNER], chain: "0x2105", hash: HASH, ...wallet });
  await visited.money.go(`/payouts?open=${state.payment.id}`);
  const calls = () => visited.page.evaluate(() => globalThis.wallet.calls);
  return { ...visited, state, calls };
}

const sign = (money) => money.drawer.getByRole("button", { name: "Sign with Test Wallet" });
const isSent = (calls) => calls.some(([method]) => method === "eth_sendTransaction");

test("a wallet on another network is switched and signs exactly the prepared transaction, once", async () => {
  const { page, money, state, calls, done } = await signing({ wallet: { chain: "0x1" } });
  await money.drawer.getByRole("heading", { name: "Sign this payout with your wallet" }).waitFor();
  assert.match(await money.fact("Recipient").innerText(), new RegExp(DESTINATION));
  await inspect(page, "payout_to_sign");
  await sign(money).click();
  await money.drawer.getByText("Signed. Waiting for the chain").waitFor();
  await money.drawer.getByText(HASH).waitFor();
  assert.deepEqual(await calls(), [
    ["eth_requestAccounts"], ["eth_chainId"], ["wallet_switchEthereumChain", { chainId: "0x2105" }], ["eth_chainId"], ["eth_requestAccounts"],
    ["eth_sendTransaction", { from: SIGNER, to: TOKEN, value: "0x0", data: DATA, chainId: "0x2105" }],
  ]);
  assert.match(await money.drawer.locator(".lede").innerText(), /Pending/, "nothing is called sent before a block has it");
  await inspect(page, "payout_signed");
  // A second signature is asked for, also after the page was loaded again.
  await money.go(`/payouts?open=${state.payment.id}`);
  await money.drawer.getByText("Signed. Waiting for the chain").waitFor();
  await money.drawer.getByRole("button", { name: "Sign again" }).click();
  await money.box.getByText("the recipient is paid twice").waitFor();
  await inspect(page, "payout_sign_again_ask");
  await money.box.getByRole("button", { name: "Cancel", exact: true }).click();
  assert.deepEqual(await calls(), []);
  // A block brings it.
  const settlement_transaction = { chain_id: 8453, created_at: state.payment.created_at, payment_id: state.payment.id, status: "Pending", transaction_hash: HASH, type: "Payout", confirmations: 3, confirmations_required: 12, block_number: 31_204_118, updated_at: state.payment.created_at };
  state.payment = { ...state.payment, status: "Processing", next_action: undefined, prepared_transaction: undefined, settlement_transaction };
  await money.go(`/payouts?open=${state.payment.id}`);
  await money.drawer.getByText("3 of 12").waitFor();
  assert.equal(await money.drawer.getByText("Sign this payout with your wallet").count(), 0);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("settlekit.handed-over"))), []);
  await done();
});

for (const [name, wallet, said, isAsked] of [
  ["declined", { errors: { eth_sendTransaction: { code: 4001, message: "User rejected the request." } } }, "You declined it in your wallet. Nothing was sent.", true],
  ["declined to connect", { errors: { eth_requestAccounts: { code: 4001 } } }, "You declined it in your wallet. Nothing was sent.", false],
  ["on an unknown network", { chain: "0x1", errors: { wallet_switchEthereumChain: { code: 4902 } } }, "Your wallet doesn’t know this network.", false],
  ["on an unknown network, told inside another error", { chain: "0x1", errors: { wallet_switchEthereumChain: { code: -32603, data: { originalError: { code: 4902 } } } } }, "Your wallet doesn’t know this network.", false],
  ["that stays on another network", { chain: "0x1", stays: true }, "Your wallet is still on another network.", false],
  ["with another account", { accounts: [STRANGER] }, "holds the money. Choose that account in the wallet.", false],
  ["without accounts", { accounts: [] }, "Your wallet doesn’t offer the account that holds the money.", false],
  ["with an open request", { errors: { eth_requestAccounts: { code: -32002 } } }, "Your wallet shows an earlier request.", false],
]) {
  test(`a wallet ${name} has signed nothing, and can be asked again`, async () => {
    const { page, money, calls, done } = await signing({ wallet });
    await sign(money).click();
    await money.drawer.getByText(said).waitFor();
    assert.equal(isSent(await calls()), isAsked);
    assert.equal(await money.drawer.getByText("Signed. Waiting for the chain").count(), 0);
    assert.ok(await sign(money).isEnabled());
    if (name === "with another account") await inspect(page, "payout_other_account");
    await done();
  });
}

test("an unclear answer of the wallet is not called unsent", async () => {
  const { page, money, state, done } = await signing({ wallet: { errors: { eth_sendTransaction: { code: -32603, message: "Internal JSON-RPC error." } } } });
  await sign(money).click();
  await money.drawer.getByText("Your wallet may have sent it").waitFor();
  await money.drawer.getByText("Internal JSON-RPC error.").waitFor();
  await inspect(page, "payout_maybe_signed");
  await money.go(`/payouts?open=${state.payment.id}`);
  await money.drawer.getByText("Your wallet may have sent it").waitFor();
  // A refusal of the second request says nothing about the first.
  await page.evaluate(() => (globalThis.wallet.errors = { eth_sendTransaction: { code: 4001 } }));
  await money.drawer.getByRole("button", { name: "Sign again" }).click();
  await money.confirm("Sign again");
  await money.drawer.getByText("You declined it in your wallet").waitFor();
  await money.drawer.getByText("Your wallet may have sent it").waitFor();
  await done();
});

test("a page that is left while the wallet asks warns when it is opened again", async () => {
  const { page, money, state, done } = await signing({ wallet: {} });
  await page.evaluate(() => void (globalThis.wallet.hold = new Promise(() => {})));
  await sign(money).click();
  await money.drawer.getByText("Continue in your wallet").waitFor();
  await merchant.until("the wallet asks", () => page.evaluate(() => globalThis.wallet.calls.some(([method]) => method === "eth_sendTransaction")));
  assert.ok(await money.drawer.getByRole("button", { name: "Sign again" }).isDisabled());
  await money.go(`/payouts?open=${state.payment.id}`);
  await money.drawer.getByText("Your wallet may have sent it").waitFor();
  await done();
});

test("a payout that somebody else canceled meanwhile is not signed", async () => {
  const { money, state, calls, done } = await signing({ wallet: {} });
  await sign(money).waitFor();
  state.payment = { ...state.payment, status: "Canceled", next_action: undefined, prepared_transaction: undefined };
  await sign(money).click();
  await money.drawer.getByRole("heading", { name: "Sign this payout" }).waitFor({ state: "detached" });
  assert.equal(isSent(await calls()), false);
  await done();
});

test("without a browser wallet the link is there for another, and the payout can be canceled", async () => {
  const { page, money, state, done } = await signing();
  await money.drawer.getByText("No browser wallet found").waitFor();
  await money.drawer.getByText("Use another wallet").click();
  await money.drawer.getByText(state.payment.prepared_transaction.link).waitFor();
  await money.drawer.getByRole("img", { name: "QR code of the transfer" }).waitFor();
  // Pages can't read the clipboard, so writes are recorded.
  await page.evaluate(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = (text) => ((globalThis.copied = text), write(text));
  });
  await money.drawer.getByRole("button", { name: "Copy link" }).click();
  await merchant.until("the link is copied", () => page.evaluate((link) => globalThis.copied === link, state.payment.prepared_transaction.link));
  await inspect(page, "payout_no_wallet");
  // A wallet without EIP-6963, enabled since.
  await page.evaluate(() => (globalThis.ethereum = { request: async () => [] }));
  await money.drawer.getByRole("button", { name: "Look again" }).click();
  await money.drawer.getByRole("button", { name: "Sign with browser wallet" }).waitFor();
  await page.route(`**/v1/payments/${state.payment.id}`, async (route) => {
    if (route.request().method() !== "DELETE") return route.fallback();
    state.payment = { ...state.payment, status: "Canceled", next_action: undefined, prepared_transaction: undefined };
    await route.fulfill({ json: { data: state.payment } });
  });
  await money.drawer.getByRole("button", { name: "Cancel payout" }).click();
  await money.confirm("Cancel payout");
  await page.getByText("Payout canceled").waitFor();
  await money.drawer.getByText("Sign this payout with your wallet").waitFor({ state: "detached" });
  await done();
});

test("a payout of an extended public key names the number of the address that signs, and asks to choose it", async () => {
  const { page, money, done } = await signing({ index: 3 });
  assert.equal(await money.fact("Address number").innerText(), "3 (…/3 of the extended public key)");
  await money.drawer.getByText("Use another wallet").click();
  await money.drawer.getByText("Choose the signing address in the wallet first: the link").waitFor();
  await inspect(page, "payout_of_key");
  await done();
  const other = await signing({});
  await other.money.drawer.getByText("Use another wallet").click();
  await other.money.drawer.getByText("Scan it with the wallet that holds the money.").waitFor();
  assert.equal(await other.money.drawer.getByText(/Address number|Choose the signing address/).count(), 0);
  await other.done();
});

test("signing is in German", async () => {
  const { page, money, done } = await signing({ wallet: {}, locale: "de-DE" });
  await money.drawer.getByRole("heading", { name: "Auszahlung mit Ihrer Wallet signieren" }).waitFor();
  await inspect(page, "payout_to_sign_german");
  await done();
});

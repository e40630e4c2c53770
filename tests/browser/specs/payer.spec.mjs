// The payer's page at each step, in every look.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, shoot, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
import { url } from "../settings.mjs";

const OPTION = { chain_id: 1, currency: "USDC" };

let browser;
before(async () => {
  browser = await open();
  await merchant.account();
});
after(() => browser.close());

const start = (link) => merchant.call("POST", `/checkout/${link.id}/payments`, OPTION);
const send = (payment, amount) => merchant.call("POST", `/sandbox/checkout/payments/${payment.payment_id}/pay`, amount && { amount });
const address = (payment) => `${url}/pay/${payment.paylink_id}?payment=${payment.payment_id}`;
const read = (payment) => merchant.call("GET", `/checkout/payments/${payment.payment_id}`);

/** Waits until all transfers are confirmed. */
const settled = (payment) =>
  merchant.until("what was sent is confirmed", async () => {
    const now = await read(payment);
    return now.transaction_hash && now.confirmations >= now.confirmations_required && now;
  }, 60);

/** Advances the clock past the deadline of a payment, and waits until it has expired. */
async function expire(payment) {
  const { expires_at, server_time } = await read(payment);
  await merchant.call("POST", "/sandbox/clock", { advance_seconds: Math.max(0, Math.ceil((Date.parse(expires_at) - Date.parse(server_time)) / 1000)) + 1 });
  await merchant.until("the payment ended", async () => !["Pending", "Processing"].includes((await read(payment)).status));
}

/** Opens a payer's page and waits for its heading. */
async function see(target, heading, name, { expected, look } = {}) {
  const { page, done } = await visit(browser, "narrow", { expected });
  const checkout = new Checkout(page);
  await checkout.go(target);
  await checkout.heading(heading).waitFor({ timeout: 60_000 });
  await look?.(page, checkout);
  await inspect(page, `payer_${name}`);
  await done();
}

test("every step from choice to confirmation is announced to screen readers", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await inspect(page, "payer_choose");
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  assert.match(await checkout.news.textContent(), /^Send USDC on Ethereum/);
  await inspect(page, "payer_pay");
  await checkout.testWallet.click();
  await checkout.confirmations.waitFor();
  await inspect(page, "payer_processing");
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.match(await checkout.news.textContent(), /^Paid/);
  await inspect(page, "payer_paid");
  await done();
});

test("a recurring link shows its interval, asks for an e-mail address, and subscribes the payer", async () => {
  const recurring = { name: "Coffee club", type: "Recurring", interval: "Month" };
  const link = await merchant.paylink({ ...recurring, intervalCount: 3 });
  const { page, done } = await visit(browser, "narrow", { expected: ["422"] });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await page.getByText("every 3 months", { exact: true }).waitFor();
  await inspect(page, "payer_recurring");
  await checkout.choose("USDC", "Ethereum");
  await checkout.continueButton.click();
  await page.getByText("Email address is required.").waitFor();
  await page.getByLabel("Email address").fill("club@");
  await checkout.continueButton.click();
  await page.getByText(/^Email address must be/).waitFor();
  await inspect(page, "payer_email");
  const email = `club-${Date.now()}@example.com`;
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Name (optional)").fill("Ada Bean");
  await checkout.continueButton.click();
  await checkout.testWallet.click();
  await checkout.heading("Subscribed").waitFor({ timeout: 60_000 });
  await inspect(page, "payer_subscribed");
  const { items } = await merchant.call("GET", `/customers?search=${encodeURIComponent(email)}`);
  assert.deepEqual(items.map((one) => [one.name, one.email]), [["Ada Bean", email]]);
  await done();
});

test("a trial needs no payment method", async () => {
  const link = await merchant.paylink({ name: "Coffee club", type: "Recurring", interval: "Week", trial_period: "P14D" });
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await page.getByText("every week, the first 14 days free").waitFor();
  await checkout.heading("14 days free").waitFor();
  await inspect(page, "payer_trial");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Email address").fill("trial@example.com");
  await checkout.continueButton.click();
  await checkout.heading("Subscribed").waitFor();
  await page.getByText("Your free trial has started").waitFor();
  await inspect(page, "payer_trial_begun");
  await page.reload();
  await checkout.heading("Subscribed").waitFor();
  await done();
});

test("a trial of one month is told in the singular, in English and in German", async () => {
  const link = await merchant.paylink({ name: "Coffee club", type: "Recurring", interval: "Month", trial_period: "P1M" });
  for (const [locale, rhythm, heading] of [["en-GB", "every month, the first month free", "1 month free"], ["de-DE", "jeden Monat, der erste Monat kostenlos", "1 Monat kostenlos"]]) {
    const { page, done } = await visit(browser, "narrow", { locale });
    const checkout = new Checkout(page);
    await checkout.go(link.url);
    await page.getByText(rhythm, { exact: true }).waitFor();
    await checkout.heading(heading).waitFor();
    await done();
  }
});

test("the chain and currency that a payer chose last are selected at the next link", async () => {
  const [first, second] = [await merchant.paylink(), await merchant.paylink()];
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  const selected = page.locator("label.option:has(:checked)");
  await checkout.go(first.url);
  assert.equal(await selected.count(), 0, "nobody has chosen yet");
  await checkout.continueButton.click();
  await page.getByText("Choose how to pay.").waitFor();
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  await checkout.go(second.url);
  assert.match(await selected.innerText(), /USDC\s+on Ethereum/);
  await checkout.continueButton.click();
  await checkout.heading("Send USDC on Ethereum").waitFor();
  // The stored choice may be a chain that this merchant does not offer.
  await page.evaluate(() => localStorage.setItem("settlekit.choice", "99 GONE"));
  await checkout.go(second.url);
  assert.equal(await selected.count(), 0);
  await done();
});

test("a link with an end shows it before anybody pays", async () => {
  const link = await merchant.paylink({ expires_at: "2199-03-04T15:30:00Z" });
  const { page, done } = await visit(browser, "narrow", { locale: "en-GB", timezoneId: "UTC" });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await page.getByText(/^Available until 4 March 2199\D+15:30$/).waitFor();
  await inspect(page, "payer_until");
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  assert.equal(await page.locator(".until").isVisible(), false, "the payment has its own time");
  await done();
});

test("missing payer data is shown at its field", async () => {
  const link = await merchant.paylink({ metadata: { customer_ident_collection: true, shipping_address_collection: true } });
  const { page, done } = await visit(browser, "narrow", { expected: ["422"] });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await checkout.choose("USDC", "Ethereum");
  await page.getByLabel("Customer number").waitFor();
  await checkout.continueButton.click();
  await page.getByText("Customer number is required.").waitFor();
  await inspect(page, "payer_details");
  await page.getByLabel("Customer number").fill("C-1001");
  await page.getByLabel("Shipping address").fill("1 Harbour Street");
  await checkout.continueButton.click();
  await checkout.testWallet.waitFor();
  await done();
});

test("an underpaid payment shows the rest and can be completed", async () => {
  const payment = await start(await merchant.paylink({ amount: "10.00" }));
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(address(payment));
  await checkout.testWallet.waitFor();
  await send(payment, "4.25");
  await checkout.heading("Send the rest").waitFor();
  assert.match(await checkout.line("Amount").innerText(), /^5\.75(0*) USDC$/);
  assert.match(await checkout.news.textContent(), /4\.25/);
  await inspect(page, "payer_underpaid");
  await checkout.testWallet.click();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  await done();
});

test("an overpaid payment shows the excess", async () => {
  const payment = await start(await merchant.paylink({ amount: "10.00" }));
  await send(payment, "12.50");
  await see(address(payment), "Paid", "overpaid", {
    look: async (page) => assert.match(await page.locator(".care").innerText(), /12\.50* USDC received, 2\.50* USDC more/),
  });
});

test("unpaid, underpaid and late payments are explained", async () => {
  const links = await Promise.all([0, 1, 2].map(() => merchant.paylink({ amount: "10.00" })));
  const [unpaid, little, late] = await Promise.all(links.map(start));
  await send(little, "1.00");
  await settled(little);
  await expire(late);
  await send(late);
  for (const payment of [unpaid, little]) await merchant.until("the payment ended", async () => ["Expired", "Failed"].includes((await read(payment)).status));
  await see(address(unpaid), "Payment expired", "expired", {
    look: async (page, checkout) => {
      await page.getByRole("button", { name: "Start again" }).click();
      await checkout.continueButton.waitFor();
      await page.goBack();
      await checkout.heading("Payment expired").waitFor();
    },
  });
  await see(address(little), "Payment incomplete", "failed", {
    look: async (page) => assert.match(await page.locator(".soft").first().innerText(), /^1(\.0+)? USDC of 10\.00 USDC/),
  });
  await see(address(late), "Paid", "paid_late", { look: async (page) => page.locator(".care", { hasText: "after the time limit" }).waitFor() });
});

test("a closed link shows the reason to payers", async () => {
  const soon = new Date(Date.parse((await merchant.call("POST", "/sandbox/clock", { advance_seconds: 0 })).now) + 3_600_000).toISOString();
  const [expired, sold, deleted] = await Promise.all([{ expires_at: soon }, { available_quantity: 1 }, {}].map(merchant.paylink));
  await start(sold);
  await merchant.call("DELETE", `/paylinks/${deleted.id}`);
  await see(sold.url, "Sold out", "sold_out");
  await see(deleted.url, "This link no longer exists", "deleted");
  await merchant.call("POST", "/sandbox/clock", { advance_seconds: 3_601 });
  await see(expired.url, "This link has expired", "link_expired");
});

test("a checkout without an answer is retried with the same idempotency key", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { expected: ["ERR_FAILED"] });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  const keys = [];
  await page.route("**/v1/checkout/*/payments", (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    return keys.length === 1 ? route.abort() : route.continue();
  });
  await checkout.choose("USDC", "Ethereum");
  await page.getByText("Can’t reach the service. Nothing was charged. Try again.").waitFor();
  await checkout.continueButton.click();
  await checkout.testWallet.waitFor();
  assert.equal(keys[0], keys[1]);
  await done();
});

test("a checkout keeps its idempotency key until it is answered", async () => {
  const link = await merchant.paylink({ type: "Recurring", interval: "Month", trial_period: "P14D", name: "Once begun" });
  const { page, done } = await visit(browser, "narrow", { expected: ["ERR_FAILED", "429"] });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  const keys = [];
  await page.route("**/v1/checkout/*/payments", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length === 1) {
      // The request succeeds, but only half of the response arrives.
      const response = await route.fetch();
      return route.fulfill({ status: response.status(), contentType: "application/json", body: (await response.text()).slice(0, 40) });
    }
    if (keys.length === 2) return route.fulfill({ status: 429, json: { error: { code: 429, message: "too many requests: try again in 1 s", errors: [] } } });
    return route.continue();
  });
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.locator("input[name=email]").fill(`once-${Date.now()}@payer.example`);
  await checkout.continueButton.click();
  await page.getByText("Can’t reach the service. Nothing was charged. Try again.").waitFor();
  await checkout.continueButton.click();
  await page.getByText("too many requests").waitFor();
  await checkout.continueButton.click();
  await checkout.heading("Subscribed").waitFor();
  assert.deepEqual(keys, [keys[0], keys[0], keys[0]]);
  const { total } = await merchant.call("GET", `/payments?paylink_id=${link.id}`);
  assert.equal(total, 1);
  await done();
});

test("a response of a proxy is ignored and the request repeated", async () => {
  const payment = await start(await merchant.paylink());
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.withoutStream(payment);
  await checkout.go(address(payment));
  await checkout.testWallet.waitFor();
  let strange = 1;
  await page.route(`**/v1/checkout/payments/${payment.payment_id}`, (route) => (strange-- > 0 ? route.fulfill({ contentType: "text/html", body: "<html>Sign in to this network</html>" }) : route.continue()));
  await page.getByText("Connection lost. Money you’ve sent is safe. Reconnecting…").waitFor();
  await send(payment);
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  await done();
});

test("the service tells the page each change of a payment; nothing is polled", async () => {
  const payment = await start(await merchant.paylink());
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  let polls = 0;
  await page.route(`**/v1/checkout/payments/${payment.payment_id}`, (route) => {
    polls++;
    return route.continue();
  });
  await checkout.go(address(payment));
  await checkout.testWallet.waitFor();
  const before = polls;
  await send(payment);
  await checkout.confirmations.waitFor();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  assert.equal(polls, before);
  await done();
});

test("a receipt is found again at its address, printed without buttons, and stays where the payer came back", async () => {
  const link = await merchant.paylink({ after_completion: { type: "redirect", redirect_url: "https://shop.example/thanks" } });
  const payment = await start(link);
  await send(payment);
  const paid = await settled(payment);
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(address(payment));
  await checkout.heading("Paid").waitFor();
  assert.equal(await checkout.line("Payment ID").innerText(), payment.payment_id);
  assert.equal(await checkout.line("Transaction").innerText(), paid.transaction_hash);
  assert.equal(await checkout.line("Paid on").innerText(), await page.evaluate((at) => new Date(at).toLocaleString(navigator.language, { dateStyle: "long", timeStyle: "short" }), paid.confirmed_at));
  await page.getByRole("link", { name: /^Return to/ }).waitFor();
  assert.equal(await checkout.stay.count(), 0);
  // The page may write to the clipboard, not read it.
  await page.evaluate(() => (navigator.clipboard.writeText = async (text) => void (globalThis.copied = text)));
  await page.getByRole("button", { name: "Copy receipt link" }).click();
  await page.getByText("Receipt link copied").waitFor();
  assert.equal(await page.evaluate(() => globalThis.copied), address(payment));
  await inspect(page, "payer_receipt");
  await page.evaluate(() => (globalThis.print = () => (globalThis.printed = true)));
  await page.getByRole("button", { name: "Print or save receipt" }).click();
  assert.equal(await page.evaluate(() => globalThis.printed), true);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("button").count(), 0);
  await page.getByText(address(payment), { exact: true }).waitFor();
  await shoot(page, "payer_receipt", "print", { fullPage: false });
  await done();
});

test("wallets that read no links scan address and amount one by one; an amount in another currency is told in the shop's", async () => {
  const payment = await merchant.call("POST", `/checkout/${(await merchant.paylink()).id}/payments`, { ...OPTION, currency: "ETH" });
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(address(payment));
  await page.getByRole("link", { name: "Open in a wallet on this device" }).waitFor();
  assert.equal(await checkout.qr.getAttribute("d"), payment.qr.path);
  for (const [label, code] of [["Address", payment.address_qr], ["Amount", payment.amount_qr]]) {
    await page.getByRole("radio", { name: label }).check();
    await page.getByRole("img", { name: `QR code: ${label}` }).waitFor();
    assert.equal(await checkout.qr.getAttribute("d"), code.path);
  }
  assert.match(await checkout.line("Amount").innerText(), /^[\d.,]+ ETH \(≈ 12\.50 USDC\)$/);
  await inspect(page, "payer_codes");
  await page.getByRole("radio", { name: "Payment" }).check();
  assert.match(await page.getByRole("link", { name: "Open in a wallet on this device" }).getAttribute("href"), /^ethereum:/);
  await checkout.testWallet.click();
  await checkout.heading("Paid").waitFor({ timeout: 60_000 });
  await page.locator("#step").getByText(/^[\d.,]+ ETH \(≈ 12\.50 USDC\) to /).waitFor();
  await done();
});

test("a payer who holds the last item is not offered other payment methods", async () => {
  const link = await merchant.paylink({ available_quantity: 1 });
  const { page, done } = await visit(browser, "narrow");
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await checkout.choose("USDC", "Ethereum");
  await checkout.testWallet.waitFor();
  const another = page.getByRole("button", { name: "Choose another way to pay" });
  await another.click();
  await page.getByText("This is the last one, reserved for this payment.").waitFor();
  await checkout.testWallet.waitFor();
  assert.match(page.url(), /payment=/);
  await done();
});

test("an unknown link and an unreachable service have different messages", async () => {
  const link = await merchant.paylink();
  const unknown = link.url.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  await see(unknown, "This link doesn’t exist", "unknown", {
    expected: ["404"],
    look: async (page) => assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0, "to try again is of no use"),
  });
  const { page, done } = await visit(browser, "narrow", { expected: ["ERR_FAILED"] });
  const checkout = new Checkout(page);
  await page.route("**/v1/checkout/**", (route) => route.abort());
  await checkout.go(link.url);
  await checkout.heading("The page could not be loaded").waitFor();
  await inspect(page, "payer_failed");
  await page.unroute("**/v1/checkout/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await checkout.continueButton.waitFor();
  await done();
});

test("a German browser gets German texts and amounts", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { locale: "de-DE" });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  await checkout.heading("Wie möchten Sie zahlen?").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  assert.match(await checkout.price.innerText(), /^\d+,\d+/);
  await page.locator("label.option", { hasText: "USDC" }).filter({ hasText: "Ethereum" }).click();
  await page.getByRole("button", { name: "Weiter" }).click();
  await checkout.heading("USDC auf Ethereum senden").waitFor();
  await inspect(page, "payer_german");
  await page.getByRole("button", { name: "Aus der Test-Wallet zahlen" }).click();
  await checkout.heading("Bezahlt").waitFor({ timeout: 60_000 });
  await done();
});

test("the price is shown in the payer's own currency, which the payer can change", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { locale: "de-DE" });
  const checkout = new Checkout(page);
  await checkout.go(link.url);
  const beside = page.locator(".approximate");
  await beside.getByText("etwa 11,57 EUR").waitFor();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const choice = page.getByRole("combobox", { name: "Ihre Währung" });
  assert.equal(await choice.inputValue(), "EUR");
  await choice.selectOption("GBP");
  await beside.getByText("etwa 9,84 GBP").waitFor();
  assert.deepEqual(asked, [], "the choice is no further visit");
  await inspect(page, "payer_own_currency");
  assert.match(await checkout.price.innerText(), /^12,50 USDC$/, "the price stays");

  await page.reload();
  await beside.getByText("etwa 9,84 GBP").waitFor();
  await page.locator("label.option", { hasText: "USDC" }).filter({ hasText: "Ethereum" }).click();
  await page.getByRole("button", { name: "Weiter" }).click();
  await checkout.heading("USDC auf Ethereum senden").waitFor();
  assert.ok(await beside.isVisible());
  await page.emulateMedia({ media: "print" });
  assert.ok(!(await beside.isVisible()), "a receipt names what was paid");
  await done();
});

test("a region without a currency of its own has that of its state", async () => {
  const link = await merchant.paylink();
  for (const [locale, text] of [["fr-RE", "environ 11,57 EUR"], ["en-JE", "about 9.84 GBP"]]) {
    const { page, done } = await visit(browser, "narrow", { locale });
    await new Checkout(page).go(link.url);
    await page.locator(".approximate").getByText(text).waitFor();
    await done();
  }
});

test("a payer whose currency has no price can choose one that has", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { locale: "ja-JP" });
  await new Checkout(page).go(link.url);
  const choice = page.getByRole("combobox", { name: "Your currency" });
  assert.equal(await choice.inputValue(), "");
  assert.equal(await page.locator(".approximate span").textContent(), "");
  await choice.selectOption("EUR");
  await page.getByText("about 11.57 EUR").waitFor();
  await done();
});

test("without a price nothing is said of the payer's own currency", async () => {
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { locale: "de-DE" });
  await page.route("**/v1/checkout/*", async (route) => {
    const response = await route.fetch();
    const { data: { amounts_in, ...data }, ...rest } = await response.json();
    assert.ok(amounts_in.length > 1);
    await route.fulfill({ response, json: { ...rest, data } });
  });
  await new Checkout(page).go(link.url);
  assert.equal(await page.locator(".approximate").count(), 0);
  await done();
});

test("the payment of another link is not shown", async () => {
  const [link, other] = [await merchant.paylink({ name: "Asked for" }), await merchant.paylink({ name: "Slipped in" })];
  const payment = await start(other);
  await see(`${url}/pay/${link.id}?payment=${payment.payment_id}`, "This link doesn’t exist", "of_another", {
    look: async (page) => assert.ok(!(await page.content()).includes(payment.address), "its address is nowhere"),
  });
});

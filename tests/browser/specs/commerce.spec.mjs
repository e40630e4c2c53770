// Plans, customers, subscriptions and printed invoices.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { failUntilClick, inspect, shoot } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Commerce } from "../pages/commerce.mjs";
import { visitors } from "../session.mjs";

const mark = Date.now();
const PLAN = `Coffee every month ${mark}`;
const WHO = `Regular ${mark}`;

const visitor = visitors("commerce", Commerce);

let customer;
before(async () => {
  // A payment creates a customer.
  const link = await merchant.paylink({ metadata: { customer_ident_collection: true } });
  const { payment_id } = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC", customer_ident: `regular-${mark}` });
  ({ customer } = await merchant.call("GET", `/payments/${payment_id}`));
  await merchant.rename(customer.id, { name: WHO, email: `regular.${mark}@shop.example` });
});

test("a plan is created and shows its billing interval", async () => {
  const { page, commerce, done } = await visitor();
  await commerce.go("/plans/new");
  await inspect(page, "create_plan");
  await commerce.createPlan({ name: PLAN, price: "24.90", interval: "Month", count: "3" });
  await page.getByText("Plan created").waitFor();
  assert.equal(await commerce.fact("Billing").innerText(), "Every 3 months");
  await inspect(page, "plan");
  await page.keyboard.press("Escape");
  await commerce.row(PLAN).waitFor();
  await inspect(page, "plans");
  await done();
});

test("an invalid trial period is rejected at its field", async () => {
  const { page, commerce, done } = await visitor();
  await commerce.go("/plans/new");
  await page.getByRole("button", { name: "Recurring" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Trial");
  await page.getByLabel("Price", { exact: true }).fill("1.00");
  await page.getByRole("textbox", { name: "Trial" }).fill("two");
  await commerce.form.getByRole("button", { name: "Create plan" }).click();
  await page.getByText("Trial must be a whole number of days").waitFor();
  await done();
});

test("a customer is found by name and updated; empty fields change nothing", async () => {
  const { page, commerce, done } = await visitor();
  await commerce.go("/customers");
  await page.getByLabel("Search").fill(WHO);
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=Regular/);
  await commerce.row(WHO).click();
  await commerce.drawer.locator(".lede").waitFor();
  await commerce.unfold("Edit");
  await commerce.drawer.getByText("Empty fields stay unchanged").waitFor();
  await commerce.drawer.getByRole("textbox", { name: "Email" }).fill("");
  await commerce.drawer.getByRole("textbox", { name: "Phone" }).fill("+49 30 123456");
  await commerce.drawer.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").waitFor();
  assert.match(await commerce.fact("Phone").innerText(), /\+49 30 123456/);
  assert.match(await commerce.fact("Email").innerText(), /regular\./);
  await inspect(page, "customer");
  await commerce.drawer.getByRole("link", { name: "Payments" }).click();
  await page.waitForURL(new RegExp(`/payments\\?customer_id=${customer.id}$`));
  await page.getByRole("button", { name: /^Clear Customer: / }).waitFor();
  await commerce.rows.first().waitFor();
  assert.equal(await commerce.rows.count(), 1);
  await page.goBack();
  await commerce.drawer.locator(".lede").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Clear (filter|\d)/ }).click();
  await (await commerce.filter("Customer type")).selectOption("repeat");
  await page.waitForURL(/visit_type=repeat/);
  await inspect(page, "customers");
  await done();
});

test("a saved change of a customer can be reverted in the same form", async () => {
  const { page, commerce, done } = await visitor();
  await commerce.go(`/customers?open=${customer.id}`);
  await commerce.drawer.locator(".lede").waitFor();
  await commerce.unfold("Edit");
  for (const name of [`Once ${mark}`, WHO]) {
    await commerce.drawer.getByRole("textbox", { name: /^Name/ }).fill(name);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === "PATCH"),
      commerce.drawer.getByRole("button", { name: "Save" }).click(),
    ]);
    assert.deepEqual(answer.request().postDataJSON(), { name });
    await commerce.drawer.locator(".lede").getByText(name, { exact: true }).waitFor();
    assert.equal((await merchant.call("GET", `/customers/${customer.id}`)).name, name);
  }
  await done();
});

test("a customer is subscribed, billed, paused and resumed, and a scheduled cancellation is revoked", async () => {
  const { page, commerce, done } = await visitor();
  await commerce.subscribe({ customer: WHO, plan: PLAN });
  await page.getByText("Subscription created").waitFor();
  await commerce.drawer.locator(".lede").getByText("Active").waitFor();
  await commerce.drawer.getByText("24.90").first().waitFor();
  await commerce.fact("Next invoice").locator("time").waitFor();
  await inspect(page, "subscription");
  await commerce.act("Cancel at period end");
  await commerce.drawer.locator(".lede").getByText("Cancels at period end").waitFor();
  await commerce.fact("Ends").locator("time").waitFor();
  assert.equal(await commerce.fact("Next invoice").count(), 0);
  await commerce.drawer.getByRole("button", { name: "Keep subscription" }).click();
  await commerce.drawer.getByRole("button", { name: "Keep subscription" }).waitFor({ state: "detached" });
  await commerce.act("Pause");
  await commerce.drawer.locator(".lede").getByText("Paused").waitFor();
  await commerce.act("Resume");
  await commerce.drawer.locator(".lede").getByText("Active").waitFor();
  await page.keyboard.press("Escape");
  await commerce.row(WHO).first().waitFor();
  await inspect(page, "subscriptions");
  await commerce.go("/subscriptions/new");
  await commerce.offers.first().waitFor();
  await inspect(page, "create_subscription");
  await done();
});

test("customers are listed with what they spent", async () => {
  const { page, commerce, done } = await visitor();
  const { items } = await merchant.call("GET", "/customers?limit=25");
  const customers = items.map((item, at) => ({ ...item, spent_usd: at === 0 ? "1234.5" : undefined }));
  await page.route(/\/v1\/customers\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, items: customers } } });
  });
  await commerce.go("/customers");
  const spent = page.locator(".page .table td[data-label=Spent]");
  assert.equal((await spent.first().innerText()).replace(/\s+/g, " "), "1,234.50 USD");
  assert.equal((await spent.nth(1).innerText()).trim(), "", "an unknown amount is not zero");
  await done();
});

test("subscriptions are listed with their next invoice and the end of their trial", async () => {
  const { page, commerce, done } = await visitor();
  const { items } = await merchant.call("GET", `/subscriptions?customer_id=${customer.id}`);
  const base = { ...items[0], status: "InTrial", cancel_at_period_end: false, is_overdue: false };
  const at = { period_end: "2031-02-03T10:00:00Z", trial_ends_at: "2031-02-03T10:00:00Z" };
  const id = (number) => base.id.slice(0, -3) + String(number).padStart(3, "0");
  const listed = [{ ...base, ...at, id: id(1) }, { ...base, ...at, id: id(2), status: "Active", trial_ends_at: undefined, cancel_at_period_end: true }];
  await page.route(/\/v1\/subscriptions\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, data: { items: listed, total: 2 } } });
  });
  await commerce.go("/subscriptions");
  const cells = (name) => page.locator(`.page .table td[data-label="${name}"]`);
  for (const name of ["Next invoice", "Trial ends"]) {
    await cells(name).first().locator("time[datetime^='2031-02-03']").waitFor();
    assert.equal(await cells(name).nth(1).locator("time").count(), 0, `${name} of one that ends`);
  }
  await done();
});

test("a subscription shows its own invoices, and says if they are only the newest", async () => {
  const { page, commerce, done } = await visitor();
  const { items } = await merchant.call("GET", `/subscriptions?customer_id=${customer.id}`);
  const [{ id }] = items;
  const own = await merchant.call("GET", `/invoices?subscription_id=${id}`);
  await commerce.go(`/subscriptions?open=${id}`);
  const listed = commerce.drawer.locator("section", { has: page.getByRole("heading", { name: "Invoices" }) }).locator("li a");
  const links = own.items.map((invoice) => `/invoices?open=${invoice.id}`);
  if (links.length === 0) await commerce.drawer.getByText("No invoices yet").waitFor();
  else await listed.nth(links.length - 1).waitFor();
  assert.deepEqual(await listed.evaluateAll((all) => all.map((link) => link.getAttribute("href"))), links);
  // The list behind the link has the same.
  await commerce.drawer.getByRole("link", { name: "Invoices", exact: true }).click();
  await page.waitForURL(new RegExp(`/invoices\\?subscription_id=${id}$`));
  await commerce.drawn();
  assert.equal(await commerce.rows.count(), Math.min(links.length, 25));
  const [invoice] = (await merchant.call("GET", "/invoices?limit=1")).items;
  await page.route(/\/v1\/invoices\?.*subscription_id/, async (route) => {
    const response = await route.fetch();
    const data = { items: Array.from({ length: 100 }, (_, at) => ({ ...invoice, id: invoice.id.slice(0, -3) + String(at).padStart(3, "0") })), total: 240, next: 2 };
    await route.fulfill({ response, json: { ...(await response.json()), data } });
  });
  await commerce.go(`/subscriptions?open=${id}`);
  await commerce.drawer.getByText("of 240").waitFor();
  await done();
});

test("loading the customer of the URL can be retried", async () => {
  const { page, commerce, done } = await visitor({ expected: ["500"] });
  const succeedAfterClick = await failUntilClick(page, `**/v1/customers/${customer.id}`);
  await commerce.go(`/subscriptions/new?customer_id=${customer.id}`);
  await commerce.alert.getByText("The service failed.").waitFor();
  await succeedAfterClick();
  await commerce.alert.getByRole("button", { name: "Try again" }).click();
  await commerce.form.locator("strong", { hasText: WHO }).waitFor();
  await done();
});

test("an existing invoice of the same date is shown as such", async () => {
  const { page, commerce, done } = await visitor();
  await commerce.go(`/subscriptions?customer_id=${customer.id}`);
  await page.getByRole("button", { name: `Clear Customer: ${WHO}` }).waitFor();
  await commerce.rows.first().click();
  await commerce.unfold("Create invoice");
  const send = commerce.drawer.getByRole("button", { name: "Create invoice" });
  await commerce.drawer.getByLabel("Title").fill("Extra beans");
  await commerce.drawer.getByLabel("Due").fill("2031-05-04T10:00");
  await send.click();
  await page.getByText("Invoice issued").waitFor();
  await commerce.drawer.getByText("4 May 2031").or(commerce.drawer.getByText("May 04, 2031")).first().waitFor();
  await send.click();
  await page.getByText("An invoice for this date already exists").waitFor();
  await done();
});

test("an invoice is shown and printed on one page with payment details", async () => {
  const { page, commerce, done } = await visitor();
  await commerce.go(`/invoices?customer_id=${customer.id}`);
  await inspect(page, "invoices");
  await commerce.row("Extra beans").click();
  await commerce.drawer.locator(".lede").getByText("Pending").waitFor();
  await inspect(page, "invoice");
  await commerce.drawer.getByRole("link", { name: "Print view" }).click();
  await commerce.sheet.getByText(PLAN).waitFor();
  await commerce.sheet.getByText(WHO).waitFor();
  // Printed invoices show the invoice number.
  const { reference } = await merchant.call("GET", `/invoices/${new URL(page.url()).searchParams.get("open")}`);
  assert.match(reference, /^INV-\d+$/);
  await commerce.sheet.getByText(reference, { exact: true }).waitFor();
  await commerce.sheet.getByRole("img", { name: "Pay at" }).waitFor();
  await inspect(page, "sheet");
  await page.emulateMedia({ media: "print" });
  const pdf = await page.pdf({ format: "A4" });
  await shoot(page, "sheet", "print", { fullPage: true });
  assert.equal(pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g).length, 1, "the invoice takes one page");
  assert.equal(await page.locator(".side").isVisible(), false);
  await done();
});

test("empty pages offer the first step, and filtered ones say that nothing matches", async () => {
  const { page, commerce, done } = await visitor();
  const none = { error: false, data: { items: [], total: 0 } };
  await page.route(/\/v1\/(plan|customers|subscriptions|invoices)\?/, (route) => route.fulfill({ contentType: "application/json", body: JSON.stringify(none) }));
  for (const [path, title] of Object.entries({ "/plans": "No plans yet", "/customers": "No customers yet", "/subscriptions": "No subscriptions yet", "/invoices": "No invoices yet" })) {
    await commerce.go(path);
    await page.getByText(title).waitFor();
    await inspect(page, `first_${path.slice(1)}`);
    await commerce.go(`${path}?since=2199-01-01`);
    await page.getByText("No results for these filters").waitFor();
  }
  await done();
});

// Bulk changes of payment links, and the form of one.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { failUntilClick, inspect, inspectAs } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Paylinks } from "../pages/paylinks.mjs";
import { visitors } from "../session.mjs";

const mark = Date.now();

const visitor = visitors("paylinks", Paylinks);

let links;
before(async () => {
  links = [];
  for (const name of ["First", "Second", "Third"]) links.push(await merchant.paylink({ name: `${name} ${mark}` }));
});

test("a switch changes immediately and reverts on failure", async () => {
  const { page, paylinks, done } = await visitor({ expected: ["500", "/v1/paylinks/batch"] });
  await paylinks.go("/paylinks");
  const row = paylinks.switchOf(`First ${mark}`);
  await row.click();
  assert.equal(await row.getAttribute("aria-checked"), "false");
  await page.getByText("Payment link disabled").waitFor();
  await paylinks.row(`First ${mark}`).getByText("Disabled").waitFor();
  await page.route("**/v1/paylinks/batch", (route) => route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' }));
  await row.click();
  await page.getByText("The service failed").waitFor();
  assert.equal(await row.getAttribute("aria-checked"), "false");
  await page.unroute("**/v1/paylinks/batch");
  // An error stays until dismissed.
  await page.locator(".toast", { hasText: "The service failed" }).getByRole("button", { name: "Close" }).click();
  await page.locator(".toast", { hasText: "The service failed" }).waitFor({ state: "detached" });
  // Clicks during a pending change have no effect.
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route("**/v1/paylinks/batch", async (route) => {
    await held;
    await route.continue();
  });
  await row.click();
  await row.click();
  assert.equal(await row.getAttribute("aria-checked"), "true");
  letGo();
  await paylinks.row(`First ${mark}`).getByText("Open", { exact: true }).waitFor();
  await done();
});

test("the counter of active links leads to the links that can be paid, found by state and name", async () => {
  const { page, paylinks, done } = await visitor();
  const sold = await merchant.paylink({ name: `Last print ${mark}`, available_quantity: 1 });
  await merchant.call("POST", `/checkout/${sold.id}/payments`, { chain_id: 1, currency: "USDC" });
  await paylinks.go("/");
  const saw = {};
  await page.locator("a.counter", { hasText: "Active payment links" }).click();
  await page.waitForURL(/\/paylinks\?status=Open$/);
  await paylinks.drawn();
  // Links of other specs are made in between.
  await merchant.until("as many as are counted", async () => {
    saw.shown = Number((await paylinks.total.innerText()).replaceAll(",", "").match(/\d+/g).at(-1));
    saw.counted = (await merchant.call("GET", "/overview")).paylinks_active;
    return saw.shown === saw.counted;
  }, { saw: () => saw });
  assert.equal(await paylinks.row(`Last print ${mark}`).count(), 0);
  await paylinks.tab("Sold out").click();
  await page.waitForURL(/status=SoldOut/);
  const held = paylinks.switchOf(`Last print ${mark}`);
  await held.waitFor();
  assert.ok(await held.isDisabled());
  assert.equal(await held.getAttribute("title"), "Sold out");
  assert.equal(await held.getAttribute("aria-label"), "Enabled");
  await paylinks.go("/paylinks");
  await (await paylinks.filter("Search")).fill(`last PRINT ${mark}`);
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=/);
  await paylinks.row(`Last print ${mark}`).waitFor();
  await page.locator(".pager-summary", { hasText: "1–1 of 1" }).waitFor();
  await done();
});

test("a payment link shows its visits, checkouts and conversion of 30 days, and nothing without any", async () => {
  const { page, paylinks, done } = await visitor();
  const [quiet, busy] = [await merchant.paylink({ name: `Quiet ${mark}` }), await merchant.paylink({ name: `Busy ${mark}` })];
  for (let visit = 0; visit < 2; visit += 1) await merchant.call("GET", `/checkout/${busy.id}`);
  await merchant.call("POST", `/checkout/${busy.id}/payments`, { chain_id: 1, currency: "USDC" });
  await merchant.until("the visits are written", async () => (await merchant.call("GET", `/paylinks/${busy.id}`)).statistics?.visits === 2);
  await paylinks.go(`/paylinks?open=${busy.id}`);
  const figures = paylinks.drawer.getByRole("region", { name: "Last 30 days" });
  assert.equal((await figures.innerText()).replace(/\s+/g, " "), "Last 30 days Visits 2 Checkouts 1 Payments 0 Conversion 0.00%");
  await inspect(page, "paylink_statistics");
  await paylinks.go(`/paylinks?open=${quiet.id}`);
  await paylinks.drawer.locator(".lede").waitFor();
  assert.equal(await figures.count(), 0);
  await done();
});

test("rows selected by keyboard are disabled together, with a result each", async () => {
  const { page, paylinks, done } = await visitor();
  await paylinks.go("/paylinks");
  await paylinks.rows.nth(1).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByText("2 selected").waitFor();
  await inspect(page, "paylinks_picked");
  const box = page.getByRole("dialog");
  const calls = [];
  page.on("request", (request) => request.url().endsWith("/v1/paylinks/batch") && calls.push(request.postDataJSON().items.length));
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await box.getByRole("button", { name: "Disable", exact: true }).click();
  await box.getByText("2 of 2 done").waitFor();
  assert.deepEqual(calls, [1, 1], "one after the other: one that is refused stops no other");
  await box.getByRole("button", { name: "Close" }).last().click();
  await page.getByText("2 selected").waitFor({ state: "detached" });
  await done();
});

test("a grid saves each row separately and retries only failed ones", async () => {
  const { page, paylinks, done } = await visitor({ expected: ["500", "/v1/paylinks/batch"] });
  await paylinks.go("/paylinks");
  for (const link of links) await paylinks.pick(link.plan.name);
  await page.getByRole("link", { name: "Bulk edit" }).click();
  await page.waitForURL(/\/paylinks\/edit\?ids=pl_/);
  for (const { plan } of links) await paylinks.cell("Description", plan.name).fill(`Changed ${mark}`);
  let calls = 0;
  await page.route("**/v1/paylinks/batch", (route) =>
    ++calls === 2 ? route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"code":500,"message":"the service failed","errors":[]}}' }) : route.continue(),
  );
  await page.getByRole("button", { name: "Save 3 changes" }).click();
  await page.getByText("2 saved, 1 not saved").waitFor();
  await inspect(page, "edit_paylinks");
  await page.getByRole("button", { name: "Retry 1 failed" }).click();
  await page.getByText("3 saved", { exact: true }).waitFor();
  assert.equal(calls, 4, "what was saved is not sent again");
  for (const { id } of links) assert.equal((await merchant.call("GET", `/paylinks/${id}`)).plan.description, `Changed ${mark}`);
  await done();
});

test("a cleared cell shows that the text cannot be removed, and is not saved", async () => {
  const { page, paylinks, done } = await visitor();
  const link = await merchant.paylink({ name: `Told ${mark}`, description: "Beans by post" });
  await paylinks.go(`/paylinks/edit?ids=${link.id}`);
  await paylinks.cell("Description", link.plan.name).fill("");
  await page.getByText("Description can be replaced, but not removed.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Nothing to save" }).isDisabled());
  await paylinks.cell("Description", link.plan.name).fill("Beans by hand");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await page.getByText("1 saved").waitFor();
  await done();
});

test("the grid also changes redirects and requested payer data", async () => {
  const { page, paylinks, done } = await visitor();
  const link = await merchant.paylink({ name: `After ${mark}`, after_completion: { custom_message: "See you." }, metadata: { customer_fields: ["tax_ident", "shirt_size"], shelf: "B2" } });
  const called = link.plan.name;
  await paylinks.go(`/paylinks/edit?ids=${link.id}`);
  await paylinks.cell("Message", called).fill("See you soon.");
  await paylinks.cell("Failure URL", called).fill("https://shop.example/sorry");
  await paylinks.cell("Shipping address", called).check();
  await paylinks.cell("Tax number", called).uncheck();
  await inspect(page, "edit_paylinks_all");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await page.getByText("1 saved").waitFor();
  const after = await merchant.call("GET", `/paylinks/${link.id}`);
  assert.deepEqual(after.after_completion, { failure_redirect_url: "https://shop.example/sorry", custom_message: "See you soon." });
  assert.deepEqual([after.shipping_address_collection, after.tax_ident_collection, after.customer_ident_collection], [true, false, false]);
  assert.deepEqual(after.metadata.customer_fields.toSorted(), ["shipping_address", "shirt_size"]);
  assert.equal(after.metadata.shelf, "B2");
  await page.getByRole("button", { name: "Nothing to save" }).waitFor();
  await done();
});

test("links are deleted together after typing their number", async () => {
  const { page, paylinks, done } = await visitor();
  const gone = [await merchant.paylink({ name: `Gone one ${mark}` }), await merchant.paylink({ name: `Gone two ${mark}` })];
  await paylinks.go("/paylinks");
  for (const { plan } of gone) await paylinks.pick(plan.name);
  await page.getByRole("group", { name: "Selected" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("This can’t be undone").waitFor();
  await inspect(page, "paylinks_delete_together");
  await paylinks.confirm("Delete");
  await page.getByText("2 of 2 done").waitFor();
  for (const { id } of gone) assert.ok((await merchant.call("GET", `/paylinks/${id}`)).deleted_at);
  await done();
});

test("loading the options of a form can be retried", async () => {
  const { page, paylinks, done } = await visitor({ expected: ["500"] });
  const succeedAfterClick = await failUntilClick(page, "**/v1/chains");
  await paylinks.go("/paylinks/new");
  await page.getByText("The service failed.").waitFor();
  await succeedAfterClick();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel("Currency").locator("option", { hasText: "USDC" }).waitFor({ state: "attached" });
  // An empty line is reported, not dropped.
  await page.getByLabel("Metadata").fill("campaign: spring\nspring only");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.locator(".field-error", { hasText: "needs a colon on line 2" }).waitFor();
  await done();
});

test("a link's QR code can be downloaded", async () => {
  const { page, paylinks, done } = await visitor();
  await paylinks.go(`/paylinks?open=${links[0].id}`);
  await paylinks.unfold("QR code");
  await paylinks.drawer.getByRole("img", { name: "QR code of the payment page" }).waitFor();
  const download = page.waitForEvent("download");
  await paylinks.drawer.getByRole("button", { name: "Download as SVG" }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), `${links[0].id}.svg`);
  assert.match(await readFile(await file.path(), "utf8"), /^<svg xmlns[\s\S]*<path d="M4 4h7/);
  await inspect(page, "paylink_qr");
  await done();
});

test("all fields of a new link are previewed and saved", async () => {
  const { page, paylinks, done } = await visitor();
  await paylinks.go("/paylinks/new");
  await page.getByLabel("Name", { exact: true }).fill(`Club ${mark}`);
  await page.getByLabel("Price", { exact: true }).fill("19.90");
  await page.getByLabel("Currency").selectOption("USDC");
  await page.getByLabel("Description").fill("Beans by post.");
  await page.getByRole("button", { name: "Recurring" }).click();
  await page.getByLabel("Interval").selectOption("Week");
  await page.getByLabel("Every").fill("2");
  await page.getByLabel("Message").fill("See you soon.");
  await page.getByLabel("Metadata").fill("campaign: spring\nchannel: post");
  await page.locator(".ticks label").first().click();
  await paylinks.preview.getByText("Every 2 weeks", { exact: true }).waitFor();
  await paylinks.preview.getByText("Continue", { exact: true }).waitFor();
  // With a trial nothing is due: payers subscribe.
  await page.getByRole("textbox", { name: "Trial" }).fill("1");
  await paylinks.preview.getByText("Every 2 weeks, the first day free", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Trial" }).fill("14");
  await paylinks.preview.getByText("Every 2 weeks, the first 14 days free").waitFor();
  await paylinks.preview.getByText("Subscribe", { exact: true }).waitFor();
  await paylinks.preview.getByText("See you soon.").waitFor();
  await inspect(page, "create_paylink_filled");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.getByText("Payment link created").waitFor();
  await page.waitForURL(/open=/);
  const made = await merchant.call("GET", `/paylinks/${new URL(page.url()).searchParams.get("open")}`);
  assert.equal(made.plan.recurring_interval, "Week");
  assert.equal(made.plan.recurring_interval_count, 2);
  assert.equal(made.plan.trial_period, "P14D");
  assert.equal(await paylinks.fact("Billing").innerText(), "Every 2 weeks");
  assert.equal(await paylinks.fact("Trial").innerText(), "14 days");
  assert.equal(made.metadata.campaign, "spring");
  assert.equal(made.after_completion.custom_message, "See you soon.");
  await done();
});

// Last, because it creates enough links to move the others to another page.
test("disabling more than a hundred links can be stopped and continued, each sent once", async () => {
  const { page, paylinks, done } = await visitor();
  const many = 104;
  for (let number = 0; number < many; number += 1) await merchant.paylink({ name: `Many ${number} ${mark}` });
  await paylinks.go("/paylinks?rows=100");
  const whole = page.getByRole("checkbox", { name: "Select all rows on this page" });
  await whole.check();
  await page.getByText("100 selected").waitFor();
  await page.locator(".pager").getByRole("button", { name: "Next" }).click();
  await page.waitForURL(/page=2/);
  await paylinks.drawn();
  for (let number = 0; number < many - 100; number += 1) await paylinks.pick(`Many ${number} ${mark}`);
  await page.getByText(`${many} selected`).waitFor();

  const sent = [];
  await page.route("**/v1/paylinks/batch", (route) => {
    sent.push(...route.request().postDataJSON().items.map(({ id }) => id));
    return route.continue();
  });
  const box = page.getByRole("dialog");
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await box.getByRole("button", { name: "Disable", exact: true }).click();
  const progress = box.getByRole("progressbar");
  const value = async () => Number(await progress.getAttribute("value"));
  await merchant.until("a part of them done", async () => (await value()) >= 20);
  await box.getByRole("button", { name: "Stop" }).click();
  await box.getByRole("button", { name: "Retry the rest" }).waitFor();
  const half = await value();
  assert.ok(half < many, `stopped at ${half} of ${many}`);
  assert.equal(await progress.getAttribute("max"), String(many));
  assert.equal(await box.locator(".results li").count(), many, "a line for each");
  assert.equal(await box.locator(".results li", { hasText: "Done" }).count(), half);
  await inspectAs(page, "many_stopped", "light");
  await box.getByRole("button", { name: "Retry the rest" }).click();
  await box.getByText(`${many} of ${many} done`).waitFor({ timeout: 60_000 });
  assert.equal(sent.length, many, "each was sent once");
  assert.equal(new Set(sent).size, many);
  await box.getByRole("button", { name: "Close" }).last().click();
  for (const id of [sent[0], sent.at(-1)]) assert.equal((await merchant.call("GET", `/paylinks/${id}`)).enabled, false);
  await done();
});

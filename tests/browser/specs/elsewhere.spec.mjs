// Navigation during an action: history, double clicks, other tabs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard, startExport } from "../pages/dashboard.mjs";
import { visitors } from "../session.mjs";
import { database, email, password, program, url } from "../settings.mjs";

const mark = Date.now();
const OWN = "a door that opens quietly";

const visitor = visitors("dashboard", Dashboard);

/** Holds back the response of a change at a URL. The returned function releases it, and waits until the page has it. */
async function hold(page, address) {
  let letGo, give;
  const held = new Promise((resolve) => (letGo = resolve));
  const given = new Promise((resolve) => (give = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === "GET") return route.continue();
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
    give();
  });
  return () => {
    letGo();
    return given;
  };
}

async function fillLink(page, name) {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Price", { exact: true }).fill("3");
}

test("navigating away during a request neither returns nor loses its result", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["422"] });
  await dashboard.go("/paylinks");
  for (const [name, told] of [[`Left ${mark}`, undefined], [`Lost ${mark}`, "Request declined"]]) {
    await page.getByRole("link", { name: "Create payment link" }).first().click();
    await fillLink(page, name);
    if (told) await page.getByLabel("Virtual account").fill("no-such-account");
    const letGo = await hold(page, "**/v1/paylinks");
    await page.getByRole("button", { name: "Create payment link" }).click();
    await page.locator("form [aria-busy=true]").waitFor();
    await page.goBack();
    await dashboard.rows.first().waitFor();
    await letGo();
    await (told ? page.locator(".toast", { hasText: told }) : dashboard.row(name)).waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/paylinks");
    await page.unroute("**/v1/paylinks");
  }
  await done();
});

test("history navigation closes the confirmation of the previous record", async () => {
  const { page, dashboard, box, done } = await visitor();
  const [older, newer] = [await merchant.paylink({ name: `Older ${mark}` }), await merchant.paylink({ name: `Newer ${mark}` })];
  await dashboard.go(`/paylinks?open=${older.id}`);
  await dashboard.drawer.getByText(`Older ${mark}`).first().waitFor();
  await page.keyboard.press("[");
  await dashboard.drawer.getByText(`Newer ${mark}`).first().waitFor();
  await page.waitForURL((address) => address.searchParams.get("open") === newer.id);
  await dashboard.drawer.getByRole("button", { name: /^Delete/ }).click();
  await box.waitFor();
  await page.goBack();
  await dashboard.drawer.getByText(`Older ${mark}`).first().waitFor();
  await box.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.closest(".drawer") !== null);
  await done();
});

/** Closes the tab as a user would; returns whether the browser asked first. The tab stays open. */
async function asksBeforeClosing(page) {
  const asked = page.waitForEvent("dialog", { timeout: 5_000 });
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  await dialog.dismiss();
  // Chromium crashed once when its window was closed while the dialog still went away.
  await page.evaluate(() => document.title);
  return dialog.type() === "beforeunload";
}

test("unsaved input asks before the tab is closed", async () => {
  const { page, dashboard, done } = await visitor({ expected: ["422"] });
  await dashboard.go("/paylinks/new");
  const name = page.getByLabel("Name", { exact: true });
  await name.click();
  await page.keyboard.type(`Half ${mark}`);
  assert.ok(await asksBeforeClosing(page));
  assert.equal(await name.inputValue(), `Half ${mark}`);
  // Rejected input is still unsaved.
  await page.getByLabel("Price", { exact: true }).fill("3");
  await page.getByLabel("Virtual account").fill("no-such-account");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.getByText("Request declined").or(page.locator(".field-error")).first().waitFor();
  assert.ok(await asksBeforeClosing(page));
  const link = await merchant.paylink({ name: `Lined ${mark}` });
  await dashboard.turn(`/paylinks/edit?ids=${link.id}`);
  await page.getByLabel(`Description, Lined ${mark}`).fill("Beans by post");
  await page.getByRole("button", { name: "Save 1 change" }).waitFor();
  assert.ok(await asksBeforeClosing(page));
  await done();
});

/** All ways to leave a page, except closing the tab. */
const WAYS = {
  "a link": async (page, dashboard) => dashboard.navigation.getByRole("link", { name: "Payments" }).click(),
  "one step back": async (page) => page.evaluate(() => history.back()),
  "the palette": async (page) => {
    await page.keyboard.press("Control+k");
    await page.locator(".palette:not([aria-busy]) input").waitFor();
    await page.keyboard.type("appearance");
    await page.getByRole("option", { name: /Appearance/ }).first().waitFor();
    await page.keyboard.press("Enter");
  },
  "signing out": async (page) => page.getByRole("button", { name: "Sign out" }).click(),
};
const ASKED = "Leave this page?";

/** Types something and waits for the leave dialog's part, which is fetched with the first letter at the latest. */
async function write(page, field, text) {
  const before = await page.locator("body > .veil").count();
  await field.fill(text);
  await page.waitForFunction((before) => document.querySelectorAll("body > .veil").length > before, before);
}

/** Pages with a form; those of the first list have a link out of the form. */
const WITH_CANCEL = ["/paylinks/new", "/plans/new", "/payouts/new", "/subscriptions/new", "/accounts/new"];
const WRITTEN = [...WITH_CANCEL, "/settings"];

test("leaving a page with unsaved input asks first, in every way", async () => {
  const { page, dashboard, box, done } = await visitor();
  const asked = box.filter({ hasText: ASKED });
  await dashboard.go("/customers");
  await dashboard.turn("/paylinks/new");
  const name = page.getByLabel("Name", { exact: true });
  await write(page, name, `Half ${mark}`);
  for (const [way, go] of Object.entries(WAYS)) {
    await go(page, dashboard);
    await asked.waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === "Stay", undefined, { timeout: 5_000 }).catch(() => assert.fail(`${way}: to stay is not offered first`));
    await page.keyboard.press("Escape");
    await asked.waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).pathname, "/paylinks/new", way);
    assert.equal(await name.inputValue(), `Half ${mark}`, way);
  }
  await WAYS["one step back"](page);
  await asked.waitFor();
  await inspect(page, "leave_written");
  await page.keyboard.press("Enter");
  await asked.waitFor({ state: "detached" });
  assert.equal(await name.inputValue(), `Half ${mark}`, "to stay");
  await WAYS["one step back"](page);
  await asked.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/customers");
  await dashboard.drawn();
  // After leaving, it does not ask again.
  await page.evaluate(() => history.forward());
  await page.waitForURL("**/paylinks/new");
  assert.equal(await name.inputValue(), "");
  await dashboard.follow("Payments");
  assert.equal(await asked.count(), 0);
  await done();
});

test("every page with a form asks and then continues to the target", async () => {
  const { page, dashboard, box, done } = await visitor();
  for (const path of WRITTEN) {
    await dashboard.go(path);
    await write(page, page.locator("#main form input[type=text]").first(), "7");
    await WAYS["a link"](page, dashboard);
    await box.getByText(ASKED).waitFor({ timeout: 5_000 }).catch(() => assert.fail(`${path} is left without a question`));
    await box.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
    await box.waitFor({ state: "detached" });
  }
  const link = await merchant.paylink({ name: `Grid ${mark}` });
  await dashboard.go(`/paylinks/edit?ids=${link.id}`);
  await write(page, page.getByLabel(`Description, Grid ${mark}`), "Beans by post");
  await page.getByRole("link", { name: "Back to payment links" }).click();
  await box.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await page.getByRole("button", { name: "Nothing to save" }).waitFor();
  await page.getByRole("link", { name: "Back to payment links" }).click();
  await dashboard.row(`Grid ${mark}`).waitFor();
  await done();
});

test("a form's own cancel link does not ask, but opening it in another tab keeps the input", async () => {
  const { page, dashboard, box, done } = await visitor();
  for (const path of WITH_CANCEL) {
    await dashboard.go(path);
    await write(page, page.locator("#main form input[type=text]").first(), "7");
    const cancel = page.locator(".page form").getByRole("link", { name: "Cancel" }).first();
    const beside = page.context().waitForEvent("page");
    await cancel.click({ modifiers: ["Control"] });
    await (await beside).close();
    await WAYS["a link"](page, dashboard);
    await box.getByText(ASKED).waitFor({ timeout: 5_000 }).catch(() => assert.fail(`${path} forgets what is written`));
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    await cancel.click();
    await page.waitForURL((address) => address.pathname !== path);
    await page.locator(".page h1").first().waitFor();
    assert.equal(await box.count(), 0, path);
  }
  await done();
});

test("the browser asks if the leave dialog is not loaded yet", async () => {
  const { page, dashboard, box, done } = await visitor();
  await page.route(/setup[^/]*\.wasm/, () => {});
  const asked = [];
  let answer = false;
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    return answer ? dialog.accept() : dialog.dismiss();
  });
  await dashboard.go("/plans");
  await dashboard.turn("/plans/new");
  const name = page.getByLabel("Name", { exact: true });
  for (const way of ["a link", "one step back"]) {
    await name.fill(`Half ${mark}`);
    asked.length = 0;
    answer = false;
    await WAYS[way](page, dashboard);
    await merchant.until(`${way}: the browser asks`, () => asked.length === 1, { seconds: 5 });
    assert.match(asked[0], /^Leave this page\?/);
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    assert.equal(new URL(page.url()).pathname, "/plans/new", way);
    assert.equal(await name.inputValue(), `Half ${mark}`);
    answer = true;
    await WAYS[way](page, dashboard);
    await page.waitForURL((address) => address.pathname !== "/plans/new");
    await page.locator(".page h1").first().waitFor();
    assert.equal(asked.length, 2, way);
    await page.goBack();
    if (way === "one step back") break;
    await page.waitForURL("**/plans/new");
    assert.equal(await name.inputValue(), "");
  }
  assert.equal(await box.count(), 0);
  await done();
});

test("switching records with unsaved changes asks first; closing does not", async () => {
  const { page, dashboard, box, done } = await visitor();
  const asked = box.filter({ hasText: ASKED });
  await dashboard.go("/customers");
  await dashboard.rows.first().click();
  await dashboard.unfold("Edit");
  const phone = dashboard.drawer.getByLabel("Phone");
  await write(page, phone, "+49 30 1");
  await page.keyboard.press("Escape");
  await page.keyboard.press("]");
  await asked.waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await phone.inputValue(), "+49 30 1");
  await page.evaluate(() => history.back());
  await asked.waitFor();
  await page.keyboard.press("Escape");
  await asked.waitFor({ state: "detached" });
  await dashboard.drawer.getByRole("button", { name: "Close" }).click();
  await dashboard.drawer.waitFor({ state: "detached" });
  assert.equal(await asked.count(), 0);
  await done();
});

test("filters, running requests and overlays do not ask", async () => {
  const { page, dashboard, box, done } = await visitor();
  const asked = box.filter({ hasText: ASKED });
  await dashboard.go("/customers");
  await page.getByLabel("Search").fill("nobody");
  await dashboard.follow("Events");
  await page.goto(`${url}/events/verify`);
  await page.locator("textarea[name=body]").fill("{}");
  await dashboard.follow("Payments");
  await dashboard.go("/paylinks/new");
  await fillLink(page, `Beside ${mark}`);
  const beside = page.context().waitForEvent("page");
  await dashboard.navigation.getByRole("link", { name: "Payments" }).click({ modifiers: ["Control"] });
  await (await beside).close();
  assert.equal(await asked.count(), 0);
  assert.equal(new URL(page.url()).pathname, "/paylinks/new");
  const letGo = await hold(page, "**/v1/paylinks");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.locator("form [aria-busy=true]").waitFor();
  await dashboard.follow("Payments");
  await letGo();
  assert.equal(await asked.count(), 0);
  await done();
});

test("empty, sent and local input does not ask", async () => {
  const { page, dashboard, box, done } = await visitor({ expected: ["401"] });
  const asked = [];
  page.on("dialog", (dialog) => {
    asked.push(page.url());
    return dialog.accept();
  });
  /** Interacts with the page: browsers ask only after an interaction. */
  const loadAnew = async (name) => {
    await dashboard.title.click();
    await page.reload();
    await dashboard.drawn();
    assert.deepEqual(asked, [], name);
  };
  await dashboard.go("/customers");
  await page.getByLabel("Search").fill("nobody");
  await loadAnew("a filter");
  await dashboard.go("/events/verify");
  await page.locator("textarea[name=body]").fill("{}");
  await loadAnew("what is only looked at here");
  await dashboard.go("/settings");
  await page.getByLabel("Tolerance", { exact: false }).nth(1).fill("0.02");
  await page.getByLabel("Tolerance currency").fill("USDC");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved").waitFor();
  await loadAnew("what was saved");
  // The request needs step-up.
  await dashboard.go("/settings/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await box.getByLabel("Name", { exact: true }).fill(`Sent ${mark}`);
  await box.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Confirm it’s you").waitFor();
  await dashboard.prove(password);
  await box.getByText("Copy the key now").waitFor();
  await page.reload();
  await dashboard.drawn();
  assert.deepEqual(asked, [], "a key that was made");
  await done();
});

test("a running export asks before leaving, and a reload leaves nothing behind", async () => {
  const { page, dashboard, box, done } = await visitor();
  await dashboard.go("/movements");
  // Later requests get no response.
  await page.route("**/v1/movements?**", () => {});
  await page.getByRole("button", { name: "Export" }).click();
  await startExport(box, "CSV");
  await box.getByRole("progressbar").waitFor();
  assert.ok(await asksBeforeClosing(page));
  await page.unroute("**/v1/movements?**");
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await dashboard.drawn();
  assert.equal(await box.count(), 0);
  await page.getByRole("button", { name: "Export" }).click();
  await box.getByRole("button", { name: "CSV" }).waitFor();
  assert.equal(await box.getByRole("progressbar").count(), 0);
  await done();
});

test("a double click on a bulk action opens its dialog and starts it once", async () => {
  const { page, dashboard, box, done } = await visitor();
  const links = [await merchant.paylink({ name: `Twice one ${mark}` }), await merchant.paylink({ name: `Twice two ${mark}` })];
  const sent = [];
  page.on("request", (request) => request.url().endsWith("/v1/paylinks/batch") && sent.push(...request.postDataJSON().items.map(({ id }) => id)));
  await dashboard.go("/paylinks");
  for (const { plan } of links) await dashboard.row(plan.name).getByRole("checkbox").check();
  await page.getByRole("group", { name: "Selected" }).getByRole("button", { name: "Disable", exact: true }).dblclick();
  await box.getByText("2 selected").waitFor();
  // By name, with the id in the tooltip.
  for (const { id, plan } of links) assert.equal(await box.getByText(plan.name).getAttribute("title"), id);
  assert.deepEqual(sent, []);
  await box.getByRole("button", { name: "Disable", exact: true }).dblclick();
  await box.getByText("2 of 2 done").waitFor();
  assert.deepEqual([...sent].sort(), links.map(({ id }) => id).sort(), "each was sent once");
  await box.locator(".results li", { hasText: links[0].plan.name }).getByText("Done").waitFor();
  await inspect(page, "many_by_name");
  await box.getByRole("button", { name: "Close" }).dblclick();
  await box.waitFor({ state: "detached" });
  await done();
});

test("the message about a created record is shown for that record only", async () => {
  const { page, dashboard, done } = await visitor();
  await dashboard.go("/paylinks/new");
  await fillLink(page, `Fresh ${mark}`);
  await page.getByRole("button", { name: "Create payment link" }).dblclick();
  const said = dashboard.drawer.getByText("Payment link created");
  await said.waitFor();
  await dashboard.row(`Fresh ${mark}`).waitFor();
  assert.equal(await dashboard.row(`Fresh ${mark}`).count(), 1, "two presses make one");
  await page.keyboard.press("]");
  await said.waitFor({ state: "detached" });
  await page.waitForURL((address) => !address.searchParams.has("made"));
  await page.goBack();
  await said.waitFor();
  await done();
});

test("a double click opens, closes and asks like a click", async () => {
  const { page, dashboard, box, done } = await visitor();
  const { id } = await merchant.paylink({ name: `Pressed twice ${mark}` });
  await dashboard.go("/paylinks");
  // At human speed: the record opens before the second click.
  const { x, y } = await dashboard.row(`Pressed twice ${mark}`).boundingBox();
  await page.mouse.click(x + 300, y + 8);
  await dashboard.drawer.locator(".lede").waitFor();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await dashboard.drawer.locator(".lede").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("open"), id);
  await dashboard.drawer.getByRole("button", { name: /^Delete/ }).dblclick();
  await box.getByRole("textbox").waitFor();
  await box.getByRole("button", { name: "Cancel" }).dblclick();
  await box.waitFor({ state: "detached" });
  await dashboard.drawer.getByRole("button", { name: "Close" }).dblclick();
  await dashboard.drawer.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/paylinks");
  await done();
});

test("an incomplete date is neither ignored nor cleared, and numbers are sent as typed", async () => {
  const { page, dashboard, done } = await visitor();
  await dashboard.go("/paylinks/new");
  await fillLink(page, `Half a date ${mark}`);
  const expires = page.getByLabel("Expires");
  await expires.focus();
  await page.keyboard.type("12");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.getByText(/^Expires must be/).waitFor();
  assert.equal(await expires.getAttribute("aria-invalid"), "true");
  assert.equal(new URL(page.url()).pathname, "/paylinks/new");
  const number = page.getByLabel("Quantity limit");
  await number.focus();
  await page.keyboard.type("1.5");
  await expires.fill("2199-12-30T12:00");
  await page.getByText(/^Expires must be/).waitFor({ state: "detached" });
  // Clearing one part keeps the others.
  await expires.focus();
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.getByText(/^Expires must be/).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "field-expires-at");
  await page.keyboard.type("11");
  assert.equal(await expires.inputValue(), "2199-11-30T12:00");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await page.getByText("Quantity limit must be a whole number").waitFor();
  assert.equal(await number.inputValue(), "1.5");
  await number.fill("15");
  await page.getByRole("button", { name: "Create payment link" }).click();
  await dashboard.drawer.getByText("Payment link created").waitFor();
  await done();
});

test("settings changed in one tab are not reverted by another", async () => {
  const { page, dashboard, done } = await visitor();
  const before = await merchant.call("GET", "/orgs");
  await dashboard.go("/settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.waitFor();
  await merchant.call("PUT", "/orgs", { logo_url: "https://shop.example/elsewhere.png", forwarded_email_recipients: ["elsewhere@shop.example"] });
  for (const wanted of [`${before.name} & Daughters`, before.name]) {
    await name.fill(wanted);
    await page.getByRole("button", { name: "Save" }).first().click();
    await merchant.until("the name is saved", async () => (await merchant.call("GET", "/orgs")).name === wanted);
  }
  await page.getByLabel("Options").fill("payments: true");
  await page.getByRole("button", { name: "Save" }).nth(1).click();
  await merchant.until("the options are saved", async () => (await merchant.call("GET", "/orgs")).properties.email_notification_options?.payments);
  const after = await merchant.call("GET", "/orgs");
  assert.equal(after.logo_url, "https://shop.example/elsewhere.png");
  assert.deepEqual(after.properties.forwarded_email_recipients, ["elsewhere@shop.example"]);
  await merchant.call("PUT", "/orgs", { logo_url: before.logo_url ?? "", forwarded_email_recipients: before.properties.forwarded_email_recipients ?? [] });
  await done();
});

test("signing in as another user in another tab replaces the data of this tab", async () => {
  const { page, done } = await visitor({ storageState: undefined, expected: ["401"] });
  const here = new Dashboard(page);
  await page.goto(url);
  await here.signIn(email, password);
  await here.navigation.waitFor();
  const other = await page.context().newPage();
  const there = new Dashboard(other);
  await there.go("/payments");
  const name = `Bakery ${mark}`;
  const { org_id } = JSON.parse(execFileSync(program, ["org", "create", "--database", `sqlite:${database}`, "--name", name, "--json"]));
  const who = `bo-${mark}@bakery.example`;
  execFileSync(program, ["member", "add", "--database", `sqlite:${database}`, "--org", org_id, "--email", who, "--name", "Bo", "--password-stdin"], { input: `${OWN}\n` });
  await other.getByRole("button", { name: "Sign out" }).click();
  await there.signInButton.waitFor();
  await there.signIn(who, OWN);
  await there.navigation.getByText(name).or(other.locator(".brand", { hasText: name })).first().waitFor();
  await page.locator(".brand", { hasText: name }).first().waitFor();
  assert.equal(await page.getByText(email).count(), 0);
  await done();
});

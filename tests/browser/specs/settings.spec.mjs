import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, inspectAs, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX, Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";
import { password, url } from "../settings.mjs";

// The browser logs the 401 that asks for step-up as an error.
const PROOF = ["401"];

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

test("an API key is created with step-up, shown once, works, and is revoked", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/api-keys");
  const name = `Till ${Date.now()}`;
  await page.getByRole("button", { name: "Create key" }).click();
  await page.locator(BOX).getByLabel("Name", { exact: true }).fill(name);
  await page.locator(BOX).getByRole("button", { name: "Create key" }).click();
  await page.getByText("Confirm it’s you").waitFor();
  await dashboard.prove(password);
  const key = await page.locator("#new-api-key span").first().innerText();
  const answers = async () => (await fetch(`${url}/v1/orgs`, { headers: { "x-api-key": key } })).status;
  assert.equal(await answers(), 200);
  await page.getByRole("button", { name: "I have stored it" }).click();
  const row = page.locator(".table tbody tr", { hasText: name });
  await row.getByRole("button", { name: "Revoke" }).click();
  await dashboard.confirm("Revoke");
  await row.getByText("Revoked").waitFor();
  assert.equal(await answers(), 401);
  assert.ok(!(await page.content()).includes(key), "the secret is gone from the page");
  await done();
});

test("the signing secret needs step-up and can be hidden again", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/signing-secret");
  await page.getByRole("button", { name: "Reveal" }).click();
  await dashboard.prove("not the password");
  await dashboard.stepUp.getByText("Password is wrong").waitFor();
  await dashboard.prove(password);
  const secret = await page.locator("#signing-secret span").first().innerText();
  await page.getByRole("button", { name: "Hide" }).click();
  await page.locator("#signing-secret").waitFor({ state: "detached" });
  assert.ok(!(await page.content()).includes(secret), "what is hidden is not in the page");
  await done();
});

test("secrets are hidden automatically: after a minute, and when the session locks", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  await page.clock.install();
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/signing-secret");
  await page.getByRole("button", { name: "Reveal" }).click();
  await dashboard.prove(password);
  const secret = await page.locator("#signing-secret span").first().innerText();
  await page.clock.fastForward("01:01");
  await page.locator("#signing-secret").waitFor({ state: "detached" });
  assert.ok(!(await page.content()).includes(secret));

  await dashboard.go("/settings/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.locator(BOX).getByLabel("Name", { exact: true }).fill(`Left alone ${Date.now()}`);
  await page.locator(BOX).getByRole("button", { name: "Create key" }).click();
  const shown = page.locator("#new-api-key span").first();
  await shown.or(page.getByText("Confirm it’s you")).first().waitFor();
  if (!(await shown.count())) await dashboard.prove(password);
  const key = await shown.innerText();
  await page.clock.fastForward("16:00");
  const lock = page.getByRole("dialog", { name: "Locked" });
  await lock.waitFor();
  assert.ok(!(await page.content()).includes(key), "the key is not kept under the cover");
  await lock.getByLabel("Password").fill(password);
  await lock.getByRole("button", { name: "Unlock" }).click();
  await dashboard.title.waitFor();
  assert.ok(!(await page.content()).includes(key));
  await done();
});

test("an invalid webhook URL is rejected at its field", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/webhooks");
  await page.getByLabel("Endpoint URL").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Endpoint URL must be").waitFor();
  await done();
});

test("the tolerance can be cleared; fields that can only change say so", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await merchant.call("PUT", "/orgs", { currency: "EUR", underpay_thresholds: { underpay_tolerance_usd: 0.05 } });
  await dashboard.go("/settings");
  await page.getByLabel("Tolerance in US dollars").fill("");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved", { exact: true }).first().waitFor();
  const { properties } = await merchant.call("GET", "/orgs");
  assert.equal(properties.underpay_thresholds?.underpay_tolerance_usd, undefined);
  await page.locator("#field-currency").fill("");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.locator(".field-error", { hasText: "can be replaced, but not removed" }).waitFor();
  assert.equal((await merchant.call("GET", "/orgs")).properties.currency, "EUR");
  await page.locator("#field-currency").fill("EUR");
  await page.getByLabel("Options").fill("weekly: true\nno colon here");
  await page.getByRole("button", { name: "Save" }).nth(1).click();
  await page.locator(".field-error", { hasText: "needs a colon on line 2" }).waitFor();
  await merchant.call("PUT", "/orgs", { underpay_thresholds: { underpay_tolerance_usd: 0.05 } });
  await done();
});

test("the overlap of the old webhook key is shown after a reload", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  const dashboard = new Dashboard(page);
  const { name } = await merchant.call("GET", "/orgs");
  await merchant.call("PUT", "/orgs", { name });
  await dashboard.go("/settings/webhooks");
  await page.getByRole("button", { name: "Rotate key" }).click();
  await dashboard.confirm("Rotate key");
  await dashboard.prove(password);
  await page.getByText("Both keys sign until").waitFor();
  await page.reload();
  await page.getByText("Both keys sign until").waitFor();
  await done();
});

test("an idle session locks and is unlocked with the password", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  await page.clock.install();
  const dashboard = new Dashboard(page);
  await dashboard.go("/movements");
  const lock = page.getByRole("dialog", { name: "Locked" });
  await page.clock.fastForward("14:00");
  await page.keyboard.press("j");
  await page.clock.fastForward("14:00");
  assert.equal(await lock.isVisible(), false, "whoever works is not locked out");
  await page.clock.fastForward("02:00");
  await lock.waitFor();
  assert.equal(await dashboard.title.isVisible(), false, "what is covered is not seen");
  await inspectAs(page, "locked", "light");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.ok(await lock.isVisible(), "Escape is no way in");
  await page.keyboard.press("Control+k");
  assert.equal(await page.getByRole("combobox").count(), 0, "no key reaches what is covered");
  await page.reload();
  await lock.waitFor();
  assert.equal(await dashboard.title.isVisible(), false, "to load the page again is no way in");
  await lock.getByLabel("Password").fill("not the password");
  await lock.getByRole("button", { name: "Unlock" }).click();
  await lock.getByText("is wrong").waitFor();
  await lock.getByLabel("Password").fill(password);
  await lock.getByRole("button", { name: "Unlock" }).click();
  await dashboard.title.waitFor();
  await done();
});

test("the dashboard is available in German on every page and on phones", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/appearance");
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  const places = await page.getByRole("navigation", { name: "Hauptmenü" }).getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  for (const place of places.filter((place) => !place.startsWith("/docs"))) {
    await dashboard.turn(place);
    await inspect(page, `german${place.replaceAll("/", "_")}`);
  }
  await dashboard.turn("/events");
  assert.match(await page.locator(".table .timestamp").first().innerText(), /^\d\d\. \w+\.? \d{4}/, "days are written as Germans write them");
  await dashboard.turn("/settings/appearance");
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await done();
});

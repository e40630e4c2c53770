import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { inspect, inspectAs, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Checkout } from "../pages/checkout.mjs";
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

test("a new API key comes with calls to try, as it is and signed", async () => {
  const { page, done } = await visit(browser, "light", { storageState, expected: PROOF });
  const dashboard = new Dashboard(page);
  await dashboard.go("/settings/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.locator(BOX).getByLabel("Name", { exact: true }).fill(`Tried ${Date.now()}`);
  await page.locator(BOX).getByRole("button", { name: "Create key" }).click();
  const shown = page.locator("#new-api-key span").first();
  await shown.or(page.getByText("Confirm it’s you")).first().waitFor();
  if (!(await shown.count())) await dashboard.prove(password);
  const key = await shown.innerText();
  const plain = await page.locator("#example-call pre").innerText();
  assert.equal(plain, `curl '${url}/v1/orgs' -H 'x-api-key: ${key}'`);
  const signed = await page.locator("#signed-call pre").innerText();
  await inspect(page, "api_key_calls");
  const { name } = (await (await fetch(`${url}/v1/orgs`, { headers: { "x-api-key": key } })).json()).data;
  // A wrong signature is refused, also where none is needed. The sandbox's clock may be ahead.
  const { signing_secret: secret } = await merchant.call("GET", "/orgs/signing-secret");
  const { now } = await merchant.call("POST", "/sandbox/clock", { advance_seconds: 0 });
  for (const command of [plain, signed.replace("your signing secret", secret).replace("$(date +%s)000", Date.parse(now))]) {
    const answer = execFileSync("sh", ["-c", command], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    assert.equal(JSON.parse(answer).data.name, name, answer);
  }
  await page.evaluate(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = (text) => ((globalThis.copied = text), write(text));
  });
  await page.locator("#signed-call").getByRole("button", { name: "Copy as curl" }).click();
  await page.waitForFunction((signed) => globalThis.copied === signed, signed);
  await page.getByRole("button", { name: "I have stored it" }).click();
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

const NOTE = { en: "We ship within <b>two</b> days.", de: "Wir versenden innerhalb von zwei Tagen." };
const buttonColour = (place) => place.locator(".button").first().evaluate((button) => getComputedStyle(button).backgroundColor);

test("the look of checkout pages is checked and previewed before it is saved", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  await merchant.call("PUT", "/orgs", { checkout_style: {} });
  const asked = [];
  page.on("request", (request) => !request.isNavigationRequest() && request.frame().parentFrame() && asked.push(new URL(request.url()).pathname));
  await dashboard.go("/settings/checkout");
  const beside = page.getByRole("complementary", { name: "Preview" });
  const preview = beside.frameLocator("iframe");
  await preview.getByText("Sample product").waitFor();
  await preview.getByText("Preview. Nothing can be paid on this page.").waitFor();
  assert.equal(await buttonColour(preview), "rgb(43, 71, 196)");

  const accent = page.getByLabel("Accent colour");
  await accent.fill("#ffd400");
  await page.getByText("1.4:1 on white: too low, needs at least 4.5:1").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".field-error", { hasText: "Accent colour has a contrast of 1.4:1 with white; it needs at least 4.5:1, like #8b7300." }).waitFor();
  assert.equal(await page.getByText("on white: too low").count(), 0, "one message at a time");
  await inspectAs(page, "checkout_style_refused", "light");
  await page.getByRole("button", { name: "Use #8b7300" }).click();
  await page.getByText("4.6:1 on white: passes").waitFor();
  assert.equal(await page.locator(".field-error").count(), 0);
  assert.equal(await accent.inputValue(), "#8b7300");

  // Typed on several lines, a text is stored on one.
  await page.getByLabel("Note in English").fill(NOTE.en.replace(" <b>", "\n<b>"));
  await page.getByLabel("Note in German").fill(NOTE.de);
  await page.getByText(`${200 - NOTE.de.length} characters left`).waitFor();
  await page.getByLabel("Support contact in English").fill("Questions? help@shop.example");
  await page.locator("#field-checkout-style-language").selectOption({ label: "Deutsch" });
  await preview.getByText(NOTE.en).waitFor();
  await preview.getByText("Questions? help@shop.example").waitFor();
  assert.equal(await buttonColour(preview), "rgb(139, 115, 0)");
  await beside.getByRole("button", { name: "Dark" }).click();
  await preview.locator("html[style*='color-scheme: dark']").waitFor();
  const tint = (await page.getByText("Dark pages show it as").innerText()).match(/#\w{6}/)[0];
  assert.equal(await buttonColour(preview), `rgb(${[1, 3, 5].map((at) => parseInt(tint.slice(at, at + 2), 16)).join(", ")})`);
  await inspect(page, "checkout_style");
  await beside.getByRole("button", { name: "Desktop" }).click();
  // The translation comes after everything else.
  await page.route("**/pay/de.json", async (route) => {
    await new Promise((late) => setTimeout(late, 300));
    await route.continue();
  });
  await beside.getByRole("button", { name: "Deutsch" }).click();
  await preview.getByText("Beispielprodukt").waitFor();
  await preview.getByText(NOTE.de).waitFor();
  await inspectAs(page, "checkout_style_wide", "light");

  // Nothing on the preview acts, and it hears nobody but the page around it.
  await preview.locator(".button").click({ force: true });
  await preview.locator("#step .options").first().waitFor();
  const frame = page.frames().find((one) => one.parentFrame());
  const say = (name, from) => frame.evaluate(async ([name, from]) => {
    const data = { settlekit: "preview", merchant: { name }, style: {} };
    if (from === "frame") postMessage(data, origin);
    else dispatchEvent(new MessageEvent("message", { data, source: parent, origin: from === "parent" ? origin : from }));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, [name, from]);
  for (const from of ["frame", "https://elsewhere.example", "null"]) {
    await say("Somebody else", from);
    assert.equal(await preview.getByText("Somebody else").count(), 0, from);
  }
  // The same message from the page around it is heard, until the next edit.
  await say("The page around", "parent");
  await preview.getByText("The page around").first().waitFor();
  await page.getByLabel("Support contact in German").fill("Fragen? help@shop.example");
  await preview.getByText("Fragen? help@shop.example").waitFor();
  assert.equal(await preview.getByText("The page around").count(), 0);
  assert.ok(asked.includes("/pay/preview.js") && !asked.some((path) => path.startsWith("/v1")), asked.join(" "));

  assert.equal((await merchant.call("GET", "/orgs")).properties.checkout_style, undefined);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).first().waitFor();
  const { checkout_style } = (await merchant.call("GET", "/orgs")).properties;
  assert.deepEqual(checkout_style, { accent_color: "#8b7300", language: "de", note: NOTE, support: { en: "Questions? help@shop.example", de: "Fragen? help@shop.example" } });
  await done();
});

test("payers see the look, and the organisation's language if their browser asks for none of the page's", async () => {
  await merchant.call("PUT", "/orgs", { checkout_style: { accent_color: "#8b7300", language: "de", note: NOTE, support: { en: "Questions? help@shop.example" } } });
  const link = await merchant.paylink();
  const { page, done } = await visit(browser, "narrow", { locale: "pt-BR" });
  await new Checkout(page).go(link.url);
  await page.getByText(NOTE.de).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  // The contact is written in English only.
  assert.equal(await page.getByText("Questions? help@shop.example").getAttribute("lang"), "en");
  assert.equal(await buttonColour(page), "rgb(139, 115, 0)");
  await inspect(page, "payer_style");
  await page.locator("label.option").first().click();
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("button", { name: "Aus der Test-Wallet zahlen" }).waitFor();
  await inspect(page, "payer_style_pay");
  await done();

  const english = await visit(browser, "narrow", { locale: "en-GB" });
  const checkout = new Checkout(english.page);
  const scheme = () => english.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await checkout.go(link.url);
  await english.page.getByText(NOTE.en).waitFor();
  await merchant.call("PUT", "/orgs", { checkout_style: { appearance: "Dark" } });
  await english.page.reload();
  await checkout.continueButton.waitFor();
  assert.equal(await english.page.getByText(NOTE.en).count(), 0);
  assert.equal(await scheme(), "dark");
  await english.page.emulateMedia({ media: "print" });
  assert.equal(await scheme(), "light");
  await merchant.call("PUT", "/orgs", { checkout_style: {} });
  await english.done();
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
  await page.waitForFunction(() => document.activeElement?.matches("dialog.lock [name=password]"));
  await lock.getByLabel("Password").fill("not the password");
  await lock.getByRole("button", { name: "Unlock" }).click();
  await lock.getByText("is wrong").waitFor();
  await lock.getByLabel("Password").fill(password);
  await lock.getByRole("button", { name: "Unlock" }).click();
  await dashboard.title.waitFor();
  await done();
});

test("a lock hides the copy icons of the page behind it", async () => {
  // Touch screens show them on every row, not only under the pointer.
  const { page, done } = await visit(browser, "light", { storageState, isPhone: true });
  await page.clock.install();
  const dashboard = new Dashboard(page);
  await dashboard.go("/movements");
  const copyIcons = () => page.locator("tr .copy .icon").evaluateAll((icons) => icons.filter((icon) => getComputedStyle(icon).visibility === "visible").length);
  assert.ok((await copyIcons()) > 0);
  await page.clock.fastForward("16:00");
  await page.getByRole("dialog", { name: "Locked" }).waitFor();
  assert.equal(await copyIcons(), 0);
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
  assert.match(await page.locator(".table .timestamp").first().innerText(), /^\d\d\. \p{L}+\.?( \d{4})? \d\d:\d\d$/u, "days are written as Germans write them");
  await dashboard.turn("/settings/appearance");
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await done();
});

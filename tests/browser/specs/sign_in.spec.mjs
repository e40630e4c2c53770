import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SIGNED_OUT, open, visit } from "../browser.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { email, password, url } from "../settings.mjs";

let browser;
before(async () => (browser = await open()));
after(() => browser.close());

test("a wrong password is rejected, the right one opens the requested page", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT, "/v1/sessions)"] });
  const dashboard = new Dashboard(page);
  await page.goto(`${url}/events`);
  await dashboard.email.waitFor();
  await dashboard.signIn(email, "not the password");
  await dashboard.alert.waitFor();
  assert.match(await dashboard.alert.innerText(), /declined/i);
  await dashboard.signIn(email, password);
  await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/events");
  await done();
});

test("empty fields are reported before a request is sent", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const dashboard = new Dashboard(page);
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "POST"));
  await page.goto(url);
  await dashboard.signInButton.click();
  await page.getByText("Email is required").waitFor();
  assert.equal(await dashboard.email.getAttribute("aria-invalid"), "true");
  assert.equal(sent, 0);
  await done();
});

test("signing out ends the session", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const dashboard = new Dashboard(page);
  await page.goto(url);
  await dashboard.signIn(email, password);
  await dashboard.navigation.waitFor();
  // Nothing is asked for any more.
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Sign out" }).click();
  await dashboard.signInButton.waitFor();
  await page.reload();
  await dashboard.signInButton.waitFor();
  await done();
});

test("the event stream is closed while signing out", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const dashboard = new Dashboard(page);
  const live = (request) => request.url().endsWith("/v1/overview/live");
  await page.goto(url);
  const opened = page.waitForRequest(live);
  await dashboard.signIn(email, password);
  await opened;
  const closed = page.waitForEvent("requestfailed", live);
  // The sign-out request waits until the stream is closed.
  await page.route("**/v1/sessions/current", async (route) => {
    if (route.request().method() === "DELETE") await closed;
    await route.continue();
  });
  await page.getByRole("button", { name: "Sign out" }).click();
  await dashboard.signInButton.waitFor();
  await done();
});

/** Holds back the program until it is released. */
async function heldBack(page) {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/*_bg.wasm", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test("the static sign-in form is shown before the program is loaded and keeps its input", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const release = await heldBack(page);
  await page.goto(url, { waitUntil: "commit" });
  const early = page.locator("#early");
  await page.locator("#early-email").fill(email);
  await page.locator("#early-password").focus();
  await page.keyboard.type("half a pass");
  const [words, box] = [await early.innerText(), await early.getByRole("heading").boundingBox()];
  release();
  await page.locator("#field-password").waitFor();
  assert.equal(await page.locator("main.gate").innerText(), words);
  assert.deepEqual(await page.getByRole("heading").boundingBox(), box, "nothing moves");
  assert.equal(await page.locator("#field-email").inputValue(), email);
  assert.equal(await page.locator("#field-password").inputValue(), "half a pass");
  await page.waitForFunction(() => document.activeElement.id === "field-password");
  await page.keyboard.type("word");
  assert.equal(await page.locator("#field-password").inputValue(), "half a password");
  assert.equal(page.url(), `${url}/`);
  await done();
});

test("a static form submitted early signs in once the program is loaded", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const release = await heldBack(page);
  await page.goto(`${url}/events`, { waitUntil: "commit" });
  await page.locator("#early-email").fill(email);
  await page.locator("#early-password").fill(password);
  await page.keyboard.press("Enter");
  await page.locator("#early[data-sent]").waitFor();
  assert.equal(page.url(), `${url}/events`, "nothing was sent anywhere yet");
  release();
  await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
  await done();
});

test("the browser rejects executable markup", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT, "Trusted"] });
  await page.goto(url);
  await new Dashboard(page).signInButton.waitFor();
  const put = (markup) =>
    page.evaluate((markup) => {
      try {
        document.createElement("div").innerHTML = markup;
        return "taken";
      } catch (error) {
        return error.name;
      }
    }, markup);
  assert.equal(await put("<b>plain</b>"), "taken");
  assert.equal(await put("<img src=x onerror=alert(1)>"), "TypeError");
  assert.equal(await put("<script>alert(1)</script>"), "TypeError");
  await done();
});

test("German users get no static English form", async () => {
  const context = await browser.newContext({ locale: "de-DE" });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "commit" });
  // Nothing is painted before the style sheet is loaded.
  await page.waitForFunction(() => performance.getEntriesByName("first-paint").length > 0);
  assert.equal(await page.locator("#early").isVisible(), false);
  await page.getByRole("button", { name: "Anmelden" }).waitFor();
  await context.close();
});

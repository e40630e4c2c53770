import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SIGNED_OUT, open, visit } from "../browser.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { email, password, url } from "../settings.mjs";

let browser;
before(async () => (browser = await open()));
after(() => browser.close());

test("a wrong password is refused and says so, the right one opens the page that was asked for", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT, "/v1/sessions)"] });
  const dashboard = new Dashboard(page);
  await page.goto(`${url}/events`);
  await dashboard.email.waitFor();
  await dashboard.signIn(email, "not the password");
  await dashboard.alert.waitFor();
  assert.match(await dashboard.alert.innerText(), /refused/i);
  await dashboard.signIn(email, password);
  await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/events");
  await done();
});

test("a field left empty is named before anything is sent", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const dashboard = new Dashboard(page);
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "POST"));
  await page.goto(url);
  await dashboard.signInButton.click();
  await page.getByText("E-mail is required").waitFor();
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
  await page.getByRole("button", { name: "Sign out" }).click();
  await dashboard.signInButton.waitFor();
  await page.reload();
  await dashboard.signInButton.waitFor();
  await done();
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { SIGNED_OUT, inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX, Dashboard, startExport } from "../pages/dashboard.mjs";
import { Members } from "../pages/members.mjs";
import { signedIn } from "../session.mjs";
import { database, email, password, program, url } from "../settings.mjs";

// The browser logs the first response, a 401, as an error.
const PROOF = ["401"];
const OWN = "a door that opens quietly";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

/** A user on a page of the dashboard. */
async function visitor(path, state = storageState, expected = PROOF) {
  const { page, done } = await visit(browser, "light", { storageState: state, expected });
  const [dashboard, members] = [new Dashboard(page), new Members(page)];
  await dashboard.go(path);
  return { page, dashboard, members, done };
}

/** Invites a member and returns the link, which is shown once. */
async function invited(owner, who, role) {
  await owner.members.invite(who, role);
  await owner.members.link.or(owner.page.getByText("Confirm it’s you")).first().waitFor();
  if (await owner.page.getByText("Confirm it’s you").isVisible()) await owner.dashboard.prove(password);
  return owner.members.link.innerText();
}

test("a member is invited, joins as viewer, gets another role and is removed", async () => {
  const owner = await visitor("/settings/members");
  await owner.members.row(email).getByText("You", { exact: true }).waitFor();
  await inspect(owner.page, "members");
  const who = `vera-${Date.now()}@shop.example`;
  const invitation = await invited(owner, who, "viewer");
  await inspect(owner.page, "members_link");
  await owner.page.getByRole("button", { name: "I have copied it" }).click();
  await owner.members.row(who).getByText("Invited").waitFor();
  assert.ok(!(await owner.page.content()).includes(invitation), "the link is gone from the page");

  const guest = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const joining = new Members(guest.page);
  await guest.page.goto(url + new URL(invitation).pathname + new URL(invitation).hash);
  await guest.page.getByText(`You sign in as ${who}`).waitFor();
  await inspect(guest.page, "invitation");
  await joining.join("Vera Lind", "short");
  await guest.page.getByText("New password must be at least 12 characters").waitFor();
  await joining.join("Vera Lind", OWN);
  const dashboard = new Dashboard(guest.page);
  await dashboard.navigation.waitFor();

  // Forbidden actions are not offered.
  await dashboard.turn("/paylinks");
  await dashboard.rows.first().waitFor();
  assert.equal(await guest.page.getByRole("link", { name: "Create payment link" }).count(), 0);
  assert.ok(!(await guest.page.locator(".table th").allInnerTexts()).includes("Enabled"));
  assert.equal(await guest.page.locator(".table .pick").count(), 0);
  await inspect(guest.page, "viewer_paylinks");
  const link = await merchant.paylink({ name: "Not a viewer's" });
  // Nor focusable.
  await dashboard.turn(`/paylinks?open=${link.id}`);
  const close = dashboard.drawer.getByRole("button", { name: "Close" });
  await dashboard.drawer.getByRole("link", { name: "Payments" }).waitFor();
  await close.focus();
  await guest.page.keyboard.press("Shift+Tab");
  assert.ok(await guest.page.evaluate(() => document.activeElement.matches(".drawer a") && document.activeElement.checkVisibility()));
  await guest.page.keyboard.press("Tab");
  assert.ok(await close.evaluate((close) => close === document.activeElement));
  await dashboard.turn(`/paylinks/edit?ids=${link.id}`);
  await guest.page.getByText("View only").first().waitFor();
  assert.ok(await guest.page.getByLabel("Description, Not a viewer's").isDisabled());
  assert.equal(await guest.page.getByRole("button", { name: "Nothing to save" }).isVisible(), false);
  // Read-only content can be scrolled by keyboard.
  const grid = guest.page.getByRole("group", { name: "Edit payment links" });
  await grid.focus();
  assert.ok(await grid.evaluate((box) => box === document.activeElement));
  await inspect(guest.page, "viewer_edit_paylinks");
  await dashboard.turn("/settings");
  await guest.page.getByText("View only").first().waitFor();
  assert.ok(await guest.page.getByLabel("Name", { exact: true }).isDisabled());
  await inspect(guest.page, "viewer_organisation");
  await dashboard.turn("/settings/members");
  await joining.row("Vera Lind").getByText("You", { exact: true }).waitFor();
  await guest.page.getByText("Only owners can invite").waitFor();
  assert.equal(await joining.inviteButton.isVisible(), false);
  assert.equal(await guest.page.getByRole("link", { name: "API keys" }).isVisible(), false);
  await inspect(guest.page, "viewer_members");
  await dashboard.turn("/sandbox");
  await guest.page.getByRole("heading", { name: "Sandbox" }).waitFor();
  assert.equal(await dashboard.alert.count(), 0, "nothing is asked for that is refused");

  await owner.dashboard.go("/settings/members");
  const tops = await owner.members.row("Vera Lind").getByRole("button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(tops.length, 3);
  assert.equal(new Set(tops).size, 1, "the actions stand in one line");
  await owner.members.press("Vera Lind", "Change role");
  await owner.members.box.getByLabel("Role").selectOption("operator");
  await inspect(owner.page, "members_role");
  await owner.members.box.getByRole("button", { name: "Save" }).click();
  await owner.page.getByText("Confirm it’s you").waitFor();
  await owner.dashboard.prove(password);
  await owner.members.row("Vera Lind").getByText("Operator").waitFor();
  await guest.page.goto(`${url}/paylinks`);
  await guest.page.getByRole("link", { name: "Create payment link" }).first().waitFor();

  await owner.members.press("Vera Lind", "Remove");
  const remove = owner.members.box.getByRole("button", { name: "Remove" });
  assert.ok(await remove.isDisabled(), "the address is typed first");
  await owner.members.box.getByRole("textbox").fill(who);
  await inspect(owner.page, "members_remove");
  await remove.click();
  await owner.members.row("Vera Lind").getByText("Removed").waitFor();
  await guest.page.goto(`${url}/paylinks`);
  await dashboard.signInButton.waitFor();
  await owner.done();
  await guest.done();
});

test("after a demotion forbidden actions disappear without a reload", async () => {
  const owner = await visitor("/settings/members");
  const who = `jona-${Date.now()}@shop.example`;
  const link = await invited(owner, who, "operator");
  await owner.page.getByRole("button", { name: "I have copied it" }).click();
  const guest = await visit(browser, "light", { expected: [SIGNED_OUT, "403"] });
  await guest.page.goto(url + new URL(link).pathname + new URL(link).hash);
  await new Members(guest.page).join("Jona Hall", OWN);
  const dashboard = new Dashboard(guest.page);
  await dashboard.navigation.waitFor();
  const { items: [customer] } = await merchant.call("GET", "/customers?limit=1");
  await dashboard.turn(`/customers?open=${customer.id}`);
  await dashboard.unfold("Edit");
  await dashboard.drawer.getByRole("textbox", { name: "Discord" }).fill("too late");
  const save = dashboard.drawer.getByRole("button", { name: "Save" });
  assert.ok(await save.isVisible());

  await owner.dashboard.go("/settings/members");
  await owner.members.press("Jona Hall", "Change role");
  await owner.members.box.getByLabel("Role").selectOption("viewer");
  await owner.members.box.getByRole("button", { name: "Save" }).click();
  await owner.dashboard.prove(password);
  await owner.members.row("Jona Hall").getByText("Viewer").waitFor();
  await owner.done();

  const asked = [];
  guest.page.on("request", (request) => request.url().endsWith("/v1/sessions/current") && asked.push(request.method()));
  await save.click();
  await dashboard.drawer.getByRole("alert").waitFor();
  await dashboard.drawer.getByText("View only").waitFor();
  await save.waitFor({ state: "hidden" });
  assert.deepEqual(asked, ["GET"]);
  await inspect(guest.page, "viewer_from_now_on");
  await dashboard.turn("/paylinks");
  assert.equal(await guest.page.getByRole("link", { name: "Create payment link" }).count(), 0);
  await guest.done();
});

test("a revoked invitation link does not work", async () => {
  const owner = await visitor("/settings/members");
  const who = `otto-${Date.now()}@shop.example`;
  const link = await invited(owner, who, "operator");
  await owner.page.getByRole("button", { name: "I have copied it" }).click();
  await owner.members.press(who, "Revoke");
  await owner.members.box.getByRole("button", { name: "Revoke" }).click();
  await owner.members.row(who).getByText("Removed").waitFor();
  await owner.done();

  const guest = await visit(browser, "light", { expected: [SIGNED_OUT, "404"] });
  await guest.page.goto(url + new URL(link).pathname + new URL(link).hash);
  await guest.page.getByText("This link is invalid").waitFor();
  await inspect(guest.page, "invitation_bad");
  await guest.page.getByRole("link", { name: "Go to sign-in" }).click();
  await new Dashboard(guest.page).signInButton.waitFor();
  await guest.done();
});

test("a password link sets a new password and ends other sessions", async () => {
  const owner = await visitor("/settings/members");
  const who = `ida-${Date.now()}@shop.example`;
  const link = await invited(owner, who, "viewer");
  await owner.page.getByRole("button", { name: "I have copied it" }).click();
  const guest = await visit(browser, "light", { expected: [SIGNED_OUT] });
  await guest.page.goto(url + new URL(link).pathname + new URL(link).hash);
  await new Members(guest.page).join("Ida Berg", OWN);
  const dashboard = new Dashboard(guest.page);
  await dashboard.navigation.waitFor();

  await owner.dashboard.go("/settings/members");
  await owner.members.press(who, "Password link");
  await inspect(owner.page, "members_password");
  await owner.members.box.getByRole("button", { name: "Create link" }).click();
  await owner.members.link.or(owner.page.getByText("Confirm it’s you")).first().waitFor();
  if (await owner.page.getByText("Confirm it’s you").isVisible()) await owner.dashboard.prove(password);
  const again = await owner.members.link.innerText();
  await owner.done();

  const back = await visit(browser, "light", { expected: [SIGNED_OUT] });
  await back.page.goto(url + new URL(again).pathname + new URL(again).hash);
  await back.page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  assert.equal(await back.page.getByLabel("Your name").count(), 0, "who they are is known");
  await inspect(back.page, "invitation_password");
  await back.page.getByLabel("New password").fill(`${OWN}, again`);
  await back.page.getByRole("button", { name: "Change password" }).click();
  await new Dashboard(back.page).navigation.waitFor();
  await back.page.getByText("Ida Berg").first().waitFor();
  await back.done();

  await guest.page.goto(`${url}/paylinks`);
  await dashboard.signInButton.waitFor();
  await guest.done();
});

test("changing the own password needs step-up and ends other sessions", async () => {
  const owner = await visitor("/settings/members");
  const who = `nils-${Date.now()}@shop.example`;
  const link = await invited(owner, who, "operator");
  await owner.done();

  const guest = await visit(browser, "light", { expected: [SIGNED_OUT, ...PROOF] });
  await guest.page.goto(url + new URL(link).pathname + new URL(link).hash);
  await new Members(guest.page).join("Nils Brandt", OWN);
  const dashboard = new Dashboard(guest.page);
  await dashboard.navigation.waitFor();
  await dashboard.turn("/settings/password");
  await inspect(guest.page, "password");
  await guest.page.getByLabel("New password").fill("another door entirely");
  await guest.page.getByRole("button", { name: "Change password" }).click();
  await dashboard.prove(OWN);
  await guest.page.getByText("Password changed").waitFor();
  await guest.page.getByRole("button", { name: "Sign out" }).click();
  await dashboard.signIn(who, "another door entirely");
  await dashboard.navigation.waitFor();
  await guest.done();
});

/** Pages that a role can open, and what the palette finds there by "create". */
const EVERYWHERE = [
  "/", "/movements", "/accounts", "/accounts/new", "/payments", "/payments?new=1", "/paylinks", "/paylinks/new", "/plans", "/plans/new", "/subscriptions", "/subscriptions/new",
  "/invoices", "/customers", "/payouts", "/payouts/new", "/external-accounts", "/external-accounts?new=1", "/trade", "/trade/rfq", "/trade/quotes", "/trade/orders", "/trade/markets", "/trade/markets?view=rates",
  "/automations", "/sub-merchants", "/events", "/events/verify", "/inbox", "/sandbox", "/settings", "/settings/checkout", "/settings/members", "/settings/webhooks", "/settings/api-keys", "/settings/signing-secret", "/settings/password", "/settings/appearance",
];

test("pages send no forbidden requests, and the palette offers no forbidden actions", async () => {
  for (const [role, found] of [["viewer", []], ["operator", ["Create account", "Create payment link", "Create plan", "Create subscription"]]]) {
    const owner = await visitor("/settings/members");
    const link = await invited(owner, `${role}-${Date.now()}@shop.example`, role);
    await owner.done();
    const guest = await visit(browser, "light", { expected: [SIGNED_OUT] });
    await guest.page.goto(url + new URL(link).pathname + new URL(link).hash);
    await new Members(guest.page).join("Robin Lind", OWN);
    const dashboard = new Dashboard(guest.page);
    await dashboard.navigation.waitFor();
    for (const path of EVERYWHERE) {
      await dashboard.turn(path);
      assert.equal(await dashboard.alert.count(), 0, `${path} as ${role}`);
    }
    await dashboard.turn("/settings/api-keys");
    await guest.page.getByText("Owners only").waitFor();
    await inspect(guest.page, `${role}_api_keys`);
    await dashboard.turn("/sandbox");
    await guest.page.getByText("View only").first().waitFor();
    await inspect(guest.page, `${role}_sandbox`);
    await guest.page.keyboard.press("Control+k");
    await guest.page.getByRole("combobox", { name: "Search or go to" }).fill("create");
    await guest.page.waitForFunction(() => /result/i.test(document.querySelector(".palette-note")?.textContent ?? ""));
    const acts = guest.page.getByRole("option").filter({ hasText: /^Create/ });
    assert.deepEqual((await acts.locator(".palette-words").allInnerTexts()).sort(), found);
    await guest.done();
  }
});

test("a member of two organisations joins with one password, and switches between them in every tab", async () => {
  const name = `Kiosk ${Date.now()}`;
  const words = (...of) => [...of.slice(0, 2), "--database", `sqlite:${database}`, ...of.slice(2)];
  const { org_id: org } = JSON.parse(execFileSync(program, words("org", "create", "--name", name, "--json")));
  const who = `ruth-${Date.now()}@kiosk.example`;
  execFileSync(program, words("member", "add", "--org", org, "--email", who, "--name", "Ruth", "--password-stdin"), { input: `${OWN}\n` });

  const owner = await visitor("/settings/members");
  const link = await invited(owner, who, "viewer");
  await owner.done();
  const guest = await visit(browser, "light", { expected: [SIGNED_OUT, "401"] });
  const dashboard = new Dashboard(guest.page);
  await guest.page.goto(url + new URL(link).pathname + new URL(link).hash);
  await guest.page.getByText("This address already has an account").waitFor();
  assert.equal(await guest.page.getByLabel("Your name").count(), 0);
  await inspect(guest.page, "invitation_account");
  await guest.page.getByLabel("Your password").fill("not the password at all");
  await guest.page.getByRole("button", { name: "Join" }).click();
  await guest.page.getByText("is not the password of the account").waitFor();
  await guest.page.getByLabel("Your password").fill(OWN);
  await guest.page.getByRole("button", { name: "Join" }).click();
  await dashboard.navigation.waitFor();
  const { name: shop } = await merchant.call("GET", "/orgs");
  await guest.page.locator("#side .brand").getByText(shop).waitFor();

  const second = await guest.page.context().newPage();
  await second.goto(url);
  await second.locator("#side .brand").getByText(shop).waitFor();
  // A running export.
  const saved = [];
  guest.page.on("download", (download) => saved.push(download.suggestedFilename()));
  await dashboard.turn("/payments");
  let held;
  await guest.page.route("**/v1/payments?*limit=100*", (route) => void (held = route));
  await guest.page.getByRole("button", { name: "Export" }).click();
  const box = guest.page.locator(BOX);
  await startExport(box, "CSV");
  await merchant.until("the first page is asked for", () => held);
  await box.getByRole("button", { name: "Continue in the background" }).click();
  const exports = guest.page.getByRole("region", { name: "Exports" });
  await exports.getByText("payments.csv").waitFor();
  await guest.page.evaluate(() => localStorage.setItem("settlekit.recent", "[]"));

  const choose = guest.page.locator(".organisations");
  await choose.getByText("Switch organisation").press("Enter");
  assert.ok(await choose.getByRole("button", { name: shop }).isDisabled(), "the current one");
  await inspect(guest.page, "switch_organisation");
  await choose.getByRole("button", { name }).press("Enter");
  await guest.page.locator("#side .brand").getByText(name).waitFor();
  await second.locator("#side .brand").getByText(name).waitFor();
  await second.close();
  // Nothing of the former organisation goes on: the export would get rows of this one.
  await exports.waitFor({ state: "detached" });
  await dashboard.navigation.waitFor();
  await held.abort().catch(() => {});
  await guest.page.unroute("**/v1/payments?*limit=100*");
  assert.deepEqual(saved, []);
  assert.equal(await guest.page.evaluate(() => localStorage.getItem("settlekit.recent")), null);
  // An owner here, a viewer there.
  await dashboard.turn("/settings/members");
  await new Members(guest.page).inviteButton.waitFor();
  await guest.done();
});

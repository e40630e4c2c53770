// An organisation without an account: forms that need one offer to create it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { SIGNED_OUT, inspect } from "../browser.mjs";
import { Money } from "../pages/money.mjs";
import { visitors } from "../session.mjs";
import { database, program, url } from "../settings.mjs";

const visitor = visitors("money", Money);

const mark = Date.now();
const WHO = `first-${mark}@bakery.example`;
const OWN = "a door that opens quietly";

test("forms that need an account offer to create one and then select it", async () => {
  const { org_id } = JSON.parse(execFileSync(program, ["org", "create", "--database", `sqlite:${database}`, "--name", `Bakery ${mark}`, "--json"]));
  execFileSync(program, ["member", "add", "--database", `sqlite:${database}`, "--org", org_id, "--email", WHO, "--name", "Ada", "--password-stdin"], { input: `${OWN}\n` });
  const { page, money, done } = await visitor({ storageState: undefined, expected: [SIGNED_OUT] });
  await page.goto(url);
  await money.signIn(WHO, OWN);
  await money.navigation.waitFor();
  const steps = page.locator(".steps > li");
  await steps.first().waitFor();
  assert.deepEqual(await steps.locator("strong").allInnerTexts(), ["Create an account", "Create a payment link", "Connect your server", "Receive your first payment"]);
  assert.equal(await page.locator(".page-head").getByRole("link").count(), 0, "the steps lead");
  await inspect(page, "first_steps");
  for (const path of ["/payouts/new", "/payments?new=1", "/paylinks/new"]) {
    await money.turn(path);
    await page.getByText("Create an account first").waitFor();
  }
  await money.turn("/payouts/new");
  await inspect(page, "account_first");
  await page.getByRole("link", { name: "Create account" }).click();
  await page.getByRole("link", { name: "Settlement account" }).click();
  await money.choose("Chain", "Base");
  await page.getByRole("checkbox", { name: "USDC" }).check();
  await page.locator("input[name=name]").fill("Till");
  await money.button("Create account").click();
  await page.getByRole("heading", { level: 1, name: "Till" }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.getByRole("link", { name: "Pay out" }).click();
  await page.waitForURL(`**/payouts/new?account=${id}`);
  const from = money.field("From account");
  await from.locator("option", { hasText: "Till" }).waitFor({ state: "attached" });
  assert.equal(await from.inputValue(), id);
  await money.field("Currency").locator("option", { hasText: "USDC" }).waitFor({ state: "attached" });
  assert.equal(await page.getByText("Create an account first").count(), 0);
  await money.turn("/");
  await steps.filter({ hasText: "Create an account" }).getByText("Done").waitFor();
  await steps.nth(1).getByRole("link", { name: "Create payment link" }).click();
  await page.waitForURL("**/paylinks/new");
  await done();
});

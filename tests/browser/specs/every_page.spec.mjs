// Every page of the dashboard in every look, without reloading the program.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SIGNED_OUT, inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { memberSignedIn } from "../session.mjs";
import { url } from "../settings.mjs";

let browser, link, payment, event, movement, visitor, dashboard;
before(async () => {
  browser = await open();
  // Operators see all pages.
  const { storageState } = await memberSignedIn(browser, "Olga", "a door that opens quietly", ["--operator"]);
  link = await merchant.paylink();
  payment = await merchant.call("POST", `/checkout/${link.id}/payments`, { chain_id: 1, currency: "USDC" });
  await merchant.deposit("3.20");
  event = (await merchant.call("GET", "/events?limit=1")).items[0];
  const { id } = await merchant.account();
  movement = await merchant.until("a movement is there", async () => (await merchant.call("GET", `/accounts/${id}/movement?limit=1`)).items[0]);
  visitor = await visit(browser, "light", { storageState });
  dashboard = new Dashboard(visitor.page);
  await dashboard.go("/");
});
after(async () => {
  await visitor.done();
  await browser.close();
});

const PAGES = {
  overview: () => "/",
  movements: () => "/movements",
  movement: () => `/movements?account=${movement.account_id}&open=${movement.id}`,
  payments: () => "/payments",
  payment: () => `/payments?open=${payment.payment_id}`,
  paylinks: () => "/paylinks",
  paylink: () => `/paylinks?open=${link.id}`,
  create_paylink: () => "/paylinks/new",
  events: () => "/events",
  event: () => `/events?open=${event.id}`,
  organisation: () => "/settings",
  webhooks: () => "/settings/webhooks",
  api_keys: () => "/settings/api-keys",
  signing_secret: () => "/settings/signing-secret",
  installation_page: () => "/installation",
  nothing_found: () => "/payments?since=2199-01-01",
  nowhere: () => "/no-such-page",
};

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name} in every look`, async () => {
    await dashboard.turn(path());
    if (path().includes("open=")) await dashboard.drawer.locator(".lede").waitFor();
    await inspect(visitor.page, name);
  });
}

/** Controls that are recognisable by their background or border. */
const shaped = () =>
  [...document.querySelectorAll("button, .button, select, input, textarea, summary, [role=switch]")].filter((part) => {
    const style = getComputedStyle(part);
    const shows = style.backgroundColor !== "rgba(0, 0, 0, 0)" || parseFloat(style.borderTopWidth) > 0;
    return part.checkVisibility() && part.getBoundingClientRect().width > 1 && shows;
  });

test("in forced colours controls keep a border and show focus", async () => {
  const { page } = visitor;
  const lost = [];
  for (const [name, path] of Object.entries(PAGES)) {
    await dashboard.turn(path());
    await page.evaluate(`globalThis.shaped = (${shaped})()`);
    await page.emulateMedia({ forcedColors: "active", contrast: "more" });
    lost.push(...(await page.evaluate((name) => {
      const edge = (style) => ["Top", "Bottom"].some((side) => style[`border${side}Style`] !== "none" && parseFloat(style[`border${side}Width`]) > 0) || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0);
      return shaped.filter((part) => part.isConnected && part.checkVisibility() && !edge(getComputedStyle(part)) && !["checkbox", "radio"].includes(part.type)).map((part) => `${name}: ${part.outerHTML.slice(0, 90)}`);
    }, name)));
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press("Tab");
      const seen = await page.evaluate(() => {
        const part = document.activeElement;
        const style = getComputedStyle(part);
        const within = part.parentElement && getComputedStyle(part.parentElement);
        const rings = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
        return part === document.body || rings(style) || rings(within) ? "" : part.outerHTML.slice(0, 90);
      });
      if (seen) lost.push(`${name}, focus: ${seen}`);
    }
    await page.emulateMedia({ forcedColors: "none", contrast: "no-preference" });
  }
  assert.deepEqual([...new Set(lost)], []);
});

test("with reduced motion no animation lasts longer than a millisecond", async () => {
  const { page } = visitor;
  const moving = [];
  for (const [name, path] of Object.entries(PAGES)) {
    await dashboard.turn(path());
    moving.push(...(await page.evaluate((name) => {
      const long = (times) => times.split(",").some((time) => parseFloat(time) * (time.trim().endsWith("ms") ? 1 : 1000) > 1);
      const found = [];
      for (const part of document.querySelectorAll("body, body *"))
        for (const pseudo of [null, "::before", "::after"]) {
          const style = getComputedStyle(part, pseudo);
          if (long(style.transitionDuration) || (style.animationName !== "none" && long(style.animationDuration))) found.push(`${name}: ${part.localName}.${part.className}${pseudo ?? ""}`);
        }
      const running = document.getAnimations().filter((animation) => animation.effect.getComputedTiming().activeDuration > 1);
      return [...found, ...running.map((animation) => `${name}: ${animation.animationName ?? "a transition"}`)];
    }, name)));
  }
  assert.deepEqual([...new Set(moving)], []);
});

test("sign in in every look", async () => {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  await page.goto(url);
  await new Dashboard(page).signInButton.waitFor();
  await inspect(page, "sign_in");
  await done();
});

test("a payment is titled by its product", async () => {
  await dashboard.turn("/payments");
  await dashboard.row("Filter coffee").first().waitFor();
  assert.equal(await dashboard.rows.filter({ hasText: "pl_" }).count(), 0);
});

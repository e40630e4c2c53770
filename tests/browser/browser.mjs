// One Chromium per spec file. Errors in a page's console fail the spec.

import assert from "node:assert/strict";
import { afterEach } from "node:test";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as elapsed } from "node:timers/promises";
import { chromium as engine } from "playwright-core";
import { chromium } from "./settings.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = new URL("../shots/", import.meta.url).pathname;
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export const LOOKS = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  narrow: { viewport: { width: 360, height: 780 }, colorScheme: "light" },
  wide: { viewport: { width: 2560, height: 1300 }, colorScheme: "dark" },
};

/** Looks that differ from another in size only: accessibility is checked in the other. */
const ROOM_ALONE = ["wide"];

/** Looks that differ from `light` in colour only, and the accessibility rules about colour: other rules are checked in `light`. */
const COLOUR_ALONE = ["dark"];
const OF_COLOUR = ["color-contrast", "link-in-text-block"];

export const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A Chromium of its own, with `flags` besides. */
export const open = (flags = []) => engine.launch({ executablePath: chromium, args: [...FLAGS, ...flags] });

/** Characters of a failed test's frame that are shown, and the time that the frame may take to answer. */
const SHOWN_MAX = 2000;
const ANSWER_MS = 5_000;

/** Pages that a test has not closed, with the errors in their consoles. */
const visited = new Map();

async function describeFailure(context) {
  for (const [page, errors] of visited) {
    if (!context.passed) for (const line of await described(page, errors)) context.diagnostic(`page: ${line}`);
  }
  visited.clear();
}

// Benchmarks use this file without a test runner.
if (process.env.NODE_TEST_CONTEXT) afterEach(describeFailure);

/** What a failed test's page shows, line by line: the address and the text of each frame, and the errors. */
async function described(page, errors) {
  const lines = errors.map((error) => `error: ${error}`);
  for (const frame of page.isClosed() ? [] : page.frames()) {
    const text = await Promise.race([frame.evaluate(() => document.body.innerText).catch((error) => error.message), elapsed(ANSWER_MS, "does not answer")]);
    lines.push(frame.url(), ...text.slice(0, SHOWN_MAX).split("\n").filter(Boolean));
  }
  return lines;
}

/** A page in its own context. `expected` lists parts of console errors that the spec provokes. */
export async function visit(browser, look = "light", { storageState, expected = [], locale, timezoneId, isPhone = false } = {}) {
  const context = await browser.newContext({ ...LOOKS[look], ...(isPhone && { isMobile: true, hasTouch: true }), storageState, locale, timezoneId, reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => {
    const text = `${message.text()} (${message.location().url})`;
    if (message.type() === "error" && !expected.some((part) => text.includes(part))) errors.push(text);
  });
  page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
  visited.set(page, errors);
  return {
    page,
    async done() {
      visited.delete(page);
      // A handler may still await an answer for a request that the page sent last.
      for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
      assert.deepEqual(errors, [], "the console has errors");
    },
  };
}

/**
 * Lets requests fail until the next click in the page after the returned function was called. Live updates send them again at any
 * time, so a flag of the test would be too early.
 */
export async function failUntilClick(page, pattern, { status = 500, message = "the service failed", headers = {} } = {}) {
  const failure = { status, headers, contentType: "application/json", body: JSON.stringify({ error: { code: status, message, errors: [] } }) };
  // A request of a page that is being replaced comes before the click.
  const isClicked = () => page.evaluate(() => globalThis.clicked === true).catch(() => false);
  await page.route(pattern, async (route) => ((await isClicked()) ? route.continue() : route.fulfill(failure)));
  return () => page.evaluate(() => addEventListener("click", () => (globalThis.clicked = true), { capture: true, once: true }));
}

/** Console error of the browser for the 401 of an anonymous visitor. */
export const SIGNED_OUT = "/v1/sessions/current";

/** Checks the current page in every colour scheme and size: accessibility, width, and a screenshot in tests/shots. `besides` lists rules that third-party markup breaks. */
export async function inspect(page, name, { besides = [] } = {}) {
  for (const [look, { viewport, colorScheme }] of Object.entries(LOOKS)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await inspectAs(page, name, look, { besides });
  }
  await page.setViewportSize(LOOKS.light.viewport);
  await page.emulateMedia({ colorScheme: LOOKS.light.colorScheme });
}

/** The same in the page's current look only. */
export async function inspectAs(page, name, look, { besides = [] } = {}) {
  await still(page);
  if (!ROOM_ALONE.includes(look)) await accessible(page, name, look, besides);
  await fits(page, `${name} in ${look}`);
  await shoot(page, name, look);
}

/**
 * Ends colour transitions: contrast is wrong in between.
 *
 * Chromium does not update some inherited colours when the scheme of an open page changes; restyling from scratch, as a
 * load does, fixes that.
 */
async function still(page) {
  await page.evaluate(() => {
    const root = document.documentElement;
    root.style.display = "none";
    root.getBoundingClientRect();
    root.style.removeProperty("display");
    const ending = document.getAnimations().filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity);
    for (const animation of ending) animation.finish();
  });
}

/** Asserts that the current page has no accessibility violation. */
async function accessible(page, name, look, besides) {
  if (await page.evaluate(() => !globalThis.axe)) await page.evaluate(axe);
  const options = COLOUR_ALONE.includes(look)
    ? { runOnly: { type: "rule", values: OF_COLOUR.filter((rule) => !besides.includes(rule)) } }
    : { runOnly: { type: "tag", values: RULES }, rules: Object.fromEntries(besides.map((rule) => [rule, { enabled: false }])) };
  const { violations } = await page.evaluate((options) => {
    // A dialog over a drawer dims it; what it covers was checked before it opened.
    const open = [...document.querySelectorAll(".veil:popover-open")];
    return globalThis.axe.run(open.length > 1 ? { include: [open.at(-1)] } : document, options);
  }, options);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
  assert.deepEqual(found, [], `${name} in ${look} has accessibility violations`);
}

/** Elements whose content must not overflow; content that scrolls sideways has its own box. */
const WHOLE = ".step, .confirm, .drawer-body, .panel-body:not(.table-box), .facts :is(dt, dd), .cards td";

/** Asserts that nothing is wider than the screen or overflows its container. */
async function fits(page, name) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${name} is ${over} px wider than the screen`);
  const cut = await page.evaluate((whole) => {
    const reaches = (part) => part.checkVisibility() && part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1;
    return [...document.querySelectorAll(whole)].filter(reaches).map((part) => `${part.className || part.localName} by ${part.scrollWidth - part.clientWidth} px: ${part.innerText.slice(0, 60)}`);
  }, WHOLE);
  assert.deepEqual(cut, [], `in ${name} something is cut off`);
}

/** Time that a capture may take; most take less than half a second. */
const CAPTURE_MS = 10_000;

/** A screenshot in tests/shots, by default of the whole page unless an overlay is open. */
export async function shoot(page, name, look, { fullPage, attempts = 3 } = {}) {
  mkdirSync(shots, { recursive: true });
  const whole = fullPage ?? (await page.locator("dialog[open], .veil:popover-open").count()) === 0;
  try {
    await page.screenshot({ path: `${shots}${name}-${look}.png`, fullPage: whole, timeout: CAPTURE_MS });
  } catch (error) {
    if (attempts === 1 || error.name !== "TimeoutError") throw error;
    await wakeCompositor(page);
    await shoot(page, name, look, { fullPage, attempts: attempts - 1 });
  }
}

/** Chromium's compositor can fall asleep in a page that works; it answers no capture then, until a screencast asks it for frames. */
async function wakeCompositor(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.startScreencast", { format: "jpeg", quality: 10 });
  await elapsed(500);
  await session.send("Page.stopScreencast");
  await session.detach();
}

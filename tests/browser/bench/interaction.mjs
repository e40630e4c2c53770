// Interaction to next paint on lists of 100 and of 25 movements, with a quarter of this processor.
//
// Measured by the browser (Event Timing, in steps of 8 ms): from the hardware event to the frame that shows its effect. The
// median is over the slowest interaction of each round; INP is the slowest of all, except one interaction in fifty
// (web.dev, "Interaction to Next Paint"). Later responses of the service do not count; the longest task that shows them is
// printed as well, of the slowest round, and the time until the last row of the list, as the median and of the slowest round.

import { open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { BOX, Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

const SLOWER = 4;
const ROUNDS = 7;

/** The rows of a page, each with the most that its INP may be, in milliseconds. */
const BARS = [
  { rows: 100, bar: 200 },
  { rows: 25, bar: 100 },
];

const browser = await open();
const storageState = await signedIn(browser);
const { page, done } = await visit(browser, "light", { storageState });
const dashboard = new Dashboard(page);

// The account with the longest list.
const { items } = await merchant.call("GET", "/accounts?limit=100");
const totals = [];
for (const { id } of items) totals.push({ id, total: (await merchant.call("GET", `/accounts/${id}/movement?limit=1`)).total });
const { id, total } = totals.reduce((one, other) => (other.total > one.total ? other : one));

await page.addInitScript(() => {
  globalThis.seen = { events: [], tasks: [], since: 0, drawn: 0 };
  new MutationObserver(() => {
    if (!document.querySelector(".page .table-box[aria-busy=true]")) globalThis.seen.drawn = performance.now() - globalThis.seen.since;
  }).observe(document, { subtree: true, attributeFilter: ["aria-busy"] });
  new PerformanceObserver((list) => globalThis.seen.events.push(...list.getEntries().map(({ name, duration, interactionId }) => ({ name, duration, interactionId })))).observe({ type: "event", durationThreshold: 16, buffered: true });
  new PerformanceObserver((list) => globalThis.seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask", buffered: true });
});
const cdp = await page.context().newCDPSession(page);
const slowDown = (rate) => cdp.send("Emulation.setCPUThrottlingRate", { rate });

/** Opens the list with a page size; returns the total number of rows. */
async function show(rows) {
  const shown = Math.min(total, rows);
  await slowDown(1);
  await dashboard.go(`/movements?account=${id}&rows=${rows}`);
  await dashboard.rows.nth(shown - 1).waitFor();
  // Prefetches have finished.
  await page.waitForTimeout(4_000);
  await slowDown(SLOWER);
  return shown;
}

/** Waits until no request is pending and the last row is drawn. */
const settled = async () => {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 400))));
  await page.locator(".page .table-box[aria-busy=true]").first().waitFor({ state: "detached" });
};

/** The middle one of sorted numbers. */
const middle = (sorted) => sorted[Math.floor((sorted.length - 1) / 2)];
const ascending = (one, other) => one - other;

async function measure(act, after) {
  const [times, single, drawn] = [[], [], []];
  let [task, count] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.evaluate(() => (globalThis.seen = Object.assign(globalThis.seen, { events: [], tasks: [], since: performance.now(), drawn: 0, before: performance.interactionCount })));
    await act(round);
    await settled();
    const { events, tasks, drawn: last, made } = await page.evaluate(() => ({ ...globalThis.seen, made: performance.interactionCount - globalThis.seen.before }));
    const interactions = events.filter((one) => one.interactionId);
    // A key goes down and up: one interaction.
    const slowest = new Map();
    for (const { interactionId, duration } of interactions) slowest.set(interactionId, Math.max(duration, slowest.get(interactionId) ?? 0));
    single.push(...slowest.values());
    count += made;
    // Durations below 16 ms are not reported.
    times.push(Math.max(16, ...interactions.map((one) => one.duration)));
    task = Math.max(task, ...tasks);
    // Without a request no row is drawn.
    if (last) drawn.push(last);
    await after?.(round);
    await settled();
  }
  times.sort(ascending);
  drawn.sort(ascending);
  single.sort((one, other) => other - one);
  return { median: middle(times), inp: single[Math.floor(count / 50)] ?? 16, worst: times.at(-1), count, task, drawn };
}

/**
 * Presses the pointer directly: Playwright's click does hit testing inside the event, which no user waits for. The pointer
 * is moved there first, because users do not move and press at the same time.
 */
async function press(target) {
  await target.scrollIntoViewIfNeeded();
  const { x, y } = await target.boundingBox();
  await page.mouse.move(x + 8, y + 8);
  await page.waitForTimeout(100);
  await page.mouse.down();
  await page.mouse.up();
}
async function pressRow(round) {
  await press(dashboard.rows.nth(3 + round));
  await dashboard.drawer.waitFor();
}
const closed = async () => {
  await page.keyboard.press("Escape");
  await dashboard.drawer.waitFor({ state: "detached" });
};
// Finds the element directly: a search by role walks the whole page within the measured time.
const palette = page.locator(`${BOX} input[role=combobox]`);
const back = () => page.goBack();
const acts = (shown) => ({
  "open a row's drawer": [pressRow, closed],
  "close it": [async () => closed(), async (round) => pressRow(round + 1)],
  "oldest first": [async (round) => (await dashboard.filter("Sort")).selectOption(round % 2 ? "" : "asc")],
  // Keys work while rows are still being drawn. The key must change something visible: otherwise the browser counts until
  // the next frame of something else.
  "keys while rendering": [
    async (round) => {
      await (await dashboard.filter("Sort")).selectOption(round % 2 ? "asc" : "");
      // In the editor they would be typed.
      await page.keyboard.press("Escape");
      for (let key = 0; key < 10; key += 1) {
        await page.waitForTimeout(80);
        await page.keyboard.press("j");
      }
    },
  ],
  "clear a filter": [
    async () => press(page.locator(".chip-clear").last()),
    async () => (await dashboard.filter("From", "Date")).fill("2020-01-01"),
  ],
  "find or go to": [
    async () => (await page.keyboard.press("Control+k"), await palette.waitFor()),
    async () => (await page.keyboard.press("Escape"), await palette.waitFor({ state: "detached" })),
  ],
  "another page": [
    async () => (await dashboard.navigation.getByRole("link", { name: "Payments" }).click(), await page.waitForURL("**/payments")),
    async () => (await page.goBack(), await dashboard.rows.nth(Math.floor(shown / 2)).waitFor()),
  ],
  "next page": [async () => press(page.locator(".pager button[name=next]")), back],
});

/** Measures and prints all interactions at a page size; returns the highest INP. */
async function report(rows) {
  const shown = await show(rows);
  console.log(`${shown} rows of ${total}, the processor ${SLOWER} times slower, ${ROUNDS} rounds each.\n`);
  console.log(`${"ms".padEnd(24)}${"median".padStart(8)}${"INP".padStart(8)}${"worst".padStart(8)}${"of".padStart(6)}${"longest task".padStart(14)}${"last row".padStart(10)}${"slowest".padStart(11)}`);
  let slowest = 0;
  for (const [name, [act, after]] of Object.entries(acts(shown))) {
    if (name === "close it") {
      await pressRow(0);
    } else if (await dashboard.drawer.count()) {
      await closed();
    }
    if (name === "clear a filter") {
      await (await dashboard.filter("From", "Date")).fill("2020-01-01");
      await settled();
    }
    const { median, inp, worst, count, task, drawn } = await measure(act, after);
    slowest = Math.max(slowest, inp);
    const last = drawn.length > 0 ? String(Math.round(middle(drawn))).padStart(10) + String(Math.round(drawn.at(-1))).padStart(11) : "";
    console.log(name.padEnd(24) + String(median).padStart(8) + String(inp).padStart(8) + String(worst).padStart(8) + String(count).padStart(6) + String(Math.round(task)).padStart(14) + last);
  }
  return slowest;
}

const results = [];
for (const { rows, bar } of BARS) {
  const slowest = await report(rows);
  results.push(`${slowest} ms of at most ${bar} ms with ${rows} rows`);
  console.log("");
}
console.log(`Slowest INP: ${results.join(", ")}.`);
await done();
await browser.close();

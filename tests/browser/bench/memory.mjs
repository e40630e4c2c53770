// Memory growth in an hour of use: as many page changes and requests as an hour brings, as fast as possible.
//
// Measured after garbage collection, at a third, two thirds and the end: growth between them is a leak.
//
// A known part of the growth is Leptos's own (0.8.23, measured in a program with nothing but routes that counts its
// allocations): the router's root owner keeps two blocks, about 150 bytes, per page change for as long as the router
// exists. A memo or effect that reads a signal that outlives its page would be kept, 70 to 130 bytes each, until that
// signal changes; pages read the shell's signals through web/src/detached_signal.rs, which releases them.

import { open, visit } from "../browser.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

/** A page every two seconds. */
const TURNS = 1_800;
const PAGES = ["/", "/movements", "/accounts", "/payments", "/paylinks", "/paylinks/new", "/plans", "/subscriptions", "/invoices", "/customers", "/payouts", "/external-accounts", "/trade", "/trade/quotes", "/trade/orders", "/automations", "/events", "/settings", "/settings/webhooks", "/settings/api-keys"];

const browser = await open();
const storageState = await signedIn(browser);
const { page, done } = await visit(browser, "light", { storageState, expected: ["/v1/"] });
const dashboard = new Dashboard(page);
await page.clock.install();
await page.addInitScript(() => addEventListener("TrunkApplicationStarted", ({ detail }) => (globalThis.program = detail.wasm)));
await dashboard.go("/");
const cdp = await page.context().newCDPSession(page);
await cdp.send("Performance.enable");

async function measure() {
  await dashboard.turn("/");
  for (let pass = 0; pass < 3; pass += 1) await cdp.send("HeapProfiler.collectGarbage");
  // Without the DOM's heap: Playwright makes the browser keep every request there.
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  const wasm = await page.evaluate(() => globalThis.program.memory.buffer.byteLength);
  const { metrics } = await cdp.send("Performance.getMetrics");
  const metric = (name) => metrics.find((one) => one.name === name).value;
  return { heap: usedSize, wasm, nodes: metric("Nodes"), listeners: metric("JSEventListeners") };
}

const turn = (path) =>
  page.evaluate(async (to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
    await new Promise((painted) => requestAnimationFrame(painted));
  }, path);

const points = [];
for (let at = 1; at <= TURNS; at += 1) {
  await turn(PAGES[at % PAGES.length]);
  // The overview is polled once in this time.
  await page.clock.runFor(2_000);
  // Activity keeps the session lock open.
  if (at % 60 === 0) await page.keyboard.press("Shift");
  if (at % (TURNS / 3) === 0) points.push({ at, ...(await measure()) });
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(2).padStart(10);
console.log(`${TURNS} pages turned to, ${(TURNS * 2) / 60} minutes of the page's own clock.\n`);
console.log(`${"turns".padEnd(8)}${"JS MB".padStart(10)}${"wasm MB".padStart(10)}${"nodes".padStart(8)}${"listeners".padStart(11)}`);
for (const { at, heap, wasm, nodes, listeners } of points) console.log(String(at).padEnd(8) + megabytes(heap) + megabytes(wasm) + String(nodes).padStart(8) + String(listeners).padStart(11));
const [first, last] = [points[0], points.at(-1)];
const growth = (of) => `${((of(last) / of(first) - 1) * 100).toFixed(1)} %`;
console.log(`\nGrowth between the first and the last: ${growth(({ heap }) => heap)} of the JavaScript heap, ${growth(({ wasm }) => wasm)} of the program's memory, which never shrinks.`);
await done();
await browser.close();

// What an hour of use leaves behind: pages turned to and questions asked, as many as an hour brings, as fast as they go.
//
// Measured after the collector has run, at a third, two thirds and the end: what grows between them is lost.
//
// Of what the program's memory grows by, this is known to be Leptos's own (0.8.23, seen in a program of nothing but routes
// that counts what it allocates): the router's outermost owner keeps two blocks, about 150 bytes, for each page turned to,
// for as long as the router stands. A memo or effect that has read what outlives its page would be kept, 70 to 130 bytes
// each, until what it read changes; what a page reads of the shell forgets it (web/src/detached_signal.rs).

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
  // The DOM's own heap is left out: the tool that drives the browser has it keep every request there.
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
  // The pulse asks once in this time.
  await page.clock.runFor(2_000);
  // Somebody is there: a page that is left alone is covered.
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

// Rates: prices, their history and their sources. Connected sources are answered here, since the spec's server is a sandbox.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Dashboard } from "../pages/dashboard.mjs";
import { signedIn } from "../session.mjs";

const PATH = "/trade/markets?view=rates";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
});
after(() => browser.close());

const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
const said = (source, usd, status, age = 4) => ({ source, usd, priced_at: ago(age), status });
const list = () => ({
  items: [
    { currency: "ETH", usd: "3012.5", priced_at: ago(6), sources: [said("bitstamp", "301.25", "Stray"), said("coinbase", "3012.5", "Fresh", 6), said("kraken", "3013.085", "Fresh")] },
    { currency: "EUR", gap: "Disagree", last_usd: "1.08015", last_at: ago(420), sources: [said("coinbase", "1.14", "Fresh"), said("kraken", "1.08015", "Fresh")] },
    { currency: "USDC", gap: "Stale", last_usd: "0.99985", last_at: ago(400), sources: [said("kraken", "0.99985", "Old", 400), { source: "bitstamp", status: "Missing" }] },
  ],
  sources: [
    { source: "bitstamp", status: "Healthy", succeeded_at: ago(3) },
    { source: "coinbase", status: "Paused", succeeded_at: ago(70), paused_until: ago(-300), last_error: "limits its rate" },
    { source: "kraken", status: "Failing", succeeded_at: ago(400), failing_since: ago(385), last_error: "answers with status 503" },
  ],
});
const HOUR = 3_600_000;
/** A week of hours, with a night without prices. */
const history = () => {
  const now = Math.floor(Date.now() / HOUR) * HOUR;
  const hours = Array.from({ length: 169 }, (_, index) => 168 - index).filter((age) => age > 80 || age < 68);
  return hours.map((age) => ({ at: new Date(now - age * HOUR).toISOString().replace(".000Z", "Z"), usd: (3000 + 40 * Math.sin(age / 9) + (age % 7)).toFixed(2) }));
};
const json = (data) => ({ status: 200, contentType: "application/json", body: JSON.stringify({ data, message: "ok" }) });

/** The page with answers of connected sources. */
async function live(answer = list, of = history) {
  const visitor = await visit(browser, "light", { storageState });
  await visitor.page.route("**/v1/rates", (route) => route.fulfill(json(answer())));
  await visitor.page.route("**/v1/rates/*/history**", (route) => route.fulfill(json(of())));
  const dashboard = new Dashboard(visitor.page);
  await dashboard.go(PATH);
  return { ...visitor, dashboard };
}

test("rates show price, age and sources, and say why a price is missing", async () => {
  const { page, dashboard, done } = await live();
  await page.getByRole("heading", { name: "ETH in US dollars" }).waitFor();
  await dashboard.row("ETH").getByText("3,012").waitFor();
  for (const text of ["Too far off", "answers with status 503", "Paused by the source", "Failing"]) await page.getByText(text).first().waitFor();
  await page.locator(".chart .line").waitFor();
  await inspect(page, "rates_live");
  await dashboard.row("EUR").click();
  await page.waitForURL((url) => url.searchParams.get("currency") === "EUR");
  await page.getByText("The sources contradict each other.").waitFor();
  const panel = page.locator("section", { has: page.getByRole("heading", { name: "EUR in US dollars" }) });
  assert.match(await panel.innerText(), /Last price 1\.08015 USD/);
  await inspect(page, "rates_missing");
  await done();
});

test("the history is read by keyboard, pointer and as a table, over a period kept in the URL", async () => {
  const { page, dashboard, done } = await live();
  const chart = page.getByRole("group", { name: "ETH in US dollars" });
  const reading = page.locator(".chart-read");
  await chart.focus();
  await page.keyboard.press("End");
  const last = history().at(-1).usd.replace(/^3/, "3,");
  await reading.getByText(`${last} USD`).waitFor();
  await page.keyboard.press("Home");
  const first = history()[0].usd.replace(/^(\d)/, "$1,");
  await reading.getByText(`${first} USD`).waitFor();
  await page.keyboard.press("Escape");
  await reading.getByText("use the arrow keys").waitFor();
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width - 10, box.y + 100);
  await reading.getByText(`${last} USD`).waitFor();
  // A night without prices is a gap in the line.
  assert.equal((await page.locator(".chart .line").getAttribute("d")).split("M").length - 1, 2);
  await page.getByText("Show as table").click();
  await page.locator("figure tbody tr").first().waitFor();
  assert.equal(await page.locator("figure tbody tr").count(), history().length);
  const asked = page.waitForRequest((request) => request.url().includes("/v1/rates/ETH/history?period=Year"));
  await page.getByRole("button", { name: "1 year" }).click();
  await asked;
  await page.waitForURL((url) => url.searchParams.get("period") === "Year");
  await page.reload();
  assert.equal(await page.getByRole("button", { name: "1 year" }).getAttribute("aria-pressed"), "true");
  await dashboard.drawn();
  await done();
});

test("no source, no rate yet and no history are said", async () => {
  const none = await live(() => ({ items: [], sources: [] }));
  await none.page.getByText("No price source is connected").waitFor();
  await inspect(none.page, "rates_none");
  await none.done();
  const waiting = await live(() => ({ items: [], sources: [{ source: "kraken", status: "Waiting" }] }));
  await waiting.page.getByText("No rates yet").waitFor();
  await waiting.page.getByText("Not asked yet").waitFor();
  await waiting.done();
  const young = await live(list, () => []);
  await young.page.getByText("No prices in this period").waitFor();
  await young.done();
});

test("a price that is set in the sandbox is shown with its history", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const dashboard = new Dashboard(page);
  const { items } = await merchant.call("GET", "/rates");
  const before = items.find(({ currency }) => currency === "BNB").usd;
  await dashboard.go(`${PATH}&currency=BNB&period=Day`);
  await page.getByRole("textbox", { name: "US dollars" }).fill("601.25");
  await page.getByRole("button", { name: "Set price" }).click();
  await page.getByText("Price set").waitFor();
  await dashboard.row("BNB").getByText("601").waitFor();
  await page.getByRole("group", { name: "BNB in US dollars" }).focus();
  // The history is loaded apart from the list, and the price may begin another hour of it.
  await merchant.until("the newest price is the one that was set", async () => {
    await page.keyboard.press("End");
    return page.locator(".chart-read").getByText("601.25 USD").isVisible();
  });
  await inspect(page, "rates_set");
  await merchant.call("POST", "/sandbox/prices", { currency: "BNB", usd: before });
  await done();
});

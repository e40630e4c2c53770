// Column layout and row density, by pointer and keyboard, stored per list in this browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Columns } from "../pages/columns.mjs";
import { signedIn } from "../session.mjs";

let browser, storageState;
before(async () => {
  browser = await open();
  storageState = await signedIn(browser);
  await merchant.paylink({ name: "Columns" });
});
after(() => browser.close());

async function visitor(path) {
  const { page, done } = await visit(browser, "light", { storageState });
  const list = new Columns(page);
  await list.go(path);
  await list.rows.first().waitFor();
  return { page, list, done };
}

test("hidden columns survive a reload and are stored per list", async () => {
  const { page, list, done } = await visitor("/payments");
  const all = await list.heads();
  await list.choose();
  await inspect(page, "columns");
  await list.show(all[1], false);
  await list.shut();
  const rest = all.filter((_, at) => at !== 1);
  assert.deepEqual(await list.heads(), rest);
  assert.equal(await list.rows.first().locator("td").count(), rest.length);
  await page.reload();
  await list.rows.first().waitFor();
  assert.deepEqual(await list.heads(), rest);
  assert.ok(!page.url().includes("columns"), "what is the reader's own is not in the URL");

  await list.turn("/paylinks");
  await list.rows.first().waitFor();
  const other = await list.heads();
  await list.turn("/payments");
  await list.rows.first().waitFor();
  await list.choose();
  await list.box.getByRole("button", { name: "Reset" }).click();
  await list.shut();
  assert.deepEqual(await list.heads(), all);
  assert.notDeepEqual(other, all);
  await done();
});

test("a layout that was stored for other columns is ignored", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const list = new Columns(page);
  // Nine columns, all but the first one hidden: movements had one more.
  await page.addInitScript(() => {
    const columns = Array.from({ length: 9 }, (_, at) => ({ at, shown: at === 0 }));
    localStorage.setItem("settlekit.tables", JSON.stringify({ "/movements": { columns, compact: false } }));
  });
  await list.go("/movements");
  assert.deepEqual(await list.heads(), ["Type", "Amount", "Fee", "Status", "Account", "Chain", "Source", "Date"]);
  await done();
});

test("columns are reordered by keyboard, and the focus follows", async () => {
  const { page, list, done } = await visitor("/payments");
  const all = await list.heads();
  await list.choose();
  await list.move(all[0], "back").focus();
  await page.keyboard.press("Enter");
  await page.getByText(`${all[0]} is now 2 of ${all.length}`).waitFor();
  await page.waitForFunction((label) => document.activeElement.ariaLabel === label, `Move ${all[0]} back`);
  for (let step = 2; step < all.length; step += 1) await page.keyboard.press("Enter");
  // The last column can only move back.
  await page.waitForFunction((label) => document.activeElement.ariaLabel === label, `Move ${all[0]} forward`);
  await page.keyboard.press("Escape");
  assert.deepEqual(await list.heads(), [...all.slice(1), all[0]]);
  const cell = await list.rows.first().locator("td").last().innerText();
  await page.reload();
  await list.rows.first().waitFor();
  assert.equal(await list.rows.first().locator("td").last().innerText(), cell);
  await done();
});

test("keys pressed within one frame each move the column", async () => {
  const { page, list, done } = await visitor("/payments");
  const all = await list.heads();
  await list.choose();
  await list.move(all[0], "back").focus();
  // Each key event is a separate task, as from a held key, and targets the focused element.
  const focused = await page.evaluate(async (steps) => {
    const task = () => new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    for (let step = 0; step < steps; step += 1) {
      document.activeElement.click();
      await task();
    }
    return document.activeElement.ariaLabel;
  }, all.length - 1);
  assert.equal(focused, `Move ${all[0]} forward`);
  await page.keyboard.press("Escape");
  assert.deepEqual(await list.heads(), [...all.slice(1), all[0]]);
  await done();
});

test("columns are reordered by dragging", async () => {
  const { list, done } = await visitor("/payments");
  const all = await list.heads();
  await list.choose();
  await list.line(all[2]).dragTo(list.line(all[0]));
  await list.shut();
  assert.deepEqual(await list.heads(), [all[2], all[0], all[1], ...all.slice(3)]);
  await done();
});

test("amounts are aligned in every column position", async () => {
  const { page, list, done } = await visitor("/movements");
  await list.choose();
  await list.move("Amount", "forward").click();
  await list.shut();
  const points = await page.locator(".page .table td.end[data-label=Amount] .fraction").evaluateAll((all) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().left)))]);
  assert.equal(points.length, 1, `the points stand at ${points}`);
  await done();
});

test("amounts have their currency's usual decimals, and a long one all its digits in the tooltip", async () => {
  const { page, done } = await visit(browser, "light", { storageState });
  const list = new Columns(page);
  const written = [["49.9", "USDC"], ["16.500000", "USDC"], ["7.250001", "USDC"], ["1.000000000000000000", "ETH"], ["0.123456789012345678", "ETH"], ["0.000000001234567", "ETH"]];
  await page.route(/\/v1\/movements\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.data.items = written.map(([amount, currency], at) => ({ ...answer.data.items[at], amount, currency }));
    await route.fulfill({ response, json: answer });
  });
  await list.go("/movements");
  const amounts = page.locator(".page .table td[data-label=Amount] .amount");
  assert.deepEqual((await amounts.allInnerTexts()).map((text) => text.replace(/^[+\u2212]/, "")), ["49.90 USDC", "16.50 USDC", "7.250001 USDC", "1 ETH", "0.123456… ETH", "0.0000000012… ETH"]);
  assert.deepEqual(await amounts.evaluateAll((all) => all.map((one) => one.title.replace(/^[+\u2212]/, ""))), ["", "", "", "", "0.123456789012345678 ETH", "0.000000001234567 ETH"]);
  const ends = await page.evaluate(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".page .table th.end").firstChild);
    return [range, document.querySelector(".page .table td[data-label=Amount] .fraction")].map((part) => part.getBoundingClientRect().right);
  });
  assert.ok(Math.abs(ends[0] - ends[1]) < 8, `the heading ends at ${ends[0]}, its numbers at ${ends[1]}`);
  await inspect(page, "amounts");
  await done();
});

test("compact rows can be chosen, and the last column cannot be hidden", async () => {
  const { page, list, done } = await visitor("/paylinks");
  const height = async () => (await list.rows.first().boundingBox()).height;
  const before = await height();
  await list.choose();
  await list.box.getByRole("button", { name: "Compact" }).click();
  const heads = await list.titles();
  for (const head of heads.slice(1)) await list.show(head, false);
  assert.ok(await list.box.getByLabel(heads[0], { exact: true }).isDisabled());
  for (const head of heads.slice(1)) await list.show(head, true);
  await list.shut();
  assert.ok((await height()) < before, "a compact row is lower");
  await inspect(page, "compact");
  await done();
});

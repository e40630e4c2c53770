// Exports of lists: every cell in every format, presets and own columns, and no file unless it is complete.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Daily } from "../pages/daily.mjs";
import { startExport } from "../pages/dashboard.mjs";
import { visitors } from "../session.mjs";
import { soffice } from "../settings.mjs";
import { cells, lines } from "../workbook.mjs";

const visitor = visitors("daily", Daily);

/** The pages that an export reads. */
const PAGES = "**/v1/payments?*limit=100*";
const COUNT = 250;

/** Amounts with as many digits as a double keeps, with more, and with zeros at either end. */
const AMOUNTS = ["12.50", "0.000001", "-3.10", "123456789012345", "1234567890123456", "0.123456789012345678", "0.000000000000000001", "1000000000000000000000", "0", "100.000000000000000000"];
const IS_NUMBER = [true, true, true, true, false, false, true, false, true, true];
/** Texts that a file or a spreadsheet may change. */
const TEXTS = ["=SUM(1)", 'Ünal, "Ö"', "first\nsecond", " spaced ", "_x0041_ <b>&amp;</b>", "bell \u0007 and return \r", "@cmd", "+1", "-1+1", "007", "1E5", "3/4", "😀", "\n=1", "＝SUM(1)"];

const rows = Array.from({ length: COUNT }, (_, index) => ({
  id: `pay_${String(index).padStart(8, "0")}`,
  reference: TEXTS[index % TEXTS.length],
  amount: AMOUNTS[index % AMOUNTS.length],
  amount_usd: index % 3 ? "1.25" : null,
  currency: "USDC",
  chain_id: 137,
  status: "Confirmed",
  payment_method: "ProxyWallet",
  created_at: new Date(Date.UTC(2024, 1, 29, 23, 59, 59) + index * 86_399_000).toISOString().replace(".000Z", ".678901Z"),
  customer: { name: TEXTS[(index + 1) % TEXTS.length], metadata: { amount: "0012" } },
  // Only later pages have it.
  ...(index > 200 && { payout_splits: [{ amount: "1.0" }] }),
}));

/** The fields of a row by their path, as text. */
function flat(row, path = "") {
  const fields = Object.entries(row).filter(([, value]) => value !== null);
  return Object.assign({}, ...fields.map(([name, value]) => {
    const whole = path ? `${path}.${name}` : name;
    const isObject = typeof value === "object" && !Array.isArray(value);
    return isObject ? flat(value, whole) : { [whole]: typeof value === "string" ? value : JSON.stringify(value) };
  }));
}

const everything = [...new Set(rows.flatMap((row) => Object.keys(flat(row))))];

/** Serves the rows as pages of the list; `before` may hold a page back or fail it. */
async function serve(page, before = () => {}) {
  await page.route(PAGES, async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("page") ?? 1);
    if (await before(number, route)) return;
    const items = rows.slice((number - 1) * 100, number * 100);
    await route.fulfill({ json: { data: { items, total: COUNT, next: number * 100 < COUNT ? number + 1 : null } } });
  });
}

/** A list whose export has the rows in their order. */
async function listed(visit, before) {
  const opened = await visit();
  await serve(opened.page, before);
  await opened.daily.go("/payments?sort=asc");
  await opened.daily.rows.first().waitFor();
  return opened;
}

/** A cell as CSV has it: a text that looks like a formula has an apostrophe. */
const guarded = (text) => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-[\d.]*$/.test(text) ? `'${text}` : text);

test("CSV has every cell of 250 rows, with a byte order mark for Excel only", async () => {
  const { page, daily, done } = await listed(visitor);
  const plain = await daily.takeAway("CSV");
  const [headings, ...found] = lines(plain);
  assert.equal(headings[0], "id");
  assert.deepEqual([...headings].sort(), [...everything].sort());
  const expected = rows.map((row) => flat(row));
  assert.equal(found.length, COUNT);
  for (const [index, line] of found.entries()) {
    assert.deepEqual(line, headings.map((heading) => guarded(expected[index][heading] ?? "")), `row ${index}`);
  }
  await daily.box.getByLabel("For Excel").check();
  const download = page.waitForEvent("download");
  await startExport(daily.box, "CSV");
  const marked = await readFile(await (await download).path());
  assert.deepEqual([...marked.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  assert.equal(marked.subarray(3).toString("utf8"), plain);
  await done();
});

/** Days since 1899-12-30, to the second. */
const serial = (time) => Math.floor(Date.parse(time) / 1000) / 86_400 + 25_569;

/** Asserts that a cell of a workbook has a value. */
function holds(cell, heading, value, index) {
  const about = `${heading} of row ${index}: ${JSON.stringify(cell)} has ${JSON.stringify(value)}`;
  if (!value) assert.equal(cell, undefined, about);
  else if (heading === "created_at") {
    assert.ok(Math.abs(Number(cell.number) - serial(value)) < 1e-9, about);
    assert.match(cell.format, /^yyyy.*ss" UTC"$/, about);
  } else if (heading === "amount_usd" || (heading === "amount" && IS_NUMBER[AMOUNTS.indexOf(value)])) {
    const places = value.split(".")[1]?.length ?? 0;
    assert.deepEqual(cell, { number: value, format: places ? `0.${"0".repeat(places)}` : "0" }, about);
  } else assert.deepEqual(cell, { text: value, format: "49" }, about);
}

test("XLSX has every cell of 250 rows: exact amounts as numbers, times as dates, all else as text", async () => {
  const { page, daily, done } = await listed(visitor);
  for (const columns of ["Everything", "Accounting"]) {
    const path = await daily.exported("XLSX", columns);
    execFileSync("python3", ["-m", "zipfile", "-t", path]);
    const { headings, rows: found } = await cells(page, await readFile(path));
    if (columns === "Everything") assert.deepEqual([...headings].sort(), [...everything].sort());
    else assert.deepEqual(headings.filter((heading) => /amount|status|created/.test(heading)), ["created_at", "amount", "paid_amount", "refunded_amount", "amount_usd", "status"]);
    assert.equal(found.length, COUNT);
    for (const [index, row] of found.entries()) {
      const expected = flat(rows[index]);
      for (const heading of headings) holds(row[heading], heading, expected[heading], index);
    }
    await daily.box.getByRole("button", { name: "Close" }).click();
  }
  await done();
});

test("JSON has the rows as sent, or the chosen columns of each", async () => {
  const { daily, done } = await listed(visitor);
  assert.deepEqual(JSON.parse(await daily.takeAway("JSON")), rows);
  await daily.box.getByRole("button", { name: "Close" }).click();
  const found = JSON.parse(await readFile(await daily.exported("JSON", "Reconciliation"), "utf8"));
  assert.equal(found.length, COUNT);
  for (const [index, { id, amount, status, chain_id, created_at, reason }] of found.entries()) {
    assert.deepEqual({ id, amount, status, chain_id, created_at }, Object.fromEntries(["id", "amount", "status", "chain_id", "created_at"].map((name) => [name, rows[index][name]])));
    assert.equal(reason, null, "a column that no row has");
  }
  await done();
});

test("a text that is longer than a cell is cut, and the dialog says so", async () => {
  const { page, daily, done } = await visitor();
  const long = "é".repeat(40_000);
  await page.route(PAGES, (route) => route.fulfill({ json: { data: { items: [{ id: "pay_1", reference: long }], total: 1, next: null } } }));
  await daily.go("/payments");
  const { rows: [row] } = await cells(page, await readFile(await daily.exported("XLSX")));
  assert.equal(row.reference.text, long.slice(0, 32_767));
  await daily.box.getByText("1 text exceeds the limit of a cell").waitFor();
  await daily.box.getByRole("button", { name: "Close" }).click();
  const [, [, reference]] = lines(await daily.takeAway("CSV"));
  assert.equal(reference, long);
  assert.equal(await daily.box.getByText("limit of a cell").count(), 0);
  await done();
});

test("an export that is stopped or fails in the middle saves no file", async () => {
  let hold;
  const held = new Promise((resolve) => (hold = resolve));
  let fails = false;
  const { page, daily, done } = await listed((options) => visitor({ ...options, expected: ["500", "/v1/payments"] }), async (number, route) => {
    if (number === 2 && hold) {
      hold(route);
      return true;
    }
    if (number !== 3 || !fails) return false;
    await route.fulfill({ status: 500, json: { error: { code: 500, message: "the service failed", errors: [] } } });
    return true;
  });
  const saved = [];
  page.on("download", (download) => saved.push(download.suggestedFilename()));
  await page.getByRole("button", { name: "Export" }).click();
  await startExport(daily.box, "XLSX");
  const route = await held;
  await daily.box.getByText("100 of 250").waitFor();
  await daily.box.getByRole("button", { name: "Stop" }).click();
  await daily.box.getByRole("button", { name: "Download" }).waitFor();
  await route.abort().catch(() => {});
  hold = undefined;
  fails = true;
  await startExport(daily.box, "XLSX");
  await daily.box.getByText("The service failed.").waitFor();
  assert.equal(await daily.box.getByText("exported").count(), 0);
  fails = false;
  const download = page.waitForEvent("download");
  await daily.box.getByRole("button", { name: "Try again" }).click();
  const path = await (await download).path();
  assert.equal((await cells(page, await readFile(path))).rows.length, COUNT);
  assert.deepEqual(saved, ["payments.xlsx"]);
  await done();
});

test("an answer with fewer rows than its total is not saved as the whole list", async () => {
  const { page, daily, done } = await visitor();
  await page.route(PAGES, (route) => route.fulfill({ json: { data: { items: rows.slice(0, 99), total: 100, next: null } } }));
  await daily.go("/payments");
  await page.getByRole("button", { name: "Export" }).click();
  await startExport(daily.box, "CSV");
  await daily.box.getByText("The list kept changing").waitFor();
  assert.equal(await daily.box.getByText("exported").count(), 0);
  await done();
});

test("the dialog names the filters and the number of rows, and remembers format and columns of each list", async () => {
  const { page, daily, box, done } = await visitor();
  await daily.go("/payments?status=Confirmed&currency=USDC");
  await daily.rows.first().waitFor();
  const open = () => page.getByRole("button", { name: "Export" }).click();
  await open();
  let said;
  // Payments arrive in between.
  await merchant.until("the dialog has as many rows as the list", async () => {
    const total = (await daily.total.innerText()).match(/of ([\d,]+)/)[1];
    said = await box.locator("p").first().innerText();
    return said.startsWith(`${total} row`);
  }, { saw: () => said });
  for (const filter of ["Status: Confirmed", "Currency: USDC"]) assert.ok(said.includes(filter), said);
  await box.getByRole("button", { name: "JSON" }).click();
  await box.getByLabel("Columns").selectOption("Custom selection");
  const columns = box.getByRole("list", { name: "Custom selection" }).getByRole("checkbox");
  await columns.first().waitFor();
  await inspect(page, "export_columns");
  for (const column of await columns.all()) await column.uncheck();
  // A file has a column.
  await box.getByRole("button", { name: "Download", disabled: true }).waitFor();
  await box.getByLabel("status", { exact: true }).check();
  await box.getByLabel("customer.*", { exact: true }).check();
  await daily.go("/payments?status=Confirmed");
  await open();
  assert.equal(await box.getByRole("button", { name: "JSON" }).getAttribute("aria-pressed"), "true");
  const download = page.waitForEvent("download");
  await box.getByRole("button", { name: "Download" }).click();
  const found = JSON.parse(await readFile(await (await download).path(), "utf8"));
  assert.ok(found.length > 0 && found.every((row) => row.status === "Confirmed"));
  const names = Object.keys(found[0]);
  assert.ok(names.every((name) => name === "status" || name.startsWith("customer.")), `${names}`);
  await daily.go("/movements");
  await open();
  assert.equal(await box.getByRole("button", { name: "CSV" }).getAttribute("aria-pressed"), "true");
  await box.getByText("No filters are set.").waitFor();
  await done();
});

test("the dialog says what very many rows mean, and that a sheet has no room for a million", async () => {
  const { page, daily, box, done } = await visitor();
  await page.route("**/v1/payments?*", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.data.total = 2 ** 20;
    await route.fulfill({ json: answer });
  });
  await daily.go("/payments");
  await page.getByRole("button", { name: "Export" }).click();
  await box.getByText("1,048,576 rows.").waitFor();
  await box.getByText("keep this tab open").waitFor();
  const start = box.getByRole("button", { name: "Download" });
  assert.ok(await start.isEnabled());
  await box.getByRole("button", { name: "XLSX", exact: true }).click();
  await box.getByText("A sheet has at most 1,048,575 rows").waitFor();
  assert.ok(await start.isDisabled());
  await done();
});

/** An amount in units of 28 decimal places. */
function units(amount) {
  const [whole, fraction = ""] = amount.replace("-", "").split(".");
  return BigInt(whole + fraction.padEnd(28, "0")) * (amount.startsWith("-") ? -1n : 1n);
}

test("accounting of movements has what the API says, and what each changes the balance by", async () => {
  const { daily, done } = await visitor({ timezoneId: "UTC" });
  const list = "/accounts/treasury/movement?sort=asc&limit=100";
  // Days of the past, in which nothing changes any more.
  const { items } = await merchant.call("GET", list);
  const day = items.at(-1).created_at.slice(0, 10);
  const movements = [];
  for (let next = 1; next; ) {
    const page = await merchant.call("GET", `${list}&until=${day}T23:59:59.999999Z&page=${next}`);
    movements.push(...page.items);
    next = page.next;
  }
  assert.ok(movements.length >= items.length);
  await daily.go(`/movements?account=treasury&sort=asc&until=${day}`);
  await daily.rows.first().waitFor();
  const [headings, ...found] = lines(await readFile(await daily.exported("CSV", "Accounting"), "utf8"));
  assert.equal(found.length, movements.length);
  const booked = ["Confirmed", "Refunded", "PartialRefunded"];
  for (const [index, line] of found.entries()) {
    const movement = movements[index];
    const { net, ...row } = Object.fromEntries(headings.map((heading, place) => [heading, line[place]]));
    const expected = flat(movement);
    assert.deepEqual(row, Object.fromEntries(Object.keys(row).map((name) => [name, guarded(expected[name] ?? "")])));
    if (!booked.includes(movement.status)) {
      assert.equal(net, "");
      continue;
    }
    const fee = movement.fee_currency === movement.currency ? units(movement.fee ?? "0") : 0n;
    assert.equal(units(net), movement.direction === "IN" ? units(movement.amount) - fee : -units(movement.amount) - fee, movement.id);
  }
  await done();
});

/** The list operation of each file. */
const OPERATIONS = {
  movements: "listAllMovements",
  payments: "listPayments",
  payouts: "listPayouts",
  invoices: "listInvoices",
  orders: "listOrders",
  accounts: "listAccounts",
  "pay-in-addresses": "listPayInAddresses",
  "external-accounts": "listExternalAccounts",
  paylinks: "listPaylinks",
  plans: "listPlans",
  subscriptions: "listSubscriptions",
  customers: "listCustomers",
  quotes: "listQuotes",
  events: "listEvents",
  inbox: "listInbox",
  "sub-merchants": "listSubMerchants",
};

test("every field of the contract can be chosen, and every column is one", async () => {
  const root = new URL("../../../", import.meta.url);
  const source = (await readFile(new URL("web/src/list/export_columns.rs", root), "utf8")).replace(/\\\n\s*/g, "");
  const contract = JSON.parse(await readFile(new URL("docs/openapi.json", root), "utf8"));
  const schema = (of) => (of.$ref ? schema(contract.components.schemas[of.$ref.split("/").at(-1)]) : of.anyOf ? schema(of.anyOf.find(({ type }) => type !== "null")) : of);
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  const payment = source.match(/const PAYMENT: &str =\s*"([^"]*)"/)[1];
  const offered = new Map([...source.matchAll(/"([a-z-]+)" => (?:\{\s*)?"([^"]*)"/g)].map(([, list, all]) => [list, [all]]));
  for (const [, list, name] of source.matchAll(/"([a-z-]+)" => ([A-Z]+),/g)) {
    const text = source.match(new RegExp(`const ${name}: ExportColumns = ExportColumns \\{([^}]*)\\}`))[1];
    offered.set(list, [...text.matchAll(/: (PAYMENT|"[^"]*")/g)].map(([, columns]) => (columns === "PAYMENT" ? payment : columns.slice(1, -1))));
  }
  assert.deepEqual([...offered.keys()].sort(), Object.keys(OPERATIONS).sort());
  for (const [list, [all, ...presets]] of offered) {
    const operation = operations.find(({ operationId }) => operationId === OPERATIONS[list]);
    assert.ok(operation, `${list} has an operation`);
    const answer = schema(schema(operation.responses[200].content["application/json"].schema).properties.data);
    const record = schema(schema(answer.properties.items).items);
    const names = all.split(" ");
    const outer = new Set(names.map((name) => name.split(".")[0]).filter((name) => name !== "net"));
    assert.deepEqual([...outer].sort(), Object.keys(record.properties).sort(), list);
    for (const name of [...names, ...presets.flatMap((preset) => preset.split(" "))]) {
      if (name === "net") continue;
      const path = name.replace(/\.\*$/, "").split(".");
      // A free-form object has no fields in the contract.
      const found = path.reduce((of, field) => (of.properties ? schema(of.properties[field] ?? assert.fail(`${list} has no ${name}`)) : {}), record);
      if (name.endsWith(".*")) assert.ok(!["string", "array", "integer", "boolean"].includes(found.type), `${list}: ${name} is an object`);
    }
  }
});

// Where LibreOffice is missing, the stage says that it is not tested, and nothing counts as passed.
if (soffice) {
  test("LibreOffice opens an exported workbook and shows every cell", async () => {
    const { daily, done } = await listed(visitor);
    const path = await daily.exported("XLSX");
    const folder = await mkdtemp(join(tmpdir(), "settlekit-export-"));
    // Commas, quotes, UTF-8, from the first line, and cells as shown.
    const csv = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false";
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile"))}`;
    execFileSync(soffice, [profile, "--headless", "--norestore", "--infilter=Calc MS Excel 2007 XML", "--convert-to", csv, "--outdir", folder, path], { timeout: 120_000 });
    const text = await readFile(join(folder, `${basename(path).replace(/\.[^.]*$/, "")}.csv`), "utf8");
    const [headings, ...found] = lines(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"));
    assert.equal(found.length, COUNT);
    for (const [index, line] of found.entries()) {
      const expected = flat(rows[index]);
      // Line ends and control characters are the converter's own.
      const visible = (text) => text.replace(/[\u0000-\u001f]+/g, "").replace(/_x[0-9A-F]{4}_/g, "");
      const shown = (heading) => {
        const value = expected[heading] ?? "";
        return heading === "created_at" ? `${value.slice(0, 10)} ${value.slice(11, 19)} UTC` : value;
      };
      assert.deepEqual(line.map(visible), headings.map((heading) => visible(shown(heading))), `row ${index}`);
    }
    await rm(folder, { recursive: true });
    await done();
  });
}

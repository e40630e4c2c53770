import assert from "node:assert/strict";
import { test } from "node:test";

import { SettlekitError } from "settlekit";

import { readArguments } from "../dist/commands/arguments.js";
import { OPERATIONS } from "../dist/commands/catalogue.js";
import { parseExact, withTexts, writeExact } from "../dist/commands/exact-json.js";
import { linesOf, nearest, UsageError } from "../dist/commands/failure.js";
import { cell, columnsOf, record, table } from "../dist/commands/output.js";
import { printableJson } from "../dist/commands/printable.js";

const operation = (id) => OPERATIONS.find((operation) => operation.id === id);
const read = async (id, args, stdin = "") => (await readArguments(operation(id), args, async () => stdin)).given;
const misuse = (id, args, message) => assert.rejects(read(id, args), (error) => error instanceof UsageError && message.test(error.message));

test("fields are converted by their schema, and decimals stay text", async () => {
  const given = await read("CreatePaylink", ["--name", "Coffee", "--amount", "012.50", "--currency", "USDC", "--available_quantity", "5", "--account_ids", "7", "--account_ids=8"]);
  assert.deepEqual(given, { name: "Coffee", amount: "012.50", currency: "USDC", available_quantity: 5, account_ids: [7, 8] });
  const automation = await read("ConvertBalance", ["till", "--currency", "USDC", "--to_currency", "ETH", "--threshold_amount", "0.10", "--max_cost_bps", "50"]);
  assert.deepEqual(automation, { account: "till", currency: "USDC", to_currency: "ETH", threshold_amount: "0.10", max_cost_bps: 50 });
});

test("an account is named by its number or its reference", async () => {
  assert.deepEqual(await read("GetAccount", ["12"]), { account: 12 });
  assert.deepEqual(await read("GetAccount", ["012"]), { account: "012" });
  assert.deepEqual(await read("GetAccount", ["till"]), { account: "till" });
});

test("dots name fields of fields, items of lists and keys of free objects", async () => {
  const given = await read("UpdatePaylinks", ["--items.0.id", "pl_1", "--items.0.enabled", "false", "--items.1.id=pl_2", "--items.1.plan.name", "New"]);
  assert.deepEqual(given, { items: [{ id: "pl_1", enabled: false }, { id: "pl_2", plan: { name: "New" } }] });
  const free = await read("CreatePaylink", ["--metadata.order", "0017", "--metadata.tax_ident_collection", "true", "--metadata.tags", "[1,2]", "--metadata.order-id", "x"]);
  assert.deepEqual(free, { metadata: { order: "0017", tax_ident_collection: true, tags: [1, 2], "order-id": "x" } });
  const style = await read("UpdateOrganisation", ["--checkout_style", '{"accent":"#ff0000"}', "--checkout_style.appearance", "Dark"]);
  assert.deepEqual(style, { checkout_style: { accent: "#ff0000", appearance: "Dark" } });
});

test("objects of a list are JSON, one for each option or all in one", async () => {
  const one = '{"chain_id":137,"currencies":["USDC"]}';
  const chains = [{ chain_id: 137, currencies: ["USDC"] }];
  assert.deepEqual(await read("CreateVirtualAccount", ["--reference", "till", "--chains", one]), { reference: "till", chains });
  assert.deepEqual(await read("CreateVirtualAccount", ["--reference", "till", "--chains", one, "--chains", one]), { reference: "till", chains: [...chains, ...chains] });
  assert.deepEqual(await read("CreateVirtualAccount", ["--reference", "till", "--chains", `[${one}]`]), { reference: "till", chains });
});

test("the body is given as JSON, from an option or standard input, and options replace its fields", async () => {
  const body = '{"name":"Coffee","amount":"1","threshold":0.1000000000000000000001}';
  const expected = { name: "Tea", amount: "1", threshold: "0.1000000000000000000001" };
  assert.deepEqual(await read("CreatePaylink", ["--json", body, "--name", "Tea"]), expected);
  assert.deepEqual(await read("CreatePaylink", ["--name", "Tea", "--json", "-"], body), expected);
  await misuse("CreatePaylink", ["--json", "[1]"], /--json: must be a JSON object/);
  await misuse("CreatePaylink", ["--json", "{"], /--json: not JSON at character 2/);
});

test("hyphens may stand for underscores, and a flag may have its value", async () => {
  assert.deepEqual(await read("RequestQuote", ["--sell-currency", "USDC", "--estimate", "--buy-currency=POL"]), { sell_currency: ["USDC"], estimate: true, buy_currency: "POL" });
  assert.deepEqual(await read("RequestQuote", ["--estimate", "false"]), { estimate: false });
});

test("a value may begin with a hyphen", async () => {
  assert.deepEqual(await read("CreatePayout", ["--amount", "-5", "--reference=--x"]), { amount: "-5", reference: "--x" });
});

test("wrong usage is named, with the nearest option", async () => {
  await misuse("CreatePaylink", ["--curency", "USDC"], /^--curency is not an option of this command; did you mean --currency\?$/);
  await misuse("CreatePaylink", ["--zzzzzzzz", "1"], /^--zzzzzzzz is not an option of this command$/);
  await misuse("CreatePaylink", ["--name"], /^--name needs a value/);
  await misuse("CreatePaylink", ["--name", "--amount", "1"], /^--name needs a value/);
  await misuse("CreatePaylink", ["--name", "a", "--name", "b"], /^--name is given twice$/);
  await misuse("GetPaylink", [], /^<paylink_id> is missing$/);
  await misuse("GetPaylink", ["a", "b"], /^"b" is too much/);
  await misuse("ListPaylinks", ["--all=1"], /^--all takes no value$/);
});

test("a field named __proto__ is a field", async () => {
  const given = await read("CreatePaylink", ["--json", '{"__proto__":{"polluted":true}}', "--metadata.__proto__", "x"]);
  assert.ok(Object.hasOwn(given.metadata, "__proto__"));
  assert.equal({}.polluted, undefined);
});

test("exact JSON keeps digits and the order of fields", () => {
  const text = '{"b":0.10,"a":[1,1e5,-0,12345678901234567890,"\\u00e9\\n"],"c":{"__proto__":null},"d":true}';
  const parsed = parseExact(text);
  assert.equal(writeExact(parsed), '{"b":0.10,"a":[1,1e5,-0,12345678901234567890,"é\\n"],"c":{"__proto__":null},"d":true}');
  assert.deepEqual(withTexts(parseExact('{"a":[0.10,7]}')), { a: ["0.10", 7] });
  for (const wrong of ["", "{", '{"a"}', "[1,]", "01", "1 2", '"\n"', "tru", "[1 2]"]) assert.throws(() => parseExact(wrong), SyntaxError, wrong);
});

test("the nearest word is suggested only if it is near", () => {
  assert.equal(nearest("crate", ["create", "get"]), "create");
  assert.equal(nearest("payment.setled", ["payment.settled", "invoice.settled"]), "payment.settled");
  assert.equal(nearest("zzz", ["create", "get"]), undefined);
});

test("tables are aligned, with amounts at the right and control characters shown", () => {
  const rows = [{ id: "pl_1", amount: "5.00", name: "a\u001b[31m\u202ered" }, { id: "pl_22", amount: "12.50", plan: { name: "Pro" } }];
  assert.deepEqual(table(rows, ["id", "amount", "name", "plan.name"]), [
    "id     amount  name                  plan.name",
    "pl_1     5.00  a\\u001b[31m\\u202ered",
    "pl_22   12.50                        Pro",
  ]);
  assert.deepEqual(columnsOf("id,plan.name", [], rows), ["id", "plan.name"]);
  assert.throws(() => columnsOf("amont", [], rows), /--columns: the record has no field amont; did you mean amount\?/);
  assert.equal(cell(["read", "write"]), "read write");
  assert.deepEqual(record({ id: "x", plan: { name: "Pro", tags: [1, 2] }, none: null }), ["id         x", "plan.name  Pro", "plan.tags  1 2"]);
});

test("keys, errors and JSON have no characters that a terminal obeys", () => {
  const [hostile, shown] = ["a\u009b31m\u202e", "a\\u009b31m\\u202e"];
  assert.deepEqual(record({ metadata: { [hostile]: "x" } }), [`metadata.${shown}  x`]);
  const error = new SettlekitError("validation", hostile, { errors: [{ domain: "request", reason: "EMPTY", field: "name", message: hostile }] });
  assert.deepEqual(linesOf(error), [`name: ${shown} (EMPTY)`]);
  assert.deepEqual(linesOf(new SettlekitError("api", hostile)), [shown]);
  const json = printableJson({ name: hostile, note: "\u001b" });
  assert.equal(json, `{\n  "name": "${shown}",\n  "note": "\\u001b"\n}`);
  assert.deepEqual(JSON.parse(json), { name: hostile, note: "\u001b" });
  assert.equal(printableJson(undefined), "null");
});

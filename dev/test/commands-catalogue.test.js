// The catalogue is printed from `docs/openapi.json` and the method names of the npm package: `UPDATE=1 node --test` prints it again.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { Settlekit } from "settlekit";

import { CATALOGUE, print } from "../catalogue.mjs";
import { optionsOf } from "../dist/commands/arguments.js";
import { fieldsOf, kebab, OPERATIONS, ROOMS } from "../dist/commands/catalogue.js";
import { COMMANDS } from "../dist/commands/index.js";
import { run } from "./commands-support.js";

test("the catalogue is current", () => {
  const printed = print();
  if (process.env.UPDATE !== undefined) writeFileSync(CATALOGUE, printed);
  // Not `equal`, which would print all of it.
  assert.ok(printed === readFileSync(CATALOGUE, "utf8"), "js/commands/catalogue.json is not current: node catalogue.mjs");
});

test("every operation is a method of the npm client and a subcommand with help", async () => {
  const client = new Settlekit({ baseUrl: "http://localhost" });
  for (const { room, method, id } of OPERATIONS) {
    assert.equal(typeof client[room]?.[method], "function", id);
    const { code, out } = await run([kebab(room), kebab(method), "--help"]);
    assert.equal(code, 0, id);
    assert.match(out, new RegExp(`^Usage: settlekit ${kebab(room)} ${kebab(method)} `, "m"), id);
  }
});

test("commands have names of their own and say what they do", async () => {
  const names = COMMANDS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, names.join(" "));
  for (const room of Object.keys(ROOMS)) assert.ok(names.includes(kebab(room)), room);
  for (const { name, summary, usage } of COMMANDS) {
    assert.notEqual(summary, "", name);
    assert.ok(usage.startsWith(`Usage: settlekit ${name}`), name);
    const { code, out } = await run([name, "--help"]);
    assert.equal(code, 0, name);
    assert.ok(out.includes(`Usage: settlekit ${name}`), name);
  }
});

test("options of an operation do not repeat, and fields have the names of the contract", () => {
  for (const operation of OPERATIONS) {
    const { fields, others } = optionsOf(operation);
    const names = [...fields, ...others].map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, `${operation.id}: ${names.join(" ")}`);
    for (const { name, place } of fieldsOf(operation)) {
      if (place !== "path") assert.ok(fields.some((option) => option.name === name), `${operation.id} ${name}`);
    }
  }
});

test("only operations for sessions have a field with the name of an option", () => {
  const clashes = OPERATIONS.filter(({ auth }) => auth !== "session").filter((operation) => {
    const names = optionsOf(operation).fields.map(({ name }) => name);
    return ["url", "api-key", "signing-secret", "profile", "json", "all", "output", "columns", "idempotency-key", "org-id", "help"].some((name) => names.includes(name));
  });
  assert.deepEqual(clashes.map(({ id }) => id), []);
});

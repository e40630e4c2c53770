// The committed bytecode is what the pinned compiler makes of the sources, and what the forge tests have run.

import assert from "node:assert/strict";
import { test } from "node:test";

import { check, compile, describeFactory, readJson, tested } from "./artifacts.mjs";

const TOKENS = ["StandardToken", "NoReturnToken", "FalseToken", "FeeToken", "ReentrantToken", "Stablecoin"];

const pretty = (value) => `${JSON.stringify(value, null, 2)}\n`;

test("the factory compiles to the committed bytes", () => {
  const factory = compile("src", "factory")("Factory");
  check("factory.json", pretty(describeFactory(factory)));
});

test("the test tokens compile to the committed bytes", () => {
  const compiled = compile("test/tokens", "tokens");
  const tokens = TOKENS.map((name) => [name, compiled(name).bytecode.object]);
  check("test/tokens/tokens.json", pretty(Object.fromEntries(tokens)));
});

test("the forge tests ran the committed bytes", () => {
  assert.equal(tested("Factory").bytecode.object, readJson("factory.json").creationCode);
  for (const [name, code] of Object.entries(readJson("test/tokens/tokens.json"))) {
    assert.equal(tested(name).bytecode.object, code, name);
  }
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { build } from "esbuild";
import { Settlekit } from "settlekit";
import { Decimal, SettlekitError } from "settlekit/decimal";

const vectors = JSON.parse(readFileSync(new URL("../../tests/vectors/decimal.json", import.meta.url), "utf8"));
const ROUNDINGS = ["up", "down", "ceiling", "floor", "half-up", "half-down", "half-even"];

test("sums, differences, products and comparisons equal Python's decimal", () => {
  assert.ok(vectors.operations.length >= 300);
  for (const { left, right, plus, minus, times, compare } of vectors.operations) {
    const [a, b] = [Decimal.from(left), Decimal.from(right)];
    const results = [a.plus(b), a.minus(right), a.times(b)].map(String);
    assert.deepEqual([...results, a.compare(b)], [plus, minus, times, compare], `${left} and ${right}`);
    assert.deepEqual([a.equals(b), a.lessThan(b), a.greaterThan(b)], [compare === 0, compare < 0, compare > 0]);
  }
});

test("every rounding mode equals Python's", () => {
  for (const { value, places, ...expected } of vectors.roundings) {
    for (const rounding of ROUNDINGS) assert.equal(String(Decimal.from(value).round(places, rounding)), expected[rounding], `${value} to ${places}, ${rounding}`);
  }
  for (const { left, right, places, ...expected } of vectors.quotients) {
    for (const rounding of ROUNDINGS) {
      assert.equal(String(Decimal.from(left).dividedBy(right, places, rounding)), expected[rounding], `${left} by ${right} to ${places}, ${rounding}`);
    }
  }
});

test("base units survive a round trip, by decimal places or by asset", () => {
  for (const { units, scale, value } of vectors.base_units) {
    assert.equal(String(Decimal.fromBaseUnits(BigInt(units), scale)), value);
    assert.equal(Decimal.from(value).toBaseUnits(scale), BigInt(units));
    assert.equal(Decimal.from(value).toBaseUnits({ symbol: "USDC", scale }), BigInt(units));
  }
});

/** Asserts that a call throws for this reason. */
function check(reason, act) {
  assert.throws(act, (error) => error instanceof SettlekitError && error.kind === "validation" && error.reason === reason, `${reason}: ${act}`);
}

test("only decimal strings are accepted, not numbers", () => {
  for (const text of ["", " 1", "1 ", "+1", ".5", "5.", "1e5", "1_000", "1,5", "--1", "-", "NaN", "Infinity", "0x10", "١", "1\n", "1.2.3"]) {
    check("AMOUNT_MALFORMED", () => Decimal.from(text));
  }
  for (const value of [0.1, 1, NaN, null, undefined, true, {}, []]) check("WRONG_TYPE", () => Decimal.from(value));
  check("AMOUNT_TOO_PRECISE", () => Decimal.from(`0.${"1".repeat(256)}`));
  check("WRONG_TYPE", () => Decimal.from("1").plus(0.1));
  check("WRONG_TYPE", () => Decimal.fromBaseUnits(5, 2));
  for (const scale of [-1, 1.5, 256, NaN, "2", null, undefined]) check("OUT_OF_RANGE", () => Decimal.from("1").round(scale, "up"));
});

test("rounding needs an explicit mode", () => {
  check("AMOUNT_TOO_MANY_DECIMALS", () => Decimal.from("1.005").toBaseUnits(2));
  assert.equal(Decimal.from("1.005").toBaseUnits(2, "half-even"), 100n);
  assert.equal(Decimal.from("1.500").toBaseUnits(1), 15n);
  check("NOT_SUPPORTED", () => Decimal.from("1.005").round(2));
  check("NOT_SUPPORTED", () => Decimal.from("1").round(2, "bankers"));
  check("NOT_SUPPORTED", () => Decimal.from("1").dividedBy("3", 2, "toString"));
  check("OUT_OF_RANGE", () => Decimal.from("1").dividedBy("0.00", 2, "up"));
});

test("operators that convert to numbers throw, and strings work", () => {
  const [a, b] = [Decimal.from("2"), Decimal.from("10")];
  for (const act of [() => a < b, () => a + b, () => a * 1, () => +a, () => Number(a)]) assert.throws(act, TypeError);
  assert.equal(`${a}`, "2");
  assert.equal(JSON.stringify({ amount: Decimal.from("1.50") }), '{"amount":"1.50"}');
});

test("zero has no sign, trailing zeros stay until removed, sums and signs are exact", () => {
  assert.equal(String(Decimal.from("-0.00")), "0.00");
  assert.equal(String(Decimal.from("-0.01").round(1, "half-up")), "0.0");
  assert.equal(String(Decimal.from("007.10")), "7.10");
  assert.equal(String(Decimal.from("100.00").normalized()), "100");
  assert.equal(String(Decimal.from("0.1").plus("0.2")), "0.3");
  assert.equal(String(Decimal.sum(["0.1", "0.2", 3n])), "3.3");
  assert.equal(String(Decimal.sum([])), "0");
  assert.deepEqual(["-2", "0.0", "2"].map((text) => Decimal.from(text).sign), [-1, 0, 1]);
  assert.equal(String(Decimal.from("-2.5").absolute()), "2.5");
  assert.equal(String(Decimal.from("2.5").negated()), "-2.5");
});

test("a decimal can be passed as an amount", async () => {
  let sent;
  const fetch = async (_, { body }) => ((sent = body), Response.json({ error: { code: 409, message: "no", errors: [] } }, { status: 409 }));
  const client = new Settlekit({ baseUrl: "https://pay.example", apiKey: "sk_test", fetch });
  await assert.rejects(client.paylinks.create({ amount: Decimal.from("2.50").times("3"), currency: "USDC", name: "Tea" }), { kind: "conflict" });
  assert.equal(JSON.parse(sent).amount, "7.50");
});

test("the entry is small and has no wasm", async () => {
  const contents = 'export * from "settlekit/decimal";';
  const { outputFiles } = await build({ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, minify: true, write: false, format: "esm" });
  assert.ok(outputFiles[0].contents.length < 6000, String(outputFiles[0].contents.length));
  assert.ok(!outputFiles[0].text.includes("WebAssembly"));
});

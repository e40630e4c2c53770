import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;
const examples = [...readFileSync(join(here, "README.md"), "utf8").matchAll(/^```js(?: [^\n]*)?\n(.*?)^```$/gms)].map(([, text]) => text);
/** Expected output per example, by a word that only it contains, and the example that it continues. */
const PRINTS = [
  ["listMovements", /^https:\/\/|^http:\/\//],
  ['amount: "-1"', /^amount NOT_POSITIVE .*\nname EMPTY /],
  ["createHmac", /^0$/],
  ["bodySchema", /^Tea$/],
  ["app.post", /^payment\.updated pay_1\nstatus 204$/],
  ["new WebhookSigner", /^$/],
  ["Decimal.sum", /^$/],
  ["webhooks: (request)", /^Confirmed\n\[[^\]]*'payment\.settled'[^\]]*\]\n\[\]$/],
  ["days: 1 }", /^Failed Underpaid\n2026-01-02T00:00:00\.000Z$/],
  ["reorganise", /\n1\n2\ntimeout\npermission SUSPENDED$/, "days: 1 }"],
  ["@x402/fetch", /^200 0\.01$/],
  ["settlekit/embed", /^$/],
  ["partner.orgId", /Z\n1\n1$/, "days: 1 }"],
  ["settlekit/slim", /^Tea House$/],
];

test("every example of the README is tested", () => {
  assert.equal(examples.length, PRINTS.length);
});

const example = (word) => examples.find((text) => text.includes(word)) ?? assert.fail(`no example has ${word}`);

for (const [index, [word, expected, before]] of PRINTS.entries()) {
  test(`the README's example with ${word} runs`, () => {
    const text = (before === undefined ? "" : example(before)) + example(word);
    const file = join(here, `example-${index}.mjs`);
    writeFileSync(file, text.includes("app.post") ? `${text}\nawait exercise(app);\n` : text);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", join(here, "setup.mjs"), file], { cwd: here, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.match(stdout.trim(), expected);
  });
}

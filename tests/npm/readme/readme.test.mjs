import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;
const examples = [...readFileSync(join(here, "README.md"), "utf8").matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text);
/** What an example must print, by a word that only it has. */
const PRINTS = [
  ["listMovements", /^https:\/\/|^http:\/\//],
  ['amount: "-1"', /^amount NOT_POSITIVE .*\nname EMPTY /],
  ["app.post", /^payment\.updated \{\}\nstatus 204$/],
  ["new WebhookSigner", /^$/],
  ["Decimal.sum", /^$/],
  ["Sandbox.start", /^Confirmed\n\[[^\]]*'payment\.settled'[^\]]*\]\n\[\]$/],
];

test("every example of the README is known here", () => {
  assert.equal(examples.length, PRINTS.length);
});

for (const [index, [word, expected]] of PRINTS.entries()) {
  test(`the README's example with ${word} runs`, () => {
    const text = examples.find((text) => text.includes(word));
    assert.ok(text, "it is there");
    const file = join(here, `example-${index}.mjs`);
    writeFileSync(file, text.includes("app.post") ? `${text}\nawait exercise(app);\n` : text);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", join(here, "setup.mjs"), file], { cwd: here, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.match(stdout.trim(), expected);
  });
}

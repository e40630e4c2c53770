// How pages are made: sections, links, code blocks and diagrams.

import assert from "node:assert/strict";
import { test } from "node:test";

import { examples, fences, optionsOf } from "../build/fences.mjs";
import { linked } from "../build/links.mjs";
import { pages } from "../build/pages.mjs";
import { rebased, section, slugify } from "../build/sections.mjs";
import { diagram } from "../diagram/diagram.mjs";
import { assemble } from "../runner/assemble.js";

test("a code block's first line has a language and options", () => {
  assert.deepEqual(optionsOf('js run title="sign it" after=node'), { language: "js", options: { run: true, title: "sign it", after: "node" } });
  assert.deepEqual(fences("text\n````md\n```js run\nx\n```\n````\n").map(({ language }) => language), ["md"]);
});

test("a section ends before the next heading of its level, not at a line of code", () => {
  const text = "# A\nintro\n## B c\none\n```sh\n## no heading\n```\n### D\ntwo\n## E\nthree\n";
  assert.equal(section(text, "b-c"), "one\n```sh\n## no heading\n```\n### D\ntwo");
  assert.equal(section(text, "a", { isShort: true }), "intro");
  assert.throws(() => section(text, "z"), /no section #z/);
  assert.equal(slugify("1. Make a `nonce`, as [here](x.md)"), "1-make-a-nonce-as-here");
});

test("links of a moved section lead to the same places", () => {
  assert.equal(rebased("[a](../../pkg/TUTORIAL.md#x) [b](https://e.com) [c](dashboard:/inbox)", "docs/guides/testing.md", "pkg/README.md"), "[a](TUTORIAL.md#x) [b](https://e.com) c");
  assert.equal(rebased("[a](#own)", "docs/guides/a.md", "README.md"), "[a](docs/guides/a.md#own)");
});

test("links to pages become addresses, and links to files of the project their text", () => {
  const text = linked("[a](../states.md#payment) [b](../../xtask/src/main.rs) [c](dashboard:/inbox) `[d](e.md)`", "docs/guides/webhooks.md");
  assert.equal(text, '[a](/concepts/states#payment) b [c](/demo/inbox){target="_self"} `[d](e.md)`');
  assert.equal(linked("`p` and `` `q` `` [`e`](../states.md) `f`", "docs/guides/webhooks.md"), "`p` and `` `q` `` [`e`](/concepts/states) `f`");
});

test("an example continues another, and parts of a file are joined", () => {
  const chain = examples("```js run id=a\none\n```\n```js run id=b after=a\ntwo\n```\n```js run after=b\nthree\n```\n");
  assert.equal(assemble(chain, 2).files["example.js"], "one\n\ntwo\n\nthree\n");
  assert.throws(() => assemble([{ code: "", after: "missing" }], 0), /is called missing/);
  const parts = ["// shop.js\nexport {}\n", "// shop.test.js\nimport x\n", "// shop.test.js\ntest(1)\n", "// shop.test.js\ntest(2)\n"].map((code) => ({ code }));
  assert.deepEqual(assemble(parts, 3).files, { "shop.js": "// shop.js\nexport {}\n", "shop.test.js": "// shop.test.js\nimport x\n// shop.test.js\ntest(2)\n" });
});

test("every diagram of the pages is drawn", async () => {
  const { pages: texts } = await pages();
  const drawn = [...texts.values()].flatMap((text) => fences(text).filter(({ language }) => language === "mermaid")).map(({ code }) => diagram(code));
  assert.ok(drawn.length > 10);
  for (const svg of drawn) assert.doesNotMatch(svg, /NaN|undefined|style=/);
});

test("a diagram that cannot be drawn whole is refused", () => {
  assert.throws(() => diagram("pie\nx: 1"), /of kind pie cannot be drawn/);
  assert.throws(() => diagram("sequenceDiagram\nA->>B: x\nactivate A"), /this line of a diagram/);
  assert.throws(() => diagram("graph TD\na ==> b"), /this line of a diagram/);
});

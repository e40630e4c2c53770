// Every JavaScript example of the site runs, in Node against the built package. `tests/browser/specs/site.spec.mjs` presses the buttons.

import assert from "node:assert/strict";
import { test } from "node:test";

import { examples, fences } from "../build/fences.mjs";
import { pages } from "../build/pages.mjs";
import { assemble } from "../runner/assemble.js";
import { host } from "../runner/node.mjs";

const { pages: texts, rooms } = await pages();
const run = host();

/** What examples print, by page and place. */
const PRINTS = {
  "guides/quickstart.md 0": /\nConfirmed 12\.5 USDC$/,
  "guides/payment-links.md 1": /^12\.5 Confirmed\s*\n12 Failed Underpaid\n13 Confirmed Overpaid$/,
  "guides/refunds.md 0": /^Confirmed 2\.5\nPartialRefunded 2\.5$/,
  "guides/signing.md 1": /^9e7de7aebebb2867ed6f7b543f0c36a57b37f7e373b044c4ad415fc40fa33d12$/,
  "guides/subscriptions.md 1": /\nweek 4 Expired Failed GivenUp$/,
  "guides/webhooks.md 0": /^payment\.settled pay_/m,
  "guides/x402-facilitator.md 1": /^200 \{ tea: true \}$/,
  "concepts/ledger.md 0": /\[\]$/,
};

for (const [page, text] of texts) {
  const all = examples(text);
  if (all.length === 0) continue;
  test(`the ${all.length} examples of ${page} run`, async () => {
    for (const at of all.keys()) {
      const { failure, output } = await run(assemble(all, at));
      assert.equal(failure, undefined, `example ${at}: ${failure}\n${all[at].code}\n${output}`);
      const expected = PRINTS[`${page} ${at}`];
      if (expected) assert.match(output.trim(), expected, `example ${at}`);
    }
  });
}

test("every JavaScript example has a Run button", () => {
  const languages = ["js", "javascript", "mjs"];
  const still = [...texts].flatMap(([page, text]) => fences(text).filter(({ language, options }) => languages.includes(language) && !options.run).map(({ code }) => `${page}: ${code.slice(0, 60)}`));
  assert.deepEqual(still, []);
});

test("every expected output is of an example", () => {
  for (const key of Object.keys(PRINTS)) {
    const [page, at] = key.split(" ");
    assert.ok(examples(texts.get(page))[at], key);
  }
});

test("every operation has an example in each language", () => {
  const operations = rooms.flatMap((room) => room.operations);
  assert.ok(operations.length > 100);
  for (const { id, room } of operations) {
    const [, part] = texts.get(`reference/${room.replaceAll("_", "-")}.md`).split(`{#${id[0].toLowerCase()}${id.slice(1)}}`);
    const samples = part.slice(0, part.indexOf("</CodeSamples>"));
    for (const language of ["curl", "javascript", "rust", "python"]) assert.match(samples, new RegExp(`<template #${language}>`), `${id} in ${language}`);
  }
});

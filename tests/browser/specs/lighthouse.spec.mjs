// Lighthouse audits of the first pages that do not depend on the machine's speed.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { SIGHTS, judge, lost } from "../lighthouse.mjs";
import * as merchant from "../merchant.mjs";

/** Audited on a phone. */
const PAYER_BYTES_MAX = 120_000;

before(() => merchant.account());

for (const sight of Object.keys(SIGHTS)) {
  test(`Lighthouse finds nothing to say against the ${sight}`, async () => {
    const lhr = await judge(sight, ["accessibility", "best-practices"]);
    assert.deepEqual([...lost(lhr, "accessibility"), ...lost(lhr, "best-practices")], []);
  });
}

test("the payer's page is at most 120 KB in total", async () => {
  const lhr = await judge("payer's page", ["performance"]);
  const bytes = lhr.audits["total-byte-weight"].numericValue;
  assert.ok(bytes > 0 && bytes <= PAYER_BYTES_MAX, `${bytes} bytes`);
});

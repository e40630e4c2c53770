import assert from "node:assert/strict";
import { test } from "node:test";

import { outdated } from "../build/parts.mjs";
import { outdatedPages } from "../build/web.mjs";

test("the parts of the READMEs that are printed from the guides are current", () => {
  assert.deepEqual(outdated(), [], "run `cargo xtask print`");
});

test("the server's guides are printed from those of docs", () => {
  assert.deepEqual(outdatedPages(), [], "run `cargo xtask print`");
});

// The scripts run in real shells; a shell that is not installed is skipped.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { OPERATIONS } from "../dist/commands/catalogue.js";
import { COMMANDS } from "../dist/commands/index.js";
import { folder, run } from "./commands-support.js";

const isInstalled = (shell) => spawnSync(shell, ["--version"]).status === 0;

async function script(t, shell) {
  const { code, out } = await run(["completion", shell]);
  assert.equal(code, 0);
  const file = join(folder(t), `settlekit.${shell}`);
  writeFileSync(file, `${out}\n`);
  return file;
}

/** What each shell offers for the words of a command line; the last one is being written. */
const SHELLS = {
  bash(file, words) {
    const program = `source ${file}; COMP_WORDS=(settlekit "$@"); COMP_CWORD=$#; _settlekit; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["--norc", "-c", program, "bash", ...words], { encoding: "utf8" });
  },
  zsh(file, words) {
    // The completion system runs in a line editor only: its functions print here what they would show.
    const program = [
      "compdef() { : }",
      "_describe() { local name=$4; print -rl -- ${${(P)name}%%:*} }",
      "_files() { : }",
      `source ${file}`,
      'words=(settlekit "$@"); CURRENT=$#words; _settlekit',
    ].join("\n");
    return execFileSync("zsh", ["-f", "-c", program, "zsh", ...words], { encoding: "utf8" });
  },
  fish(file, words) {
    const line = ["settlekit", ...words].join(" ");
    const out = execFileSync("fish", ["--no-config", "-c", `source ${file}; complete -C ${JSON.stringify(line)}`], { encoding: "utf8" });
    return out.split("\n").map((line) => line.split("\t")[0]).join("\n");
  },
};

for (const [shell, complete] of Object.entries(SHELLS)) {
  test(`${shell} completes commands, operations, options and values`, { skip: !isInstalled(shell) && `${shell} is not installed` }, async (t) => {
    const file = await script(t, shell);
    const offered = (...words) => complete(file, words).split("\n").filter((word) => word.startsWith(words.at(-1))).filter((word) => word !== "");
    assert.deepEqual(offered("").sort(), ["serve", ...COMMANDS.map(({ name }) => name)].sort());
    assert.deepEqual(offered("pay").sort(), ["paylinks", "payments", "payouts"]);
    assert.deepEqual(offered("paylinks", "").sort(), ["create", "delete", "get", "list", "update"]);
    assert.ok(offered("events", "").includes("resend"));
    assert.deepEqual(offered("paylinks", "create", "--am"), ["--amount"]);
    assert.deepEqual(offered("paylinks", "create", "--name", "x", "--meta"), ["--metadata"]);
    assert.deepEqual(offered("payments", "list", "--output", "").sort(), ["json", "table"]);
    assert.ok(offered("payments", "list", "--status", "Con").includes("Confirmed"));
    assert.ok(offered("trigger", "payment.s").includes("payment.settled"));
    for (const before of [[], ["serve"], ["--demo"], ["serve", "--port", "0"]]) assert.deepEqual(offered(...before, "--forw"), ["--forward-to"]);
    assert.deepEqual(offered("--vers"), ["--version"]);
    assert.deepEqual(offered("listen", "--forw"), ["--forward-to"]);
    assert.deepEqual(offered("mcp", "--allow", "").sort(), ["payout", "read", "write"]);
  });
}

test("the scripts name every operation", async () => {
  for (const shell of Object.keys(SHELLS)) {
    const { out } = await run(["completion", shell]);
    for (const { room, method } of OPERATIONS) {
      const words = `${room} ${method}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      assert.ok(out.includes(words), `${shell}: ${words}`);
    }
  }
});

test("an unknown shell is named", async () => {
  const { code, err } = await run(["completion", "tcsh"]);
  assert.deepEqual([code, err], [1, "There is completion for bash, zsh and fish, not for tcsh."]);
  assert.equal((await run(["completion"])).code, 2);
});

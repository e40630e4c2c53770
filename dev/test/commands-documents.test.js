// The examples of `docs/command-line.md` and `docs/agents.md`: blocks marked `sh` run, and the options of all others exist.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { optionsOf } from "../dist/commands/arguments.js";
import { kebab, OPERATIONS } from "../dist/commands/catalogue.js";
import { COMMANDS } from "../dist/commands/index.js";
import { shapeOf } from "../dist/commands/shape.js";
import { service } from "./commands-support.js";

const PROGRAM = fileURLToPath(new URL("../bin/settlekit.js", import.meta.url));
const read = (name) => readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), "utf8");
const blocks = (text, language) => [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, block]) => block);

test("the examples marked sh run one after the other", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const script = `set -eu\nsettlekit() { ${JSON.stringify(process.execPath)} ${JSON.stringify(PROGRAM)} "$@"; }\n${blocks(read("command-line.md"), "sh").join("\n")}`;
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { env: { PATH: process.env.PATH, HOME: "/nonexistent", ...shop.env }, maxBuffer: 1 << 24 });
  assert.match(stdout, /"organisation": "Shop"/);
  assert.match(stdout, /^pl_\w+ +Beans +21\.00 +Open$/m);
  assert.match(stdout, /^payment\.settled evt_\w+$/m);
  assert.match(stdout, /^invoice\.overdue evt_\w+$/m);
});

test("every other example names commands and options that exist", () => {
  let checked = 0;
  for (const name of ["command-line.md", "agents.md"]) {
    for (const [, line] of read(name).matchAll(/(?:^\$ |`)settlekit ([a-z][^`\n]*)/gm)) {
      const [word, sub] = line.split(" ");
      const command = COMMANDS.find((command) => command.name === word);
      assert.ok(command, line);
      const shape = shapeOf(command);
      const own = shape.subcommands === undefined || sub === "--help" ? shape : shape.subcommands.get(sub);
      assert.ok(own, line);
      const operation = OPERATIONS.find(({ room, method }) => kebab(room) === word && kebab(method) === sub);
      const known = [...own.options, ...(operation === undefined ? [] : optionsOf(operation).fields)].map(({ name }) => `--${name}`);
      for (const [option] of line.matchAll(/--[a-z][\w-]*/g)) assert.ok(known.includes(option), `${option} in ${line}`);
      checked += 1;
    }
  }
  assert.ok(checked > 15, String(checked));
});

test("the refusal in the document is the real one", async (t) => {
  const shop = await service();
  t.after(shop.stop);
  const block = blocks(read("command-line.md"), "console").find((block) => block.includes("12.5x"));
  const [line, ...expected] = block.trimEnd().split("\n");
  const args = line.replace("$ settlekit ", "").split(" ");
  const { stderr, code } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...shop.env } }).then(() => assert.fail("it succeeded"), (error) => error);
  assert.deepEqual([code, stderr.trimEnd().split("\n")], [1, expected]);
});

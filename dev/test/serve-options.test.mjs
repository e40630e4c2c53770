import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { run } from "../dist/main.js";
import { readOptions } from "../dist/serve/options.js";

/** Runs the program in this process; returns its exit code and lines. */
async function ran(args) {
  const [out, err] = [[], []];
  const io = { out: (line) => out.push(line), err: (line) => err.push(line), env: {}, stdin: process.stdin, isTty: false, signal: AbortSignal.abort() };
  return { code: await run(args, io), out: out.join("\n"), err: err.join("\n") };
}

test("options have defaults", () => {
  const defaults = { data: ".settlekit", fresh: false, demo: false, seed: undefined, now: undefined, port: 8080, forwardTo: undefined, open: false };
  assert.deepEqual(readOptions([]), defaults);
  const given = ["--data", "d", "--fresh", "--demo", "--seed=7", "--now", "2026-01-31T12:00:00Z", "--port", "0", "--forward-to", "http://localhost:3000/hook", "--open"];
  assert.deepEqual(readOptions(given), { data: "d", fresh: true, demo: true, seed: 7, now: Date.UTC(2026, 0, 31, 12), port: 0, forwardTo: "http://localhost:3000/hook", open: true });
  assert.equal(readOptions(["--now", "2026-01-31"]).now, Date.UTC(2026, 0, 31));
  assert.equal(readOptions(["--now", "2026-01-31T12:00:00+02:00"]).now, Date.UTC(2026, 0, 31, 10));
  assert.equal(readOptions(["--help"]), undefined);
});

for (const [args, sentence] of [
  [["--prot", "1"], /--prot is not an option.*did you mean --port\?/],
  [["--port"], /--port needs a value/],
  [["--port", "65536"], /--port 65536 is not a whole number from 0 to 65535/],
  [["--port", "1e3"], /not a whole number/],
  [["--seed", "1.5"], /--seed 1.5 is not a whole number/],
  [["--now", "tomorrow"], /--now tomorrow is not a time: write it like 2026-01-31/],
  [["--now", "2026-02-31"], /--now 2026-02-31 is not a time/],
  [["--now", "2026-01-31T25:00:00Z"], /is not a time/],
  [["--forward-to", "ftp://localhost:3000"], /--forward-to: "ftp:\/\/localhost:3000" is not an address such as http:\/\/localhost:3000\/hook\./],
  [["--fresh=yes"], /--fresh takes no value/],
  [["--fresh", "data"], /data is not an option/],
  [["serve", "--what"], /--what is not an option/],
]) {
  test(`wrong usage is told in a sentence: ${args.join(" ")}`, async () => {
    const { code, out, err } = await ran(args);
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, sentence);
  });
}

test("an unknown command names the nearest one", async () => {
  const { code, err } = await ran(["serv"]);
  assert.equal(code, 2);
  assert.match(err, /serv is not a command; did you mean serve\?/);
});

test("help and version say what the program is", async () => {
  const { version, name } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.deepEqual(await ran(["--version"]), { code: 0, out: version, err: "" });
  const { code, out } = await ran(["--help"]);
  assert.equal(code, 0);
  for (const word of ["--forward-to URL", "--demo", "  serve "]) assert.ok(out.includes(word), word);
  assert.match((await ran(["serve", "--help"])).out, /^Usage: settlekit/);
  // Both packages are published together.
  const { version: client } = JSON.parse(readFileSync(new URL("../../pkg/package.json", import.meta.url), "utf8"));
  const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.deepEqual([name, version, dependencies.settlekit], ["settlekit-dev", client, client]);
});

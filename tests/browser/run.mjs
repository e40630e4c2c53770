// Runs all specs in parallel lines, one per service, because specs change the demo organisation. Within a line specs run one
// after the other.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { PassThrough } from "node:stream";

/** First spec of the second line, chosen so that both lines take about as long. */
const SECOND = "keyboard.spec.mjs";

/** Time that a spec file may take; the longest takes two minutes. A page that no longer answers fails its file instead of the whole run. */
const FILE_MS = 8 * 60_000;

/** Output buffer per line; larger than any output, so that a line never blocks. */
const KEPT_MAX = 2 ** 30;

/** Environment of the specs per service: lines of `NAME=value`, separated by a blank line. */
const services = (process.env.SETTLEKIT_SERVICES ?? "").split("\n\n").map((told) => Object.fromEntries(told.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]).filter(([name]) => name)));

const all = readdirSync(new URL("specs/", import.meta.url)).filter((name) => name.endsWith(".spec.mjs")).sort();
const cut = all.indexOf(SECOND);
if (cut < 0 || services.length > 2) throw new Error(`${services.length} lines are not cut at ${SECOND}`);
const shares = services.length === 1 ? [all] : [all.slice(0, cut), all.slice(cut)];
const lines = services.map((service, place) => ({ service, specs: shares[place] }));

const said = lines.map(({ service, specs }) => {
  const words = ["--test", "--test-concurrency=1", `--test-timeout=${FILE_MS}`, "--test-reporter=tap", ...specs.map((name) => `specs/${name}`)];
  const run = spawn(process.execPath, words, { cwd: import.meta.dirname, env: { ...process.env, ...service }, stdio: ["ignore", "pipe", "inherit"] });
  run.on("close", (code) => {
    if (code !== 0) process.exitCode = 1;
  });
  // All lines run concurrently; the output of later ones is buffered.
  return run.stdout.pipe(new PassThrough({ highWaterMark: KEPT_MAX }));
});
for (const line of said) for await (const text of line) process.stdout.write(text);

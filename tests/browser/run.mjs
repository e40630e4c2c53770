// All specs, in a line for each service that was started for them, one spec after the other in each: a spec that changes what
// the demo organisation has needs a service where no other does so meanwhile.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { PassThrough } from "node:stream";

/** Where the second line begins: with this spec, both take about as long. */
const SECOND = "keyboard.spec.mjs";

/** More bytes than a line ever says: a line that nobody reads yet must not wait. */
const KEPT_MAX = 2 ** 30;

/** What the specs are told about each service: lines of `NAME=value`, a blank one between two services. */
const services = (process.env.SETTLEKIT_SERVICES ?? "").split("\n\n").map((told) => Object.fromEntries(told.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]).filter(([name]) => name)));

const all = readdirSync(new URL("specs/", import.meta.url)).filter((name) => name.endsWith(".spec.mjs")).sort();
const cut = all.indexOf(SECOND);
if (cut < 0 || services.length > 2) throw new Error(`${services.length} lines are not cut at ${SECOND}`);
const shares = services.length === 1 ? [all] : [all.slice(0, cut), all.slice(cut)];
const lines = services.map((service, place) => ({ service, specs: shares[place] }));

const said = lines.map(({ service, specs }) => {
  const words = ["--test", "--test-concurrency=1", "--test-reporter=tap", ...specs.map((name) => `specs/${name}`)];
  const run = spawn(process.execPath, words, { cwd: import.meta.dirname, env: { ...process.env, ...service }, stdio: ["ignore", "pipe", "inherit"] });
  run.on("close", (code) => {
    if (code !== 0) process.exitCode = 1;
  });
  // All run from now on; what a later one has to say is kept until the earlier ones have said all.
  return run.stdout.pipe(new PassThrough({ highWaterMark: KEPT_MAX }));
});
for (const line of said) for await (const text of line) process.stdout.write(text);

// All specs, in two lines side by side: those that change what the demo organisation has, one after the other, and beside
// them those that only look, or have a service of their own.

import { readdirSync } from "node:fs";
import { run } from "node:test";
import { tap } from "node:test/reporters";

const APART = ["demo", "docs", "every_page", "parts"].map((name) => `${name}.spec.mjs`);

const specs = new URL("specs/", import.meta.url);
const all = readdirSync(specs).filter((name) => name.endsWith(".spec.mjs"));
const unknown = APART.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`there is no ${unknown}`);
const lines = [all.filter((name) => !APART.includes(name)), APART].map((names) => {
  const line = run({ files: names.map((name) => new URL(name, specs).pathname), concurrency: 1 });
  line.on("test:fail", () => (process.exitCode = 1));
  // Both run from now on; what the second has to say is kept until the first has said all.
  return line.compose(tap);
});
for (const line of lines) for await (const said of line) process.stdout.write(said);

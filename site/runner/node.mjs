// The runner's host in Node: modules of the built package, and examples as modules made of text.

import { Engine } from "./engine.js";

const dist = new URL("../../pkg/dist/", import.meta.url);
const PACKAGE = { settlekit: "index.js", "settlekit/reasons": "texts.js" };

function modules(name) {
  if (name === "settlekit" || name.startsWith("settlekit/")) return import(new URL(PACKAGE[name] ?? `${name.slice("settlekit/".length)}.js`, dist));
  return import(name);
}

let count = 0;
/** Each example is a module of its own, even if it has the text of another. */
const evaluate = (code) => import(`data:text/javascript,${encodeURIComponent(`${code}\n// ${(count += 1)}`)}`);

/** An engine, and a function that runs an example and returns its lines too. */
export function host() {
  const engine = new Engine({ modules, evaluate });
  return async (example) => {
    const lines = [];
    const outcome = await engine.run({ ...example, print: (line) => void lines.push(line) });
    return { ...outcome, output: lines.join("\n") };
  };
}

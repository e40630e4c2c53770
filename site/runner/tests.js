// `node:test` for examples that run in a page: tests of one file, one after the other, with their hooks.

import { described } from "./inspect.js";

/** A runner for one run of an example. `print` takes a line. */
export function testRunner(print) {
  const tests = [];
  const hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  const hook = (name) => (call) => void hooks[name].push(call);
  const test = (name, ...rest) => void tests.push({ name, call: rest.at(-1) });
  const runAll = async (calls) => {
    for (const call of calls) await call();
  };
  const module = { default: test, test, it: test, before: hook("before"), after: hook("after"), beforeEach: hook("beforeEach"), afterEach: hook("afterEach") };

  /** Runs the tests that were declared. Returns how many failed. */
  async function run() {
    if (tests.length === 0) return 0;
    let failed = 0;
    await runAll(hooks.before);
    for (const { name, call } of tests) {
      try {
        await runAll(hooks.beforeEach);
        await call({ name });
        await runAll(hooks.afterEach);
        print(`✔ ${name}`);
      } catch (error) {
        failed += 1;
        print(`✖ ${name}\n  ${error instanceof Error ? described(error) : error}`);
      }
    }
    await runAll(hooks.after);
    print(`${tests.length - failed} passed, ${failed} failed`);
    return failed;
  }

  return { module, run };
}

// From the examples of a page to the files that a run needs.

const NAMED = /^\/\/ (\S+\.m?js)\n/;

/** The name of an example's file, if its first line says it. */
const fileOf = ({ code }) => code.match(NAMED)?.[1];

const nameOf = ({ id, example }) => id ?? example;

/** The example that another one continues, and those before it. */
function chain(examples, one) {
  if (one.after === undefined) return [one];
  const before = examples.find((other) => nameOf(other) === one.after);
  if (before === undefined) throw new Error(`no example of this page is called ${one.after}`);
  return [...chain(examples, before), one];
}

/**
 * The files of a run of one of a page's examples, and which of them runs. An example that begins with the name of a file is a part of it:
 * with the parts before it, and with the page's other files.
 */
export function assemble(examples, at) {
  const one = examples[at];
  const entry = fileOf(one);
  const options = { isFilled: one.shop === true, isSignedIn: one.members === true };
  if (entry === undefined) return { ...options, files: { "example.js": chain(examples, one).map(({ code }) => code).join("\n") }, entry: "example.js" };
  const files = {};
  examples.forEach((example, place) => {
    const file = fileOf(example);
    // Of its own file, an example needs what comes before it. The last test alone is enough to see it pass.
    const isNeeded = file !== undefined && (file !== entry || place <= at);
    const isOtherTest = file === entry && place < at && /^test\(/m.test(example.code);
    if (isNeeded && !isOtherTest) files[file] = (files[file] ?? "") + example.code;
  });
  return { ...options, files, entry };
}

// Rewrites the imports of an example, because a module made of text resolves no package names.

const IMPORT = /^import\s+(?:([\w$\s{},*]+?)\s+from\s+)?(["'])([^"'\n]+)\2;?/gm;
const DYNAMIC = /\bimport\((["'])([^"'\n]+)\1\)/g;
/** Function that the rewritten code calls. */
export const IMPORT_NAME = "__import";

/** `{ a, b as c }` as a destructuring pattern. */
const pattern = (braces) => braces.replace(/([\w$]+)\s+as\s+([\w$]+)/g, "$1: $2");

/** A clause of an import as declarations of constants. */
function declared(clause, loaded) {
  const star = clause.match(/^\*\s+as\s+([\w$]+)$/);
  if (star) return `const ${star[1]} = ${loaded};`;
  if (clause.startsWith("{")) return `const ${pattern(clause)} = ${loaded};`;
  const [, name, rest] = clause.match(/^([\w$]+)\s*(?:,\s*(\{[\s\S]*\}))?$/) ?? [];
  if (name === undefined) throw new SyntaxError(`this form of import does not run here: ${clause}`);
  return rest ? `const { default: ${name}, ${pattern(rest).slice(1, -1)}} = ${loaded};` : `const { default: ${name} } = ${loaded};`;
}

/** The code with its imports as calls. Lines keep their numbers. */
export function rewrite(code) {
  const lines = (text) => text.split("\n").length - 1;
  const rewritten = code.replace(IMPORT, (whole, clause, _, name) => {
    const loaded = `await ${IMPORT_NAME}(${JSON.stringify(name)})`;
    const text = clause === undefined ? `${loaded};` : declared(clause.trim(), loaded);
    return text + "\n".repeat(Math.max(0, lines(whole) - lines(text)));
  });
  return rewritten.replace(DYNAMIC, (_, quote, name) => `${IMPORT_NAME}(${quote}${name}${quote})`);
}

/** The modules that code imports. */
export function imported(code) {
  const names = [...code.matchAll(IMPORT)].map(([, , , name]) => name);
  return new Set([...names, ...[...code.matchAll(DYNAMIC)].map(([, , name]) => name)]);
}

// Code blocks of Markdown, and what their first line says: ```js run title="sign.mjs" example=node after=other

const FENCE = /^( *)(`{3,})([^\n]*)\n([\s\S]*?)^\1\2[ ]*$/gm;

/** The language of a block, and its options. */
export function optionsOf(info) {
  const [language = "", ...words] = info.trim().match(/[^\s="]+(?:=(?:"[^"]*"|\S+))?/g) ?? [];
  const options = Object.fromEntries(words.map((word) => {
    const [name, value] = word.split(/=(.*)/s);
    return [name, value === undefined ? true : value.replace(/^"|"$/g, "")];
  }));
  return { language, options };
}

/** All code blocks of a text. */
export function fences(markdown) {
  return [...markdown.matchAll(FENCE)].map(([, , , info, code]) => ({ ...optionsOf(info), info, code }));
}

/** Applies a function to the text outside of code blocks. */
export function outsideFences(markdown, change) {
  let result = "";
  let end = 0;
  for (const found of markdown.matchAll(FENCE)) {
    result += change(markdown.slice(end, found.index)) + found[0];
    end = found.index + found[0].length;
  }
  return result + change(markdown.slice(end));
}

/** The blocks of a page that run, in order. */
export const examples = (markdown) => fences(markdown).filter(({ options }) => options.run).map(({ options, code }) => ({ ...options, code }));

// Sections of Markdown files, and relative links.

import { posix } from "node:path";

import { outsideFences } from "./fences.mjs";

/** The anchor of a heading, as GitHub makes it. */
export const slugify = (heading) =>
  heading.trim().toLowerCase().replace(/`|\*/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");

/** Headings outside of code blocks: level, text, and where they begin and end. */
function headings(markdown) {
  const blank = outsideFences(markdown, (text) => text);
  const found = [];
  let isCode = false;
  let offset = 0;
  for (const line of blank.split("\n")) {
    if (/^ *`{3,}/.test(line)) isCode = !isCode;
    const match = !isCode && line.match(/^(#{1,6}) (.*)$/);
    if (match) found.push({ level: match[1].length, text: match[2], start: offset, end: offset + line.length + 1 });
    offset += line.length + 1;
  }
  return found;
}

/** The content of a section, without its heading: up to the next heading of its level. */
export function section(markdown, slug, { isShort = false } = {}) {
  const all = headings(markdown);
  const at = all.findIndex(({ text }) => slugify(text) === slug);
  if (at < 0) throw new Error(`there is no section #${slug}`);
  const next = all.slice(at + 1).find(({ level }) => isShort || level <= all[at].level);
  return markdown.slice(all[at].end, next?.start ?? markdown.length).trim();
}

/** The title of a page. */
export const titleOf = (markdown) => headings(markdown).find(({ level }) => level === 1)?.text;

/** A link, or a piece of code, in which nothing is a link. */
const LINK = /(`+)[^`](?:[\s\S]*?[^`])??\1(?!`)|(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)/g;

/** Replaces the links of a text: `change` gets the text in brackets and the target, and returns Markdown. */
export const replaceLinks = (markdown, change) =>
  outsideFences(markdown, (text) => text.replace(LINK, (whole, _, label, target) => (label === undefined ? whole : change(label, target) ?? whole)));

const isExternal = (target) => /^[a-z][\w+.-]*:/i.test(target);

/** A relative link of a file as a path from the root of the project. */
export function pathOf(target, file) {
  const [path, anchor] = target.split("#");
  return { path: path === "" ? file : posix.normalize(posix.join(posix.dirname(file), path)), anchor };
}

/** Moves text from one file to another: relative links lead to the same places. */
export function rebased(markdown, from, to) {
  return replaceLinks(markdown, (label, target) => {
    if (target.startsWith("dashboard:")) return label.slice(1, -1);
    if (isExternal(target)) return undefined;
    const { path, anchor } = pathOf(target, from);
    const relative = path === to ? "" : posix.relative(posix.dirname(to), path);
    return `${label}(${relative}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

export { isExternal };

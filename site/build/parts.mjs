// Sections that stand in two files: written in one, printed into the other between two comments.

import { readFileSync, writeFileSync } from "node:fs";

import { rebased, section } from "./sections.mjs";

export const root = new URL("../../", import.meta.url);
export const read = (path) => readFileSync(new URL(path, root), "utf8");

/** Files with printed parts. */
const FILES = ["README.md", "pkg/README.md"];
const PART = /(<!-- Printed from (\S+?)#(\S+?) by `cargo xtask print` -->\n)[\s\S]*?(<!-- Printed until here -->)/g;

/** A file with its parts as they are now. */
function printed(file) {
  return read(file).replace(PART, (_, start, source, slug, end) => `${start}\n${rebased(section(read(source), slug), source, file)}\n\n${end}`);
}

/** The files whose printed parts are out of date. */
export const outdated = () => FILES.filter((file) => printed(file) !== read(file));

export function printParts() {
  for (const file of outdated()) writeFileSync(new URL(file, root), printed(file));
}

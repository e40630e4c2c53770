// The pages of the site as Markdown, by their address: those of documents, of the reference, and of this folder.

import { readFileSync } from "node:fs";

import { rooms } from "../reference/operations.mjs";
import { indexPage, pageOf, recordsPage, roomPage } from "../reference/pages.mjs";
import { shopIds } from "./shop_ids.mjs";
import { linked } from "./links.mjs";
import { read } from "./parts.mjs";
import { section } from "./sections.mjs";
import { sources } from "./sources.mjs";

/** Pages that only the site has. */
const OWN = ["index.md", "reference/index.md"];

/** Rows of the list of errors can be linked to. */
const withAnchors = (text) => text.replace(/^\| `([A-Z0-9_]+)` \|/gm, (_, reason) => `| <a id="${reason.toLowerCase()}"></a>\`${reason}\` |`);

/** A document as a page. */
function documentPage(source) {
  const text = linked(read(source), source);
  return source === "docs/errors.md" ? withAnchors(text) : text;
}

/** A section of a document for a page of this folder, or the first example of one. */
function included(text) {
  const insert = (_, isExample, source, slug, short) => {
    const content = linked(section(read(source), slug, { isShort: short !== undefined }), source);
    return isExample ? content.match(/^```js run[\s\S]*?^```$/m)[0] : content;
  };
  return text.replace(/^<!-- include (example )?(\S+?)#(\S+?)( short)? -->$/gm, insert);
}

/** All pages, and the rooms of the reference. */
export async function pages() {
  const ids = await shopIds();
  const { rooms: all, schemas } = rooms(ids);
  const texts = new Map();
  for (const [source, page] of sources()) texts.set(page, documentPage(source));
  for (const room of all) texts.set(`${pageOf(room.name)}.md`, roomPage(room, schemas, ids));
  texts.set("reference/records.md", recordsPage(schemas));
  for (const name of OWN) {
    const text = readFileSync(new URL(`../pages/${name}`, import.meta.url), "utf8");
    texts.set(name, included(text).replace("<!-- operations -->", indexPage(all)));
  }
  return { pages: texts, rooms: all };
}

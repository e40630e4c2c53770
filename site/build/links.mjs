// Links of the project's documents as links of the site.

import { isExternal, pathOf, replaceLinks } from "./sections.mjs";
import { repository, sources } from "./sources.mjs";

/** Files that the site serves as they are. */
export const SERVED = { "docs/openapi.json": "/openapi.json", "web/boot/icon.svg": "/icon.svg", "web/font/geist.woff2": "/geist.woff2" };

/** Pages that stand for a file in prose. */
const STAND_IN = { "docs/openapi.json": "/reference/", "docs/operations.txt": "/reference/", "docs/decisions": "/decisions/", "docs/guides": "/guides/quickstart" };

/** The address of a page: without its ending, a folder for an index. */
export const addressOf = (page) => `/${page.replace(/\.md$/, "").replace(/(^|\/)index$/, "$1")}`;

/** Markdown of a source with the links of the site. */
export function linked(markdown, source) {
  const [pages, home] = [sources(), repository()];
  return replaceLinks(markdown, (label, target) => {
    const text = label.slice(1, -1);
    // The demo is a site of its own, in the folder beside.
    if (target.startsWith("dashboard:")) return `${label}(/demo${target.slice("dashboard:".length)}){target="_self"}`;
    if (isExternal(target) || target.startsWith("/")) return undefined;
    const { path, anchor } = pathOf(target, source);
    const page = pages.get(path);
    const address = page === undefined ? STAND_IN[path.replace(/\/$/, "")] : addressOf(page);
    if (address !== undefined) return `${label}(${address}${anchor === undefined ? "" : `#${anchor}`})`;
    return home === undefined ? text : `${label}(${home}/blob/main/${path})`;
  });
}

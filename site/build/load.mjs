// Writes the pages into `dist/pages`, where VitePress reads them.

import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { SERVED } from "./links.mjs";
import { pages } from "./pages.mjs";
import { root } from "./parts.mjs";

const folder = new URL("../dist/pages/", import.meta.url);

/** Returns the rooms of the reference, for the navigation. */
export async function load() {
  rmSync(folder, { recursive: true, force: true });
  for (const [source, address] of Object.entries(SERVED)) cpSync(new URL(source, root), new URL(`public${address}`, folder));
  const { pages: texts, rooms } = await pages();
  for (const [page, text] of texts) {
    const file = fileURLToPath(new URL(page, folder));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { rooms };
}

import type { Page } from "settlekit";

/**
 * All items of all pages. The client's own iteration ends at its clock's time, which the clock of a sandbox may be far ahead of.
 *
 * Oldest first, new items are added at the end. Newest first, they shift others to the next page, which are then left out there.
 */
export async function* everyItem<T>(fetch: (page: number) => PromiseLike<Page<T>>, first = 1): AsyncGenerator<T, void, undefined> {
  let before = new Set<string>();
  for (let page = first; ; page += 1) {
    const { items, next } = await fetch(page);
    const texts = items.map((item) => JSON.stringify(item));
    for (const [index, item] of items.entries()) if (!before.has(texts[index] as string)) yield item;
    if (next === undefined) return;
    before = new Set(texts);
  }
}

/** One page of a list. */
export interface Page<T> {
  /** Items in the requested order. */
  items: T[];
  /** Number of matches on all pages. */
  total: number;
  /** Number of the next page, if any. */
  next?: number;
  /** Latest `updated_at` of the page's items. */
  last_update?: string;
}

/** Client functions that a listing uses. */
export interface Source<T> {
  /** Fetches one page. */
  fetch(given: Record<string, unknown>): Promise<Page<T>>;
  /** Estimated time of the service, Unix milliseconds. */
  now(): number;
}

/** Tolerated clock difference, as for signatures: rows created up to this time ahead are included. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000;

/**
 * A lazily fetched list.
 *
 * `await` it for the single page that its arguments name; iterate over it for all items of all pages.
 */
export class Listing<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #source: Source<T>;
  readonly #given: Record<string, unknown>;
  #page: Promise<Page<T>> | undefined;

  constructor(source: Source<T>, given: Record<string, unknown>) {
    this.#source = source;
    this.#given = given;
  }

  /** The single page that the arguments name. */
  page(): Promise<Page<T>> {
    return (this.#page ??= this.#source.fetch(this.#given));
  }

  then<A = Page<T>, B = never>(
    onfulfilled?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onrejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page().then(onfulfilled, onrejected);
  }

  catch<B = never>(onrejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Page<T> | B> {
    return this.page().catch(onrejected);
  }

  /**
  * All pages, starting at the requested one.
  *
  * By default sorted oldest first and limited to items created until now: otherwise new items would shift others to the next
  * page and cause duplicates or gaps.
  */
  async *byPage(): AsyncGenerator<Page<T>, void, undefined> {
    const sort = this.#given["sort"] ?? "asc";
    // In ascending order, new items are appended; in descending order they would shift the pages.
    const until = this.#source.now() + (sort === "asc" ? CLOCKS_DIFFER_MS : 0);
    let given: Record<string, unknown> = { ...this.#given, sort, until: this.#given["until"] ?? new Date(until).toISOString() };
    for (;;) {
      const page = await this.#source.fetch(given);
      yield page;
      if (page.next === undefined) return;
      given = { ...given, page: page.next };
    }
  }

  /** All items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.byPage()) yield* page.items;
  }

  /** At most `limit` items, from as many pages as needed. */
  async toArray({ limit }: { limit: number }): Promise<T[]> {
    const items: T[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}

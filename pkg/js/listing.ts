/** One page of a list. */
export interface Page<T> {
  /** The items, in the order asked for. */
  items: T[];
  /** All matches, on every page together. */
  total: number;
  /** The next page's number when there is more. */
  next?: number;
  /** When the most recently updated item of the page was updated. */
  last_update?: string;
}

/** What the client gives a listing to work with. */
export interface Source<T> {
  /** Fetches one page. */
  fetch(given: Record<string, unknown>): Promise<Page<T>>;
  /** The service's time as far as known, Unix milliseconds. */
  now(): number;
}

/** How far the clocks may differ before rows of this moment are missed: as far as signatures allow. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000;

/**
 * A list, fetched when asked for.
 *
 * `await` it for the one page that its arguments name; iterate over it for every item of every page.
 */
export class Listing<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #source: Source<T>;
  readonly #given: Record<string, unknown>;
  #page: Promise<Page<T>> | undefined;

  constructor(source: Source<T>, given: Record<string, unknown>) {
    this.#source = source;
    this.#given = given;
  }

  /** The one page that the arguments name, exactly as asked. */
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
   * Every page from the one asked for on.
   *
   * Oldest first and up to this moment unless the arguments say otherwise, so that items which arrive meanwhile neither
   * push others onto the next page nor hide any.
   */
  async *byPage(): AsyncGenerator<Page<T>, void, undefined> {
    const sort = this.#given["sort"] ?? "asc";
    // Going up, what arrives late comes last; going down, it would come first and push the rest.
    const until = this.#source.now() + (sort === "asc" ? CLOCKS_DIFFER_MS : 0);
    let given: Record<string, unknown> = { ...this.#given, sort, until: this.#given["until"] ?? new Date(until).toISOString() };
    for (;;) {
      const page = await this.#source.fetch(given);
      yield page;
      if (page.next === undefined) return;
      given = { ...given, page: page.next };
    }
  }

  /** Every item of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.byPage()) yield* page.items;
  }

  /** At most `limit` items, from as many pages as it takes. */
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

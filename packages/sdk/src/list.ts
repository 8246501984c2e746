//! Lists: one page at a time, or everything without thinking of pages.

/** A page as it came. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** Where the next page begins; hand it to the list's `cursor`. */
  readonly nextCursor: string | undefined;
}

/**
 * A list that is read when it is asked for: `for await (const one of list)` goes through all pages,
 * `await list.page()` has the first one. Nothing is fetched before that.
 */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** The first page, or the one that begins at a cursor. */
  page(cursor?: string): Promise<Page<T>> {
    return this.#read(cursor);
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const page = await this.#read(cursor);
      yield page;
      // A cursor that does not move would go on for ever.
      if (!page.hasMore || page.nextCursor === undefined || page.nextCursor === cursor) return;
      cursor = page.nextCursor;
    }
  }

  /** One after the other, through all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** The first so many as an array; all of them when no number is given. */
  async toArray(most = Number.POSITIVE_INFINITY): Promise<T[]> {
    const found: T[] = [];
    if (most <= 0) return found;
    for await (const one of this) {
      found.push(one);
      if (found.length >= most) break;
    }
    return found;
  }

  /** The first, if there is one. */
  async first(): Promise<T | undefined> {
    const { items } = await this.#read(undefined);
    return items[0];
  }
}

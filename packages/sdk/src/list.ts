//! Lists: read one page at a time, or iterate over all items.

/** A page as it came. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** Where the next page starts; pass it as the list's `cursor`. */
  readonly nextCursor: string | undefined;
}

/**
 * A list, fetched when it is used: `for await (const one of list)` reads all pages, `await list` is
 * the first page, `await list.toArray(50)` the first fifty items.
 */
export class List<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** The first page, or the one that starts at a cursor. */
  page(cursor?: string): Promise<Page<T>> {
    return this.#read(cursor);
  }

  /** `await list` is its first page, as `await list.page()` is. */
  // biome-ignore lint/suspicious/noThenProperty: on purpose, so that `await` gives the first page.
  then<A = Page<T>, B = never>(
    onFulfilled?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page().then(onFulfilled, onRejected);
  }

  /** For `console.log`: nothing is fetched yet. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return 'List (not fetched: use await, for await, or toArray())';
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const page = await this.#read(cursor);
      yield page;
      // A cursor that does not move would loop for ever.
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

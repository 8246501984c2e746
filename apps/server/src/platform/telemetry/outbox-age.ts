//! How long the oldest row of the outbox has waited. Rows have no time, but ids in about the order
//! of their creation: a row whose id an earlier reading already had was there at that time.

interface Seen {
  readonly last: bigint;
  readonly atMs: number;
}

const SEEN_MAX = 1000;

export class OutboxAge {
  #seen: Seen[] = [];

  /** The least that is certain. Undefined: nothing waits. */
  seconds(
    waiting: { readonly first: bigint; readonly last: bigint } | undefined,
    nowMs: number,
  ): number {
    if (waiting === undefined) {
      this.#seen = [];
      return 0;
    }
    const { first, last } = waiting;
    // Readings before the oldest row existed are of no use any more.
    this.#seen = this.#seen.filter((each) => each.last >= first).slice(0, SEEN_MAX);
    this.#seen.push({ last, atMs: nowMs });
    return (nowMs - (this.#seen[0]?.atMs ?? nowMs)) / 1000;
  }
}

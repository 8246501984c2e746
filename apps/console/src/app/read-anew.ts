//! Reads anew what an event touched: each topic at most once per gap, and no change is missed.
import type { Query, QueryClient } from '@tanstack/react-query';
import { isDeep } from '#app/deep.ts';
import type { Topic } from '#app/queries.ts';
import { Throttle } from '#app/throttle.ts';
import { isTouched } from '#app/touched.ts';

/** Home has many figures in one response: expensive, and not read every second. */
const HOME_GAP_MS = 5_000;
const GAP_MS = 1_000;

export class ReadAnew {
  readonly #queries: QueryClient;
  readonly #touched = new Map<Topic, Set<string>>();
  /** Hashes of queries that were under way when a change came: they may have missed it. */
  readonly #owed = new Map<Topic, ReadonlySet<string>>();
  readonly #topics = new Throttle<Topic>(
    (topic) => (topic === 'Home' ? HOME_GAP_MS : GAP_MS),
    (topic) => this.#pass(topic),
  );

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  touch(topic: Topic, ids: Iterable<string>): void {
    const before = this.#touched.get(topic) ?? new Set();
    this.#touched.set(topic, before);
    for (const id of ids) before.add(id);
    this.#topics.mark(topic);
  }

  #pass(topic: Topic): void {
    const ids = this.#touched.get(topic);
    const owed = this.#owed.get(topic);
    this.#touched.delete(topic);
    this.#owed.delete(topic);
    const isAffected = (query: Query) => {
      const isNews = ids !== undefined && isTouched(query.queryKey, ids);
      return (isNews || owed?.has(query.queryHash) === true) && !isDeep(query);
    };
    const affected = { queryKey: [topic], predicate: isAffected };
    const busy = this.#queries.getQueryCache().findAll({ ...affected, fetchStatus: 'fetching' });
    // A read under way is not restarted, or under load it would never end: it is owed another.
    void this.#queries.invalidateQueries(affected, { cancelRefetch: false });
    if (busy.length === 0) return;
    this.#owed.set(topic, new Set(busy.map(({ queryHash }) => queryHash)));
    this.#topics.mark(topic);
  }
}

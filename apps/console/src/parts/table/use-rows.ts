//! The rows of a table, read page by page: the next page when the operator nears the end.
import type { Holdfast, List, Page } from '@holdfast/sdk';
import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isDeep, unlessDeep } from '#app/deep.ts';
import type { Topic } from '#app/queries.ts';
import { useHoldfast, useSession } from '#app/session/session.tsx';

export interface RowSource<Row> {
  readonly topic: Topic;
  /** Everything that the list depends on: another key is another list. */
  readonly queryKey: readonly unknown[];
  readonly list: (holdfast: Holdfast, signal: AbortSignal) => List<Row>;
  readonly everyMs?: number;
}

/** The part of a page before its end from which on the next one is requested. */
const AHEAD = 1 / 4;

export function useRows<Row>({ topic, queryKey, list, everyMs }: RowSource<Row>) {
  const holdfast = useHoldfast();
  const { marketplaceId } = useSession();
  const queries = useQueryClient();
  const key = [topic, marketplaceId, 'table', ...queryKey];
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }): Promise<Page<Row>> => list(holdfast, signal).page(pageParam),
    getNextPageParam: ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
    ...unlessDeep(everyMs),
  });
  usePurgeDeep(hashKey(key));
  const pages = query.data?.pages ?? [];
  const rows = pages.flatMap(({ items }) => items);
  /** Far below a page, so that a table without scrolling stays at its first. */
  const readAhead = Math.floor((pages[0]?.items.length ?? 0) * AHEAD);
  /** Restarts at the first page: pages that were read long ago are not read anew. */
  const refresh = () => void queries.resetQueries({ queryKey: key, exact: true });
  return { rows, readAhead, query, refresh };
}

/** A return to a table starts at its first page, as it is by then. */
function usePurgeDeep(hash: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    return () =>
      queries.removeQueries({ predicate: (one) => one.queryHash === hash && isDeep(one) });
  }, [queries, hash]);
}

//! The rows of a table: read page by page, the next one when somebody nears the end.
import type { Holdfast, List, Page } from '@holdfast/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Topic } from '#app/queries.ts';
import { useHoldfast, useSession } from '#app/session.tsx';

export interface RowSource<Row> {
  readonly topic: Topic;
  /** Everything that the list depends on: another key is another list. */
  readonly queryKey: readonly unknown[];
  readonly list: (holdfast: Holdfast, signal: AbortSignal) => List<Row>;
  readonly everyMs?: number;
}

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
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  /** Begins at the first page again: pages that were read long ago are not read anew. */
  const refresh = () => void queries.resetQueries({ queryKey: key, exact: true });
  return { rows, query, refresh };
}

//! A table of any length: the server pages, only the rows in view exist, the keyboard moves.
import type { Holdfast, List, Page } from '@holdfast/sdk';
import { Button, Center, Group, Loader, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Topic } from '#app/queries.ts';
import { useHoldfast, useSession } from '#app/session.tsx';
import { ErrorNote } from '#parts/error-note.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ReactNode;
  /** Figures stand at the end of their column. */
  readonly isEnd?: boolean;
}

interface Props<Row> {
  readonly label: string;
  readonly topic: Topic;
  /** Everything that the list depends on: another key is another list. */
  readonly queryKey: readonly unknown[];
  readonly list: (holdfast: Holdfast, signal: AbortSignal) => List<Row>;
  readonly idOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly onOpen?: (row: Row) => void;
  readonly empty: ReactNode;
  readonly everyMs?: number;
  readonly height?: number | string;
  /** False for the second table of a screen: j, k and Enter mean the first. */
  readonly hasKeys?: boolean;
}

const ROW_HEIGHT = 45;
const BEYOND = 12;
const FULL_HEIGHT = 'calc(100vh - 260px)';

export function DataTable<Row>(props: Props<Row>) {
  const { label, idOf, columns, onOpen, empty, height = FULL_HEIGHT, hasKeys = true } = props;
  const { rows, query, refresh } = useRows(props);
  const [at, setAt] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: BEYOND,
  });
  const inView = virtual.getVirtualItems();
  const last = inView.at(-1)?.index ?? -1;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (last >= rows.length - BEYOND && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const move = (step: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, at + step));
    setAt(next);
    virtual.scrollToIndex(next);
  };
  const openAt = (event: KeyboardEvent) => {
    const row = rows[at];
    // Enter on a button or a link is theirs.
    const isTheirs = event.target instanceof Element && event.target.closest('a,button') !== null;
    if (row !== undefined && !isTheirs) onOpen?.(row);
  };
  const keys: Parameters<typeof useHotkeys>[0] = [
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', openAt, { preventDefault: false }],
  ];
  useHotkeys(hasKeys ? keys : []);

  if (query.error && rows.length === 0) {
    return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  }
  if (query.isPending) {
    return (
      <Center h={160}>
        <Loader aria-label={`Loading ${label}`} />
      </Center>
    );
  }
  if (rows.length === 0) return empty;
  const above = inView[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (inView.at(-1)?.end ?? 0);
  return (
    <>
      <section
        ref={box}
        className="hf-scroll"
        style={{ maxHeight: height, minHeight: 120 }}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
        tabIndex={0}
      >
        <table className="hf-table" aria-rowcount={hasNextPage ? -1 : rows.length + 1}>
          <Head columns={columns} />
          <tbody>
            <Spacer height={above} span={columns.length} />
            {inView.map(({ index }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <tr
                  key={idOf(row)}
                  aria-rowindex={index + 2}
                  data-open={onOpen !== undefined}
                  data-selected={index === at}
                  onClick={(event) => {
                    // A link in the row goes where it says.
                    if (!(event.target as Element).closest('a,button')) onOpen?.(row);
                  }}
                >
                  {columns.map(({ title, show, isEnd }) => (
                    <td key={title} data-end={isEnd}>
                      {show(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
            <Spacer height={below} span={columns.length} />
          </tbody>
        </table>
      </section>
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="dimmed" role="status">
          {rows.length} {hasNextPage ? 'loaded, more below' : 'in all'}
          {isFetchingNextPage && ' · loading'}
        </Text>
        <Button size="compact-sm" variant="default" onClick={refresh} loading={query.isRefetching}>
          Refresh
        </Button>
      </Group>
    </>
  );
}

function useRows<Row>({ topic, queryKey, list, everyMs }: Props<Row>) {
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

function Head<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ title, isEnd }) => (
          <th key={title} scope="col" data-end={isEnd}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

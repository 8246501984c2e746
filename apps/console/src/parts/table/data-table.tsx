//! A table of any length: the server pages, only visible rows are rendered, the keyboard moves.
import { Box, Button, Center, Group, Loader, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { Cells, type Column, TableHead } from '#parts/table/table-columns.tsx';
import { type RowSource, useRows } from '#parts/table/use-rows.ts';

interface Props<Row> extends RowSource<Row> {
  readonly label: string;
  readonly idOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly onOpen?: (row: Row) => void;
  readonly empty: ReactNode;
  readonly height?: number | string;
  /** False for the second table of a screen: j, k and Enter mean the first. */
  readonly hasKeys?: boolean;
}

const ROW_HEIGHT = 45;
/** Rows that are ready above and below the view. */
const BEYOND = 8;
const FULL_HEIGHT = 'max(320px, calc(100vh - 300px))';

export function DataTable<Row>(props: Props<Row>) {
  const { label, empty } = props;
  const { rows, readAhead, query, refresh } = useRows(props);
  if (query.error && rows.length === 0) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  if (query.isPending) {
    return (
      <Center h={160}>
        <Loader aria-label={`Loading ${label}`} />
      </Center>
    );
  }
  if (rows.length === 0) return <div className="hf-frame">{empty}</div>;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const more = () => {
    // A failed page is read again only on the operator's request, not in a loop.
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  };
  return (
    <>
      <Rows {...props} {...{ rows, readAhead, more }} hasMore={hasNextPage} />
      {isFetchNextPageError && (
        <Box mt="xs">
          <ErrorAlert error={query.error} retry={() => void fetchNextPage()} />
        </Box>
      )}
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="dimmed" role="status">
          {rows.length === 1 ? '1 row' : `${rows.length} rows`}
          {hasNextPage && ' loaded. Scroll down to load more.'}
          {isFetchingNextPage && ' Loading…'}
        </Text>
        <Button size="compact-sm" variant="default" onClick={refresh} loading={query.isRefetching}>
          Refresh
        </Button>
      </Group>
    </>
  );
}

interface RowsProps<Row> extends Props<Row> {
  readonly rows: readonly Row[];
  /**
   * The next page is read so many rows before the end, so that it is there when they are reached.
   */
  readonly readAhead: number;
  readonly hasMore: boolean;
  readonly more: () => void;
}

/** The frame that scrolls. What is above and below the view is empty room of the right height. */
function Rows<Row>(props: RowsProps<Row>) {
  const { label, columns, idOf, onOpen, rows, hasMore, height = FULL_HEIGHT } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: BEYOND,
  });
  const at = useRowKeys(props, virtual.scrollToIndex);
  const inView = virtual.getVirtualItems();
  useMore(props, inView.at(-1)?.index ?? -1);
  return (
    <section
      ref={box}
      className="hf-scroll hf-frame"
      style={{ maxHeight: height, minHeight: 120 }}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
      tabIndex={0}
    >
      <table className="hf-table" aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <TableHead columns={columns} />
        <tbody>
          <Spacer height={inView[0]?.start ?? 0} span={columns.length} />
          {inView.map(({ index }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <Line key={idOf(row)} {...{ row, columns, onOpen, index }} isAt={index === at} />
            );
          })}
          <Spacer
            height={virtual.getTotalSize() - (inView.at(-1)?.end ?? 0)}
            span={columns.length}
          />
        </tbody>
      </table>
    </section>
  );
}

function useMore<Row>({ rows, readAhead, more }: RowsProps<Row>, lastInView: number): void {
  const isNearEnd = lastInView >= rows.length - readAhead;
  useEffect(() => {
    if (isNearEnd) more();
  });
}

/** j and k move, Enter opens; returns the index of the marked row. */
function useRowKeys<Row>(
  { rows, onOpen, hasKeys = true }: RowsProps<Row>,
  scrollTo: (index: number) => void,
): number {
  const [at, setAt] = useState(-1);
  const move = (step: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, at + step));
    setAt(next);
    scrollTo(next);
  };
  const openAt = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row !== undefined && !isTheirs(event.target)) onOpen?.(row);
  };
  const keys: Parameters<typeof useHotkeys>[0] = [
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', openAt, { preventDefault: false }],
  ];
  useHotkeys(hasKeys ? keys : []);
  return at;
}

/** A link or a button in the row does what it says, and the row nothing. */
function isTheirs(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a,button') !== null;
}

interface LineProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly index: number;
  readonly isAt: boolean;
}

/** Scrolling draws the rows that come into view, and leaves the others as they are. */
const Line = memo(PlainLine) as typeof PlainLine;

function PlainLine<Row>({ row, columns, onOpen, index, isAt }: LineProps<Row>) {
  return (
    <tr
      aria-rowindex={index + 2}
      data-open={onOpen !== undefined}
      data-selected={isAt}
      onClick={({ target, currentTarget }) => {
        // A dialog that the row opened lies elsewhere, but its clicks come by here.
        const isHere = target instanceof Node && currentTarget.contains(target);
        if (isHere && !isTheirs(target)) onOpen?.(row);
      }}
    >
      <Cells columns={columns} row={row} />
    </tr>
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

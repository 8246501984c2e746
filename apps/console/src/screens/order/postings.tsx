//! The postings of an order, each with both sides.
import { entryWords } from '@holdfast/contract/entry-words';
import type { LedgerEntry } from '@holdfast/sdk';
import { Go } from '#app/go.tsx';
import { routeOf } from '#app/routes.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

// biome-ignore format: a table is the one thing exempt from the line limit.
const COLUMNS: readonly Column<LedgerEntry>[] = [
  { title: 'Time', show: ({ at }) => <Moment at={at} /> },
  { title: 'Type', show: ({ id, kind }) => <Go to={routeOf('LedgerEntry', id) ?? '/ledger'}>{entryWords(kind)}</Go> },
  { title: 'Amount', isEnd: true, show: ({ amount, currency }) => <Amount amount={amount} currency={currency} /> },
  { title: 'From', show: ({ from }) => <Side {...from} /> },
  { title: 'To', show: ({ to }) => <Side {...to} /> },
  { title: 'Note', show: ({ note }) => note ?? '–' },
];

function Side({ accountId, bucket }: LedgerEntry['from'] | LedgerEntry['to']) {
  return (
    <>
      <IdLink id={accountId} to={routeOf('LedgerAccount', accountId) ?? null} isBare /> {bucket}
    </>
  );
}

export function Postings({ subjectId }: { readonly subjectId: string }) {
  return (
    <DataTable
      label="Ledger entries"
      topic="Ledger"
      queryKey={['subject', subjectId]}
      list={(holdfast, signal) =>
        holdfast.ledger.listEntries({ subjectId, limit: 100 }, { signal })
      }
      idOf={({ id }) => id}
      columns={COLUMNS}
      height={360}
      empty={
        <EmptyState title="No entries yet">
          The first entry is created when the buyer’s funds are reserved.
        </EmptyState>
      }
    />
  );
}

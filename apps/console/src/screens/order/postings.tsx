//! What the order did to the books: every posting with both sides.
import type { LedgerEntry } from '@holdfast/sdk';
import { Go } from '#app/go.tsx';
import { placeOf } from '#app/places.ts';
import { Amount } from '#parts/amount.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';

// biome-ignore format: a table is the one thing exempt from the line limit.
const COLUMNS: readonly Column<LedgerEntry>[] = [
  { title: 'When', show: ({ at }) => <Moment at={at} /> },
  { title: 'What', show: ({ id, kind }) => <Go to={placeOf('LedgerEntry', id) ?? '/ledger'}>{wordsOf(kind)}</Go> },
  { title: 'Amount', isEnd: true, show: ({ amount, currency }) => <Amount amount={amount} currency={currency} /> },
  { title: 'From', show: ({ from }) => <Side {...from} /> },
  { title: 'To', show: ({ to }) => <Side {...to} /> },
  { title: 'Note', show: ({ note }) => note ?? '–' },
];

function Side({ accountId, bucket }: LedgerEntry['from'] | LedgerEntry['to']) {
  return (
    <>
      <IdLink id={accountId} to={placeOf('LedgerAccount', accountId) ?? null} isBare /> {bucket}
    </>
  );
}

export function Postings({ subjectId }: { readonly subjectId: string }) {
  return (
    <DataTable
      label="Postings"
      topic="Ledger"
      queryKey={['subject', subjectId]}
      list={(holdfast, signal) =>
        holdfast.ledger.listEntries({ subjectId, limit: 100 }, { signal })
      }
      idOf={({ id }) => id}
      columns={COLUMNS}
      height={360}
      empty={
        <EmptyState title="The books know nothing of it yet">
          The first posting is made when the buyer’s money is set aside.
        </EmptyState>
      }
    />
  );
}

//! The columns of a table of entries.
import type { LedgerEntry } from '@holdfast/sdk';
import { Go } from '#app/go.tsx';
import { routeOf } from '#app/routes.ts';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { accountWords } from '#screens/ledger/account-words.ts';

/** In a table: "User …9sg7" leads to the account, whose whole id the mouse sees. */
function AccountLink({ id }: { readonly id: string }) {
  return (
    <span title={id}>
      <Go to={routeOf('LedgerAccount', id) ?? '/ledger'} size="sm">
        {accountWords(id)}
      </Go>
    </span>
  );
}

export const ENTRY_COLUMNS: readonly Column<LedgerEntry>[] = [
  {
    title: 'Entry',
    show: ({ id }) => <IdLink id={id} to={routeOf('LedgerEntry', id) ?? null} isBare />,
  },
  { title: 'Type', show: ({ kind }) => wordsOf(kind) },
  {
    title: 'Amount',
    isEnd: true,
    show: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { title: 'From', show: ({ from }) => <AccountLink id={from.accountId} /> },
  { title: 'To', show: ({ to }) => <AccountLink id={to.accountId} /> },
  { title: 'Record', show: ({ subjectId }) => <IdLink id={subjectId} isBare /> },
  { title: 'Time', show: ({ at }) => <Moment at={at} /> },
];

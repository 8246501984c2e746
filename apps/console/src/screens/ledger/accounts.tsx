//! Accounts by kind, owner and currency.
import type { Currency, LedgerAccount, LedgerAccountKind } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { placeOf } from '#app/places.ts';
import { BALANCE_COLUMNS } from '#parts/balance-columns.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';

const CURRENCY_CODES: readonly Currency[] = ['USD', 'USDC', 'XLM'];
const placeOfAccount = (id: string) => placeOf('LedgerAccount', id) ?? '/ledger';

const COLUMNS: readonly Column<LedgerAccount>[] = [
  { title: 'Account', show: ({ id }) => <IdLink id={id} to={placeOfAccount(id)} isBare /> },
  { title: 'Kind', show: ({ kind }) => wordsOf(kind) },
  { title: 'Of', show: ({ ownerId }) => <IdLink id={ownerId} isBare /> },
  ...BALANCE_COLUMNS,
  { title: 'Changed', show: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

export function Accounts({ kinds }: { readonly kinds: readonly LedgerAccountKind[] }) {
  const go = useGo();
  return (
    <FilteredTable
      label="Accounts"
      screen="ledger-accounts"
      topic="Ledger"
      filters={[
        { name: 'kind', label: 'Kind', choices: kinds },
        { name: 'ownerId', label: 'Of', placeholder: 'usr_… or ord_…' },
        { name: 'currency', label: 'Currency', choices: CURRENCY_CODES, words: (code) => code },
      ]}
      list={(holdfast, query, options) => holdfast.ledger.listAccounts(query, options)}
      idOf={({ id }) => id}
      columns={COLUMNS}
      onOpen={({ id }) => go(placeOfAccount(id))}
      empty={
        <EmptyState title="No such accounts">
          An account is made by the first entry that touches it.
        </EmptyState>
      }
    />
  );
}

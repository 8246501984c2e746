//! Accounts by kind, owner and currency.
import type { Currency, LedgerAccount, LedgerAccountKind } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { routeOf } from '#app/routes.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { BALANCE_COLUMNS } from '#parts/table/balance-columns.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

const CURRENCY_CODES: readonly Currency[] = ['USD', 'USDC', 'XLM'];
const routeOfAccount = (id: string) => routeOf('LedgerAccount', id) ?? '/ledger';

const COLUMNS: readonly Column<LedgerAccount>[] = [
  { title: 'Account', show: ({ id }) => <IdLink id={id} to={routeOfAccount(id)} isBare /> },
  { title: 'Type', show: ({ kind }) => wordsOf(kind) },
  { title: 'Owner', show: ({ ownerId }) => <IdLink id={ownerId} isBare /> },
  ...BALANCE_COLUMNS,
  { title: 'Updated', show: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

export function Accounts({ kinds }: { readonly kinds: readonly LedgerAccountKind[] }) {
  const go = useGo();
  return (
    <FilteredTable
      label="Accounts"
      screen="ledger-accounts"
      topic="Ledger"
      filters={[
        { name: 'kind', label: 'Type', choices: kinds },
        { name: 'ownerId', label: 'Owner', placeholder: 'usr_… or ord_…' },
        { name: 'currency', label: 'Currency', choices: CURRENCY_CODES, words: (code) => code },
      ]}
      list={(holdfast, query, options) => holdfast.ledger.listAccounts(query, options)}
      idOf={({ id }) => id}
      columns={COLUMNS}
      onOpen={({ id }) => go(routeOfAccount(id))}
      empty={
        <EmptyState title="No matching accounts">
          Clear the filters to see more. An account is created with its first entry.
        </EmptyState>
      }
    />
  );
}

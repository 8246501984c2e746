//! Accounts by kind, owner and currency.
import type { Currency, LedgerAccount, LedgerAccountKind } from '@holdfast/sdk';
import { chosen } from '#app/chosen.ts';
import { useGo, useUrlState } from '#app/go.tsx';
import { placeOf } from '#app/places.ts';
import { Amount } from '#parts/amount.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

const CURRENCY_CODES: readonly Currency[] = ['USD', 'USDC', 'XLM'];
const placeOfAccount = (id: string) => placeOf('LedgerAccount', id) ?? '/ledger';

const COLUMNS: readonly Column<LedgerAccount>[] = [
  { title: 'Account', show: ({ id }) => <IdLink id={id} to={placeOfAccount(id)} isBare /> },
  { title: 'Kind', show: ({ kind }) => wordsOf(kind) },
  { title: 'Of', show: ({ ownerId }) => <IdLink id={ownerId} isBare /> },
  {
    title: 'Available',
    isEnd: true,
    show: ({ available, currency }) => <Amount amount={available} currency={currency} />,
  },
  {
    title: 'Reserved',
    isEnd: true,
    show: ({ reserved, currency }) => <Amount amount={reserved} currency={currency} />,
  },
  {
    title: 'Total',
    isEnd: true,
    show: ({ total, currency }) => <Amount amount={total} currency={currency} isStrong />,
  },
  { title: 'Changed', show: ({ updatedAt }) => <Moment at={updatedAt} isShort /> },
];

export function Accounts({ kinds }: { readonly kinds: readonly LedgerAccountKind[] }) {
  const [state] = useUrlState();
  const go = useGo();
  const query = {
    kind: chosen(state['kind'], kinds),
    ownerId: state['ownerId'],
    currency: chosen(state['currency'], CURRENCY_CODES),
    limit: 100,
  };
  return (
    <>
      <FilterBar
        screen="ledger-accounts"
        filters={[
          { name: 'kind', label: 'Kind', choices: kinds },
          { name: 'ownerId', label: 'Of', placeholder: 'usr_… or ord_…' },
          { name: 'currency', label: 'Currency', choices: CURRENCY_CODES, words: (code) => code },
        ]}
      />
      <DataTable
        label="Accounts"
        topic="Ledger"
        queryKey={['accounts', query]}
        list={(holdfast, signal) => holdfast.ledger.listAccounts(query, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(placeOfAccount(id))}
        empty={
          <EmptyState title="No such accounts">
            An account is made by the first entry that touches it.
          </EmptyState>
        }
      />
    </>
  );
}

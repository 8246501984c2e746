//! Entries, newest first; those about one order, withdrawal or top-up when it is named.
import { useGo } from '#app/go.tsx';
import { routeOf } from '#app/routes.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import { ENTRY_COLUMNS } from '#screens/ledger/entry-columns.tsx';

export function Entries() {
  const go = useGo();
  return (
    <FilteredTable
      label="Entries"
      screen="ledger-entries"
      topic="Ledger"
      filters={[
        { name: 'subjectId', label: 'Record ID', placeholder: 'ord_…, wd_…, topup_…' },
        { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
        { name: 'createdBefore', label: 'Until date (UTC)', type: 'date', isLastDay: true },
      ]}
      list={(holdfast, query, options) => holdfast.ledger.listEntries(query, options)}
      idOf={({ id }) => id}
      columns={ENTRY_COLUMNS}
      onOpen={({ id }) => go(routeOf('LedgerEntry', id) ?? '/ledger')}
      empty={
        <EmptyState title="No matching entries">
          Every reservation, funding, release and fee creates an entry. Clear the filters to see
          more.
        </EmptyState>
      }
    />
  );
}

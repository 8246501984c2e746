//! Entries, newest first; those about one order, withdrawal or top-up when it is named.
import { useGo } from '#app/go.tsx';
import { placeOf } from '#app/places.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { ENTRY_COLUMNS } from '#screens/ledger/entry-columns.tsx';

export function Entries() {
  const go = useGo();
  return (
    <FilteredTable
      label="Entries"
      screen="ledger-entries"
      topic="Ledger"
      filters={[
        { name: 'subjectId', label: 'About', placeholder: 'ord_…, wd_…, topup_…' },
        { name: 'createdAfter', label: 'From', type: 'date' },
        { name: 'createdBefore', label: 'Until', type: 'date', isLastDay: true },
      ]}
      list={(holdfast, query, options) => holdfast.ledger.listEntries(query, options)}
      idOf={({ id }) => id}
      columns={ENTRY_COLUMNS}
      onOpen={({ id }) => go(placeOf('LedgerEntry', id) ?? '/ledger')}
      empty={
        <EmptyState title="No such entries">
          Money that moves leaves an entry: a reservation, a funding, a release, a fee.
        </EmptyState>
      }
    />
  );
}

//! Entries, newest first; those about one order, withdrawal or top-up when it is named.
import { useGo, useUrlState } from '#app/go.tsx';
import { placeOf } from '#app/places.ts';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { ENTRY_COLUMNS } from '#screens/ledger/entry-columns.tsx';

export function Entries() {
  const [state] = useUrlState();
  const go = useGo();
  const query = {
    subjectId: state['subjectId'],
    createdAfter: state['createdAfter'],
    createdBefore: state['createdBefore'],
    limit: 100,
  };
  return (
    <>
      <FilterBar
        screen="ledger-entries"
        filters={[
          { name: 'subjectId', label: 'About', placeholder: 'ord_…, wd_…, topup_…' },
          { name: 'createdAfter', label: 'From', type: 'date' },
          { name: 'createdBefore', label: 'Until', type: 'date' },
        ]}
      />
      <DataTable
        label="Entries"
        topic="Ledger"
        queryKey={['entries', query]}
        list={(holdfast, signal) => holdfast.ledger.listEntries(query, { signal })}
        idOf={({ id }) => id}
        columns={ENTRY_COLUMNS}
        onOpen={({ id }) => go(placeOf('LedgerEntry', id) ?? '/ledger')}
        empty={
          <EmptyState title="No such entries">
            Money that moves leaves an entry: a reservation, a funding, a release, a fee.
          </EmptyState>
        }
      />
    </>
  );
}

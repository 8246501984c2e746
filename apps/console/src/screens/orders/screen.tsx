//! Orders: filtered by state, parties, amount and time; the server pages.
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import { ORDER_COLUMNS } from '#screens/orders/order-columns.tsx';
import { ORDER_STATES } from '#screens/orders/order-states.ts';

const USER_ID = /^usr_[0-9a-z]{27}$/;
/** More than nothing, with at most two places. */
const AMOUNT = /^(?![0.]*$)(0|[1-9]\d{0,12})(\.\d{1,2})?$/;

export function Screen() {
  const go = useGo();
  return (
    <>
      <ScreenHead title="Orders" note="Newest first." />
      <FilteredTable
        label="Orders"
        screen="orders"
        topic="Order"
        filters={[
          { name: 'status', label: 'Status', choices: ORDER_STATES },
          { name: 'clientOrderRef', label: 'Reference', placeholder: 'Marketplace reference' },
          { name: 'buyerId', label: 'Buyer', placeholder: 'usr_…', accepts: USER_ID },
          { name: 'sellerId', label: 'Seller', placeholder: 'usr_…', accepts: USER_ID },
          { name: 'amountFrom', label: 'Amount from', placeholder: '0.00', accepts: AMOUNT },
          { name: 'amountTo', label: 'Amount to', placeholder: '0.00', accepts: AMOUNT },
          { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
          { name: 'createdBefore', label: 'Until date (UTC)', type: 'date', isLastDay: true },
        ]}
        list={(holdfast, query, options) => holdfast.orders.list(query, options)}
        idOf={({ id }) => id}
        columns={ORDER_COLUMNS}
        onOpen={({ id }) => go(`/orders/${id}`)}
        empty={
          <EmptyState title="No matching orders">
            Clear the filters, or press Ctrl K (⌘K) and search by ID, reference or transaction hash.
            Orders appear here when the marketplace creates them through the API.
          </EmptyState>
        }
      />
    </>
  );
}

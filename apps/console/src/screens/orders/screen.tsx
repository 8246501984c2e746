//! Orders: filtered by state, parties, amount and time; the server pages.
import type { ListOrdersQuery } from '@holdfast/sdk';
import { useGo, useUrlState } from '#app/go.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { type Filter, FilterBar } from '#parts/filter-bar.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { ORDER_COLUMNS } from '#screens/orders/order-columns.tsx';
import { orderQuery } from '#screens/orders/order-query.ts';
import { ORDER_STATES } from '#screens/orders/order-states.ts';

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'State', choices: ORDER_STATES },
  { name: 'clientOrderRef', label: 'Reference', placeholder: 'Your own reference' },
  { name: 'buyerId', label: 'Buyer', placeholder: 'usr_…' },
  { name: 'sellerId', label: 'Seller', placeholder: 'usr_…' },
  { name: 'amountFrom', label: 'Amount from', placeholder: '0.00' },
  { name: 'amountTo', label: 'Amount to', placeholder: '0.00' },
  { name: 'createdAfter', label: 'Created after', type: 'date' },
  { name: 'createdBefore', label: 'Created before', type: 'date' },
];

export function Screen() {
  const go = useGo();
  const [state] = useUrlState();
  const query: ListOrdersQuery = orderQuery(state);
  return (
    <>
      <ScreenHead title="Orders" note="Newest first. j and k move, Enter opens." />
      <FilterBar screen="orders" filters={FILTERS} />
      <DataTable
        label="Orders"
        topic="Order"
        queryKey={[query]}
        list={(holdfast, signal) => holdfast.orders.list({ ...query, limit: 100 }, { signal })}
        idOf={({ id }) => id}
        columns={ORDER_COLUMNS}
        onOpen={({ id }) => go(`/orders/${id}`)}
        empty={
          <EmptyState title="No order is like that">
            Take a filter away, or press ⌘K and paste any id: ours, your reference, the contract’s
            or a transaction hash. New orders come in by POST /orders.
          </EmptyState>
        }
      />
    </>
  );
}

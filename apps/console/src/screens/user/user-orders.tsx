//! The orders of a user, in one role.
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import { ORDER_COLUMNS } from '#screens/orders/order-columns.tsx';

interface Props {
  readonly userId: string;
  readonly as: 'buyer' | 'seller';
}

export function UserOrders({ userId, as }: Props) {
  const go = useGo();
  const query = as === 'buyer' ? { buyerId: userId } : { sellerId: userId };
  return (
    <DataTable
      label={`Orders as ${as}`}
      topic="Order"
      queryKey={[query]}
      list={(holdfast, signal) => holdfast.orders.list({ ...query, limit: 100 }, { signal })}
      idOf={({ id }) => id}
      columns={ORDER_COLUMNS}
      onOpen={({ id }) => go(`/orders/${id}`)}
      height={460}
      empty={
        <EmptyState title={`No orders as ${as} yet`}>
          Orders appear here when the marketplace creates them through the API.
        </EmptyState>
      }
    />
  );
}

//! The milestones of an order: which are done, and which were paid.
import type { Milestone, Operation, Order } from '@holdfast/sdk';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { type Pay, payOf } from '#screens/order/milestone-pay.ts';

interface Row extends Milestone {
  readonly pay: Pay | undefined;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const columnsIn = (currency: string): readonly Column<Row>[] => [
  { title: 'Milestone', show: ({ title, ref }) => <>{title} <span className="hf-id">{ref}</span></> },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Amount', isEnd: true, show: ({ amount }) => <Amount amount={amount} currency={currency} /> },
  { title: 'Completed', show: ({ completedAt }) => <Moment at={completedAt} /> },
  { title: 'Payment', show: ({ pay }) => <Paid pay={pay} /> },
];

function Paid({ pay }: { readonly pay: Pay | undefined }) {
  if (pay === undefined) return 'Not paid';
  return (
    <>
      {pay.words} <Moment at={pay.at} isShort />{' '}
      {pay.operationId !== null && <IdLink id={pay.operationId} isBare />}
    </>
  );
}

/** Only those that pay: few, and each with its steps. */
const PAYING: readonly string[] = ['release-order', 'refund-order', 'resolve-dispute'];
const OPERATIONS_MAX = 100;

export function Milestones({ order }: { readonly order: Order }) {
  const reading = useRead('Order', [order.id, 'operations'], async (holdfast, signal) => {
    const all = holdfast.operations.list({ resourceId: order.id, limit: 100 }, { signal });
    return (await all.toArray(OPERATIONS_MAX)).filter(({ kind }) => PAYING.includes(kind));
  });
  if (order.milestones.length === 0) {
    return (
      <div className="hf-frame">
        <EmptyState title="No milestones">
          Milestones are set when the order is created. This order is paid as a whole.
        </EmptyState>
      </div>
    );
  }
  return <Loaded of={reading}>{(paying) => <Table order={order} paying={paying} />}</Loaded>;
}

interface TableProps {
  readonly order: Order;
  readonly paying: readonly Operation[];
}

function Table({ order, paying }: TableProps) {
  return (
    <ShortTable
      label="Milestones"
      columns={columnsIn(order.currency)}
      rows={order.milestones.map((one, index) => ({ ...one, pay: payOf(order, paying, index) }))}
      idOf={({ id }) => id}
      minWidth={680}
      isFramed
    />
  );
}

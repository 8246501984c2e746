//! The table columns of an order.
import type { Order } from '@holdfast/sdk';
import { Cut } from '#parts/cut.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const ORDER_COLUMNS: readonly Column<Order>[] = [
  { title: 'Order', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Title', show: ({ title }) => <Cut text={title} /> },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Amount', isEnd: true, show: ({ amount, currency }) => <Amount amount={amount} currency={currency} /> },
  { title: 'Buyer', show: ({ buyerId }) => <IdLink id={buyerId} isBare /> },
  { title: 'Seller', show: ({ sellerId }) => <IdLink id={sellerId} isBare /> },
  { title: 'Reference', show: ({ clientOrderRef }) => <Cut text={clientOrderRef ?? '–'} /> },
  { title: 'Created', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

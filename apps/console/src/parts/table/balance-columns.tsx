//! The table columns for the balance of an account or a user.
import { Amount } from '#parts/money/amount.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

interface Held {
  readonly available: string;
  readonly reserved: string;
  readonly total: string;
  readonly currency: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const BALANCE_COLUMNS: readonly Column<Held>[] = [
  { title: 'Available', isEnd: true, show: ({ available, currency }) => <Amount amount={available} currency={currency} /> },
  { title: 'Reserved', isEnd: true, show: ({ reserved, currency }) => <Amount amount={reserved} currency={currency} /> },
  { title: 'Total', isEnd: true, show: ({ total, currency }) => <Amount amount={total} currency={currency} isStrong /> },
];

//! One side of the equation, term by term, with its sum.
import { Text } from '@mantine/core';
import { Amount } from '#parts/money/amount.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import type { Side, Term } from '#screens/solvency/equation.ts';

interface Props {
  readonly side: Side;
  readonly currency: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const columnsOf = ({ title }: Side, currency: string): readonly Column<Term>[] => [
  { title, show: (term) => <Named term={term} /> },
  { title: 'Amount', isEnd: true, show: ({ amount }) => <Amount amount={amount} currency={currency} /> },
];

export function SideTable({ side, currency }: Props) {
  return (
    <ShortTable
      label={`${side.title} in ${currency}`}
      columns={columnsOf(side, currency)}
      rows={side.terms}
      idOf={({ label }) => label}
      last={['Total', <Together key="sum" side={side} currency={currency} />]}
    />
  );
}

function Named({ term: { label, description, sign } }: { readonly term: Term }) {
  return (
    <>
      {sign === '−' && 'Less: '}
      {label}
      <Text size="xs" c="dimmed">
        {description}
      </Text>
    </>
  );
}

function Together({ side: { total, addsUp }, currency }: Props) {
  return (
    <>
      <Amount amount={total} currency={currency} isStrong />
      {!addsUp && (
        <Text size="xs" c="var(--hf-bad)" role="alert">
          The items do not add up to this total.
        </Text>
      )}
    </>
  );
}

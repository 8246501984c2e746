//! The list of top-ups or withdrawals: both have the same filters and the same first columns.
import type { Holdfast, List } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { useGo } from '#app/go.tsx';
import type { Topic } from '#app/queries.ts';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

interface Flow {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly userId: string;
  readonly createdAt: string;
}

/** The query of both lists. */
export interface FlowQuery<State> {
  readonly status?: State;
  readonly userId?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly limit: number;
}

interface Props<Row, State> {
  readonly label: string;
  /** What one of them is called: the title of the first column. */
  readonly one: string;
  /** The screen's path below the console, which names its saved views too. */
  readonly screen: string;
  readonly topic: Topic;
  readonly states: readonly State[];
  readonly list: (
    holdfast: Holdfast,
    query: FlowQuery<State>,
    options: { readonly signal: AbortSignal },
  ) => List<Row>;
  /** What only this list shows, before the date. */
  readonly own: readonly Column<Row>[];
  readonly empty: ReactNode;
}

export function FlowList<Row extends Flow, State extends string>(props: Props<Row, State>) {
  const { label, one, screen, topic, states, list, own, empty } = props;
  const go = useGo();
  return (
    <FilteredTable
      label={label}
      screen={screen}
      topic={topic}
      filters={[
        { name: 'status', label: 'Status', choices: states },
        { name: 'userId', label: 'User', placeholder: 'usr_…' },
        { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
        { name: 'createdBefore', label: 'Until date (UTC)', type: 'date', isLastDay: true },
      ]}
      list={list}
      idOf={({ id }) => id}
      columns={flowColumns(one, [WHOSE, ...own])}
      onOpen={({ id }) => go(`/${screen}/${id}`)}
      empty={empty}
    />
  );
}

const WHOSE: Column<Flow> = {
  title: 'User',
  show: ({ userId }) => <IdLink id={userId} isBare />,
};

/** The columns of any list of them, with a screen's own before the date. */
export function flowColumns<Row extends Flow>(
  one: string,
  own: readonly Column<Row>[],
): readonly Column<Row>[] {
  return [
    { title: one, show: ({ id }) => <IdLink id={id} isBare /> },
    { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
    {
      title: 'Amount',
      isEnd: true,
      show: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
    },
    ...own,
    { title: 'Created', show: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

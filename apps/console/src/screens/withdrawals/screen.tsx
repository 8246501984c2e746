//! Withdrawals: money that goes out, and what is on its way.
import { statesOf } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/withdrawal-machine';
import type { Withdrawal } from '@holdfast/sdk';
import { Alert } from '@mantine/core';
import { chosen } from '#app/chosen.ts';
import { Go, useGo, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Amount } from '#parts/amount.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';

const STATES = statesOf(withdrawalMachine);

const COLUMNS: readonly Column<Withdrawal>[] = [
  { title: 'Withdrawal', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
  {
    title: 'Amount',
    isEnd: true,
    show: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { title: 'User', show: ({ userId }) => <IdLink id={userId} isBare /> },
  { title: 'To', show: ({ destination }) => destination.type.replaceAll('_', ' ') },
  {
    title: 'Needs',
    show: ({ actionRequired, failureReason }) => actionRequired ?? failureReason ?? '–',
  },
  { title: 'Created', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  const [state] = useUrlState();
  const go = useGo();
  const query = {
    status: chosen(state['status'], STATES),
    userId: state['userId'],
    createdAfter: state['createdAfter'],
    createdBefore: state['createdBefore'],
    limit: 100,
  };
  return (
    <>
      <ScreenHead
        title="Withdrawals"
        note="Money is held from the beginning; it leaves when the pay-out ends, or is given back."
        actions={<Go to="/approvals?status=PENDING">What waits for a second person</Go>}
      />
      <PausedNote />
      <FilterBar
        screen="withdrawals"
        filters={[
          { name: 'status', label: 'State', choices: STATES },
          { name: 'userId', label: 'User', placeholder: 'usr_…' },
          { name: 'createdAfter', label: 'From', type: 'date' },
          { name: 'createdBefore', label: 'Until', type: 'date' },
        ]}
      />
      <DataTable
        label="Withdrawals"
        topic="Withdrawal"
        queryKey={['withdrawals', query]}
        list={(holdfast, signal) => holdfast.withdrawals.list(query, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/withdrawals/${id}`)}
        empty={
          <EmptyState title="No withdrawals here">
            A withdrawal appears when a marketplace calls <code>POST /withdrawals</code> for a user
            who has the money available.
          </EmptyState>
        }
      />
    </>
  );
}

function PausedNote() {
  const { data } = useRead('Solvency', ['reading'], (holdfast, signal) =>
    holdfast.solvency.get({ signal }),
  );
  if (data?.payoutsPaused !== true) return null;
  return (
    <Alert color="red" variant="outline" title="Payouts are paused" mb="sm" role="status">
      {data.pauseReason ?? 'What is there and what is owed differ.'} Nothing leaves until they are
      resumed. <Go to="/solvency">See solvency</Go>
    </Alert>
  );
}

//! Withdrawals: money that goes out, and what is on its way.
import { statesOf } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/withdrawal-machine';
import type { Withdrawal } from '@holdfast/sdk';
import { Alert } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import type { Column } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FlowList } from '#parts/flow-list.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

const STATES = statesOf(withdrawalMachine);

const OWN: readonly Column<Withdrawal>[] = [
  { title: 'To', show: ({ destination }) => wordsOf(destination.type) },
  {
    title: 'Needs',
    show: ({ actionRequired, failureReason }) => actionRequired ?? failureReason ?? '–',
  },
];

export function Screen() {
  return (
    <>
      <ScreenHead
        title="Withdrawals"
        note="Money is held from the beginning; it leaves when the pay-out ends, or is given back."
        actions={
          <Go to="/approvals?status=PENDING" size="sm">
            What waits for a second person
          </Go>
        }
      />
      <PausedNote />
      <FlowList
        label="Withdrawals"
        one="Withdrawal"
        screen="withdrawals"
        topic="Withdrawal"
        states={STATES}
        list={(holdfast, query, options) => holdfast.withdrawals.list(query, options)}
        own={OWN}
        empty={
          <EmptyState title="No withdrawals here">
            A withdrawal appears when a marketplace calls <code>POST /withdrawals</code> for a user
            who has the money available. If you expected one, clear the filters.
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

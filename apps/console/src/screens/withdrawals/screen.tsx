//! Withdrawals: money that goes out, and what is on its way.

import { statesOf } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/withdrawal-machine';
import type { Withdrawal } from '@holdfast/sdk';
import { Alert } from '@mantine/core';
import { useMemo } from 'react';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Cut } from '#parts/cut.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FlowList } from '#parts/flow-list.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { type Waiting, waitingOf } from '#screens/withdrawals/waiting.ts';

const STATES = statesOf(withdrawalMachine);

const EVERY_MS = 10_000;
/** Far more than ever wait at a time; the rest is marked on its own page. */
const MARKED_MAX = 300;

const ownColumns = (waiting: Waiting): readonly Column<Withdrawal>[] => [
  { title: 'To', show: ({ destination }) => wordsOf(destination.type) },
  { title: 'Needs', show: (withdrawal) => <Needs withdrawal={withdrawal} waiting={waiting} /> },
];

interface NeedsProps {
  readonly withdrawal: Withdrawal;
  readonly waiting: Waiting;
}

function Needs({ withdrawal: { id, actionRequired, failureReason }, waiting }: NeedsProps) {
  const approvalId = waiting.get(id);
  if (approvalId === undefined) return <Cut text={actionRequired ?? failureReason ?? '–'} />;
  return (
    <Go to={`/approvals?id=${approvalId}`} size="sm">
      A second person
    </Go>
  );
}

/** Read once for the whole list: a row cannot tell it by itself. */
function useWaiting(): Waiting {
  const { data } = useRead(
    'Approval',
    ['waiting-withdrawals'],
    (holdfast, signal) =>
      holdfast.approvals.list({ status: 'PENDING', limit: 100 }, { signal }).toArray(MARKED_MAX),
    { everyMs: EVERY_MS },
  );
  return useMemo(() => waitingOf(data ?? []), [data]);
}

export function Screen() {
  const waiting = useWaiting();
  const own = useMemo(() => ownColumns(waiting), [waiting]);
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
        own={own}
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

//! Withdrawals: money that goes out, with its pending approvals.

import { statesOf } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import type { Withdrawal } from '@holdfast/sdk';
import { Alert } from '@mantine/core';
import { useMemo } from 'react';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Cut } from '#parts/cut.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FlowList } from '#parts/flow-list.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { DESTINATION_WORDS } from '#screens/withdrawals/destination-words.ts';
import { type Waiting, waitingOf } from '#screens/withdrawals/waiting.ts';

const STATES = statesOf(withdrawalMachine);

const EVERY_MS = 10_000;
/** Far more than ever wait at a time; the rest is marked on its own page. */
const MARKED_MAX = 300;

const ownColumns = (waiting: Waiting): readonly Column<Withdrawal>[] => [
  { title: 'Destination type', show: ({ destination }) => DESTINATION_WORDS[destination.type] },
  {
    title: 'Required action or failure reason',
    show: (withdrawal) => <Needs withdrawal={withdrawal} waiting={waiting} />,
  },
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
      Pending approval
    </Go>
  );
}

/** Read once for the whole list: a row does not contain it. */
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
        note="The amount is reserved when a withdrawal is created, debited when the payout completes, and returned if it fails."
        actions={
          <Go to="/approvals?status=PENDING" size="sm">
            View pending approvals
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
          <EmptyState title="No matching withdrawals">
            Clear the filters to see more. Withdrawals appear here when the marketplace creates
            them.
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
    <Alert color="red" variant="outline" title="Payouts paused" mb="sm" role="status">
      {data.pauseReason ?? 'Two consecutive solvency readings found a breach.'} New withdrawals and
      confirmations are rejected until payouts resume. <Go to="/solvency">View solvency</Go>
    </Alert>
  );
}

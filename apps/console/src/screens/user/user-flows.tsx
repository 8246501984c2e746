//! The top-ups and withdrawals of a user.
import type { Topup, Withdrawal } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { flowColumns } from '#parts/flow-list.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import { DESTINATION_WORDS } from '#screens/withdrawals/destination-words.ts';

interface Props {
  readonly userId: string;
}

const TOPUPS = flowColumns<Topup>('Top-up', [
  { title: 'Failure reason', show: ({ failureReason }) => failureReason ?? '–' },
]);
const WITHDRAWALS = flowColumns<Withdrawal>('Withdrawal', [
  { title: 'Destination type', show: ({ destination }) => DESTINATION_WORDS[destination.type] },
  {
    title: 'Required action or failure reason',
    show: ({ actionRequired, failureReason }) => actionRequired ?? failureReason ?? '–',
  },
]);

export function UserTopups({ userId }: Props) {
  const go = useGo();
  return (
    <DataTable
      label="User top-ups"
      topic="TopUp"
      queryKey={['of', userId]}
      list={(holdfast, signal) => holdfast.topups.list({ userId, limit: 100 }, { signal })}
      idOf={({ id }) => id}
      columns={TOPUPS}
      onOpen={({ id }) => go(`/topups/${id}`)}
      height={460}
      empty={
        <EmptyState title="No top-ups yet">
          Top-ups appear here when the user starts a payment in the marketplace.
        </EmptyState>
      }
    />
  );
}

export function UserWithdrawals({ userId }: Props) {
  const go = useGo();
  return (
    <DataTable
      label="User withdrawals"
      topic="Withdrawal"
      queryKey={['of', userId]}
      list={(holdfast, signal) => holdfast.withdrawals.list({ userId, limit: 100 }, { signal })}
      idOf={({ id }) => id}
      columns={WITHDRAWALS}
      onOpen={({ id }) => go(`/withdrawals/${id}`)}
      height={460}
      empty={
        <EmptyState title="No withdrawals yet">
          Withdrawals appear here when the user requests a payout in the marketplace.
        </EmptyState>
      }
    />
  );
}

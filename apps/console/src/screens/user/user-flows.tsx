//! The money of a user on its way in and out: top-ups and withdrawals.
import type { Topup, Withdrawal } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { flowColumns } from '#parts/flow-list.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

interface Props {
  readonly userId: string;
}

const TOPUPS = flowColumns<Topup>('Top-up', [
  { title: 'Why it failed', show: ({ failureReason }) => failureReason ?? '–' },
]);
const WITHDRAWALS = flowColumns<Withdrawal>('Withdrawal', [
  { title: 'To', show: ({ destination }) => wordsOf(destination.type) },
  {
    title: 'Needs',
    show: ({ actionRequired, failureReason }) => actionRequired ?? failureReason ?? '–',
  },
]);

export function UserTopups({ userId }: Props) {
  const go = useGo();
  return (
    <DataTable
      label="Top-ups of the user"
      topic="TopUp"
      queryKey={['of', userId]}
      list={(holdfast, signal) => holdfast.topups.list({ userId, limit: 100 }, { signal })}
      idOf={({ id }) => id}
      columns={TOPUPS}
      onOpen={({ id }) => go(`/topups/${id}`)}
      height={460}
      empty={
        <EmptyState title="No top-ups">
          One appears when the marketplace calls <code>POST /topups</code> for this user.
        </EmptyState>
      }
    />
  );
}

export function UserWithdrawals({ userId }: Props) {
  const go = useGo();
  return (
    <DataTable
      label="Withdrawals of the user"
      topic="Withdrawal"
      queryKey={['of', userId]}
      list={(holdfast, signal) => holdfast.withdrawals.list({ userId, limit: 100 }, { signal })}
      idOf={({ id }) => id}
      columns={WITHDRAWALS}
      onOpen={({ id }) => go(`/withdrawals/${id}`)}
      height={460}
      empty={
        <EmptyState title="No withdrawals">
          One appears when the marketplace calls <code>POST /withdrawals</code> for this user.
        </EmptyState>
      }
    />
  );
}

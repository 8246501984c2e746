//! Top-ups: money that comes in through the payment provider.
import { statesOf } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/topup-machine';
import type { Topup } from '@holdfast/sdk';
import { chosen } from '#app/chosen.ts';
import { useGo, useUrlState } from '#app/go.tsx';
import { Amount } from '#parts/amount.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';

const STATES = statesOf(topupMachine);

const COLUMNS: readonly Column<Topup>[] = [
  { title: 'Top-up', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Amount', isEnd: true, show: (one) => <Amount {...moneyOf(one)} /> },
  { title: 'User', show: ({ userId }) => <IdLink id={userId} isBare /> },
  { title: 'Pay-in', show: ({ providerPayinId }) => <IdLink id={providerPayinId} isBare /> },
  { title: 'Why it failed', show: ({ failureReason }) => failureReason ?? '–' },
  { title: 'Created', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

function moneyOf({ amount, currency }: Topup) {
  return { amount, currency };
}

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
        title="Top-ups"
        note="A user asks, confirms on the pay page, and is credited once the provider has the money."
      />
      <FilterBar
        screen="topups"
        filters={[
          { name: 'status', label: 'State', choices: STATES },
          { name: 'userId', label: 'User', placeholder: 'usr_…' },
          { name: 'createdAfter', label: 'From', type: 'date' },
          { name: 'createdBefore', label: 'Until', type: 'date' },
        ]}
      />
      <DataTable
        label="Top-ups"
        topic="TopUp"
        queryKey={['topups', query]}
        list={(holdfast, signal) => holdfast.topups.list(query, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/topups/${id}`)}
        empty={
          <EmptyState title="No top-ups here">
            A top-up appears when a marketplace calls <code>POST /topups</code> for a user. If you
            expected one, clear the filters or look in the inbox for a notice that fits nothing.
          </EmptyState>
        }
      />
    </>
  );
}

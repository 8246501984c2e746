//! Top-ups: money that comes in through the payment provider.
import { statesOf } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import type { Topup } from '@holdfast/sdk';
import { Go } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FlowList } from '#parts/flow-list.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

const STATES = statesOf(topupMachine);

const OWN: readonly Column<Topup>[] = [
  { title: 'Failure reason', show: ({ failureReason }) => failureReason ?? '–' },
];

export function Screen() {
  return (
    <>
      <ScreenHead
        title="Top-ups"
        note="Payments from users. A top-up is credited when the payment provider has received the money."
      />
      <FlowList
        label="Top-ups"
        one="Top-up"
        screen="topups"
        topic="TopUp"
        states={STATES}
        list={(holdfast, query, options) => holdfast.topups.list(query, options)}
        own={OWN}
        empty={
          <EmptyState title="No matching top-ups">
            Clear the filters, or check the{' '}
            <Go to="/inbox?status=PARKED" underline="always">
              provider notifications that need review
            </Go>
            . Top-ups appear here when a user starts a payment in the marketplace.
          </EmptyState>
        }
      />
    </>
  );
}

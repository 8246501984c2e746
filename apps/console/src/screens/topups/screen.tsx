//! Top-ups: money that comes in through the payment provider.
import { statesOf } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/topup-machine';
import type { Topup } from '@holdfast/sdk';
import { Go } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FlowList } from '#parts/flow-list.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import type { Column } from '#parts/table-columns.tsx';

const STATES = statesOf(topupMachine);

const OWN: readonly Column<Topup>[] = [
  { title: 'Why it failed', show: ({ failureReason }) => failureReason ?? '–' },
];

export function Screen() {
  return (
    <>
      <ScreenHead
        title="Top-ups"
        note="A user asks, confirms on the pay page, and is credited once the provider has the money."
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
          <EmptyState title="No top-ups here">
            A top-up appears when a marketplace calls <code>POST /topups</code> for a user. If you
            expected one, clear the filters, or look for{' '}
            <Go to="/inbox?status=PARKED">a notice that fits nothing</Go>.
          </EmptyState>
        }
      />
    </>
  );
}

//! One top-up: what we say, what the provider calls it, and what can be done.
import { canMove } from '@holdfast/contract/machine';
import { ANY_ACTING } from '@holdfast/contract/roles';
import { topupMachine } from '@holdfast/contract/topup-machine';
import type { Topup } from '@holdfast/sdk';
import { SimpleGrid, Stack } from '@mantine/core';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { Amount } from '#parts/amount.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { LastNotice } from '#parts/last-notice.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { told } from '#parts/told.ts';
import { Traces } from '#parts/traces.tsx';

export function Screen() {
  const id = useParam('id');
  const topup = useRead('TopUp', ['one', id], (holdfast, signal) =>
    holdfast.topups.get(id, { signal }),
  );
  return <Loaded of={topup}>{(found) => <Shown topup={found} />}</Loaded>;
}

function Shown({ topup }: { readonly topup: Topup }) {
  const { id, status, amount, currency } = topup;
  return (
    <>
      <ScreenHead
        title={`Top-up of ${amount} ${currency}`}
        badge={<StateBadge state={status} />}
        note={
          <>
            <IdLink id={id} to={null} /> {topupMachine.states[status]}
          </>
        }
        actions={<Actions topup={topup} />}
      />
      <Stack>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Panel title="Here">
            <Facts
              rows={[
                ['Amount', <Amount key="amount" amount={amount} currency={currency} isStrong />],
                ['User', <IdLink key="user" id={topup.userId} />],
                ...told('Description', topup.description),
                ['Created', <Moment key="created" at={topup.createdAt} />],
                ['Changed', <Moment key="changed" at={topup.updatedAt} />],
              ]}
            />
          </Panel>
          <Panel title="At the payment provider">
            <Facts
              rows={[
                ['Pay-in', <IdLink key="payin" id={topup.providerPayinId} to={null} />],
                ['Told last', <LastNotice key="told" resourceId={id} />],
                ['Pay page', <IdLink key="page" id={topup.confirmationUri} to={null} />],
                ...told('Why it failed', topup.failureReason),
                ...told('Code', topup.errorCode),
              ]}
            />
          </Panel>
        </SimpleGrid>
        <Panel title="Traces">
          <Traces id={id} />
        </Panel>
        {Object.keys(topup.metadata).length > 0 && (
          <Panel title="Metadata of the marketplace">
            <RawJson value={topup.metadata} label="Metadata" />
          </Panel>
        )}
      </Stack>
    </>
  );
}

function Actions({ topup: { id, status, amount, currency, userId } }: { readonly topup: Topup }) {
  const holdfast = useHoldfast();
  const canCancel = canMove(topupMachine, status, 'cancel');
  return (
    <>
      <ActionButton
        label="Look it up"
        roles={ANY_ACTING}
        title="Look the top-up up at the payment provider"
        effect={
          <EffectList
            lines={[
              'Asks the payment provider what became of the pay-in, now.',
              `If it has the money, ${amount} ${currency} are credited to ${userId}, once.`,
            ]}
          />
        }
        confirm="Look it up"
        done="The provider was asked: what it says is shown here"
        touches={['TopUp']}
        run={(reason) => holdfast.topups.refresh(id, { reason })}
      />
      <ActionButton
        label="Cancel"
        roles={ANY_ACTING}
        whyNot={
          canCancel ? undefined : `It is ${wordsOf(status).toLowerCase()}: too late to cancel`
        }
        title={`Cancel the top-up ${id}`}
        effect={
          <EffectList
            lines={[
              'The pay page stops working, and nothing is credited.',
              'Money that comes in later goes to suspense and is raised.',
            ]}
          />
        }
        confirm="Cancel the top-up"
        isIrreversible
        done="The top-up is canceled"
        touches={['TopUp']}
        run={(reason) => holdfast.topups.cancel(id, { reason }, { reason })}
      />
    </>
  );
}

//! One top-up: our state, the provider's reference, and the actions.
import { canMove } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { Topup } from '@holdfast/sdk';
import { SimpleGrid, Stack } from '@mantine/core';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { LastNotification } from '#parts/last-notification.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { RelatedRecords } from '#parts/related-records.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { optionalRow } from '#parts/table/optional-row.ts';

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
          <Panel title="In Holdfast">
            <Facts
              rows={[
                ['Amount', <Amount key="amount" amount={amount} currency={currency} isStrong />],
                ...optionalRow(
                  'Reversed',
                  topup.reversedAmount === '0.00' ? null : `${topup.reversedAmount} ${currency}`,
                ),
                ['User', <IdLink key="user" id={topup.userId} />],
                ...optionalRow('Description', topup.description),
                ['Created', <Moment key="created" at={topup.createdAt} />],
                ['Updated', <Moment key="changed" at={topup.updatedAt} />],
              ]}
            />
          </Panel>
          <Panel title="Payment provider">
            <Facts
              rows={[
                ['Pay-in ID', <IdLink key="payin" id={topup.providerPayinId} to={null} />],
                ...optionalRow('Fee', feeWords(topup)),
                ['Last notification', <LastNotification key="notification" resourceId={id} />],
                ['Payment page', <IdLink key="page" id={topup.confirmationUri} to={null} />],
                ...optionalRow('Failure reason', topup.failureReason),
                ...optionalRow('Error code', topup.errorCode),
              ]}
            />
          </Panel>
        </SimpleGrid>
        <Panel title="Related records">
          <RelatedRecords id={id} />
        </Panel>
        {Object.keys(topup.metadata).length > 0 && (
          <Panel title="Metadata">
            <RawJson value={topup.metadata} label="Metadata" />
          </Panel>
        )}
      </Stack>
    </>
  );
}

/** Null before the provider's record was read. */
function feeWords({ providerFee, providerFeePaidBy, currency }: Topup): string | null {
  if (providerFee === null) return null;
  const payer = providerFeePaidBy === 'USER' ? 'the user' : 'the marketplace';
  return `${providerFee} ${currency}, paid by ${payer}`;
}

function Actions({ topup: { id, status, amount, currency, userId } }: { readonly topup: Topup }) {
  const holdfast = useHoldfast();
  const canCancel = canMove(topupMachine, status, 'cancel');
  return (
    <>
      <ActionButton
        label="Refresh status"
        roles={ANY_ACTING}
        title="Refresh top-up status"
        effect={
          <EffectList
            lines={[
              'Reads the current status of the pay-in from the payment provider.',
              `If the payment has arrived and is not credited yet, credits ${amount} ${currency} to ${userId}.`,
            ]}
          />
        }
        confirm="Refresh status"
        done="Top-up refreshed"
        touches={['TopUp']}
        run={(reason) => holdfast.topups.refresh(id, { reason })}
      />
      <ActionButton
        label="Cancel top-up"
        roles={ANY_ACTING}
        whyNot={
          canCancel
            ? undefined
            : `A top-up with status ${wordsOf(status).toLowerCase()} cannot be canceled`
        }
        title={`Cancel top-up ${id}`}
        effect={
          <EffectList
            lines={[
              'Closes the payment page. Nothing is credited.',
              'A later payment is posted to suspense and recorded in the audit log.',
            ]}
          />
        }
        confirm="Cancel top-up"
        isIrreversible
        done="Top-up canceled"
        touches={['TopUp']}
        run={(reason) => holdfast.topups.cancel(id, { reason }, { reason })}
      />
    </>
  );
}

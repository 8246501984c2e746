//! One withdrawal: its hold, its payout, its pending approval, and the actions.
import { canMove } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import { ANY_ACTING, FINANCE } from '@holdfast/contract/roles';
import type { Withdrawal } from '@holdfast/sdk';
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { Go, useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay, useSession } from '#app/session/session.tsx';
import { AboveLimit } from '#parts/action/above-limit.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { needsSecond } from '#parts/action/limit.ts';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { LastNotification } from '#parts/last-notification.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Masked } from '#parts/masked.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { RelatedRecords } from '#parts/related-records.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { type FactRow, optionalRow } from '#parts/table/optional-row.ts';
import { titleOf } from '#screens/approvals/request-words.ts';
import { DESTINATION_WORDS } from '#screens/withdrawals/destination-words.ts';

export function Screen() {
  const id = useParam('id');
  const withdrawal = useRead('Withdrawal', ['one', id], (holdfast, signal) =>
    holdfast.withdrawals.get(id, { signal }),
  );
  return <Loaded of={withdrawal}>{(found) => <Shown key={found.id} withdrawal={found} />}</Loaded>;
}

interface Props {
  readonly withdrawal: Withdrawal;
}

function Shown({ withdrawal }: Props) {
  const { id, status, amount, currency } = withdrawal;
  return (
    <>
      <ScreenHead
        title={`Withdrawal of ${amount} ${currency}`}
        badge={<StateBadge state={status} />}
        note={
          <>
            <IdLink id={id} to={null} /> {withdrawalMachine.states[status]}
          </>
        }
        actions={<Actions withdrawal={withdrawal} />}
      />
      <Stack>
        <Waiting id={id} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Here withdrawal={withdrawal} />
          <There withdrawal={withdrawal} />
        </SimpleGrid>
        <Panel title="Related records">
          <RelatedRecords id={id} />
        </Panel>
      </Stack>
    </>
  );
}

function Here({ withdrawal: one }: Props) {
  return (
    <Panel title="In Holdfast">
      <Facts
        rows={[
          ['Amount', <Amount key="amount" amount={one.amount} currency={one.currency} isStrong />],
          ...optionalRow(
            'Returned',
            one.returnedAmount === '0.00' ? null : `${one.returnedAmount} ${one.currency}`,
          ),
          ['User', <IdLink key="user" id={one.userId} />],
          ['Created', <Moment key="created" at={one.createdAt} />],
          ...(one.expiresAt === null
            ? []
            : [['Expires', <Moment key="expires" at={one.expiresAt} />] as const]),
          ['Confirmed', <Moment key="committed" at={one.committedAt} />],
          ['Paid out', <Moment key="completed" at={one.completedAt} />],
          ['Updated', <Moment key="changed" at={one.updatedAt} />],
        ]}
      />
    </Panel>
  );
}

/** The payee is masked, and so are names in the provider's texts. */
function There({ withdrawal: one }: Props) {
  const reveal = useReveal(one);
  const { ref, type, memo } = one.destination;
  const reasonRows = (name: string, of: 'actionRequired' | 'failureReason'): readonly FactRow[] =>
    one[of]?.includes(MASK)
      ? [
          [
            name,
            <Masked
              key={of}
              value={one[of]}
              what="the provider message"
              reveal={reveal((all) => all[of])}
            />,
          ],
        ]
      : optionalRow(name, one[of]);
  return (
    <Panel title="Payout">
      <Facts
        rows={[
          ['Destination type', DESTINATION_WORDS[type]],
          [
            'Destination',
            ref.includes(MASK) ? (
              <Masked
                key="ref"
                value={ref}
                what="the destination"
                reveal={reveal(({ destination }) => destination.ref)}
              />
            ) : (
              <IdLink key="ref" id={ref} to={null} />
            ),
          ],
          ...optionalRow('Memo', memo),
          ['Provider payout ID', <IdLink key="payout" id={one.providerPayoutId} to={null} />],
          ['Last notification', <LastNotification key="notification" resourceId={one.id} />],
          ['Transaction hash', <IdLink key="hash" id={one.transactionHash} to={null} />],
          ...reasonRows('Required action', 'actionRequired'),
          ...reasonRows('Failure reason', 'failureReason'),
          ...optionalRow('Error code', one.errorCode),
        ]}
      />
    </Panel>
  );
}

/** What the service puts in the place of what is personal. */
const MASK = '•••';

/** How to see one part of it unmasked; nothing where the role may not. */
function useReveal({ id }: Withdrawal) {
  const holdfast = useHoldfast();
  const mayReveal = useMay(ANY_ACTING);
  return (part: (revealed: Withdrawal) => string | null) =>
    mayReveal
      ? async (reason: string) =>
          part(await holdfast.withdrawals.reveal(id, { reason }, { reason }))
      : undefined;
}

/** An action on this withdrawal waits for a second approver. */
function Waiting({ id }: { readonly id: string }) {
  const { data } = useRead('Approval', ['of', id], async (holdfast, signal) => {
    const waiting = holdfast.approvals.list({ resourceId: id, status: 'PENDING' }, { signal });
    return (await waiting.first()) ?? null;
  });
  if (!data) return null;
  return (
    <Alert color="harbour" variant="light" title="Pending approval" role="status">
      {data.requestedBy.name} requested: {titleOf(data.action)}. Reason: “{data.reason}”{' '}
      <Go to={`/approvals?id=${data.id}`}>View request</Go>
    </Alert>
  );
}

function Actions({ withdrawal }: Props) {
  const { id, status, amount, currency, destination } = withdrawal;
  const holdfast = useHoldfast();
  const { approvalLimit } = useSession().session;
  const canCommit = canMove(withdrawalMachine, status, 'commit');
  const needsApproval = needsSecond(amount, approvalLimit);
  return (
    <>
      <ActionButton
        label="Refresh status"
        roles={ANY_ACTING}
        title="Refresh payout status"
        effect={
          <EffectList
            lines={[
              'Reads the current payout status from the provider and applies it.',
              'Does not send the payout again.',
            ]}
          />
        }
        confirm="Refresh status"
        done="Payout refreshed"
        touches={['Withdrawal']}
        run={(reason) => holdfast.withdrawals.refresh(id, { reason })}
      />
      <Cancel withdrawal={withdrawal} />
      <ActionButton
        label="Confirm and pay out"
        isPrimary
        roles={FINANCE}
        whyNot={
          canCommit
            ? undefined
            : `A withdrawal with status ${wordsOf(status).toLowerCase()} cannot be confirmed`
        }
        title={`Confirm withdrawal ${id}`}
        effect={
          <>
            <EffectList
              lines={[
                `Sends ${amount} ${currency} to ${DESTINATION_WORDS[destination.type].toLowerCase()} ${destination.ref}.`,
                'The reserved amount is debited when the payout completes, and returned if the payout fails.',
                'A second approver is also required if the destination is new to the user or a payout limit of 24 hours is reached.',
              ]}
            />
            <AboveLimit amount={amount} currency={currency} />
          </>
        }
        confirm={needsApproval ? 'Request approval' : 'Pay out'}
        isIrreversible
        done="Withdrawal confirmed, payout in progress"
        touches={['Withdrawal']}
        run={(reason) => holdfast.withdrawals.commit(id, { reason }).outcome()}
      />
    </>
  );
}

function Cancel({ withdrawal: { id, status, amount, currency } }: Props) {
  const holdfast = useHoldfast();
  const canCancel = canMove(withdrawalMachine, status, 'cancel');
  return (
    <ActionButton
      label="Cancel withdrawal"
      roles={FINANCE}
      whyNot={
        canCancel
          ? undefined
          : `A withdrawal with status ${wordsOf(status).toLowerCase()} cannot be canceled`
      }
      title={`Cancel withdrawal ${id}`}
      effect={
        <EffectList
          lines={[
            `Returns ${amount} ${currency} to the user’s available balance.`,
            status === 'WITHDRAWAL_CREATED'
              ? 'Nothing has been sent.'
              : 'The payment provider cancels the payout first. If it is too late for that, nothing changes.',
          ]}
        />
      }
      confirm="Cancel withdrawal"
      isIrreversible
      done="Withdrawal canceled"
      touches={['Withdrawal']}
      run={(reason) => holdfast.withdrawals.cancel(id, { reason }, { reason })}
    />
  );
}

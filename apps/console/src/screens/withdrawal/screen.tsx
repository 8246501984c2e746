//! One withdrawal: its hold, its pay-out, what waits for a second person, and what can be done.
import { canMove } from '@holdfast/contract/machine';
import { ANY_ACTING, FINANCE } from '@holdfast/contract/roles';
import { withdrawalMachine } from '@holdfast/contract/withdrawal-machine';
import type { Withdrawal } from '@holdfast/sdk';
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { Go, useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay, useSession } from '#app/session.tsx';
import { AboveLimit } from '#parts/above-limit.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { Amount } from '#parts/amount.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { LastNotice } from '#parts/last-notice.tsx';
import { needsSecond } from '#parts/limit.ts';
import { Loaded } from '#parts/loaded.tsx';
import { Masked } from '#parts/masked.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { type FactRow, told } from '#parts/told.ts';
import { Traces } from '#parts/traces.tsx';
import { titleOf } from '#screens/approvals/request-words.ts';

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
        <Panel title="Traces">
          <Traces id={id} />
        </Panel>
      </Stack>
    </>
  );
}

function Here({ withdrawal: one }: Props) {
  return (
    <Panel title="Here">
      <Facts
        rows={[
          ['Amount', <Amount key="amount" amount={one.amount} currency={one.currency} isStrong />],
          ['User', <IdLink key="user" id={one.userId} />],
          ['Created', <Moment key="created" at={one.createdAt} />],
          ['Confirmed', <Moment key="committed" at={one.committedAt} />],
          ['Paid out', <Moment key="completed" at={one.completedAt} />],
          ['Changed', <Moment key="changed" at={one.updatedAt} />],
        ]}
      />
    </Panel>
  );
}

/** Whom it pays is masked, and so is whoever the provider names in what it says. */
function There({ withdrawal: one }: Props) {
  const reveal = useReveal(one);
  const { ref, type, memo } = one.destination;
  const said = (name: string, of: 'actionRequired' | 'failureReason'): readonly FactRow[] =>
    one[of]?.includes(MASK)
      ? [
          [
            name,
            <Masked
              key={of}
              value={one[of]}
              what="what was said"
              reveal={reveal((all) => all[of])}
            />,
          ],
        ]
      : told(name, one[of]);
  return (
    <Panel title="The pay-out">
      <Facts
        rows={[
          ['To', wordsOf(type)],
          [
            'Reference',
            ref.includes(MASK) ? (
              <Masked
                key="ref"
                value={ref}
                what="whom it pays"
                reveal={reveal(({ destination }) => destination.ref)}
              />
            ) : (
              <IdLink key="ref" id={ref} to={null} />
            ),
          ],
          ...told('Memo', memo),
          ['At the provider', <IdLink key="payout" id={one.providerPayoutId} to={null} />],
          ['The provider told last', <LastNotice key="told" resourceId={one.id} />],
          ['On the network', <IdLink key="hash" id={one.transactionHash} to={null} />],
          ...said('The recipient must', 'actionRequired'),
          ...said('Why it failed', 'failureReason'),
          ...told('Code', one.errorCode),
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

/** Somebody asked for something here, and a second person has not decided yet. */
function Waiting({ id }: { readonly id: string }) {
  const { data } = useRead('Approval', ['of', id], async (holdfast, signal) => {
    const waiting = holdfast.approvals.list({ resourceId: id, status: 'PENDING' }, { signal });
    return (await waiting.first()) ?? null;
  });
  if (!data) return null;
  return (
    <Alert color="harbour" variant="light" title="Waits for a second person" role="status">
      {data.requestedBy.name} asked to {titleOf(data.action).toLowerCase()}: “{data.reason}”{' '}
      <Go to={`/approvals?id=${data.id}`}>Decide</Go>
    </Alert>
  );
}

function Actions({ withdrawal: { id, status, amount, currency, destination } }: Props) {
  const holdfast = useHoldfast();
  const { approvalLimit } = useSession().session;
  const canCommit = canMove(withdrawalMachine, status, 'commit');
  const isAsked = needsSecond(amount, approvalLimit);
  return (
    <>
      <ActionButton
        label="Look it up"
        roles={ANY_ACTING}
        title="Look the pay-out up"
        effect={
          <EffectList
            lines={[
              'Asks where the pay-out is, now, and applies what is found.',
              'Sends nothing: a pay-out is never sent twice.',
            ]}
          />
        }
        confirm="Look it up"
        done="It was looked up: what was found is shown here"
        touches={['Withdrawal']}
        run={(reason) => holdfast.withdrawals.refresh(id, { reason })}
      />
      <ActionButton
        label="Confirm and pay out"
        isPrimary
        roles={FINANCE}
        whyNot={canCommit ? undefined : `It is ${wordsOf(status).toLowerCase()} already`}
        title={`Confirm the withdrawal ${id}`}
        effect={
          <>
            <EffectList
              lines={[
                `Sends ${amount} ${currency} to ${destination.type.replaceAll('_', ' ')} ${destination.ref}.`,
                'The hold is consumed when it arrives, and given back if it fails.',
              ]}
            />
            <AboveLimit amount={amount} currency={currency} />
          </>
        }
        confirm={isAsked ? 'Ask for it' : 'Pay out'}
        isIrreversible
        done="The withdrawal is confirmed and is being paid out"
        touches={['Withdrawal']}
        run={(reason) => holdfast.withdrawals.commit(id, { reason }).outcome()}
      />
    </>
  );
}

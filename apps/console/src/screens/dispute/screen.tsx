//! The dispute desk: both sides, the evidence, the order's story, and the decision.
import type { Approval, Dispute, DisputeEvidence, OrderDetail } from '@holdfast/sdk';
import { Alert, Group, SimpleGrid, Stack } from '@mantine/core';
import { Go, useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Actor } from '#parts/actor.tsx';
import { Amount } from '#parts/amount.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { DecisionForm } from '#screens/dispute/decision-form.tsx';
import { Notes } from '#screens/dispute/notes.tsx';
import { Side } from '#screens/dispute/side.tsx';
import { AssignToMe, AssignToOther } from '#screens/disputes/assign.tsx';
import { Timeline } from '#screens/order/timeline.tsx';

const EVERY_MS = 10_000;
const SAID_MAX = 1_000;

export function Screen() {
  const id = useParam('id');
  const reading = useRead(
    'Dispute',
    [id],
    async (holdfast, signal) => {
      const dispute = await holdfast.disputes.get(id, { signal });
      const [detail, said] = await Promise.all([
        holdfast.orders.detail(dispute.orderId, { signal }),
        holdfast.disputes.listEvidence(id, { limit: 100 }, { signal }).toArray(SAID_MAX),
      ]);
      return { dispute, detail, said };
    },
    // No event tells that a decision is being carried out, nor that it was refused.
    { everyMs: EVERY_MS },
  );
  return <Loaded of={reading}>{(data) => <Desk {...data} />}</Loaded>;
}

interface Props {
  readonly dispute: Dispute;
  readonly detail: OrderDetail;
}

interface DeskProps extends Props {
  /** By both sides since it was opened, newest first. */
  readonly said: readonly DisputeEvidence[];
}

function Desk({ dispute, detail, said }: DeskProps) {
  const { order, parties } = detail;
  const openedBy = dispute.openedBy;
  const asked = useAsked(dispute.id);
  const operationId = dispute.status === 'UNDER_REVIEW' ? detail.openOperationId : null;
  return (
    <Stack>
      <ScreenHead
        title={`${wordsOf(dispute.reason)}: ${order.title}`}
        badge={<StateBadge state={dispute.status} />}
        note={
          <Group gap="md">
            <IdLink id={dispute.id} to={null} />
            <span>
              Opened <Moment at={dispute.createdAt} /> by the {openedBy.toLowerCase()}
            </span>
            <span>
              {dispute.assignedTo === null ? 'Nobody has it' : `With ${dispute.assignedTo}`}
            </span>
          </Group>
        }
        actions={
          <>
            <AssignToMe dispute={dispute} />
            <AssignToOther dispute={dispute} />
          </>
        }
      />
      {operationId !== null && <UnderWay operationId={operationId} />}
      {asked !== null && <SecondPerson asked={asked} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Side side="BUYER" party={parties.buyer} dispute={dispute} said={said} />
        <Side side="SELLER" party={parties.seller} dispute={dispute} said={said} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="Decision">
          {dispute.status === 'RESOLVED' ? (
            <Decided dispute={dispute} detail={detail} />
          ) : (
            <DecisionForm
              dispute={dispute}
              money={detail.money}
              isHeld={operationId !== null || asked !== null}
            />
          )}
        </Panel>
        <Panel title="Internal notes">
          <Notes disputeId={dispute.id} />
        </Panel>
      </SimpleGrid>
      <Panel
        title="The order’s story"
        actions={<Go to={`/orders/${order.id}`}>The whole order</Go>}
      >
        <section
          className="hf-scroll"
          aria-label="What happened to the order"
          style={{ maxHeight: 480 }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
          tabIndex={0}
        >
          <Timeline orderId={order.id} />
        </section>
      </Panel>
    </Stack>
  );
}

/** What waits for another person to agree; null when nothing does, or it is not known yet. */
function useAsked(disputeId: string): Approval | null {
  const { data } = useRead(
    'Approval',
    ['of', disputeId],
    (holdfast, signal) =>
      holdfast.approvals
        .list({ resourceId: disputeId, status: 'PENDING' }, { signal })
        .first()
        .then((one) => one ?? null),
    { everyMs: EVERY_MS },
  );
  return data ?? null;
}

/** Somebody has decided; another person has to agree. */
function SecondPerson({ asked }: { readonly asked: Approval }) {
  return (
    <Alert variant="light" color="orange" title="Waiting for a second person">
      {asked.requestedBy.name} asked for a decision about{' '}
      <Amount amount={asked.amount} currency={asked.currency} />{' '}
      <Moment at={asked.createdAt} isShort />.{' '}
      <Go to={`/approvals?id=${asked.id}`}>See it under Approvals</Go>
    </Alert>
  );
}

/** Somebody has decided; the network or a provider has not answered yet. */
function UnderWay({ operationId }: { readonly operationId: string }) {
  return (
    <Alert variant="light" color="orange" title="A decision is being carried out">
      The money is on its way and the answer is awaited: nothing needs to be done again. See{' '}
      <IdLink id={operationId} />
    </Alert>
  );
}

function Decided({ dispute, detail: { money } }: Props) {
  const show = (amount: string | null) =>
    amount === null ? '–' : <Amount amount={amount} currency={money.currency} />;
  return (
    <Facts
      rows={[
        ['Decision', dispute.resolutionDecision && wordsOf(dispute.resolutionDecision)],
        ['To the seller', show(dispute.releaseAmount)],
        ['To the buyer', show(dispute.refundAmount)],
        ['Fee', show(money.fee)],
        ['Note', dispute.decisionNote],
        ['By', <Actor key="by" id={dispute.resolvedBy} />],
        ['When', <Moment key="at" at={dispute.resolvedAt} />],
      ]}
    />
  );
}

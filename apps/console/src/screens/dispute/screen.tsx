//! The dispute desk: both sides, the evidence, the order's timeline, and the decision.
import type { Approval, Dispute, DisputeEvidence, OrderDetail } from '@holdfast/sdk';
import { Alert, Group, SimpleGrid, Stack } from '@mantine/core';
import { Go, useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Actor } from '#parts/actor.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { DecisionForm } from '#screens/dispute/decision-form.tsx';
import { Notes } from '#screens/dispute/notes.tsx';
import { Side } from '#screens/dispute/side.tsx';
import { AssignToMe, AssignToOther } from '#screens/disputes/assign.tsx';
import { Timeline } from '#screens/order/timeline.tsx';

const EVERY_MS = 10_000;
const STATEMENTS_MAX = 1_000;

export function Screen() {
  const id = useParam('id');
  const reading = useRead(
    'Dispute',
    [id],
    async (holdfast, signal) => {
      const dispute = await holdfast.disputes.get(id, { signal });
      const [detail, added] = await Promise.all([
        holdfast.orders.detail(dispute.orderId, { signal }),
        holdfast.disputes.listEvidence(id, { limit: 100 }, { signal }).toArray(STATEMENTS_MAX),
      ]);
      return { dispute, detail, added: added };
    },
    // No event reports that a decision is being executed, nor that it was refused.
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
  readonly added: readonly DisputeEvidence[];
}

function Desk({ dispute, detail, added }: DeskProps) {
  const { order, parties } = detail;
  const openedBy = dispute.openedBy;
  const pendingApproval = usePendingApproval(dispute.id);
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
              {dispute.assignedTo === null ? 'Unassigned' : `Assigned to ${dispute.assignedTo}`}
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
      {pendingApproval !== null && <SecondApprover pendingApproval={pendingApproval} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Side side="BUYER" party={parties.buyer} dispute={dispute} added={added} />
        <Side side="SELLER" party={parties.seller} dispute={dispute} added={added} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="Decision">
          {dispute.status === 'RESOLVED' ? (
            <Decided dispute={dispute} detail={detail} />
          ) : (
            <DecisionForm
              dispute={dispute}
              money={detail.money}
              isHeld={operationId !== null || pendingApproval !== null}
            />
          )}
        </Panel>
        <Panel title="Internal notes">
          <Notes disputeId={dispute.id} />
        </Panel>
      </SimpleGrid>
      <Panel title="Order timeline" actions={<Go to={`/orders/${order.id}`}>View order</Go>}>
        <section
          className="hf-scroll"
          aria-label="Order timeline"
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
function usePendingApproval(disputeId: string): Approval | null {
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

/** A decision was made; a second approver has not approved it yet. */
function SecondApprover({ pendingApproval }: { readonly pendingApproval: Approval }) {
  const { amount, currency } = pendingApproval;
  return (
    <Alert variant="light" color="orange" title="Pending approval">
      {pendingApproval.requestedBy.name} requested approval for a decision on{' '}
      {amount !== null && currency !== null && <Amount amount={amount} currency={currency} />}{' '}
      <Moment at={pendingApproval.createdAt} isShort />.{' '}
      <Go to={`/approvals?id=${pendingApproval.id}`}>View request</Go>
    </Alert>
  );
}

/** A decision was made; the network or a provider has not replied yet. */
function UnderWay({ operationId }: { readonly operationId: string }) {
  return (
    <Alert variant="light" color="orange" title="Decision in progress">
      The payment is being processed. Operation: <IdLink id={operationId} />
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
        ['Awarded to seller', show(dispute.releaseAmount)],
        ['Refunded to buyer', show(dispute.refundAmount)],
        ['Fee', show(money.fee)],
        ['Note', dispute.decisionNote],
        ['Resolved by', <Actor key="by" id={dispute.resolvedBy} />],
        ['Resolved at', <Moment key="at" at={dispute.resolvedAt} />],
      ]}
    />
  );
}

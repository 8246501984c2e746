//! The dispute desk: both sides, the evidence, the order's story, and the decision.
import type { Dispute, OrderDetail, OrderParty } from '@holdfast/sdk';
import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Go, useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Amount } from '#parts/amount.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { DecisionForm } from '#screens/dispute/decision-form.tsx';
import { Evidence } from '#screens/dispute/evidence.tsx';
import { Notes } from '#screens/dispute/notes.tsx';
import { AssignToMe } from '#screens/disputes/screen.tsx';
import { Timeline } from '#screens/order/timeline.tsx';

export function Screen() {
  const id = useParam('id');
  const reading = useRead('Dispute', [id], async (holdfast, signal) => {
    const dispute = await holdfast.disputes.get(id, { signal });
    return { dispute, detail: await holdfast.orders.detail(dispute.orderId, { signal }) };
  });
  return <Loaded of={reading}>{(data) => <Desk {...data} />}</Loaded>;
}

interface Props {
  readonly dispute: Dispute;
  readonly detail: OrderDetail;
}

function Desk({ dispute, detail }: Props) {
  const { order, parties } = detail;
  const openedBy = dispute.openedBy;
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
        actions={<AssignToMe dispute={dispute} />}
      />
      <SecondPerson disputeId={dispute.id} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Side
          title="Buyer"
          party={parties.buyer}
          isOpener={openedBy === 'BUYER'}
          dispute={dispute}
        />
        <Side
          title="Seller"
          party={parties.seller}
          isOpener={openedBy === 'SELLER'}
          dispute={dispute}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="Decision">
          {dispute.status === 'RESOLVED' ? (
            <Decided dispute={dispute} detail={detail} />
          ) : (
            <DecisionForm dispute={dispute} money={detail.money} />
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

/** Somebody has decided; another person has to agree. */
function SecondPerson({ disputeId }: { readonly disputeId: string }) {
  const { data } = useRead(
    'Approval',
    ['of', disputeId],
    (holdfast, signal) =>
      holdfast.approvals
        .list({ resourceId: disputeId, status: 'PENDING' }, { signal })
        .first()
        .then((one) => one ?? null),
    { everyMs: 10_000 },
  );
  if (data === undefined || data === null) return null;
  return (
    <Alert variant="light" color="orange" title="Waiting for a second person">
      {data.requestedBy.name} asked for a decision about{' '}
      <Amount amount={data.amount} currency={data.currency} />{' '}
      <Moment at={data.createdAt} isShort />.{' '}
      <Go to={`/approvals?id=${data.id}`}>See it under Approvals</Go>
    </Alert>
  );
}

interface SideProps {
  readonly title: string;
  readonly party: OrderParty;
  readonly isOpener: boolean;
  readonly dispute: Dispute;
}

function Side({ title, party, isOpener, dispute }: SideProps) {
  return (
    <Panel title={title} actions={<StateBadge state={party.status} />}>
      <Facts
        rows={[
          ['User', <IdLink key="id" id={party.userId} />],
          ['Your id', party.externalUserId],
          ['E-mail', party.email],
        ]}
      />
      {isOpener ? (
        <Stack gap="xs" mt="md">
          <Text size="sm" fw={600}>
            Claims: {wordsOf(dispute.reason).toLowerCase()}
          </Text>
          <Evidence evidence={dispute.evidence ?? []} />
        </Stack>
      ) : (
        <Stack gap="xs" mt="md">
          <Text size="sm" fw={600}>
            Did not open the dispute
          </Text>
          <Text size="sm" c="dimmed">
            Evidence comes from whoever opens a dispute. Write what this side says into the internal
            notes.
          </Text>
        </Stack>
      )}
    </Panel>
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
        ['By', dispute.resolvedBy],
        ['When', <Moment key="at" at={dispute.resolvedAt} />],
      ]}
    />
  );
}

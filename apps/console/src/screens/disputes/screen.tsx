//! The queue of disputes: those that wait, those that somebody has, those that are decided.
import { SUPPORT } from '@holdfast/contract/roles';
import type { Dispute, DisputeStatus } from '@holdfast/sdk';
import { Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay, useSession } from '#app/session.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

const MOST = 100;
const COLUMNS: readonly (readonly [DisputeStatus, string, string])[] = [
  ['OPEN', 'Open', 'Nobody has taken one up. New disputes appear here by themselves.'],
  ['UNDER_REVIEW', 'Under review', 'Assign an open dispute to yourself to begin.'],
  ['RESOLVED', 'Decided', 'What was decided stands here, newest first.'],
];

export function Screen() {
  return (
    <>
      <ScreenHead title="Disputes" note="The oldest open dispute first: it has waited longest." />
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        {COLUMNS.map(([status, title, hint]) => (
          <Column key={status} status={status} title={title} hint={hint} />
        ))}
      </SimpleGrid>
    </>
  );
}

interface ColumnProps {
  readonly status: DisputeStatus;
  readonly title: string;
  readonly hint: string;
}

function Column({ status, title, hint }: ColumnProps) {
  const reading = useRead('Dispute', ['queue', status], (holdfast, signal) =>
    holdfast.disputes.list({ status, limit: MOST }, { signal }).page(),
  );
  return (
    <section aria-label={title}>
      <Loaded of={reading}>
        {({ items, hasMore }) => {
          const sorted = status === 'RESOLVED' ? items : items.toReversed();
          return (
            <Stack gap="sm">
              <Group gap="xs">
                <Title order={2} size="h5">
                  {title}
                </Title>
                <Badge variant="default">
                  {items.length}
                  {hasMore && '+'}
                </Badge>
              </Group>
              {items.length === 0 && <EmptyState title="None">{hint}</EmptyState>}
              {sorted.map((dispute) => (
                <DisputeCard key={dispute.id} dispute={dispute} />
              ))}
            </Stack>
          );
        }}
      </Loaded>
    </section>
  );
}

function DisputeCard({ dispute }: { readonly dispute: Dispute }) {
  const { id, orderId, openedBy, reason, assignedTo, createdAt, resolutionDecision } = dispute;
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start">
        <Go to={`/disputes/${id}`} fw={600}>
          {wordsOf(reason)}
        </Go>
        <AssignToMe dispute={dispute} />
      </Group>
      <Text size="sm">
        The {openedBy.toLowerCase()} on <IdLink id={orderId} isBare />
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Moment at={createdAt} />
        {assignedTo !== null && ` · with ${assignedTo}`}
        {resolutionDecision !== null && ` · ${wordsOf(resolutionDecision)}`}
      </Text>
    </Card>
  );
}

/** Takes a dispute up: from then on it is under review, with a name on it. */
export function AssignToMe({ dispute }: { readonly dispute: Dispute }) {
  const holdfast = useHoldfast();
  const { session } = useSession();
  const mayDo = useMay(SUPPORT);
  const [isOpen, setOpen] = useState(false);
  const { email } = session.operator;
  if (!mayDo || dispute.status !== 'OPEN') return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        Assign to me
      </Button>
      <ActionDialog
        isOpen={isOpen}
        close={() => setOpen(false)}
        title="Take the dispute up"
        confirm="Assign to me"
        touches={['Dispute', 'Order', 'Home']}
        effect={`The dispute is under review, assigned to ${email}. The parties are told by an event.`}
        run={(reason) => holdfast.disputes.assign(dispute.id, { assignedTo: email }, { reason })}
      />
    </>
  );
}

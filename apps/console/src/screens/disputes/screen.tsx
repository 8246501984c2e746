//! The queue of disputes: open, assigned and decided.
import type { DisputeStatus, ListedDispute } from '@holdfast/sdk';
import {
  Badge,
  Button,
  Card,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { Go, useUrlState } from '#app/go.tsx';
import { useSession } from '#app/session/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { ShowMore } from '#parts/table/show-more.tsx';
import { useRows } from '#parts/table/use-rows.ts';
import { AssignToMe } from '#screens/disputes/assign.tsx';

const PAGE = 100;
const COLUMNS: readonly (readonly [DisputeStatus, string, string, string])[] = [
  ['OPEN', 'Open', 'No open disputes', 'New disputes appear here automatically.'],
  [
    'UNDER_REVIEW',
    'Under review',
    'No disputes under review',
    'Assign an open dispute to start its review.',
  ],
  ['RESOLVED', 'Resolved', 'No resolved disputes', 'Resolved disputes appear here, newest first.'],
];
const WHOSE: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Assigned to me' },
];

export function Screen() {
  const { email } = useSession().session.operator;
  const [{ whose = 'all' }, change] = useUrlState();
  const isMine = whose === 'mine';
  // Open disputes are not assigned yet.
  const columns = COLUMNS.filter(([status]) => !isMine || status !== 'OPEN');
  return (
    <>
      <ScreenHead
        title="Disputes"
        note="Open disputes: oldest first. Resolved disputes: newest first."
        actions={
          <SegmentedControl
            aria-label="Assignee"
            data={[...WHOSE]}
            value={isMine ? 'mine' : 'all'}
            onChange={(value) => change({ whose: value === 'mine' ? value : undefined })}
          />
        }
      />
      <SimpleGrid cols={{ base: 1, md: columns.length }} spacing="md">
        {columns.map(([status, title, none, hint]) => (
          <Column
            key={status}
            status={status}
            title={title}
            none={none}
            hint={hint}
            assignedTo={isMine ? email : undefined}
          />
        ))}
      </SimpleGrid>
    </>
  );
}

interface ColumnProps {
  readonly status: DisputeStatus;
  readonly title: string;
  /** The title when it is empty. */
  readonly none: string;
  readonly hint: string;
  readonly assignedTo: string | undefined;
}

function Column({ status, title, none, hint, assignedTo }: ColumnProps) {
  const sort = status === 'RESOLVED' ? 'newest' : 'oldest';
  const { rows, query, refresh } = useRows<ListedDispute>({
    topic: 'Dispute',
    queryKey: ['queue', status, assignedTo],
    list: (holdfast, signal) =>
      holdfast.disputes.list({ status, assignedTo, sort, limit: PAGE }, { signal }),
  });
  return (
    <section aria-label={title}>
      <Loaded of={query}>
        {() => (
          <Stack gap="sm">
            <Group gap="xs">
              <Title order={2} size="h5">
                {title}
              </Title>
              <Badge variant="default">
                {rows.length}
                {query.hasNextPage && '+'}
              </Badge>
              {/* A long list is not refreshed by itself, lest it move while it is read. */}
              {rows.length > PAGE && (
                <Button size="compact-sm" variant="default" onClick={refresh}>
                  Refresh
                </Button>
              )}
            </Group>
            {rows.length === 0 && <EmptyState title={none}>{hint}</EmptyState>}
            {rows.map((dispute) => (
              <DisputeCard key={dispute.id} dispute={dispute} />
            ))}
            <ShowMore of={query} />
          </Stack>
        )}
      </Loaded>
    </section>
  );
}

function DisputeCard({ dispute }: { readonly dispute: ListedDispute }) {
  const { id, orderId, openedBy, reason, assignedTo, createdAt, resolutionDecision } = dispute;
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start">
        <Go to={`/disputes/${id}`} fw={600}>
          {wordsOf(reason)}
        </Go>
        <AssignToMe dispute={dispute} />
      </Group>
      <Text size="sm" className="hf-text">
        {dispute.orderTitle} · <Amount amount={dispute.amount} currency={dispute.currency} />
      </Text>
      <Text size="sm">
        Opened by the {openedBy.toLowerCase()} · Order <IdLink id={orderId} isBare />
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Moment at={createdAt} />
        {assignedTo !== null && ` · assigned to ${assignedTo}`}
        {resolutionDecision !== null && ` · ${wordsOf(resolutionDecision)}`}
      </Text>
    </Card>
  );
}

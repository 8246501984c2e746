//! The items that need attention, worst first, each with a link.
import { HOME_COUNTS_MAX } from '@holdfast/contract/limits';
import type { Attention, AttentionKind } from '@holdfast/sdk';
import { Group, Stack, Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { routeOf } from '#app/routes.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Moment } from '#parts/moment.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { recordTitle } from '#parts/words/record-title.ts';
import { countWords } from '#screens/home/count-words.ts';

const KINDS: Readonly<Record<AttentionKind, readonly [title: string, all: string]>> = {
  OPERATION_ESCALATED: ['Escalated operations', '/operations?status=ESCALATED'],
  OPERATION_UNKNOWN: ['Operations with unknown outcome', '/operations'],
  DISPUTE_OPEN: ['Unresolved disputes', '/disputes'],
  EXCEPTION_OPEN: ['Reconciliation exceptions', '/reconciliation'],
  NOTIFICATION_PARKED: ['Provider notifications that need review', '/inbox?status=PARKED'],
  WEBHOOK_ENDPOINT_FAILING: ['Failing webhook endpoints', '/webhooks'],
  WITHDRAWAL_NEEDS_ACTION: ['Withdrawals waiting for the recipient', '/withdrawals'],
  PAYOUTS_PAUSED: ['Payouts paused', '/solvency'],
  APPROVAL_PENDING: ['Pending approvals', '/approvals'],
};
const ORDER = { critical: 0, warning: 1, info: 2 } as const;

export function AttentionList({ attention }: { readonly attention: readonly Attention[] }) {
  const worstFirst = attention
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => ORDER[one.severity] - ORDER[other.severity]);
  if (worstFirst.length === 0) {
    return (
      <EmptyState title="All clear">
        No escalated operations, unresolved disputes, pending approvals or reconciliation
        exceptions. New items appear here.
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      {worstFirst.map((one) => (
        <Kind key={one.kind} one={one} />
      ))}
    </Stack>
  );
}

function Kind({ one: { kind, severity, count, oldestAt, items } }: { readonly one: Attention }) {
  const [title, all] = KINDS[kind] ?? [kind, '/'];
  return (
    <div>
      <Group gap="xs">
        <StateBadge state={severity} />
        <Go to={all} fw={600}>
          {title} ({countWords(count, count >= HOME_COUNTS_MAX.attention)})
        </Go>
        {oldestAt !== null && (
          <Text size="sm" c="dimmed" component="span">
            Oldest <Moment at={oldestAt} isShort />
          </Text>
        )}
      </Group>
      <Stack gap={2} mt={4} component="ul" m={0} pl="md">
        {items.map(({ type, id, title: name, since }) => (
          <Text key={id} size="sm" component="li">
            <Go to={routeOf(type, id) ?? all}>{recordTitle(type, name)}</Go>{' '}
            <Text component="span" inherit c="dimmed">
              <Moment at={since} isShort />
            </Text>
          </Text>
        ))}
      </Stack>
    </div>
  );
}

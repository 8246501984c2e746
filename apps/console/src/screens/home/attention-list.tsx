//! What needs somebody, worst first, each with the way to it.
import { HOME_COUNTS_MAX } from '@holdfast/contract/limits';
import type { Attention, AttentionKind } from '@holdfast/sdk';
import { Group, Stack, Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { placeOf } from '#app/places.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Moment } from '#parts/moment.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { titleOf } from '#screens/approvals/request-words.ts';
import { countWords } from '#screens/home/count-words.ts';

const KINDS: Readonly<Record<AttentionKind, readonly [title: string, all: string]>> = {
  OPERATION_RAISED: ['Operations that need a person', '/operations?status=RAISED'],
  OPERATION_UNKNOWN: ['Outcomes that are not known', '/operations'],
  DISPUTE_OPEN: ['Disputes to decide', '/disputes'],
  EXCEPTION_OPEN: ['Differences with a provider', '/reconciliation'],
  NOTICE_PARKED: ['Notices that fit nothing', '/inbox?status=PARKED'],
  WEBHOOK_ENDPOINT_FAILING: ['Webhook endpoints that fail', '/webhooks'],
  WITHDRAWAL_NEEDS_ACTION: ['Withdrawals that wait', '/withdrawals'],
  PAYOUTS_PAUSED: ['Pay-outs are paused', '/solvency'],
  APPROVAL_PENDING: ['Requests that wait for a second person', '/approvals'],
};
/** A word of the API, such as NOT_DELIVERED. */
const CODE = /^[A-Z_]+$/;
const ORDER = { critical: 0, warning: 1, info: 2 } as const;

export function AttentionList({ attention }: { readonly attention: readonly Attention[] }) {
  const worstFirst = attention
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => ORDER[one.severity] - ORDER[other.severity]);
  if (worstFirst.length === 0) {
    return (
      <EmptyState title="Nothing needs you">
        Stuck operations, open disputes, requests for a second person and differences with a
        provider would stand here.
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
            oldest <Moment at={oldestAt} isShort />
          </Text>
        )}
      </Group>
      <Stack gap={2} mt={4} component="ul" m={0} pl="md">
        {items.map(({ type, id, title: name, since }) => (
          <Text key={id} size="sm" component="li">
            <Go to={placeOf(type, id) ?? all}>{nameOf(type, name)}</Go>{' '}
            <Text component="span" inherit c="dimmed">
              since <Moment at={since} isShort />
            </Text>
          </Text>
        ))}
      </Stack>
    </div>
  );
}

function nameOf(type: string, name: string): string {
  if (type === 'Approval') return titleOf(name);
  return CODE.test(name) ? wordsOf(name) : name;
}

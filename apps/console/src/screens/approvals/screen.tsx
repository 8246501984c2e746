//! What waits for a second person. Made for a phone: one card per request, two buttons.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { Approval, ApprovalStatus } from '@holdfast/sdk';
import { Button, Card, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay, useSession } from '#app/session.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';
import { Amount } from '#parts/amount.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { describeRequest, titleOf } from '#screens/approvals/request-words.ts';

const EVERY_MS = 10_000;
const MOST = 50;
const SHOWN: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'PENDING', label: 'Waiting' },
  { value: 'EXECUTED', label: 'Done' },
  { value: 'REJECTED', label: 'Rejected' },
  { value: 'all', label: 'All' },
];

/** Whatever an approval may be about. */
const TOUCHED = [
  'Approval',
  'Order',
  'Dispute',
  'User',
  'Withdrawal',
  'Reconciliation',
  'Ledger',
  'Home',
] as const;

export function Screen() {
  const [{ id, status = 'PENDING' }, change] = useUrlState();
  const reading = useRead(
    'Approval',
    ['list', status, id],
    async (holdfast, signal) => {
      if (id !== undefined) return [await holdfast.approvals.get(id, { signal })];
      const wanted = status === 'all' ? {} : { status: status as ApprovalStatus };
      const list = holdfast.approvals.list({ ...wanted, limit: MOST }, { signal });
      return (await list.page()).items;
    },
    { everyMs: EVERY_MS },
  );
  return (
    <>
      <ScreenHead title="Approvals" note="Whoever asked cannot agree. Agreeing does it at once." />
      <Group mb="md">
        <SegmentedControl
          aria-label="Which approvals"
          data={[...SHOWN]}
          value={status}
          onChange={(value) => change({ status: value, id: undefined })}
        />
        {id !== undefined && (
          <Button variant="default" onClick={() => change({ id: undefined })}>
            Show all
          </Button>
        )}
      </Group>
      <Loaded of={reading}>{(approvals) => <Cards approvals={approvals} />}</Loaded>
    </>
  );
}

function Cards({ approvals }: { readonly approvals: readonly Approval[] }) {
  if (approvals.length === 0) {
    return (
      <EmptyState title="Nothing here">
        Decisions above your limit, every adjustment of a balance and every posting that settles a
        difference wait here for a second person.
      </EmptyState>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </SimpleGrid>
  );
}

function ApprovalCard({ approval }: { readonly approval: Approval }) {
  const { action, amount, currency, reason, requestedBy, createdAt, status } = approval;
  return (
    <Card withBorder padding="md" component="article" aria-label={titleOf(action)}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={650}>{titleOf(action)}</Text>
          <StateBadge state={status} />
        </Group>
        <Text fz={22}>
          <Amount amount={amount} currency={currency} isStrong />
        </Text>
        <Text size="sm" className="hf-text">
          “{reason}”
        </Text>
        <Facts
          rows={[
            ['About', <IdLink key="about" id={approval.resourceId} />],
            ['Asked by', `${requestedBy.name} (${requestedBy.email})`],
            ['Asked', <Moment key="at" at={createdAt} />],
            ...describeRequest(approval.request),
            ...(status === 'PENDING'
              ? [['Expires', <Moment key="ends" at={approval.expiresAt} />] as const]
              : [
                  ['Decided by', approval.decidedBy?.name] as const,
                  ['Why', approval.decisionReason] as const,
                  ['When', <Moment key="decided" at={approval.decidedAt} />] as const,
                ]),
            ...(approval.refusalCode === null ? [] : [['Refused', approval.refusalCode] as const]),
          ]}
        />
        {(status === 'PENDING' || status === 'APPROVED') && <Buttons approval={approval} />}
      </Stack>
    </Card>
  );
}

function Buttons({ approval }: { readonly approval: Approval }) {
  const holdfast = useHoldfast();
  const { session } = useSession();
  const mayAct = useMay(ANY_ACTING);
  const [doing, setDoing] = useState<'approve' | 'reject'>();
  const { id, action, amount, currency, requestedBy } = approval;
  if (requestedBy.id === session.operator.id) {
    return (
      <Text size="sm" c="dimmed">
        You asked for this: another person has to agree.
      </Text>
    );
  }
  if (!mayAct) {
    return (
      <Text size="sm" c="dimmed">
        A viewer agrees to nothing.
      </Text>
    );
  }
  const close = () => setDoing(undefined);
  return (
    <>
      <Group grow>
        <Button size="md" variant="default" onClick={() => setDoing('reject')}>
          Reject
        </Button>
        <Button size="md" onClick={() => setDoing('approve')}>
          Approve
        </Button>
      </Group>
      <ActionDialog
        isOpen={doing === 'approve'}
        close={close}
        title={`Approve: ${titleOf(action)}`}
        confirm="Approve and do it"
        isIrreversible
        touches={TOUCHED}
        effect={
          <>
            Does at once what {requestedBy.name} asked for, with{' '}
            <Amount amount={amount} currency={currency} isStrong />. Both names are in the audit
            log.
          </>
        }
        run={(reason) => holdfast.approvals.approve(id, { reason }, { reason })}
      />
      <ActionDialog
        isOpen={doing === 'reject'}
        close={close}
        title={`Reject: ${titleOf(action)}`}
        confirm="Reject"
        touches={['Approval']}
        effect={`Nothing is done. ${requestedBy.name} sees your reason and can ask again.`}
        run={(reason) => holdfast.approvals.reject(id, { reason }, { reason })}
      />
    </>
  );
}

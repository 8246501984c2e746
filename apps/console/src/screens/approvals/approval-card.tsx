//! One request that waits, or that was decided on: what it does, who asked and why.
import type { Approval } from '@holdfast/sdk';
import { Card, Group, Stack, Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { Amount } from '#parts/amount.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { type FactRow, told } from '#parts/told.ts';
import { type Begin, Decide } from '#screens/approvals/decide.tsx';
import { EffectWords, useEffectOf } from '#screens/approvals/effect.tsx';
import type { Effect } from '#screens/approvals/read-effect.ts';
import { choicesIn, saidIn, titleOf } from '#screens/approvals/request-words.ts';

interface Props {
  readonly approval: Approval;
  readonly begin: Begin;
}

export function ApprovalCard({ approval, begin }: Props) {
  const { action, amount, currency, reason, status, resourceId } = approval;
  // What was approved and not carried out is gone on with, or rejected after all.
  const isOpen = status === 'PENDING' || status === 'APPROVED';
  const effect = useEffectOf(approval);
  const isTold = effect !== undefined && !effect.error && effect.data !== null;
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
        {effect && <EffectWords of={effect} />}
        <Text size="sm" className="hf-text">
          “{reason}”
        </Text>
        <Facts
          rows={[
            ['About', <IdLink key="about" id={resourceId} />],
            ...evidenceIn(effect?.data, resourceId),
            ...(effect?.data?.about ?? []).map(
              ([name, id]) => [name, <IdLink key={id} id={id} />] as const,
            ),
            ...saidIn(approval),
            ...(isTold ? [] : choicesIn(approval)),
            ...askedRows(approval),
            ...decidedRows(approval),
          ]}
        />
        {isOpen && <Decide approval={approval} begin={begin} />}
      </Stack>
    </Card>
  );
}

/** It is read at the dispute desk, with what both sides added since. */
function evidenceIn(effect: Effect | null | undefined, disputeId: string): readonly FactRow[] {
  if (effect?.evidence === undefined) return [];
  const { evidence } = effect;
  const pieces = evidence === 0 ? 'None' : evidence === 1 ? 'One piece' : `${evidence} pieces`;
  return [
    [
      'Evidence',
      <Go key="evidence" to={`/disputes/${disputeId}`} size="sm">
        {pieces} with the claim; all of it at the dispute desk
      </Go>,
    ],
  ];
}

function askedRows({ requestedBy, createdAt, status, expiresAt }: Approval): readonly FactRow[] {
  return [
    ['Asked by', `${requestedBy.name} (${requestedBy.email})`],
    ['Asked', <Moment key="at" at={createdAt} />],
    ...(status === 'PENDING' ? [['Expires', <Moment key="ends" at={expiresAt} />] as const] : []),
  ];
}

function decidedRows(approval: Approval): readonly FactRow[] {
  const { decidedBy, decisionReason, decidedAt, refusalCode } = approval;
  return [
    ...told('Decided by', decidedBy?.name),
    ...told('Why', decisionReason),
    ...(decidedAt === null ? [] : [['When', <Moment key="decided" at={decidedAt} />] as const]),
    ...told('Refused', refusalCode),
  ];
}

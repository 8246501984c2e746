//! One approval request, pending or decided: its effect, requester and reason.
import type { Approval } from '@holdfast/sdk';
import { Card, Group, Stack, Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { type FactRow, optionalRow } from '#parts/table/optional-row.ts';
import { Decide, type OpenDecision } from '#screens/approvals/decide.tsx';
import { EffectWords, useEffectOf } from '#screens/approvals/effect.tsx';
import type { Effect } from '#screens/approvals/read-effect.ts';
import { choicesIn, textFieldsIn, titleOf } from '#screens/approvals/request-words.ts';

interface Props {
  readonly approval: Approval;
  readonly openDecision: OpenDecision;
}

export function ApprovalCard({ approval, openDecision }: Props) {
  const { action, amount, currency, reason, status, resourceId } = approval;
  // An approved request that was not executed can be continued, or still be rejected.
  const isOpen = status === 'PENDING' || status === 'APPROVED';
  const effect = useEffectOf(approval);
  const hasEffect = effect !== undefined && !effect.error && effect.data !== null;
  return (
    <Card withBorder padding="md" component="article" aria-label={titleOf(action)}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={650}>{titleOf(action)}</Text>
          <StateBadge state={status} />
        </Group>
        {amount !== null && currency !== null && (
          <Text fz={22}>
            <Amount amount={amount} currency={currency} isStrong />
          </Text>
        )}
        {effect && <EffectWords of={effect} />}
        <Text size="sm" className="hf-text">
          “{reason}”
        </Text>
        <Facts
          rows={[
            ['Record', <IdLink key="about" id={resourceId} />],
            ...evidenceIn(effect?.data, resourceId),
            ...(effect?.data?.about ?? []).map(
              ([name, id]) => [name, <IdLink key={id} id={id} />] as const,
            ),
            ...textFieldsIn(approval),
            ...(hasEffect ? [] : choicesIn(approval)),
            ...requestedRows(approval),
            ...decidedRows(approval),
          ]}
        />
        {isOpen && <Decide approval={approval} openDecision={openDecision} />}
      </Stack>
    </Card>
  );
}

/** It is read at the dispute desk, with what both sides added since. */
function evidenceIn(effect: Effect | null | undefined, disputeId: string): readonly FactRow[] {
  if (effect?.evidence === undefined) return [];
  const { evidence } = effect;
  const pieces = evidence === 1 ? '1 item' : `${evidence} items`;
  return [
    [
      'Evidence',
      <Go key="evidence" to={`/disputes/${disputeId}`} size="sm">
        {pieces} submitted with the claim
      </Go>,
    ],
  ];
}

function requestedRows({
  requestedBy,
  createdAt,
  status,
  expiresAt,
}: Approval): readonly FactRow[] {
  return [
    ['Requested by', `${requestedBy.name} (${requestedBy.email})`],
    ['Requested at', <Moment key="at" at={createdAt} />],
    ...(status === 'PENDING' ? [['Expires', <Moment key="ends" at={expiresAt} />] as const] : []),
  ];
}

function decidedRows(approval: Approval): readonly FactRow[] {
  const { decidedBy, decisionReason, decidedAt, refusalCode } = approval;
  return [
    ...optionalRow('Decided by', decidedBy?.name),
    ...optionalRow('Decision reason', decisionReason),
    ...(decidedAt === null
      ? []
      : [['Decided at', <Moment key="decided" at={decidedAt} />] as const]),
    ...optionalRow('Error code', refusalCode),
  ];
}

//! One operation: its steps, its unknown outcome, and the action to retry now.
import { ANY_ACTING } from '@holdfast/contract/roles';
import { stepWords } from '@holdfast/contract/step-words';
import type { Operation, OperationStep } from '@holdfast/sdk';
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Actor } from '#parts/actor.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { RequestLink } from '#parts/request-link.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { optionalRow } from '#parts/table/optional-row.ts';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { operationTitle } from '#parts/words/record-title.ts';
import { absoluteWords } from '#parts/words/time-words.ts';

const EVERY_MS = 3_000;

const sentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

// biome-ignore format: a table is the one thing exempt from the line limit.
const STEPS: readonly Column<OperationStep>[] = [
  { title: 'Step', show: ({ name }) => sentenceCase(stepWords(name)) },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Provider reference', show: ({ providerReference }) => <IdLink id={providerReference} to={null} isBare /> },
  { title: 'Transaction hash', show: ({ hash }) => <IdLink id={hash} to={null} isBare /> },
  { title: 'Rejection reason', show: ({ reason }) => reason ?? '–' },
  { title: 'Time', show: ({ at }) => <Moment at={at} /> },
];

export function Screen() {
  const id = useParam('id');
  const operation = useRead(
    'Operation',
    ['one', id],
    (holdfast, signal) => holdfast.operations.get(id, { signal }),
    { everyMs: EVERY_MS },
  );
  return <Loaded of={operation}>{(found) => <Shown operation={found} />}</Loaded>;
}

interface Props {
  readonly operation: Operation;
}

function Shown({ operation }: Props) {
  const { id, kind, status, isUnknown } = operation;
  return (
    <>
      <ScreenHead
        title={operationTitle(kind)}
        badge={<StateBadge state={isUnknown ? 'OUTCOME_UNKNOWN' : status} />}
        note={
          <>
            <IdLink id={id} to={null} /> for <IdLink id={operation.resourceId} />
          </>
        }
        actions={<RetryNow operation={operation} />}
      />
      <Stack>
        {isUnknown && (
          <Alert color="orange" variant="light" title="Outcome unknown" role="status">
            The provider’s response was lost, so the request may have been executed. Holdfast checks
            with the provider automatically and sends no payment twice. Do not repeat the payment.
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Standing operation={operation} />
          <Beginning operation={operation} />
        </SimpleGrid>
        <Steps operation={operation} />
      </Stack>
    </>
  );
}

function Standing({ operation }: Props) {
  return (
    <Panel title="Status">
      <Facts
        rows={[
          ['Status', <StateBadge key="state" state={operation.status} />],
          [
            'Money moved',
            operation.hasMovedMoney ? 'Yes, the operation cannot be rolled back' : 'No',
          ],
          ...optionalRow('Error code', operation.refusalCode),
          ['Escalated', <Moment key="escalated" at={operation.escalatedAt} />],
          ['Attempts', operation.attempts],
          ['Next attempt', <Moment key="next" at={operation.nextTryAt} />],
        ]}
      />
    </Panel>
  );
}

function Beginning({ operation }: Props) {
  const { requestId } = operation;
  return (
    <Panel title="Origin">
      <Facts
        rows={[
          ['Started', <Moment key="started" at={operation.createdAt} />],
          ['Updated', <Moment key="changed" at={operation.updatedAt} />],
          ['Started by', <Actor key="by" id={operation.startedBy} />],
          ['Request', <RequestLink key="request" id={requestId} />],
        ]}
      />
    </Panel>
  );
}

function Steps({ operation: { steps } }: Props) {
  return (
    <Panel title="Steps">
      <ShortTable
        label="Operation steps"
        columns={STEPS}
        rows={steps}
        idOf={({ name }) => name}
        minWidth={720}
      />
    </Panel>
  );
}

function RetryNow({ operation: { id, status, isUnknown, nextTryAt, hasMovedMoney } }: Props) {
  const holdfast = useHoldfast();
  const isOpen = status === 'RUNNING' || status === 'ESCALATED';
  return (
    <ActionButton
      label="Retry now"
      isPrimary
      roles={ANY_ACTING}
      whyNot={isOpen ? undefined : 'The operation has ended'}
      title="Retry operation"
      effect={
        <EffectList
          lines={[
            nextTryAt === null
              ? 'Retries the operation immediately.'
              : `Retries the operation immediately instead of at ${absoluteWords(Date.parse(nextTryAt))}.`,
            isUnknown
              ? 'Checks the outcome with the provider first.'
              : 'Continues with the current step.',
            'No payment is sent twice.',
            ...(hasMovedMoney
              ? ['Money has already moved, so the operation will be completed, not rolled back.']
              : []),
          ]}
        />
      }
      confirm="Retry"
      done="Retrying operation"
      touches={['Operation', 'Order', 'Withdrawal', 'TopUp']}
      run={(reason) => holdfast.operations.retry(id, { reason }, { reason })}
    />
  );
}

//! One operation: its steps, what is not known yet, and having the provider asked at once.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { Operation, OperationStep } from '@holdfast/sdk';
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { Actor } from '#parts/actor.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { RequestLink } from '#parts/request-link.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { ShortTable } from '#parts/short-table.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { absoluteWords } from '#parts/time-words.ts';
import { told } from '#parts/told.ts';
import { spaced } from '#screens/system/lag.ts';

const EVERY_MS = 3_000;

// biome-ignore format: a table is the one thing exempt from the line limit.
const STEPS: readonly Column<OperationStep>[] = [
  { title: 'Step', show: ({ name }) => name },
  { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'At the provider', show: ({ providerReference }) => <IdLink id={providerReference} to={null} isBare /> },
  { title: 'On the network', show: ({ hash }) => <IdLink id={hash} to={null} isBare /> },
  { title: 'Why refused', show: ({ reason }) => reason ?? '–' },
  { title: 'When', show: ({ at }) => <Moment at={at} /> },
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
        title={spaced(kind)}
        badge={<StateBadge state={isUnknown ? 'OUTCOME_UNKNOWN' : status} />}
        note={
          <>
            <IdLink id={id} to={null} /> about <IdLink id={operation.resourceId} />
          </>
        }
        actions={<AskNow operation={operation} />}
      />
      <Stack>
        {isUnknown && (
          <Alert color="orange" variant="light" title="The outcome is not known" role="status">
            A provider was asked and its answer was lost. It may have acted. Nothing is sent again
            before it has said what happened; it is asked again by itself.
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
    <Panel title="State">
      <Facts
        rows={[
          ['State', <StateBadge key="state" state={operation.status} />],
          ['Money moved', operation.hasMovedMoney ? 'yes: it only goes forward' : 'no'],
          ...told('Refused with', operation.refusalCode),
          ['Raised', <Moment key="raised" at={operation.raisedAt} />],
          ['Attempts', operation.attempts],
          ['Asked again', <Moment key="next" at={operation.nextTryAt} />],
        ]}
      />
    </Panel>
  );
}

function Beginning({ operation }: Props) {
  const { requestId } = operation;
  return (
    <Panel title="Where it came from">
      <Facts
        rows={[
          ['Begun', <Moment key="begun" at={operation.createdAt} />],
          ['Changed', <Moment key="changed" at={operation.updatedAt} />],
          ['Begun by', <Actor key="by" id={operation.startedBy} />],
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
        label="Steps of the operation"
        columns={STEPS}
        rows={steps}
        idOf={({ name }) => name}
        minWidth={720}
      />
    </Panel>
  );
}

function AskNow({ operation: { id, status, isUnknown, nextTryAt, hasMovedMoney } }: Props) {
  const holdfast = useHoldfast();
  const isOpen = status === 'RUNNING' || status === 'RAISED';
  return (
    <ActionButton
      label="Ask the provider now"
      isPrimary
      roles={ANY_ACTING}
      whyNot={isOpen ? undefined : 'It has ended: there is nothing to ask'}
      title="Ask the provider now"
      effect={
        <EffectList
          lines={[
            nextTryAt === null
              ? 'Drives the operation at once.'
              : `Drives the operation at once, instead of at ${absoluteWords(Date.parse(nextTryAt))}.`,
            isUnknown
              ? 'The provider is asked what happened before anything else is done.'
              : 'It goes on with the step that it stands at.',
            hasMovedMoney
              ? 'Money has moved: whatever is found, it goes forward and is never taken back.'
              : 'Nothing is sent a second time.',
          ]}
        />
      }
      confirm="Ask now"
      done="The provider is being asked"
      touches={['Operation', 'Order', 'Withdrawal', 'TopUp']}
      run={(reason) => holdfast.operations.askNow(id, { reason }, { reason })}
    />
  );
}

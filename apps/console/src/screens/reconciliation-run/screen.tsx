//! One reconciliation run: what was compared, its sums, and what it found.
import { runMachine } from '@holdfast/contract/run-machine';
import type { ReconciliationRun, ReconciliationTally } from '@holdfast/sdk';
import { Stack, Table, Text } from '@mantine/core';
import { useParam, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Amount } from '#parts/amount.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Section } from '#parts/section.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { ExceptionDrawer } from '#screens/reconciliation/exception-drawer.tsx';
import { Exceptions } from '#screens/reconciliation/exceptions.tsx';

const EVERY_MS = 2_000;

export function Screen() {
  const id = useParam('id');
  const [state, change] = useUrlState();
  const run = useRead(
    'Reconciliation',
    ['run', id],
    (holdfast, signal) => holdfast.reconciliation.getRun(id, { signal }),
    { everyMs: EVERY_MS },
  );
  return (
    <Loaded of={run}>
      {(found) => (
        <>
          <ScreenHead
            title="Reconciliation run"
            badge={<StateBadge state={found.status} />}
            note={
              <>
                <IdLink id={id} to={null} /> {runMachine.states[found.status]}
              </>
            }
          />
          <Stack>
            <About run={found} />
            <Totals run={found} />
            <Section title="Exceptions that it saw">
              <Exceptions runId={id} open={(exception) => change({ exception })} />
            </Section>
          </Stack>
          <ExceptionDrawer id={state['exception']} close={() => change({ exception: undefined })} />
        </>
      )}
    </Loaded>
  );
}

interface Props {
  readonly run: ReconciliationRun;
}

function About({ run }: Props) {
  return (
    <Panel title="Run">
      <Facts
        rows={[
          ['Compared with', run.providers.map(wordsOf).join(', ')],
          ['Records since', <Moment key="from" at={run.windowFrom} />],
          ['Begun', <Moment key="begun" at={run.createdAt} />],
          ['Ended', <Moment key="ended" at={run.endedAt} />],
          ['By', <IdLink key="by" id={run.createdBy} />],
          ['Operation', <IdLink key="operation" id={run.operationId} />],
          ['Found', run.exceptions?.opened],
          ['Seen again', run.exceptions?.seenAgain],
          ['Cleared', run.exceptions?.cleared],
        ]}
      />
    </Panel>
  );
}

const PARTS = [
  ['matched', 'Matched'],
  ['mismatched', 'Mismatched'],
  ['missingHere', 'Missing here'],
  ['missingThere', 'Missing there'],
  ['inFlight', 'On its way'],
  ['dust', 'Dust'],
] as const;

function Totals({ run: { totals } }: Props) {
  if (totals === null) return <Text size="sm">The figures stand once the run is done.</Text>;
  return (
    <Panel title="Figures">
      <Table.ScrollContainer minWidth={900}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Compared with</Table.Th>
              {PARTS.map(([name, title]) => (
                <Table.Th key={name} ta="right">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {totals.map((line) => (
              <Table.Tr key={`${line.provider} ${line.currency}`}>
                <Table.Td>
                  {wordsOf(line.provider)}, {line.currency}
                </Table.Td>
                {PARTS.map(([name]) => (
                  <Table.Td key={name} ta="right">
                    <Tally tally={line[name]} currency={line.currency} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

interface TallyProps {
  readonly tally: ReconciliationTally;
  readonly currency: string;
}

function Tally({ tally: { count, amount }, currency }: TallyProps) {
  if (count === 0) return '–';
  return (
    <>
      {count}
      <Text size="xs" c="dimmed">
        <Amount amount={amount} currency={currency} />
      </Text>
    </>
  );
}

//! One reconciliation run: its totals per provider, and its exceptions.
import { runMachine } from '@holdfast/contract/machines/run-machine';
import type { ReconciliationRun, ReconciliationTotals } from '@holdfast/sdk';
import { Stack, Text } from '@mantine/core';
import { useParam, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Actor } from '#parts/actor.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Section } from '#parts/section.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { ExceptionDrawer } from '#screens/reconciliation/exception-drawer.tsx';
import { Exceptions } from '#screens/reconciliation/exceptions.tsx';

const EVERY_MS = 2_000;

// biome-ignore format: a table is the one thing exempt from the line limit.
const FIGURES: readonly Column<ReconciliationTotals>[] = [
  { title: 'Compared with', show: ({ provider, currency }) => `${wordsOf(provider)}, ${currency}` },
  { title: 'Matched', isEnd: true, show: (totals) => <Tally totals={totals} of="matched" /> },
  { title: 'Mismatched', isEnd: true, show: (totals) => <Tally totals={totals} of="mismatched" /> },
  { title: 'Missing in Holdfast', isEnd: true, show: (totals) => <Tally totals={totals} of="missingHere" /> },
  { title: 'Missing at provider', isEnd: true, show: (totals) => <Tally totals={totals} of="missingThere" /> },
  { title: 'In transit', isEnd: true, show: (totals) => <Tally totals={totals} of="inFlight" /> },
  { title: 'Below one cent', isEnd: true, show: (totals) => <Tally totals={totals} of="dust" /> },
];

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
            <Section title="Exceptions">
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
    <Panel title="Details">
      <Facts
        rows={[
          ['Compared with', run.providers.map(wordsOf).join(', ')],
          ['Records since', <Moment key="from" at={run.windowFrom} />],
          ['Started', <Moment key="started" at={run.createdAt} />],
          ['Ended', <Moment key="ended" at={run.endedAt} />],
          ['Started by', <Actor key="by" id={run.createdBy} />],
          ['Operation', <IdLink key="operation" id={run.operationId} />],
          ['New exceptions', run.exceptions?.opened],
          ['Exceptions still open', run.exceptions?.seenAgain],
          ['Cleared exceptions', run.exceptions?.cleared],
        ]}
      />
    </Panel>
  );
}

function Totals({ run: { totals } }: Props) {
  if (totals === null) return <Text size="sm">Results appear when the run completes.</Text>;
  return (
    <Panel title="Results">
      <ShortTable
        label="Run results"
        columns={FIGURES}
        rows={totals}
        idOf={({ provider, currency }) => `${provider} ${currency}`}
        minWidth={900}
      />
    </Panel>
  );
}

interface TallyProps {
  readonly totals: ReconciliationTotals;
  readonly of: Exclude<keyof ReconciliationTotals, 'provider' | 'currency'>;
}

function Tally({ totals, of }: TallyProps) {
  const { count, amount } = totals[of];
  if (count === 0) return '–';
  return (
    <>
      {count}
      <Text size="xs" c="dimmed">
        <Amount amount={amount} currency={totals.currency} />
      </Text>
    </>
  );
}

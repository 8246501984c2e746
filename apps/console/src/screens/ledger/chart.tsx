//! The balance of each kind of account, and the check that all of them sum to zero.
import type { LedgerAccountKind, LedgerChart, LedgerChartLine } from '@holdfast/sdk';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { CommandHint } from '#parts/action/command-hint.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { BALANCE_COLUMNS } from '#parts/table/balance-columns.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { checkChart } from '#screens/ledger/check-chart.ts';
import { KIND_WORDS } from '#screens/ledger/kind-words.ts';

interface Props {
  readonly openKind: (kind: LedgerAccountKind) => void;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const columnsFor = ({ openKind }: Props): readonly Column<LedgerChartLine>[] => [
  { title: 'Type', show: ({ kind }) => <Kind kind={kind} openKind={openKind} /> },
  { title: 'Accounts', isEnd: true, show: ({ accounts }) => accounts },
  ...BALANCE_COLUMNS,
];

function Kind({ kind, openKind }: Props & { readonly kind: LedgerAccountKind }) {
  return (
    <>
      <Anchor component="button" size="sm" onClick={() => openKind(kind)}>
        {wordsOf(kind)}
      </Anchor>
      <Text size="xs" c="dimmed">
        {KIND_WORDS[kind]}
      </Text>
    </>
  );
}

export function Chart({ openKind }: Props) {
  const chart = useRead('Ledger', ['chart'], (holdfast, signal) =>
    holdfast.ledger.chart({ signal }),
  );
  return (
    <Loaded of={chart}>
      {(found) => (
        <Stack>
          <Proof chart={found} isReading={chart.isFetching} verify={() => void chart.refetch()} />
          <Lines chart={found} openKind={openKind} />
        </Stack>
      )}
    </Loaded>
  );
}

interface ProofProps {
  readonly chart: LedgerChart;
  readonly isReading: boolean;
  readonly verify: () => void;
}

function Proof({ chart, isReading, verify }: ProofProps) {
  const check = checkChart(chart);
  return (
    <Alert
      variant="outline"
      color={check.isRight ? 'teal' : 'red'}
      title={check.isRight ? 'Books balanced' : 'Books out of balance'}
      role="status"
    >
      <Group justify="space-between" align="flex-end">
        <Stack gap={4}>
          {check.lines.map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
          {!check.isRight && (
            <Text size="sm" fw={650}>
              Contact the team that runs your Holdfast server, and do not approve payouts until this
              is resolved.
            </Text>
          )}
          <Text size="sm" c="dimmed">
            Calculated <Moment at={chart.takenAt} />
          </Text>
          <Text size="sm" c="dimmed" component="div">
            To verify every entry independently, run:{' '}
            <CommandHint command="holdfast verify books --database" />
          </Text>
        </Stack>
        <Button variant="default" loading={isReading} onClick={verify}>
          Verify again
        </Button>
      </Group>
    </Alert>
  );
}

function Lines({ chart: { lines }, openKind }: { readonly chart: LedgerChart } & Props) {
  if (lines.length === 0) {
    return (
      <EmptyState title="No ledger entries yet">
        The first top-up, deposit or credit creates the first entry.
      </EmptyState>
    );
  }
  return (
    <Panel title="Account types">
      <ShortTable
        label="Chart of accounts"
        columns={columnsFor({ openKind })}
        rows={lines}
        idOf={({ kind, currency }) => `${kind} ${currency}`}
        minWidth={760}
      />
    </Panel>
  );
}

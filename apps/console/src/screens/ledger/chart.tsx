//! What lies in each kind of account, and the proof that all of it sums to zero.
import type { LedgerAccountKind, LedgerChart } from '@holdfast/sdk';
import { Alert, Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { Amount } from '#parts/amount.tsx';
import { CommandHint } from '#parts/command-hint.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { checkChart } from '#screens/ledger/check-chart.ts';
import { KIND_WORDS } from '#screens/ledger/kind-words.ts';

interface Props {
  readonly openKind: (kind: LedgerAccountKind) => void;
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
      title={check.isRight ? 'The books are right' : 'The books are wrong'}
      role="status"
    >
      <Group justify="space-between" align="flex-end">
        <Stack gap={4}>
          {check.lines.map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
          <Text size="sm" c="dimmed">
            Summed <Moment at={chart.takenAt} />
          </Text>
          <Text size="sm" c="dimmed" component="div">
            To recompute every entry outside the service:{' '}
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
      <EmptyState title="The books are empty">
        The first top-up, deposit or credit makes the first entry.
      </EmptyState>
    );
  }
  return (
    <Panel title="Kinds of account">
      <Table.ScrollContainer minWidth={760}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Kind</Table.Th>
              <Table.Th ta="right">Accounts</Table.Th>
              <Table.Th ta="right">Available</Table.Th>
              <Table.Th ta="right">Reserved</Table.Th>
              <Table.Th ta="right">Total</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line) => (
              <Table.Tr key={`${line.kind} ${line.currency}`}>
                <Table.Td>
                  <Anchor component="button" size="sm" onClick={() => openKind(line.kind)}>
                    {wordsOf(line.kind)}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {KIND_WORDS[line.kind]}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{line.accounts}</Table.Td>
                <Table.Td ta="right">
                  <Amount amount={line.available} currency={line.currency} />
                </Table.Td>
                <Table.Td ta="right">
                  <Amount amount={line.reserved} currency={line.currency} />
                </Table.Td>
                <Table.Td ta="right">
                  <Amount amount={line.total} currency={line.currency} isStrong />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

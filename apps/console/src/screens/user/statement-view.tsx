//! Every change of a balance with the balance after it, for a period and a currency.
import type { Currency, Statement } from '@holdfast/sdk';
import { Button, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { clockNow } from '#app/now.ts';
import { useRead } from '#app/read.ts';
import { useHoldfast, useSession } from '#app/session.tsx';
import { Amount } from '#parts/amount.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

const CURRENCIES: readonly Currency[] = ['USD', 'USDC', 'XLM'];
const DAYS_SHOWN = 90;
const DAY_MS = 86_400_000;

/** The first day that is shown when the address names none. */
function defaultFrom(): string {
  return new Date(clockNow() - DAYS_SHOWN * DAY_MS).toISOString().slice(0, 10);
}

export function StatementView({ userId }: { readonly userId: string }) {
  const { baseCurrency } = useSession();
  const holdfast = useHoldfast();
  const [state, change] = useUrlState();
  const currency = (CURRENCIES.find((one) => one === state['currency']) ??
    baseCurrency) as Currency;
  const from = state['from'] ?? defaultFrom();
  const reading = useRead('User', [userId, 'statement', currency, from], (one, signal) =>
    one.statements.user(userId, { currency, from }, { signal }),
  );
  const download = async () => {
    const answer = await holdfast.statements.userCsv(userId, { currency, from });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `statement-${userId}-${currency}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <Group mb="md" align="flex-end">
        <Select
          label="Currency"
          w={120}
          allowDeselect={false}
          data={[...CURRENCIES]}
          value={currency}
          onChange={(value) => change({ currency: value ?? undefined })}
        />
        <TextInput
          label="From"
          type="date"
          value={from}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
        <Button variant="default" onClick={() => void download()}>
          Download CSV
        </Button>
      </Group>
      <Loaded of={reading}>{(statement) => <Lines statement={statement} />}</Loaded>
    </>
  );
}

function Lines({ statement }: { readonly statement: Statement }) {
  const { lines, currency, opening, closing } = statement;
  if (lines.length === 0) {
    return (
      <EmptyState title="Nothing moved in this period">
        The balance was {closing.total} {currency} throughout. Choose an earlier day or another
        currency.
      </EmptyState>
    );
  }
  return (
    <Table.ScrollContainer minWidth={820} className="hf-frame">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>About</Table.Th>
            <Table.Th ta="right">Available</Table.Th>
            <Table.Th ta="right">Reserved</Table.Th>
            <Table.Th ta="right">Balance after</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Sum name="Opening balance" amount={opening.total} currency={currency} />
          {lines.map((line) => (
            <Table.Tr key={line.entryId}>
              <Table.Td>
                <Moment at={line.at} />
              </Table.Td>
              <Table.Td>
                {wordsOf(line.kind)}
                {line.note !== null && (
                  <Text size="xs" c="dimmed" className="hf-text">
                    {line.note}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <IdLink id={line.subjectId ?? line.reference} isBare />
              </Table.Td>
              <Table.Td ta="right">
                <Amount amount={line.change.available} currency={currency} isChange />
              </Table.Td>
              <Table.Td ta="right">
                <Amount amount={line.change.reserved} currency={currency} isChange />
              </Table.Td>
              <Table.Td ta="right">
                <Amount amount={line.balance.total} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
          <Sum name="Closing balance" amount={closing.total} currency={currency} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface SumProps {
  readonly name: string;
  readonly amount: string;
  readonly currency: string;
}

function Sum({ name, amount, currency }: SumProps) {
  return (
    <Table.Tr>
      <Table.Td colSpan={5} fw={600}>
        {name}
      </Table.Td>
      <Table.Td ta="right">
        <Amount amount={amount} currency={currency} isStrong />
      </Table.Td>
    </Table.Tr>
  );
}

//! A statement: every change of a balance, for a period and a currency.
import { entryWords } from '@holdfast/contract/entry-words';
import type { Currency, Statement, StatementLine } from '@holdfast/sdk';
import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { clockNow } from '#app/now.ts';
import { useRead } from '#app/read.ts';
import { useHoldfast, useSession } from '#app/session/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { dayAfter } from '#parts/table/filter-query.ts';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { useBalances } from '#screens/user/balances.tsx';
import { hasNewer, isLong, LINES_SHOWN, newestPart } from '#screens/user/statement-part.ts';

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
  const until = state['until'] ?? '';
  const to = dayAfter(until);
  const query = { currency, from, ...(to !== undefined && { to }) };
  const reading = useRead(
    'User',
    [userId, 'statement', query],
    (one, signal) => one.statements.user(userId, query, { signal }),
    { isLong },
  );
  const balance = useBalances(userId).data?.find((one) => one.currency === currency);
  const download = async () => {
    const response = await holdfast.statements.userCsv(userId, query);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
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
          label="From date (UTC)"
          type="date"
          value={from}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
        <TextInput
          label="Until date (UTC)"
          type="date"
          value={until}
          onChange={({ currentTarget }) => change({ until: currentTarget.value })}
        />
        <Button variant="default" onClick={() => void download()}>
          Download CSV
        </Button>
      </Group>
      <Loaded of={reading}>
        {(statement) => (
          <Stack gap="sm">
            {isLong(statement) && (
              <Cut
                statement={statement}
                isOld={balance !== undefined && hasNewer(statement, balance, to === undefined)}
                reading={reading}
              />
            )}
            <Lines statement={statement} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const columnsIn = (currency: string): readonly Column<StatementLine>[] => [
  { title: 'Time', show: ({ at }) => <Moment at={at} /> },
  { title: 'Type', show: (line) => <What line={line} /> },
  { title: 'Record', show: ({ subjectId, reference }) => <IdLink id={subjectId ?? reference} isBare /> },
  { title: 'Change in available', isEnd: true, show: ({ change }) => <Amount amount={change.available} currency={currency} isChange /> },
  { title: 'Change in reserved', isEnd: true, show: ({ change }) => <Amount amount={change.reserved} currency={currency} isChange /> },
  { title: 'Total balance after', isEnd: true, show: ({ balance }) => <Amount amount={balance.total} currency={currency} /> },
];

/** A note by the service, as withdrawal_failed; people write otherwise. */
const CODE_WORD = /^[a-z]+(_[a-z]+)+$/;

function What({ line: { kind, note } }: { readonly line: StatementLine }) {
  return (
    <>
      {entryWords(kind)}
      {note !== null && (
        <Text size="xs" c="dimmed" className="hf-text">
          {CODE_WORD.test(note) ? wordsOf(note) : note}
        </Text>
      )}
    </>
  );
}

interface CutProps {
  readonly statement: Statement;
  /** There are newer lines by now. */
  readonly isOld: boolean;
  readonly reading: Pick<ReturnType<typeof useRead>, 'isFetching' | 'error' | 'refetch'>;
}

/** A long statement is not read anew by itself: the reader refreshes it. */
function Cut({ statement: { lines, opening, currency }, isOld, reading }: CutProps) {
  const { isFetching, error, refetch } = reading;
  if (error) return <ErrorAlert error={error} retry={() => void refetch()} />;
  return (
    <Alert
      variant="light"
      color="harbour"
      title={`Showing the newest ${LINES_SHOWN} lines`}
      role="status"
    >
      <Group justify="space-between">
        <Text size="sm">
          The period has {lines.length.toLocaleString('en-US')} lines and an opening balance of{' '}
          <Amount amount={opening.total} currency={currency} />. Choose a shorter period, or
          download the CSV for all lines.{isOld && ' Newer lines are available.'}
        </Text>
        {isOld && (
          <Button
            size="compact-sm"
            variant="default"
            loading={isFetching}
            onClick={() => void refetch()}
          >
            Load newer lines
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function Lines({ statement }: { readonly statement: Statement }) {
  const { currency, closing } = statement;
  const { lines, before } = newestPart(statement);
  if (lines.length === 0) {
    return (
      <EmptyState title="No transactions in this period">
        The balance was {closing.total} {currency} throughout. Choose an earlier date or another
        currency.
      </EmptyState>
    );
  }
  const strong = (amount: string) => <Amount amount={amount} currency={currency} isStrong />;
  return (
    <ShortTable
      label="Statement"
      columns={columnsIn(currency)}
      rows={lines}
      idOf={({ entryId }) => entryId}
      minWidth={820}
      isFramed
      first={[isLong(statement) ? 'Balance before these lines' : 'Opening balance', strong(before)]}
      last={['Closing balance', strong(closing.total)]}
    />
  );
}

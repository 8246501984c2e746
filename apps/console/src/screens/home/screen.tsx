//! Home: items that need attention, money held, money in and out, and solvency.
import { HOME_COUNTS_MAX } from '@holdfast/contract/limits';
import type { HomeInsights, ProviderHealth, SolvencySummary } from '@holdfast/sdk';
import { Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { Go, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { MiniChart } from '#parts/chart/mini-chart.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { AttentionList } from '#screens/home/attention-list.tsx';
import { countWords } from '#screens/home/count-words.ts';
import { Funnel } from '#screens/home/funnel.tsx';
import { chartsOf } from '#screens/home/home-charts.ts';
import { Today } from '#screens/home/today.tsx';

const EVERY_MS = 60_000;
const PERIODS = ['7', '30', '90'] as const;

// biome-ignore format: a table is the one thing exempt from the line limit.
const PROVIDERS: readonly Column<ProviderHealth>[] = [
  { title: 'Provider', show: ({ provider }) => wordsOf(provider) },
  { title: 'Succeeded', isEnd: true, show: (health) => <Calls health={health} outcome="done" /> },
  { title: 'Rejected', isEnd: true, show: (health) => <Calls health={health} outcome="refused" /> },
  { title: 'Unknown', isEnd: true, show: (health) => <Calls health={health} outcome="unknown" /> },
];

/** Said in full: Home does not explain the states. */
const SOLVENCY_WORDS: Readonly<Record<SolvencySummary['status'], string>> = {
  BALANCED: 'Balanced',
  UNSETTLED: 'Unsettled: transfers in transit',
  SURPLUS: 'Surplus: assets exceed liabilities',
  BREACH: 'Breach: assets are below liabilities, or the payment provider’s balance is wrong',
};

export function Screen() {
  const [{ days = '30' }, change] = useUrlState();
  const period = PERIODS.find((one) => one === days) ?? '30';
  const reading = useRead(
    'Home',
    [period],
    (holdfast, signal) => holdfast.insights.home({ days: period }, { signal }),
    { everyMs: EVERY_MS, keepPrevious: true },
  );
  return (
    <>
      <ScreenHead
        title="Home"
        note={
          reading.data && (
            <>
              As of <Moment at={reading.data.takenAt} />
            </>
          )
        }
        actions={
          <SegmentedControl
            aria-label="Period"
            data={PERIODS.map((value) => ({ value, label: `${value} days` }))}
            value={period}
            onChange={(value) => change({ days: value })}
          />
        }
      />
      <Loaded of={reading}>{(home) => <Shown home={home} />}</Loaded>
    </>
  );
}

function Shown({ home }: { readonly home: HomeInsights }) {
  return (
    <Stack>
      <Today home={home} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="Needs attention">
          <AttentionList attention={home.attention} />
        </Panel>
        <Stack>
          <SolvencyTile solvency={home.solvency} />
          <Providers home={home} />
        </Stack>
      </SimpleGrid>
      <Charts home={home} />
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Panel title={`Orders, last ${home.days} days`}>
          <Funnel funnel={home.funnel} />
        </Panel>
        <OpenOrders home={home} />
        <InFlight home={home} />
      </SimpleGrid>
    </Stack>
  );
}

function Charts({ home }: { readonly home: HomeInsights }) {
  const currencies = chartsOf(home);
  if (currencies.length === 0) {
    return (
      <EmptyState title="No transactions in this period">
        The charts show held funds, volume and fees of orders. In a sandbox, create an order in the{' '}
        <Go to="/lab" underline="always">
          Test lab
        </Go>
        .
      </EmptyState>
    );
  }
  return currencies.map(({ currency, held, volume }) => (
    <SimpleGrid key={currency} cols={{ base: 1, md: 2 }}>
      <Panel title={`Held funds, ${currency}`}>
        <MiniChart title={`Held funds, ${currency}`} unit={currency} {...held} />
      </Panel>
      <Panel title={`Volume and fees, ${currency}`}>
        <MiniChart title={`Volume and fees, ${currency}`} unit={currency} {...volume} />
      </Panel>
    </SimpleGrid>
  ));
}

function SolvencyTile({ solvency }: { readonly solvency: SolvencySummary }) {
  return (
    <Panel title="Solvency" actions={<Go to="/solvency">View breakdown</Go>}>
      <Group gap="sm">
        <StateBadge
          state={solvency.takenAt === null ? 'NONE' : solvency.status}
          words={solvency.takenAt === null ? 'Not checked yet' : SOLVENCY_WORDS[solvency.status]}
        />
        {solvency.takenAt !== null && (
          <Text size="sm" component="span">
            Checked <Moment at={solvency.takenAt} isShort />
          </Text>
        )}
      </Group>
      {solvency.payoutsPaused && (
        <Text size="sm" c="var(--hf-bad)" fw={600} mt="xs">
          Payouts paused{solvency.pauseReason !== null && `: ${solvency.pauseReason}`}
        </Text>
      )}
    </Panel>
  );
}

function Providers({ home }: { readonly home: HomeInsights }) {
  return (
    <Panel title="Providers" actions={<Go to="/operations">View operations</Go>}>
      <ShortTable
        label="Calls by provider"
        columns={PROVIDERS}
        rows={home.providers}
        idOf={({ provider }) => provider}
        minWidth={320}
      />
      <Text size="xs" c="dimmed" mt={4}>
        <Counted since={home.providersSince} /> A retried call counts once.
      </Text>
    </Panel>
  );
}

/** What the table is about: all of a day, or the newest where a day has more than are counted. */
function Counted({ since }: { readonly since: HomeInsights['providersSince'] }) {
  if (since === null)
    return 'Provider calls in the last 24 hours, with the last hour in parentheses.';
  return (
    <>
      Provider calls of the newest {countWords(HOME_COUNTS_MAX.operations, false)} operations; the
      oldest started <Moment at={since} isShort />. The last hour is in parentheses.
    </>
  );
}

interface CallsProps {
  readonly health: ProviderHealth;
  readonly outcome: 'done' | 'refused' | 'unknown';
}

function Calls({ health: { lastHour, lastDay }, outcome }: CallsProps) {
  const isWorrying = outcome === 'unknown' && lastDay.unknown > 0;
  const worry = isWorrying && { c: 'var(--hf-bad)', fw: 650 };
  return (
    <Text component="span" inherit className="hf-amount" {...worry}>
      {lastDay[outcome]} ({lastHour[outcome]})
    </Text>
  );
}

function OpenOrders({ home }: { readonly home: HomeInsights }) {
  const counted = home.openOrders.reduce((sum, { count }) => sum + count, 0);
  const isCut = counted >= HOME_COUNTS_MAX.openOrders;
  return (
    <Panel title="Open orders">
      {home.openOrders.length === 0 && <Text size="sm">No open orders.</Text>}
      <Facts
        rows={home.openOrders.map(({ status, count }) => [
          wordsOf(status),
          <Go key={status} to={`/orders?status=${status}`}>
            {countWords(count, isCut)}
          </Go>,
        ])}
      />
      {isCut && (
        <Text size="xs" c="dimmed" mt={4}>
          Only the newest {countWords(HOME_COUNTS_MAX.openOrders, false)} open orders are counted.
        </Text>
      )}
    </Panel>
  );
}

function InFlight({ home }: { readonly home: HomeInsights }) {
  return (
    <Panel title="Open withdrawals">
      {home.withdrawalsInFlight.length === 0 && <Text size="sm">No open withdrawals.</Text>}
      <Facts
        rows={home.withdrawalsInFlight.map(({ status, currency, count, amount, oldestAt }) => [
          `${wordsOf(status)}, ${currency} (${count})`,
          <div key={status}>
            <Go to={`/withdrawals?status=${status}`}>
              <Amount amount={amount} currency={currency} />
            </Go>
            <Text size="xs" c="dimmed">
              Oldest <Moment at={oldestAt} isShort />
            </Text>
          </div>,
        ])}
      />
    </Panel>
  );
}

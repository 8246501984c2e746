//! Home: what needs somebody, what is held, what comes in and goes out, and whether it adds up.
import { HOME_COUNTS_MAX } from '@holdfast/contract/limits';
import type { HomeInsights, ProviderHealth, SolvencySummary } from '@holdfast/sdk';
import { Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { Go, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Amount } from '#parts/amount.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { MiniChart } from '#parts/mini-chart.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { ShortTable } from '#parts/short-table.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { AttentionList } from '#screens/home/attention-list.tsx';
import { countWords } from '#screens/home/count-words.ts';
import { Funnel } from '#screens/home/funnel.tsx';
import { chartsOf } from '#screens/home/home-charts.ts';
import { Today } from '#screens/home/today.tsx';

const EVERY_MS = 60_000;
const PERIODS = ['7', '30', '90'] as const;

// biome-ignore format: a table is the one thing exempt from the line limit.
const PROVIDERS: readonly Column<ProviderHealth>[] = [
  { title: 'Calls', show: ({ provider }) => wordsOf(provider) },
  { title: 'Done', isEnd: true, show: (health) => <Calls health={health} outcome="done" /> },
  { title: 'Refused', isEnd: true, show: (health) => <Calls health={health} outcome="refused" /> },
  { title: 'Unknown', isEnd: true, show: (health) => <Calls health={health} outcome="unknown" /> },
];

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
        <Panel title={`Orders of ${home.days} days`}>
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
      <EmptyState title="No money has moved yet">
        Charts of held funds, volume and fees begin with the first order. In a sandbox the Test lab
        plays one.
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
    <Panel title="Solvency" actions={<Go to="/solvency">Every term</Go>}>
      <Group gap="sm">
        <StateBadge state={solvency.status} />
        <Text size="sm" component="span">
          checked <Moment at={solvency.takenAt} isShort />
        </Text>
      </Group>
      {solvency.payoutsPaused && (
        <Text size="sm" c="var(--hf-bad)" fw={600} mt="xs">
          Pay-outs are paused{solvency.pauseReason !== null && `: ${solvency.pauseReason}`}
        </Text>
      )}
    </Panel>
  );
}

function Providers({ home }: { readonly home: HomeInsights }) {
  return (
    <Panel title="Providers" actions={<Go to="/operations">Operations</Go>}>
      <ShortTable
        label="Calls to each provider"
        columns={PROVIDERS}
        rows={home.providers}
        idOf={({ provider }) => provider}
        minWidth={320}
      />
      <Text size="xs" c="dimmed" mt={4}>
        <Counted since={home.providersSince} /> In brackets: the last hour. A call counts once,
        however often it was tried.
      </Text>
    </Panel>
  );
}

/** What the table is about: all of a day, or the newest where a day has more than are counted. */
function Counted({ since }: { readonly since: HomeInsights['providersSince'] }) {
  if (since === null) return 'Of the operations of the last 24 hours.';
  return (
    <>
      Of the newest {countWords(HOME_COUNTS_MAX.operations, false)} operations, since{' '}
      <Moment at={since} isShort />: a whole day has more.
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
      {home.openOrders.length === 0 && <Text size="sm">None is open.</Text>}
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
          Only the newest {countWords(HOME_COUNTS_MAX.openOrders, false)} are counted.
        </Text>
      )}
    </Panel>
  );
}

function InFlight({ home }: { readonly home: HomeInsights }) {
  return (
    <Panel title="Pay-outs in flight">
      {home.withdrawalsInFlight.length === 0 && <Text size="sm">None is on its way.</Text>}
      <Facts
        rows={home.withdrawalsInFlight.map(({ status, currency, count, amount, oldestAt }) => [
          `${wordsOf(status)}, ${currency} (${count})`,
          <div key={status}>
            <Go to={`/withdrawals?status=${status}`}>
              <Amount amount={amount} currency={currency} />
            </Go>
            <Text size="xs" c="dimmed">
              oldest <Moment at={oldestAt} isShort />
            </Text>
          </div>,
        ])}
      />
    </Panel>
  );
}

//! Home: what needs somebody, what is held, what comes in and goes out, and whether it adds up.
import type { HomeInsights, ProviderHealth, SolvencySummary } from '@holdfast/sdk';
import { Group, SegmentedControl, SimpleGrid, Stack, Table, Text } from '@mantine/core';
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
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { AttentionList } from '#screens/home/attention-list.tsx';
import { Funnel } from '#screens/home/funnel.tsx';
import { chartsOf } from '#screens/home/home-charts.ts';
import { Today } from '#screens/home/today.tsx';

const EVERY_MS = 60_000;
const PERIODS = ['7', '30', '90'] as const;

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
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing={6} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Calls in 24 hours</Table.Th>
              <Table.Th ta="right">Done</Table.Th>
              <Table.Th ta="right">Refused</Table.Th>
              <Table.Th ta="right">Unknown</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {home.providers.map((one) => (
              <Provider key={one.provider} one={one} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed" mt={4}>
        In brackets: the last hour.
      </Text>
    </Panel>
  );
}

function Provider({ one: { provider, lastHour, lastDay } }: { readonly one: ProviderHealth }) {
  return (
    <Table.Tr>
      <Table.Td>{wordsOf(provider)}</Table.Td>
      {(['done', 'refused', 'unknown'] as const).map((outcome) => {
        const isWorrying = outcome === 'unknown' && lastDay.unknown > 0;
        return (
          <Table.Td key={outcome} ta="right" className="hf-amount">
            <Text component="span" inherit {...(isWorrying && { c: 'var(--hf-bad)', fw: 650 })}>
              {lastDay[outcome]} ({lastHour[outcome]})
            </Text>
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}

function OpenOrders({ home }: { readonly home: HomeInsights }) {
  return (
    <Panel title="Open orders">
      {home.openOrders.length === 0 && <Text size="sm">None is open.</Text>}
      <Facts
        rows={home.openOrders.map(({ status, count }) => [
          wordsOf(status),
          <Go key={status} to={`/orders?status=${status}`}>
            {count}
          </Go>,
        ])}
      />
    </Panel>
  );
}

function InFlight({ home }: { readonly home: HomeInsights }) {
  return (
    <Panel title="Pay-outs in flight">
      {home.withdrawalsInFlight.length === 0 && <Text size="sm">None is on its way.</Text>}
      <Facts
        rows={home.withdrawalsInFlight.map(({ status, currency, count, amount, oldestAt }) => [
          `${wordsOf(status)} (${count})`,
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

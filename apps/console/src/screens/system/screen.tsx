//! System: dependencies, queues and their lag, versions.
import type { Dependency, Queue, System } from '@holdfast/sdk';
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { durationWords, lagTone, nameWords } from '#screens/system/lag.ts';

const EVERY_MS = 5_000;

// biome-ignore format: a table is the one thing exempt from the line limit.
const DEPENDENCIES: readonly Column<Dependency>[] = [
  { title: 'Name', show: ({ name }) => nameWords(name) },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Latency', isEnd: true, show: ({ latencyMs }) => (latencyMs === null ? '–' : `${Math.round(latencyMs * 10) / 10} ms`) },
];

// biome-ignore format: a table is the one thing exempt from the line limit.
const QUEUES: readonly Column<Queue>[] = [
  { title: 'Queue', show: (queue) => <QueueName queue={queue} /> },
  { title: 'Waiting', isEnd: true, show: ({ waiting, isCapped }) => `${waiting}${isCapped ? ' or more' : ''}` },
  { title: 'Lag', isEnd: true, show: ({ lagSeconds }) => <Lag seconds={lagSeconds} /> },
  { title: 'Oldest', isEnd: true, show: ({ oldestAt }) => <Moment at={oldestAt} /> },
];

function QueueName({ queue: { name, description } }: { readonly queue: Queue }) {
  return (
    <>
      {nameWords(name)}
      <Text size="xs" c="dimmed">
        {description}
      </Text>
    </>
  );
}

function Lag({ seconds }: { readonly seconds: number | null }) {
  return (
    <Text size="sm" c={lagTone(seconds)} component="span">
      {seconds === null ? '–' : durationWords(seconds)}
    </Text>
  );
}

export function Screen() {
  const system = useRead('System', [], (holdfast, signal) => holdfast.system.get({ signal }), {
    everyMs: EVERY_MS,
  });
  return (
    <>
      <ScreenHead title="System" note="Health of the deployment. Updates every 5 seconds." />
      <Loaded of={system}>
        {(found) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Versions system={found} />
              <Dependencies system={found} />
            </SimpleGrid>
            <Queues system={found} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Versions({ system }: { readonly system: System }) {
  const { requestLog, events, dashboardUrl } = system;
  return (
    <Panel title="Deployment">
      <Facts
        rows={[
          ['Version', system.version],
          ['Environment', system.environment],
          ['Cell (database and its processes)', system.cell],
          [
            'Latest migration',
            <span key="migration" className="hf-id">
              {system.migration}
            </span>,
          ],
          ['Uptime', durationWords(system.uptimeSeconds)],
          ['Checked', <Moment key="read" at={system.takenAt} />],
          ['Last event', <Moment key="event" at={events.lastAt} />],
          ['Event log position', events.position],
          [
            'Request log',
            `${requestLog.written} requests written, ${requestLog.waiting} waiting, ${requestLog.dropped} dropped`,
          ],
          ...(dashboardUrl === null ? [] : [dashboards(dashboardUrl)]),
        ]}
      />
    </Panel>
  );
}

function dashboards(url: string): [string, ReactNode] {
  return [
    'Dashboards',
    <Anchor key="dashboards" href={url} target="_blank" rel="noreferrer" size="sm">
      Open
    </Anchor>,
  ];
}

function Dependencies({ system: { dependencies } }: { readonly system: System }) {
  return (
    <Panel title="Dependencies">
      <ShortTable
        label="Dependencies"
        columns={DEPENDENCIES}
        rows={dependencies}
        idOf={({ name }) => name}
      />
    </Panel>
  );
}

function Queues({ system: { queues } }: { readonly system: System }) {
  if (queues.length === 0) {
    return <EmptyState title="No queues">This deployment reports no queues.</EmptyState>;
  }
  return (
    <Panel title="Marketplace queues">
      <ShortTable
        label="Queues"
        columns={QUEUES}
        rows={queues}
        idOf={({ name }) => name}
        minWidth={560}
      />
    </Panel>
  );
}

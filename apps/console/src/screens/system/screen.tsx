//! System: dependencies, queues and their lag, versions.
import type { System } from '@holdfast/sdk';
import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { durationWords, lagTone, spaced } from '#screens/system/lag.ts';

const EVERY_MS = 5_000;

export function Screen() {
  const system = useRead('System', [], (holdfast, signal) => holdfast.system.get({ signal }), {
    everyMs: EVERY_MS,
  });
  return (
    <>
      <ScreenHead
        title="System"
        note="How the deployment is at this moment. Read every 5 seconds."
      />
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
  const { requestLog, events } = system;
  return (
    <Panel title="Version and state">
      <Facts
        rows={[
          ['Version', system.version],
          ['Environment', system.environment],
          ['Cell', system.cell],
          [
            'Newest migration',
            <span key="migration" className="hf-id">
              {system.migration}
            </span>,
          ],
          ['Up for', durationWords(system.uptimeSeconds)],
          ['Read', <Moment key="read" at={system.takenAt} />],
          ['Last event', <Moment key="event" at={events.lastAt} />],
          ['Position in the event log', events.position],
          [
            'Request log',
            `${requestLog.written} written, ${requestLog.waiting} waiting, ${requestLog.dropped} dropped`,
          ],
        ]}
      />
    </Panel>
  );
}

function Dependencies({ system: { dependencies } }: { readonly system: System }) {
  return (
    <Panel title="Dependencies">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th ta="right">Answers in</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {dependencies.map(({ name, status, latencyMs }) => (
            <Table.Tr key={name}>
              <Table.Td>{spaced(name)}</Table.Td>
              <Table.Td>
                <StateBadge state={status} />
              </Table.Td>
              <Table.Td ta="right">
                {latencyMs === null ? '–' : `${Math.round(latencyMs * 10) / 10} ms`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function Queues({ system: { queues } }: { readonly system: System }) {
  if (queues.length === 0) {
    return <EmptyState title="No queues">This deployment tells of none.</EmptyState>;
  }
  return (
    <Panel title="Queues of this marketplace">
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Queue</Table.Th>
              <Table.Th ta="right">Waiting</Table.Th>
              <Table.Th ta="right">Lag</Table.Th>
              <Table.Th ta="right">Oldest</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {queues.map((queue) => (
              <Table.Tr key={queue.name}>
                <Table.Td>
                  {queue.name === 'topups' ? 'Top-ups' : spaced(queue.name)}
                  <Text size="xs" c="dimmed">
                    {queue.means}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">
                  {queue.waiting}
                  {queue.isCapped && ' or more'}
                </Table.Td>
                <Table.Td ta="right">
                  <Text size="sm" c={lagTone(queue.lagSeconds)} component="span">
                    {queue.lagSeconds === null ? '–' : durationWords(queue.lagSeconds)}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">
                  <Moment at={queue.oldestAt} isShort />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

//! What was sent to an endpoint, with every attempt; each can be sent once more.
import { ANY_ACTING } from '@holdfast/contract/roles';
import { WEBHOOK_OUTCOMES } from '@holdfast/contract/words';
import type { WebhookDelivery, WebhookEndpoint } from '@holdfast/sdk';
import { Drawer, Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { chosen } from '#app/chosen.ts';
import { useUrlState } from '#app/go.tsx';
import { useHoldfast } from '#app/session.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Section } from '#parts/section.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { EndpointAction } from '#screens/webhook/endpoint-action.tsx';

const EVERY_MS = 4_000;

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: 'Outcome', show: ({ outcome }) => <StateBadge state={outcome} /> },
  { title: 'Type', show: ({ eventType }) => eventType },
  { title: 'Kind', show: ({ kind }) => kind.toLowerCase() },
  { title: 'Event', show: (delivery) => <IdLink {...eventLink(delivery)} isBare /> },
  { title: 'Attempts', isEnd: true, show: ({ attemptCount }) => attemptCount },
  {
    title: 'Last answer',
    show: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? '–' : (last.status ?? last.reason ?? 'no answer');
    },
  },
  { title: 'Begun', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** A test is no event: the log does not have it. */
function eventLink({ eventId, kind }: WebhookDelivery) {
  return kind === 'TEST' ? { id: eventId, to: null } : { id: eventId };
}

interface Props {
  readonly endpoint: WebhookEndpoint;
}

export function Deliveries({ endpoint }: Props) {
  const { id } = endpoint;
  const [state] = useUrlState();
  const [opened, setOpened] = useState<WebhookDelivery>();
  const query = {
    outcome: chosen(state['outcome'], WEBHOOK_OUTCOMES),
    eventId: state['eventId'],
    limit: 100,
  };
  return (
    <Section title="Deliveries">
      <FilterBar
        screen="webhook-deliveries"
        filters={[
          { name: 'outcome', label: 'Outcome', choices: WEBHOOK_OUTCOMES },
          { name: 'eventId', label: 'Event', placeholder: 'evt_…' },
        ]}
      />
      <DataTable
        label="Deliveries"
        topic="WebhookEndpoint"
        queryKey={['deliveries', id, query]}
        list={(holdfast, signal) => holdfast.webhookEndpoints.listDeliveries(id, query, { signal })}
        idOf={(delivery) => delivery.id}
        columns={COLUMNS}
        onOpen={setOpened}
        everyMs={EVERY_MS}
        height={480}
        empty={
          <EmptyState title="Nothing was sent yet">
            The next event of its types is sent at once. Send a test to see whether it listens.
          </EmptyState>
        }
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="xl"
        title="Delivery"
      >
        {opened && <OneDelivery endpoint={endpoint} delivery={opened} />}
      </Drawer>
    </Section>
  );
}

function OneDelivery({ endpoint, delivery }: Props & { readonly delivery: WebhookDelivery }) {
  const { eventType, outcome, kind, attempts, attemptCount } = delivery;
  return (
    <Stack>
      <Facts
        rows={[
          ['Outcome', <StateBadge key="outcome" state={outcome} />],
          ['Type', eventType],
          ['Event', <IdLink key="event" {...eventLink(delivery)} />],
          ['Kind', kind.toLowerCase()],
          ['Attempts', `${attemptCount}, the last ${attempts.length} below`],
          ['Begun', <Moment key="begun" at={delivery.createdAt} />],
        ]}
      />
      {kind !== 'TEST' && <ReplayOne endpoint={endpoint} delivery={delivery} />}
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th ta="right">Answer</Table.Th>
              <Table.Th ta="right">After</Table.Th>
              <Table.Th>What it said</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map((attempt) => (
              <Table.Tr key={attempt.at}>
                <Table.Td>
                  <Moment at={attempt.at} isShort />
                </Table.Td>
                <Table.Td ta="right">{attempt.status ?? 'none'}</Table.Td>
                <Table.Td ta="right">{attempt.latencyMs} ms</Table.Td>
                <Table.Td className="hf-text">{attempt.reason ?? attempt.answer ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function ReplayOne({ endpoint, delivery }: Props & { readonly delivery: WebhookDelivery }) {
  const holdfast = useHoldfast();
  const { eventId, eventType } = delivery;
  return (
    <div>
      <EndpointAction
        endpoint={endpoint}
        label="Send it once more"
        isPrimary
        roles={ANY_ACTING}
        title="Send the event once more"
        lines={[
          `Sends ${eventType} ${eventId} to ${endpoint.url}, signed anew.`,
          'The event keeps its id: a receiver that remembers ids deals with it once.',
        ]}
        confirm="Send it"
        done="The event is being sent once more"
        run={(reason) => holdfast.webhookEndpoints.replay(endpoint.id, { eventId }, { reason })}
      />
    </div>
  );
}

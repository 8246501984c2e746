//! What was sent to an endpoint, with every attempt; each can be sent once more.
import { ANY_ACTING } from '@holdfast/contract/roles';
import { WEBHOOK_OUTCOMES } from '@holdfast/contract/words';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Section } from '#parts/section.tsx';
import { ShortTable } from '#parts/short-table.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { EndpointAction } from '#screens/webhook/endpoint-action.tsx';
import { Sent } from '#screens/webhook/sent.tsx';

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

// biome-ignore format: a table is the one thing exempt from the line limit.
const ATTEMPTS: readonly Column<WebhookAttempt>[] = [
  { title: 'When', show: ({ at }) => <Moment at={at} /> },
  { title: 'Answer', isEnd: true, show: ({ status }) => status ?? 'none' },
  { title: 'After', isEnd: true, show: ({ latencyMs }) => `${latencyMs} ms` },
  { title: 'What it said', show: ({ reason, answer }) => <span className="hf-text">{reason ?? answer ?? '–'}</span> },
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
  const [opened, setOpened] = useState<WebhookDelivery>();
  return (
    <Section title="Deliveries">
      <FilteredTable
        label="Deliveries"
        screen="webhook-deliveries"
        of={id}
        topic="WebhookEndpoint"
        filters={[
          { name: 'outcome', label: 'Outcome', choices: WEBHOOK_OUTCOMES },
          { name: 'eventId', label: 'Event', placeholder: 'evt_…' },
        ]}
        list={(holdfast, query, options) =>
          holdfast.webhookEndpoints.listDeliveries(id, query, options)
        }
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
      <SideDrawer
        isOpen={opened !== undefined}
        close={() => setOpened(undefined)}
        size="xl"
        title="Delivery"
      >
        {opened && <OneDelivery key={opened.id} endpoint={endpoint} delivery={opened} />}
      </SideDrawer>
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
      <ShortTable
        label="Attempts"
        columns={ATTEMPTS}
        rows={attempts}
        idOf={({ at }) => at}
        minWidth={420}
      />
      <Sent endpoint={endpoint} delivery={delivery} />
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

//! The deliveries of an endpoint, with every attempt; each can be resent.

import { WEBHOOK_OUTCOMES } from '@holdfast/contract/enums';
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Section } from '#parts/section.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { EndpointAction } from '#screens/webhook/endpoint-action.tsx';
import { Sent } from '#screens/webhook/sent.tsx';

const EVERY_MS = 4_000;

/** Why a message was sent. */
const TRIGGERS: Readonly<Record<WebhookDelivery['kind'], string>> = {
  LIVE: 'New event',
  REPLAY: 'Replay',
  TEST: 'Test',
};

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: 'Outcome', show: ({ outcome }) => <StateBadge state={outcome} /> },
  { title: 'Event type', show: ({ eventType }) => eventType },
  { title: 'Trigger', show: ({ kind }) => TRIGGERS[kind] },
  { title: 'Event ID', show: (delivery) => <IdLink {...eventLink(delivery)} isBare /> },
  { title: 'Attempts', isEnd: true, show: ({ attemptCount }) => attemptCount },
  {
    title: 'Last response',
    show: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? '–' : (last.status ?? last.reason ?? 'No response');
    },
  },
  { title: 'Started', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

// biome-ignore format: a table is the one thing exempt from the line limit.
const ATTEMPTS: readonly Column<WebhookAttempt>[] = [
  { title: 'Time', show: ({ at }) => <Moment at={at} /> },
  { title: 'HTTP status', isEnd: true, show: ({ status }) => status ?? 'No response' },
  { title: 'Duration', isEnd: true, show: ({ latencyMs }) => `${latencyMs} ms` },
  { title: 'Response', show: ({ reason, response }) => <span className="hf-text">{reason ?? response ?? '–'}</span> },
];

function attemptsText(count: number, shown: number): string {
  return shown < count ? `${count} (showing the last ${shown})` : String(count);
}

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
          { name: 'eventId', label: 'Event ID', placeholder: 'evt_…' },
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
          <EmptyState title="No matching deliveries">
            Events are sent as they happen. Send a test message to check the endpoint.
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
          ['Event type', eventType],
          ['Event ID', <IdLink key="event" {...eventLink(delivery)} />],
          ['Trigger', TRIGGERS[kind]],
          ['Attempts', attemptsText(attemptCount, attempts.length)],
          ['Started', <Moment key="started" at={delivery.createdAt} />],
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
        label="Resend"
        isPrimary
        roles={ANY_ACTING}
        title="Resend event"
        lines={[
          `Resends ${eventType} ${eventId} to ${endpoint.url} with a new signature.`,
          'The event keeps its ID, so a receiver that deduplicates by ID handles it once.',
        ]}
        confirm="Resend"
        done="Resending event"
        run={(reason) => holdfast.webhookEndpoints.replay(endpoint.id, { eventId }, { reason })}
      />
    </div>
  );
}

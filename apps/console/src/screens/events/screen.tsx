//! Events: the live tail, the log, and the payload of each event.
import type { HoldfastEvent } from '@holdfast/sdk';
import { Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { LiveTail } from '#parts/live-tail.tsx';
import { Moment } from '#parts/moment.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { FilterBar } from '#parts/table/filter-bar.tsx';
import { filterQuery } from '#parts/table/filter-query.ts';
import { LIVE_FILTERS } from '#screens/events/event-filters.ts';
import { EventLog, FoundEvent } from '#screens/events/event-log.tsx';
import { eventMatcher } from '#screens/events/matches.ts';

export function Screen() {
  const [state, change] = useUrlState();
  const { id } = state;
  // The address names the event; one opened from the list is shown without another read.
  const [known, setKnown] = useState<HoldfastEvent>();
  const open = (event: HoldfastEvent) => {
    setKnown(event);
    change({ id: event.eventId });
  };
  return (
    <>
      <ScreenHead
        title="Events"
        note="The event stream, webhooks and polling all deliver these events, in the same order."
      />
      <Tabs
        value={state['tab'] ?? 'live'}
        keepMounted={false}
        onChange={(value) => change({ tab: value ?? undefined })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="live">Live</Tabs.Tab>
          <Tabs.Tab value="log">Log</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="live">
          <FilterBar screen="events" filters={LIVE_FILTERS} />
          <LiveTail
            most={200}
            matches={eventMatcher(filterQuery(LIVE_FILTERS, state))}
            onOpen={open}
          />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <EventLog open={open} />
        </Tabs.Panel>
      </Tabs>
      <SideDrawer isOpen={id !== undefined} close={() => change({ id: undefined })} title="Event">
        {id !== undefined && <Opened id={id} known={known?.eventId === id ? known : undefined} />}
      </SideDrawer>
    </>
  );
}

interface OpenedProps {
  readonly id: string;
  readonly known: HoldfastEvent | undefined;
}

function Opened({ id, known }: OpenedProps) {
  if (known !== undefined) return <OneEvent event={known} />;
  return (
    <FoundEvent
      id={id}
      show={(event) => <OneEvent event={event} />}
      none={
        <EmptyState title="Event not found">
          Check the event ID. Events are kept for 30 days by default.
        </EmptyState>
      }
    />
  );
}

function OneEvent({ event }: { readonly event: HoldfastEvent }) {
  return (
    <Stack>
      <Facts
        rows={[
          ['Type', event.eventType],
          ['Event ID', <IdLink key="id" id={event.eventId} to={null} />],
          ['Record', <IdLink key="about" id={event.aggregateId} />],
          ['Record type', event.aggregateType],
          ['Time', <Moment key="when" at={event.occurredAt} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        Event as sent to webhook endpoints:
      </Text>
      <RawJson value={event} label="Event" />
    </Stack>
  );
}

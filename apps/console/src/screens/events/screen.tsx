//! Events: the live tail, what was before, and the payload of each.
import type { HoldfastEvent } from '@holdfast/sdk';
import { Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { filterQuery } from '#parts/filter-query.ts';
import { IdLink } from '#parts/id-link.tsx';
import { LiveTail } from '#parts/live-tail.tsx';
import { Moment } from '#parts/moment.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { LIVE_FILTERS } from '#screens/events/event-filters.ts';
import { EventLog, FoundEvent } from '#screens/events/event-log.tsx';
import { eventMatcher } from '#screens/events/matches.ts';

export function Screen() {
  const [state, change] = useUrlState();
  const { id } = state;
  // The address names it; whoever opened it here need not wait until it is found again.
  const [known, setKnown] = useState<HoldfastEvent>();
  const open = (event: HoldfastEvent) => {
    setKnown(event);
    change({ id: event.eventId });
  };
  return (
    <>
      <ScreenHead
        title="Events"
        note="The one log that the stream, webhooks and pull read: same events, same order."
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
        <EmptyState title="It is not in the log any more">Events are kept for 30 days.</EmptyState>
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
          ['Event', <IdLink key="id" id={event.eventId} to={null} />],
          ['About', <IdLink key="about" id={event.aggregateId} />],
          ['Resource', event.aggregateType],
          ['When', <Moment key="when" at={event.occurredAt} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        The whole event, as a webhook endpoint is sent it:
      </Text>
      <RawJson value={event} label="Event" />
    </Stack>
  );
}

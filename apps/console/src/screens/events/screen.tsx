//! Events: the live tail, what was before, and the payload of each.
import { AGGREGATE_TYPES } from '@holdfast/contract/words';
import { EVENT_AGGREGATES, type EventType, type HoldfastEvent } from '@holdfast/sdk';
import { Drawer, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { chosen } from '#app/chosen.ts';
import { useUrlState } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { type Filter, FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { LiveTail } from '#parts/live-tail.tsx';
import { Moment } from '#parts/moment.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { EventLog, FoundEvent } from '#screens/events/event-log.tsx';
import { eventMatcher } from '#screens/events/matches.ts';

const TYPES = Object.keys(EVENT_AGGREGATES) as readonly EventType[];

const FILTERS: readonly Filter[] = [
  { name: 'type', label: 'Type', choices: TYPES, words: (type) => type },
  { name: 'resource', label: 'Resource', choices: AGGREGATE_TYPES, words: (type) => type },
];

export function Screen() {
  const [state, change] = useUrlState();
  const [opened, setOpened] = useState<HoldfastEvent>();
  const filter = {
    type: chosen(state['type'], TYPES),
    resource: chosen(state['resource'], AGGREGATE_TYPES),
    about: state['about'],
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
          <FilterBar
            screen="events"
            filters={[...FILTERS, { name: 'about', label: 'About', placeholder: 'any id' }]}
          />
          <LiveTail most={200} matches={eventMatcher(filter)} onOpen={setOpened} />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <FilterBar
            screen="event-log"
            filters={[...FILTERS, { name: 'since', label: 'From (UTC), else today', type: 'date' }]}
          />
          <EventLog type={filter.type} resource={filter.resource} open={setOpened} />
        </Tabs.Panel>
      </Tabs>
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="lg"
        title="Event"
      >
        {opened && <OneEvent event={opened} />}
      </Drawer>
      <Drawer
        opened={state['id'] !== undefined}
        onClose={() => change({ id: undefined })}
        position="right"
        size="lg"
        title={state['id'] ?? ''}
      >
        {state['id'] !== undefined && (
          <FoundEvent
            id={state['id']}
            show={(event) => <OneEvent event={event} />}
            none={
              <EmptyState title="It is not in the log any more">
                Events are kept for 30 days.
              </EmptyState>
            }
          />
        )}
      </Drawer>
    </>
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

//! The event log from a time on, and one event by its id.
import type { AggregateType, EventType, HoldfastEvent } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { useUrlState } from '#app/go.tsx';
import { clockNow } from '#app/now.ts';
import { useRead } from '#app/read.ts';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { eventMatcher } from '#screens/events/matches.ts';

const COLUMNS: readonly Column<HoldfastEvent>[] = [
  { title: 'When', show: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { title: 'Type', show: ({ eventType }) => eventType },
  { title: 'About', show: ({ aggregateId }) => <IdLink id={aggregateId} isBare /> },
  { title: 'Event', show: ({ eventId }) => <IdLink id={eventId} to={null} isBare /> },
];

interface Props {
  readonly type: EventType | undefined;
  readonly resource: AggregateType | undefined;
  readonly open: (event: HoldfastEvent) => void;
}

export function EventLog({ type, resource, open }: Props) {
  const [state] = useUrlState();
  const since = state['since'] ?? new Date(clockNow()).toISOString().slice(0, 10);
  const query = {
    after: since,
    types: type === undefined ? undefined : [type],
    resources: resource === undefined ? undefined : [resource],
    limit: 100,
  };
  return (
    <DataTable
      label="Event log, oldest first"
      topic="Event"
      queryKey={['log', query]}
      list={(holdfast, signal) => holdfast.events.log(query, { signal })}
      idOf={({ eventId }) => eventId}
      columns={COLUMNS}
      onOpen={open}
      empty={
        <EmptyState title={`Nothing happened since ${since}`}>
          Choose an earlier day, or fewer filters. Events are kept for 30 days.
        </EmptyState>
      }
    />
  );
}

interface FoundProps {
  readonly id: string;
  readonly show: (event: HoldfastEvent) => ReactNode;
  readonly none: ReactNode;
}

/** The log is read from just before the moment that the search tells of it. */
export function FoundEvent({ id, show, none }: FoundProps) {
  const event = useRead('Event', ['one', id], async (holdfast, signal) => {
    const { hits } = await holdfast.search.find({ q: id }, { signal });
    const at = hits.find((hit) => hit.id === id)?.createdAt;
    if (!at) return null;
    const after = new Date(Date.parse(at) - 1).toISOString();
    const { items } = await holdfast.events.log({ after, limit: 100 }, { signal }).page();
    return items.find(eventMatcher({ about: id })) ?? null;
  });
  return <Loaded of={event}>{(found) => (found === null ? none : show(found))}</Loaded>;
}

//! The event log from a time on, and one event by its id.
import type { HoldfastEvent } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { useUrlState } from '#app/go.tsx';
import { clockNow } from '#app/now.ts';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { filterQuery } from '#parts/table/filter-query.ts';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { LOG_FILTERS } from '#screens/events/event-filters.ts';
import { eventMatcher } from '#screens/events/matches.ts';

const COLUMNS: readonly Column<HoldfastEvent>[] = [
  { title: 'Time', show: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { title: 'Type', show: ({ eventType }) => eventType },
  { title: 'Record', show: ({ aggregateId }) => <IdLink id={aggregateId} isBare /> },
  { title: 'Event ID', show: ({ eventId }) => <IdLink id={eventId} to={null} isBare /> },
];

export function EventLog({ open }: { readonly open: (event: HoldfastEvent) => void }) {
  const [state] = useUrlState();
  const today = new Date(clockNow()).toISOString().slice(0, 10);
  // A date that is still being typed is no date yet.
  const { since = today } = filterQuery(LOG_FILTERS, state);
  return (
    <FilteredTable
      label="Events"
      screen="event-log"
      topic="Event"
      of={since}
      filters={LOG_FILTERS}
      list={(holdfast, { type, resource, limit }, options) =>
        holdfast.events.log(
          { after: since, types: type && [type], resources: resource && [resource], limit },
          options,
        )
      }
      idOf={({ eventId }) => eventId}
      columns={COLUMNS}
      onOpen={open}
      empty={
        <EmptyState title={`No events since ${since}`}>
          Choose an earlier day or clear the filters. Events are kept for 30 days by default.
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

/** The log is read from just before the time that the search returns for the event. */
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

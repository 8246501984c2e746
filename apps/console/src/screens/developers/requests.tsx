//! The request log: who called what, how it ended, and whether it was a repetition.
import type { LoggedRequest } from '@holdfast/sdk';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { RequestDrawer } from '#screens/developers/request-drawer.tsx';
import { Status } from '#screens/developers/status.tsx';

const EVERY_MS = 5_000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

const COLUMNS: readonly Column<LoggedRequest>[] = [
  { title: 'Time', show: ({ at }) => <Moment at={at} isShort /> },
  { title: 'Status', show: ({ status }) => <Status status={status} /> },
  {
    title: 'Request',
    show: ({ method, path }) => <span className="hf-id">{`${method} ${path}`}</span>,
  },
  { title: 'Error', show: ({ errorCode }) => errorCode ?? '–' },
  { title: 'Duration', isEnd: true, show: ({ latencyMs }) => `${latencyMs} ms` },
  { title: 'Actor', show: ({ actorId }) => <Actor id={actorId} isBare /> },
  {
    title: 'Idempotency-Key',
    show: ({ idempotencyKey: key, isReplay }) =>
      key === null ? (
        '–'
      ) : (
        <>
          <IdLink id={key} to={`/developers?tab=idempotency&idempotencyKey=${key}`} isBare />
          {isReplay && ' replayed'}
        </>
      ),
  },
];

export function Requests() {
  const [{ request: requestId }, change] = useUrlState();
  // The address names the request; one opened from the list is shown without another read.
  const [known, setKnown] = useState<LoggedRequest>();
  const open = (request: LoggedRequest) => {
    setKnown(request);
    change({ request: request.requestId });
  };
  return (
    <>
      <FilteredTable
        label="Requests"
        screen="requests"
        topic="RequestLog"
        filters={[
          { name: 'status', label: 'Status', choices: CLASSES },
          { name: 'method', label: 'Method', choices: METHODS, words: (method) => method },
          { name: 'route', label: 'Route', placeholder: '/orders/{id}' },
          { name: 'actorId', label: 'Actor', placeholder: 'key_… or opr_…' },
          { name: 'requestId', label: 'Request ID', placeholder: 'From X-Request-Id' },
          { name: 'errorCode', label: 'Error code', placeholder: 'INVALID_STATE' },
          { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
        ]}
        list={(holdfast, query, options) => holdfast.requestLog.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={open}
        everyMs={EVERY_MS}
        empty={
          <EmptyState title="No matching requests">
            Requests appear here a moment after they complete. Clear the filters to see more. Old
            requests are deleted (after 7 days by default).
          </EmptyState>
        }
      />
      <RequestDrawer
        requestId={requestId}
        known={known?.requestId === requestId ? known : undefined}
        close={() => change({ request: undefined })}
      />
    </>
  );
}

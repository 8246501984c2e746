//! The request log: who called what, how it ended, and whether it was a repetition.
import type { LoggedRequest } from '@holdfast/sdk';
import { useState } from 'react';
import { chosen } from '#app/chosen.ts';
import { useUrlState } from '#app/go.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { RequestDrawer } from '#screens/developers/request-drawer.tsx';
import { Status } from '#screens/developers/status.tsx';

const EVERY_MS = 5_000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

const COLUMNS: readonly Column<LoggedRequest>[] = [
  { title: 'When', show: ({ at }) => <Moment at={at} isShort /> },
  { title: 'Status', show: ({ status }) => <Status status={status} /> },
  {
    title: 'Call',
    show: ({ method, path }) => <span className="hf-id">{`${method} ${path}`}</span>,
  },
  { title: 'Error', show: ({ errorCode }) => errorCode ?? '–' },
  { title: 'Took', isEnd: true, show: ({ latencyMs }) => `${latencyMs} ms` },
  { title: 'By', show: ({ actorId }) => <IdLink id={actorId} isBare /> },
  {
    title: 'Idempotency-Key',
    show: ({ idempotencyKey: key, isReplay }) =>
      key === null ? (
        '–'
      ) : (
        <>
          <IdLink id={key} to={`/developers?tab=idempotency&idempotencyKey=${key}`} isBare />
          {isReplay && ' repeated'}
        </>
      ),
  },
];

export function Requests() {
  const [state] = useUrlState();
  const [opened, setOpened] = useState<LoggedRequest>();
  const query = {
    status: state['status'],
    method: chosen(state['method'], METHODS),
    route: state['route'],
    actorId: state['actorId'],
    requestId: state['requestId'],
    errorCode: state['errorCode'],
    createdAfter: state['createdAfter'],
    limit: 100,
  };
  return (
    <>
      <FilterBar
        screen="requests"
        filters={[
          { name: 'status', label: 'Status', choices: CLASSES },
          { name: 'method', label: 'Method', choices: METHODS, words: (method) => method },
          { name: 'route', label: 'Route', placeholder: '/orders/{id}' },
          { name: 'actorId', label: 'By', placeholder: 'key_… or opr_…' },
          { name: 'requestId', label: 'Request', placeholder: 'id in the answer' },
          { name: 'errorCode', label: 'Error code', placeholder: 'such as INVALID_STATE' },
          { name: 'createdAfter', label: 'From', type: 'date' },
        ]}
      />
      <DataTable
        label="Requests"
        topic="RequestLog"
        queryKey={['requests', query]}
        list={(holdfast, signal) => holdfast.requestLog.list(query, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={setOpened}
        everyMs={EVERY_MS}
        empty={
          <EmptyState title="No such requests">
            Every call of this marketplace appears here a moment after it ended, and is kept for
            some days. If you expected one, clear the filters.
          </EmptyState>
        }
      />
      <RequestDrawer request={opened} close={() => setOpened(undefined)} />
    </>
  );
}

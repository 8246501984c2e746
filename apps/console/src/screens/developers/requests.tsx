//! The request log: who called what, how it ended, and whether it was a repetition.
import type { LoggedRequest } from '@holdfast/sdk';
import { Anchor, Badge, Text } from '@mantine/core';
import { chosen } from '#app/chosen.ts';
import { useUrlState } from '#app/go.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';

const EVERY_MS = 5_000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

export function Requests() {
  const [state, change] = useUrlState();
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
  const inspect = (idempotencyKey: string) => change({ tab: 'idempotency', idempotencyKey });
  return (
    <>
      <FilterBar
        screen="requests"
        filters={[
          { name: 'status', label: 'Status', choices: CLASSES },
          { name: 'method', label: 'Method', choices: METHODS, words: (method) => method },
          { name: 'route', label: 'Route', placeholder: '/orders/{id}' },
          { name: 'actorId', label: 'By', placeholder: 'key_… or opr_…' },
          { name: 'requestId', label: 'Request' },
          { name: 'errorCode', label: 'Error code' },
          { name: 'createdAfter', label: 'From', type: 'date' },
        ]}
      />
      <DataTable
        label="Requests"
        topic="RequestLog"
        queryKey={['requests', query]}
        list={(holdfast, signal) => holdfast.requestLog.list(query, { signal })}
        idOf={({ id }) => id}
        columns={columns(inspect)}
        everyMs={EVERY_MS}
        empty={
          <EmptyState title="No such requests">
            Requests of the last days are kept, a moment after they ended.
          </EmptyState>
        }
      />
    </>
  );
}

function columns(inspect: (key: string) => void): readonly Column<LoggedRequest>[] {
  return [
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
            <Anchor component="button" className="hf-id" onClick={() => inspect(key)}>
              {key}
            </Anchor>
            {isReplay && (
              <Badge ml={6} variant="default" tt="none">
                repeated
              </Badge>
            )}
          </>
        ),
    },
    { title: 'Request', show: ({ requestId }) => <span className="hf-id">{requestId}</span> },
  ];
}

function Status({ status }: { readonly status: number }) {
  const color = status >= 500 ? 'var(--hf-bad)' : status >= 400 ? 'var(--hf-warn)' : undefined;
  return (
    <Text component="span" size="sm" fw={600} c={color}>
      {status}
    </Text>
  );
}

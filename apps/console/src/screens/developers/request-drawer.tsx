//! One logged request: the whole call, its caller, and related records.
import type { LoggedRequest } from '@holdfast/sdk';
import { Stack, Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { Status } from '#screens/developers/status.tsx';

interface Props {
  /** The request id of its response; undefined while none is open. */
  readonly requestId: string | undefined;
  /** Where it is at hand already. */
  readonly known: LoggedRequest | undefined;
  readonly close: () => void;
}

export function RequestDrawer({ requestId, known, close }: Props) {
  return (
    <SideDrawer isOpen={requestId !== undefined} close={close} title="Request">
      {known ? <Shown request={known} /> : requestId !== undefined && <Found id={requestId} />}
    </SideDrawer>
  );
}

function Found({ id }: { readonly id: string }) {
  const reading = useRead('RequestLog', ['one', id], async (holdfast, signal) => {
    const query = { requestId: id, limit: 1 };
    const { items } = await holdfast.requestLog.list(query, { signal }).page();
    return items[0] ?? null;
  });
  return (
    <Loaded of={reading}>
      {(found) =>
        found === null ? (
          <EmptyState title="Request not found">
            Check the request ID. The request log keeps requests for a limited time (7 days by
            default); changes stay in the audit log.
          </EmptyState>
        ) : (
          <Shown request={found} />
        )
      }
    </Loaded>
  );
}

function Shown({ request }: { readonly request: LoggedRequest }) {
  const { method, path, route, status, errorCode, idempotencyKey: key } = request;
  return (
    <Stack>
      <Text className="hf-id">{`${method} ${path}`}</Text>
      <Facts
        rows={[
          ['Status', <Status key="status" status={status} />],
          ['Error', errorCode],
          ['Route', <span key="route" className="hf-id">{`${method} ${route}`}</span>],
          ['Duration', `${request.latencyMs} ms`],
          ['Time', <Moment key="when" at={request.at} />],
          ['Actor', <Actor key="by" id={request.actorId} />],
          ['Address', request.address],
          ['User agent', request.userAgent],
          ['Request ID', <IdLink key="request" id={request.requestId} to={null} />],
          [
            'Idempotency-Key',
            <IdLink
              key="key"
              id={key}
              to={key === null ? null : `/developers?tab=idempotency&idempotencyKey=${key}`}
            />,
          ],
          ['Replayed', request.isReplay ? 'Yes, stored response returned' : 'No'],
        ]}
      />
      {key !== null && (
        <Go to={`/developers?tab=idempotency&idempotencyKey=${key}`} size="sm">
          View idempotency key
        </Go>
      )}
    </Stack>
  );
}

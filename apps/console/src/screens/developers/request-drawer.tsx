//! One logged request: the whole call, who made it, and where it left traces.
import type { LoggedRequest } from '@holdfast/sdk';
import { Drawer, Stack, Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Status } from '#screens/developers/status.tsx';

interface Props {
  /** Undefined while none is open. */
  readonly request: LoggedRequest | undefined;
  readonly close: () => void;
}

export function RequestDrawer({ request, close }: Props) {
  return (
    <Drawer
      opened={request !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title="Request"
    >
      {request && <Shown request={request} />}
    </Drawer>
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
          ['Took', `${request.latencyMs} ms`],
          ['When', <Moment key="when" at={request.at} />],
          ['By', <IdLink key="by" id={request.actorId} />],
          ['Request', <IdLink key="request" id={request.requestId} to={null} />],
          [
            'Idempotency-Key',
            <IdLink
              key="key"
              id={key}
              to={key === null ? null : `/developers?tab=idempotency&idempotencyKey=${key}`}
            />,
          ],
          ['Answer', request.isReplay ? 'the first one, repeated' : 'its own'],
        ]}
      />
      {key !== null && (
        <Go to={`/developers?tab=idempotency&idempotencyKey=${key}`} size="sm">
          See everything under this key
        </Go>
      )}
    </Stack>
  );
}

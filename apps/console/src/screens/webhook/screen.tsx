//! One webhook endpoint: its delivery health, its deliveries, and the actions on it.
import { webhookMachine } from '@holdfast/contract/machines/webhook-machine';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { optionalRow } from '#parts/table/optional-row.ts';
import { EndpointActions } from '#screens/webhook/actions.tsx';
import { Deliveries } from '#screens/webhook/deliveries.tsx';
import { typesTitle } from '#screens/webhooks/endpoint-draft.ts';

const EVERY_MS = 3_000;

export function Screen() {
  const id = useParam('id');
  const endpoint = useRead(
    'WebhookEndpoint',
    ['one', id],
    (holdfast, signal) => holdfast.webhookEndpoints.get(id, { signal }),
    { everyMs: EVERY_MS },
  );
  return <Loaded of={endpoint}>{(found) => <Shown endpoint={found} />}</Loaded>;
}

interface Props {
  readonly endpoint: WebhookEndpoint;
}

function Shown({ endpoint }: Props) {
  const { url, status, failures, failingSince } = endpoint;
  return (
    <>
      <ScreenHead
        title={url}
        badge={<StateBadge state={status === 'ACTIVE' && failures > 0 ? 'FAILING' : status} />}
        note={webhookMachine.states[status]}
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <Stack>
        {failures > 0 && (
          <Alert
            variant="outline"
            color="red"
            title={failures === 1 ? '1 failed attempt' : `${failures} consecutive failures`}
            role="status"
          >
            Failing since <Moment at={failingSince} />. Later events are queued and sent when the
            endpoint works again; events past retention (30 days by default) are dropped. Check the
            responses below, fix the receiver, then send a test message.
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Settings endpoint={endpoint} />
          <Fare endpoint={endpoint} />
        </SimpleGrid>
        <Deliveries endpoint={endpoint} />
      </Stack>
    </>
  );
}

function Settings({ endpoint }: Props) {
  const { id, description, types } = endpoint;
  return (
    <Panel title="Settings">
      <Facts
        rows={[
          ['Endpoint ID', <IdLink key="id" id={id} to={null} />],
          ...optionalRow('Description', description),
          ['Event types', typesTitle(types)],
          ['Old secret valid until', <Moment key="old" at={endpoint.oldSecretUntil} />],
          ['Created', <Moment key="made" at={endpoint.createdAt} />],
        ]}
      />
    </Panel>
  );
}

function Fare({ endpoint }: Props) {
  return (
    <Panel title="Delivery health">
      <Facts
        rows={[
          ['Pending events', endpoint.backlog],
          ['Replays in progress', endpoint.openReplays],
          ['Last delivered', <Moment key="last" at={endpoint.lastDeliveredAt} />],
          ['Next attempt', <Moment key="next" at={endpoint.nextTryAt} />],
          ['Paused', <Moment key="paused" at={endpoint.pausedAt} />],
          ...optionalRow('Pause reason', endpoint.pauseReason),
        ]}
      />
    </Panel>
  );
}

//! One webhook endpoint: how it fares, its deliveries, and what can be done.
import { webhookMachine } from '@holdfast/contract/webhook-machine';
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
import { told } from '#parts/told.ts';
import { EndpointActions } from '#screens/webhook/actions.tsx';
import { Deliveries } from '#screens/webhook/deliveries.tsx';
import { typesText } from '#screens/webhooks/endpoint-wish.ts';

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
        badge={<StateBadge state={status} />}
        note={webhookMachine.states[status]}
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <Stack>
        {failures > 0 && (
          <Alert
            variant="outline"
            color="red"
            title={`${failures} failures in a row`}
            role="status"
          >
            It has failed since <Moment at={failingSince} />. Later events wait behind the one that
            fails; nothing is lost. Look at the answers below, mend the receiver, and send a test.
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
    <Panel title="Endpoint">
      <Facts
        rows={[
          ['Endpoint', <IdLink key="id" id={id} to={null} />],
          ...told('Description', description),
          ['Types', typesText(types)],
          ['The old secret signs until', <Moment key="old" at={endpoint.oldSecretUntil} />],
          ['Made', <Moment key="made" at={endpoint.createdAt} />],
        ]}
      />
    </Panel>
  );
}

function Fare({ endpoint }: Props) {
  return (
    <Panel title="How it fares">
      <Facts
        rows={[
          ['Events waiting', endpoint.backlog],
          ['Replays under way', endpoint.openReplays],
          ['Last delivered', <Moment key="last" at={endpoint.lastDeliveredAt} />],
          ['Next try', <Moment key="next" at={endpoint.nextTryAt} />],
          ['Paused', <Moment key="paused" at={endpoint.pausedAt} />],
          ...told('Paused because', endpoint.pauseReason),
        ]}
      />
    </Panel>
  );
}

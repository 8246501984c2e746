//! What was sent in a delivery: its body is the event as the log has it.
import type { WebhookDelivery, WebhookEndpoint } from '@holdfast/sdk';
import { Text } from '@mantine/core';
import { Panel } from '#parts/panel.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { FoundEvent } from '#screens/events/event-log.tsx';

interface Props {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: WebhookDelivery;
}

export function Sent({ endpoint: { url }, delivery: { eventId, kind } }: Props) {
  return (
    <Panel title="What was sent">
      <Text size="sm" mb="xs" className="hf-text">
        POST {url}, with the header webhook-id: {eventId}; time and signature are new with every
        attempt.
      </Text>
      {kind === 'TEST' ? (
        <Text size="sm">A test carries no event, and its body is not kept.</Text>
      ) : (
        <FoundEvent
          id={eventId}
          show={(event) => <RawJson value={event} label="Body" />}
          none={
            <Text size="sm">The event is not in the log any more: it is kept for 30 days.</Text>
          }
        />
      )}
    </Panel>
  );
}

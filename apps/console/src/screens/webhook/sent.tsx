//! The body of a delivery: the event as the log has it.
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
    <Panel title="Request">
      <Text size="sm" mb="xs" className="hf-text">
        POST {url} with header webhook-id: {eventId}. Timestamp and signature differ for each
        attempt.
      </Text>
      {kind === 'TEST' ? (
        <Text size="sm">Test messages contain no event. Their body is not stored.</Text>
      ) : (
        <FoundEvent
          id={eventId}
          show={(event) => <RawJson value={event} label="Body" />}
          none={
            <Text size="sm">
              The event is no longer stored. Events are kept for 30 days by default.
            </Text>
          }
        />
      )}
    </Panel>
  );
}

//! Messages of the event stream, in bytes: made once for however many readers.
import { aggregateTypeOf } from '@holdfast/contract/events';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { LoggedEvent } from './event-log.ts';

/** The envelope is put together as text: its payload is JSON already. */
export function envelopeText(event: LoggedEvent, marketplaceId: MarketplaceId): string {
  const { id, type, occurredAt } = event;
  const aggregateId = JSON.stringify(event.aggregateId);
  const correlationId = JSON.stringify(event.correlationId);
  return (
    `{"eventId":"${id}","eventType":"${type}","occurredAt":"${occurredAt}",` +
    `"aggregateId":${aggregateId},"aggregateType":"${aggregateTypeOf(type)}",` +
    `"payload":${event.payload},` +
    `"metadata":{"correlationId":${correlationId},"marketplaceId":"${marketplaceId}"}}`
  );
}

export function frameOf(event: LoggedEvent, marketplaceId: MarketplaceId): string {
  const { type, occurredAt } = event;
  return `id: ${occurredAt}\nevent: ${type}\ndata: ${envelopeText(event, marketplaceId)}\n\n`;
}

/** The envelope within a frame's bytes: whoever pushes sends it as it is. */
export function envelopeIn(frame: Buffer): Buffer {
  const data = frame.indexOf('\ndata: ') + '\ndata: '.length;
  return frame.subarray(data, -'\n\n'.length);
}

/** Told instead of silence: what lies between the cursor and this time is not kept any more. */
export function resetFrame(cursor: string, keptSince: string): Buffer {
  const reason = 'the cursor is older than what is kept; events after it may be missing';
  const data = JSON.stringify({ reset: true, reason, cursor: cursor.slice(0, 60), keptSince });
  return Buffer.from(`event: stream.reset\ndata: ${data}\n\n`);
}

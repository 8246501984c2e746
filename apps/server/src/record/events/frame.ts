//! Messages of the event stream, as bytes: built once for all readers.
import { aggregateTypeOf } from '@holdfast/contract/events';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { type LoggedEvent, metadataOf } from './event-log.ts';

/** The envelope is built as text: its payload is JSON already. */
export function envelopeText(event: LoggedEvent, marketplaceId: MarketplaceId): string {
  const { id, type, occurredAt } = event;
  const aggregateId = JSON.stringify(event.aggregateId);
  const metadata = JSON.stringify(metadataOf(event, marketplaceId));
  return (
    `{"eventId":"${id}","eventType":"${type}","occurredAt":"${occurredAt}",` +
    `"aggregateId":${aggregateId},"aggregateType":"${aggregateTypeOf(type)}",` +
    `"payload":${event.payload},` +
    `"metadata":${metadata}}`
  );
}

export function frameOf(event: LoggedEvent, marketplaceId: MarketplaceId): string {
  const { type, occurredAt } = event;
  return `id: ${occurredAt}\nevent: ${type}\ndata: ${envelopeText(event, marketplaceId)}\n\n`;
}

/** The envelope within a frame's bytes, which the webhook sender sends unchanged. */
export function envelopeIn(frame: Buffer): Buffer {
  const data = frame.indexOf('\ndata: ') + '\ndata: '.length;
  return frame.subarray(data, -'\n\n'.length);
}

const RESET_REASONS = {
  purged: 'cursor is past retention; events after it may be missing',
  lost: 'the database was set back; events that the reader has may be lost',
};

/** Sent instead of silence: all events since this time are there, and the reader may differ. */
export function resetFrame(
  cursor: string,
  retainedSince: string,
  why: keyof typeof RESET_REASONS,
): Buffer {
  const reason = RESET_REASONS[why];
  const data = JSON.stringify({ reset: true, reason, cursor: cursor.slice(0, 60), retainedSince });
  return Buffer.from(`event: stream.reset\ndata: ${data}\n\n`);
}

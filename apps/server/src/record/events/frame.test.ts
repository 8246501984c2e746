import type { EventEnvelope } from '@holdfast/contract/events';
import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { envelopeOf, type LoggedEvent } from './event-log.ts';
import { envelopeIn, frameOf } from './frame.ts';

/** While two builds run side by side, the older one reads events that the newer one writes. */
const ofNewerBuild = {
  position: 1,
  occurredAt: '2026-03-01T12:00:00.000001Z',
  id: newId('evt', Date.now()),
  type: 'dispute.of_a_newer_build' as LoggedEvent['type'],
  aggregateId: newId('dsp', Date.now()),
  correlationId: 'a request',
  causationId: null,
  userId: null,
  payload: '{"isKnown":true}',
};

it('sends a type that only a newer build knows in full, in streams and in lists', () => {
  const marketplaceId = newId('mkt', Date.now());
  const expected: unknown = {
    eventId: ofNewerBuild.id,
    eventType: 'dispute.of_a_newer_build',
    occurredAt: ofNewerBuild.occurredAt,
    aggregateId: ofNewerBuild.aggregateId,
    aggregateType: 'Dispute',
    payload: { isKnown: true },
    metadata: { correlationId: 'a request', marketplaceId },
  };
  const frame = Buffer.from(frameOf(ofNewerBuild, marketplaceId));
  expect(JSON.parse(envelopeIn(frame).toString()) as EventEnvelope).toEqual(expected);
  expect(envelopeOf(ofNewerBuild, marketplaceId)).toEqual(expected);
});

//! Compares a consumer's transcript with the log. Pure, so that tests can show that it finds every
//! kind of fault.
import { events } from '@holdfast/contract/events';
import type { LogEvent } from './log.ts';
import type { Message } from './sse.ts';

/** The compared part of the envelope. */
export interface Envelope {
  readonly eventId: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly aggregateId: string;
  readonly aggregateType: string;
  readonly payload: unknown;
  readonly metadata: { readonly correlationId?: string; readonly marketplaceId?: string };
}

/** A complete message, its time, and the number of the consumer's connection. */
export interface Received {
  readonly connection: number;
  /** Wall-clock milliseconds. */
  readonly at: number;
  readonly message: Message;
  readonly envelope: Envelope;
}

export interface Findings {
  /** Received again, on another connection: allowed, and removed before comparing. */
  repeats: number;
  /** In the log, never received. */
  missing: number;
  /** Received twice on one connection. */
  doubled: number;
  /** Of another marketplace. */
  foreign: number;
  /** Of this marketplace, but not requested by the consumer; or in no log at all. */
  strange: number;
  /** Earlier than an event that was received before it. */
  outOfOrder: number;
  /** Content differs from the log. */
  altered: number;
  /** Names the events, for the investigation. */
  readonly examples: string[];
}

/** The events that the consumer should have received, and the owner of every logged event. */
export interface Truth {
  readonly marketplaceId: string;
  readonly expected: readonly LogEvent[];
  readonly ownerOf: (eventId: string) => string | undefined;
}

const EXAMPLES_MAX = 10;

export function compareTranscript(
  transcript: readonly Received[],
  { marketplaceId, expected, ownerOf }: Truth,
): Findings {
  const found = noFindings();
  const byId = new Map(expected.map((event) => [event.eventId, event]));
  const seen = new Set<string>();
  let connection = { number: -1, last: '', ids: new Set<string>() };
  let furthest = 0;
  for (const received of transcript) {
    const { eventId } = received.envelope;
    if (received.connection !== connection.number) {
      connection = { number: received.connection, last: '', ids: new Set() };
    }
    const cursor = received.message.id ?? '';
    const event = byId.get(eventId);
    const isRepeat = seen.has(eventId);
    const isBehind = !isRepeat && event !== undefined && event.position < furthest;
    if (isRepeat) found.repeats += 1;
    else if (event === undefined) {
      const owner = ownerOf(eventId);
      const isForeign = owner !== undefined && owner !== marketplaceId;
      record(found, isForeign ? 'foreign' : 'strange', received);
    } else furthest = Math.max(furthest, event.position);
    if (connection.ids.has(eventId)) record(found, 'doubled', received);
    else if (isBehind || cursor <= connection.last) record(found, 'outOfOrder', received);
    connection.ids.add(eventId);
    connection.last = cursor;
    if (event !== undefined && !isSame(received, event)) record(found, 'altered', received);
    seen.add(eventId);
  }
  for (const event of expected) {
    if (seen.has(event.eventId)) continue;
    found.missing += 1;
    example(found, `missing ${event.eventId} at ${event.position}, ${event.occurredAt}`);
  }
  return found;
}

function noFindings(): Findings {
  return {
    repeats: 0,
    missing: 0,
    doubled: 0,
    foreign: 0,
    strange: 0,
    outOfOrder: 0,
    altered: 0,
    examples: [],
  };
}

type Finding = Exclude<keyof Findings, 'examples' | 'missing' | 'repeats'>;

function record(found: Findings, what: Finding, { envelope, connection }: Received): void {
  found[what] += 1;
  example(found, `${what} ${envelope.eventId}, ${envelope.occurredAt}, connection ${connection}`);
}

function example(found: Findings, text: string): void {
  if (found.examples.length < EXAMPLES_MAX) found.examples.push(text);
}

function isSame({ message, envelope }: Received, event: LogEvent): boolean {
  const { metadata } = envelope;
  return (
    message.id === event.occurredAt &&
    message.name === event.eventType &&
    envelope.occurredAt === event.occurredAt &&
    envelope.eventType === event.eventType &&
    envelope.aggregateId === event.aggregateId &&
    envelope.aggregateType === events[event.eventType].aggregateType &&
    JSON.stringify(envelope.payload) === JSON.stringify(JSON.parse(event.payload)) &&
    (metadata.marketplaceId ?? event.marketplaceId) === event.marketplaceId &&
    (metadata.correlationId ?? event.correlationId) === event.correlationId
  );
}

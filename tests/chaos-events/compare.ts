//! Holds a consumer's transcript against the log. Pure, so that it can be shown to find what it
//! seeks.
import { events } from '@holdfast/contract/events';
import type { LogEvent } from './log.ts';
import type { Message } from './sse.ts';

/** The envelope, as far as it is compared. */
export interface Envelope {
  readonly eventId: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly aggregateId: string;
  readonly aggregateType: string;
  readonly payload: unknown;
  readonly metadata: { readonly correlationId?: string; readonly marketplaceId?: string };
}

/** A complete message, when it came, and on which of the consumer's connections. */
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
  /** Of this marketplace, and not what the consumer asked for; or in no log at all. */
  strange: number;
  /** Earlier than one that was received before it. */
  outOfOrder: number;
  /** Other content than in the log. */
  altered: number;
  /** Says which, for those who have to look into it. */
  readonly examples: string[];
}

/** What the consumer should have received, and whose each event of any log is. */
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
      tell(found, isForeign ? 'foreign' : 'strange', received);
    } else furthest = Math.max(furthest, event.position);
    if (connection.ids.has(eventId)) tell(found, 'doubled', received);
    else if (isBehind || cursor <= connection.last) tell(found, 'outOfOrder', received);
    connection.ids.add(eventId);
    connection.last = cursor;
    if (event !== undefined && !isSame(received, event)) tell(found, 'altered', received);
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

function tell(found: Findings, what: Finding, { envelope, connection }: Received): void {
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

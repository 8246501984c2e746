//! A consumer that keeps cutting its connection and resumes from its cursor, on any api process.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../harness/random.ts';
import type { Envelope, Received } from './compare.ts';
import { type Persona, streamRequest } from './personas.ts';
import type { Message } from './sse.ts';
import { openStream, type StreamEnd, type StreamPlan } from './stream.ts';

/** A stream that was open, in wall-clock milliseconds. */
export interface Visit {
  readonly connection: number;
  readonly openedAt: number;
  readonly endedAt: number;
  readonly isCutByUs: boolean;
}

export interface Consumer {
  readonly persona: Persona;
  readonly transcript: Received[];
  readonly visits: Visit[];
  connections: number;
  /** Open streams that it cut, and those of them that it cut in the middle of a message. */
  cuts: number;
  tornCuts: number;
  /** Streams that the server dropped, and attempts that reached no server. */
  drops: number;
  misses: number;
  /** 503 or 429: the server is full, or the key's closed streams are not released yet. */
  sentAway: number;
  /** Closed by the consumer before the stream was open. */
  hasty: number;
  /** Went back on purpose, to an earlier message or to the start. */
  rewinds: number;
  /** Faults: a response that refuses the stream, or a message that cannot be parsed. */
  readonly faults: Map<string, number>;
  /** When the last connection without a cursor was opened, in wall-clock milliseconds. */
  liveSince?: number;
  /** The id of the last complete message. */
  position?: Position;
}

interface Position {
  readonly id: string;
  readonly eventId?: string;
}

export interface Audience {
  /** URLs of the api processes, including one that is down. */
  readonly urls: readonly string[];
  readonly masterKey: string;
  /** A cursor from before the first event. */
  readonly beginning: string;
  readonly lifeMsMax: number;
  /** Stop cutting: every consumer may read to the end. */
  isDraining: boolean;
  readonly signal: AbortSignal;
}

const RETRY_MS = 20;
const COME_AGAIN_MS = 200;
const TEAR_PERCENT = 25;
const SLOW_PERCENT = 15;
const STEADY: StreamPlan = { isTorn: false, isSlow: false };
/** Some close before the stream is open, or at that moment. */
const HASTY = { percent: 15, msMax: 15 };
/** Some stay long enough to distinguish a late stream from a stuck one. */
export const LONG_LIFE = { percent: 5, msMin: 2200, msSpread: 1800 };
const REWIND_PERCENT = 6;
const RESTART_PERCENT = 2;

export function newConsumer(persona: Persona): Consumer {
  return {
    persona,
    transcript: [],
    visits: [],
    connections: 0,
    cuts: 0,
    tornCuts: 0,
    drops: 0,
    misses: 0,
    sentAway: 0,
    hasty: 0,
    rewinds: 0,
    faults: new Map(),
  };
}

export async function runConsumer(
  consumer: Consumer,
  audience: Audience,
  random: SeededRandom,
): Promise<void> {
  const { persona } = consumer;
  if (!persona.isLive) consumer.position = { id: audience.beginning };
  while (!audience.signal.aborted) {
    if (!audience.isDraining) rewind(consumer, audience, random);
    const end = await visit(consumer, audience, random);
    count(consumer, end);
    if (end.how === 'unreachable') await sleep(RETRY_MS);
    if (end.how === 'refused') await sleep(COME_AGAIN_MS);
  }
}

async function visit(
  consumer: Consumer,
  audience: Audience,
  random: SeededRandom,
): Promise<StreamEnd> {
  const { persona, position } = consumer;
  const { masterKey, beginning, isDraining } = audience;
  const { query, headers } = streamRequest(persona, masterKey, position, beginning);
  consumer.connections += 1;
  let openedAt: number | undefined;
  const end = await openStream(
    `${random.oneOf(audience.urls)}/api/v1/events${query}`,
    headers,
    isDraining ? STEADY : planOf(audience, random),
    random,
    {
      opened: () => {
        openedAt = Date.now();
        if (position === undefined) consumer.liveSince = openedAt;
      },
      received: (message) => receive(consumer, message),
    },
    audience.signal,
  );
  if (openedAt !== undefined) {
    const { connections: connection } = consumer;
    const isCutByUs = end.how !== 'dropped';
    consumer.visits.push({ connection, openedAt, endedAt: Date.now(), isCutByUs });
  }
  return end;
}

function planOf({ lifeMsMax }: Audience, random: SeededRandom): StreamPlan {
  if (random.percent(LONG_LIFE.percent))
    return { ...STEADY, lifeMs: LONG_LIFE.msMin + random.below(LONG_LIFE.msSpread) };
  if (random.percent(HASTY.percent)) return { ...STEADY, lifeMs: random.below(HASTY.msMax) };
  return {
    isTorn: random.percent(TEAR_PERCENT),
    isSlow: random.percent(SLOW_PERCENT),
    lifeMs: random.below(lifeMsMax),
  };
}

/** Sometimes the consumer loses its newest cursor and resumes from an older one. */
function rewind(consumer: Consumer, { beginning }: Audience, random: SeededRandom): void {
  const { transcript, persona } = consumer;
  if (transcript.length === 0) return;
  if (random.percent(RESTART_PERCENT) && !persona.isLive) {
    consumer.position = { id: beginning };
    consumer.rewinds += 1;
  } else if (random.percent(REWIND_PERCENT)) {
    const { envelope } = random.oneOf(transcript.slice(-200));
    consumer.position = { id: envelope.occurredAt, eventId: envelope.eventId };
    consumer.rewinds += 1;
  }
}

function receive(consumer: Consumer, message: Message): void {
  if (message.name === 'ping') {
    if (message.id !== undefined) addFault(consumer, 'a ping has an id');
    return;
  }
  const envelope = readEnvelope(message);
  if (envelope === undefined || message.id === undefined) {
    addFault(consumer, `not an event: ${JSON.stringify(message).slice(0, 300)}`);
    return;
  }
  const { connections: connection } = consumer;
  consumer.transcript.push({ connection, at: Date.now(), message, envelope });
  consumer.position = { id: message.id, eventId: envelope.eventId };
}

function readEnvelope({ data }: Message): Envelope | undefined {
  try {
    const envelope = JSON.parse(data) as Partial<Envelope>;
    const isWhole = typeof envelope.eventId === 'string' && envelope.metadata !== undefined;
    return isWhole ? (envelope as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

function count(consumer: Consumer, end: StreamEnd): void {
  if (end.how === 'cut' || end.how === 'cut in a message') consumer.cuts += 1;
  if (end.how === 'cut in a message') consumer.tornCuts += 1;
  if (end.how === 'dropped') consumer.drops += 1;
  if (end.how === 'cut before it was open') consumer.hasty += 1;
  if (end.how === 'unreachable') consumer.misses += 1;
  if (end.how !== 'refused') return;
  // Any other refusal is a fault; streams that are never released are found later.
  if (end.status === 503 || end.status === 429) consumer.sentAway += 1;
  else {
    addFault(consumer, `status ${end.status}: ${(end.body ?? '').slice(0, 200)}`);
  }
}

function addFault({ faults }: Consumer, text: string): void {
  faults.set(text, (faults.get(text) ?? 0) + 1);
}

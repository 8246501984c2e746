//! A consumer that keeps cutting its own connection and goes on where it was, on any api process.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../harness/chance.ts';
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
  /** Streams that the other side dropped, and tries that found nobody. */
  drops: number;
  misses: number;
  /** Told to come again later: the server is full, or its key's streams are not yet given back. */
  sentAway: number;
  /** Gone before the stream was open. */
  hasty: number;
  /** Went back on purpose, to an earlier message or to the beginning. */
  rewinds: number;
  /** What no consumer should see: an answer that refuses, a message that cannot be read. */
  readonly faults: Map<string, number>;
  /** When the last connection without a cursor was open, as wall-clock milliseconds. */
  liveSince?: number;
  /** The id of the last complete message. */
  place?: Place;
}

interface Place {
  readonly id: string;
  readonly eventId?: string;
}

export interface Audience {
  /** Where the api processes are, also while one of them is not. */
  readonly urls: readonly string[];
  readonly masterKey: string;
  /** A cursor from before the first event. */
  readonly beginning: string;
  readonly lifeMsMax: number;
  /** No more cutting: everyone may read to the end. */
  isDraining: boolean;
  readonly signal: AbortSignal;
}

const RETRY_MS = 20;
const COME_AGAIN_MS = 200;
const TEAR_PERCENT = 25;
const SLOW_PERCENT = 15;
const STEADY: StreamPlan = { isTorn: false, isSlow: false };
/** Some are gone before the stream is open, or just then. */
const HASTY = { percent: 15, msMax: 15 };
/** Some stay long enough to tell a stream that is late from one that is stuck. */
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
  chance: Chance,
): Promise<void> {
  const { persona } = consumer;
  if (!persona.isLive) consumer.place = { id: audience.beginning };
  while (!audience.signal.aborted) {
    if (!audience.isDraining) rewind(consumer, audience, chance);
    const end = await visit(consumer, audience, chance);
    count(consumer, end);
    if (end.how === 'unreachable') await sleep(RETRY_MS);
    if (end.how === 'refused') await sleep(COME_AGAIN_MS);
  }
}

async function visit(consumer: Consumer, audience: Audience, chance: Chance): Promise<StreamEnd> {
  const { persona, place } = consumer;
  const { masterKey, beginning, isDraining } = audience;
  const { query, headers } = streamRequest(persona, masterKey, place, beginning);
  consumer.connections += 1;
  let openedAt: number | undefined;
  const end = await openStream(
    `${chance.oneOf(audience.urls)}/api/v1/events${query}`,
    headers,
    isDraining ? STEADY : planOf(audience, chance),
    chance,
    {
      opened: () => {
        openedAt = Date.now();
        if (place === undefined) consumer.liveSince = openedAt;
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

function planOf({ lifeMsMax }: Audience, chance: Chance): StreamPlan {
  if (chance.percent(LONG_LIFE.percent))
    return { ...STEADY, lifeMs: LONG_LIFE.msMin + chance.below(LONG_LIFE.msSpread) };
  if (chance.percent(HASTY.percent)) return { ...STEADY, lifeMs: chance.below(HASTY.msMax) };
  return {
    isTorn: chance.percent(TEAR_PERCENT),
    isSlow: chance.percent(SLOW_PERCENT),
    lifeMs: chance.below(lifeMsMax),
  };
}

/** Now and then it has lost its newest place, and goes on from an older one. */
function rewind(consumer: Consumer, { beginning }: Audience, chance: Chance): void {
  const { transcript, persona } = consumer;
  if (transcript.length === 0) return;
  if (chance.percent(RESTART_PERCENT) && !persona.isLive) {
    consumer.place = { id: beginning };
    consumer.rewinds += 1;
  } else if (chance.percent(REWIND_PERCENT)) {
    const { envelope } = chance.oneOf(transcript.slice(-200));
    consumer.place = { id: envelope.occurredAt, eventId: envelope.eventId };
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
  consumer.place = { id: message.id, eventId: envelope.eventId };
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
  // Anything else is not for a reader to see; streams that are never given back are found later.
  if (end.status === 503 || end.status === 429) consumer.sentAway += 1;
  else {
    addFault(consumer, `answered ${end.status}: ${(end.body ?? '').slice(0, 200)}`);
  }
}

function addFault({ faults }: Consumer, text: string): void {
  faults.set(text, (faults.get(text) ?? 0) + 1);
}

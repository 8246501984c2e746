//! Checks a whole run: the log against the intent, and the transcripts against the log.

import { compareTranscript, type Findings } from './compare.ts';
import { compareLog, type LogFindings } from './compare-log.ts';
import type { Consumer } from './consumer.ts';
import { deliveriesOf } from './deliveries.ts';
import type { Intent } from './intent.ts';
import type { Log, LogEvent } from './log.ts';
import { isWanted } from './personas.ts';

export interface Verdict {
  readonly log: LogFindings;
  /** One per consumer. */
  readonly transcripts: readonly Findings[];
  readonly delaysMs: readonly number[];
  /** Descriptions of all faults; empty when the run is sound. */
  readonly violations: readonly string[];
}

/** A live reader may receive events from just before it connected. */
const LIVE_SLACK_MS = 2000;

export function checkRun(log: Log, intent: Intent, consumers: readonly Consumer[]): Verdict {
  const foundInLog = compareLog(log, intent.events);
  const owners = new Map(
    [...log.values()].flat().map((each) => [each.eventId, each.marketplaceId]),
  );
  const violations = [...foundInLog.examples];
  const delaysMs: number[] = [];
  const transcripts = consumers.map((consumer) => {
    const { persona, transcript, visits, faults } = consumer;
    const marketplaceId = persona.marketplace.id;
    const expected = expectedOf(log, consumer);
    const found = compareTranscript(transcript, {
      marketplaceId,
      expected,
      ownerOf: (eventId) => owners.get(eventId),
    });
    const deliveries = deliveriesOf(transcript, visits, expected);
    for (const each of deliveries.delaysMs) delaysMs.push(each);
    const faulty = [...faults].map(([text, times]) => `${times} times ${text}`);
    const wrong = [...found.examples, ...faulty, ...deliveries.stuck, ...unaskedFor(consumer)];
    violations.push(...wrong.map((text) => `${persona.name}, ${marketplaceId}: ${text}`));
    return found;
  });
  return { log: foundInLog, transcripts, delaysMs, violations };
}

/**
 * The events that the consumer must receive. Without a cursor these are all events since the stream
 * was open; any events received before that must only have no gaps.
 */
export function expectedOf(log: Log, { persona, transcript, liveSince }: Consumer): LogEvent[] {
  const wanted = (log.get(persona.marketplace.id) ?? []).filter((event) =>
    isWanted(persona, event),
  );
  if (!persona.isLive) return wanted;
  const first = transcript[0]?.envelope.eventId;
  const owedSince = new Date((liveSince ?? 0) + 1).toISOString();
  const from = wanted.findIndex(
    ({ eventId, occurredAt }) => eventId === first || occurredAt > owedSince,
  );
  return from < 0 ? [] : wanted.slice(from);
}

function unaskedFor({ persona, transcript, liveSince }: Consumer): string[] {
  const [first] = transcript;
  if (!persona.isLive || first === undefined || liveSince === undefined) return [];
  const isOld = Date.parse(first.envelope.occurredAt) < liveSince - LIVE_SLACK_MS;
  return isOld ? [`read live, and received the older event of ${first.envelope.occurredAt}`] : [];
}

//! Matches event types against the patterns of an endpoint.
import { EVENT_NAMES, type EventName } from '@holdfast/contract/events';
import type { EventPattern } from '@holdfast/contract/records/webhook-records';

/** The matching types; null when all match, including those of later builds. */
export function typesOf(patterns: readonly EventPattern[]): ReadonlySet<EventName> | null {
  if (patterns.includes('*')) return null;
  const wanted = new Set<string>(patterns);
  return new Set(
    EVENT_NAMES.filter((name) => wanted.has(name) || wanted.has(`${name.split('.')[0]}.*`)),
  );
}

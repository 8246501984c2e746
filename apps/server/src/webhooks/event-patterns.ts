//! Which events an endpoint wants, by the patterns it was given.
import { EVENT_NAMES, type EventName } from '@holdfast/contract/events';
import type { EventPattern } from '@holdfast/contract/webhook-records';

/** The types that pass; null when all do, also those of builds to come. */
export function typesOf(patterns: readonly EventPattern[]): ReadonlySet<EventName> | null {
  if (patterns.includes('*')) return null;
  const asked = new Set<string>(patterns);
  return new Set(
    EVENT_NAMES.filter((name) => asked.has(name) || asked.has(`${name.split('.')[0]}.*`)),
  );
}

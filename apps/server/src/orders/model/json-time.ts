//! Reads the times in rows that are returned as JSON.
import { assert } from '@holdfast/kernel/assert';
import { type Instant, readInstant } from '@holdfast/kernel/clock';

export function readTime(text: string): Instant {
  const instant = readInstant(text);
  assert(instant !== undefined, 'PostgreSQL writes times as ISO 8601');
  return instant;
}

export function maybeTime(text: string | null): Instant | null {
  return text === null ? null : readTime(text);
}

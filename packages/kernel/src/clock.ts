//! Time: the only file that reads the machine's clock. All other code receives a `Clock`.

/** Milliseconds since 1970, as everywhere in JavaScript. */
export type Instant = number;

export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock for tests: it stands still until it is advanced. */
export function manualClock(start: Instant): Clock & { advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

let last = { instant: 0, text: '1970-01-01T00:00:00.000Z' };

/**
 * ISO 8601 in UTC with milliseconds: the wire form of every time; null stays null. The last text is
 * cached, because one transaction writes the same instant many times in a row.
 */
export function instantText(instant: Instant): string;
export function instantText(instant: Instant | null): string | null;
export function instantText(instant: Instant | null): string | null {
  if (instant === null) return null;
  if (instant !== last.instant) last = { instant, text: new Date(instant).toISOString() };
  return last.text;
}

/** The same to the microsecond: the time of an event, and the cursor of the stream. */
export function microsText(micros: number): string {
  const instant = Math.floor(micros / 1000);
  const rest = String(micros - instant * 1000).padStart(3, '0');
  return `${instantText(instant).slice(0, -1)}${rest}Z`;
}

/** Reads an ISO 8601 date or time. Undefined when it names no instant. */
export function readInstant(text: string): Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) {
    return undefined;
  }
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return undefined;
  // JavaScript takes the 30th of February for the 2nd of March.
  const day = text.slice(0, 10);
  return new Date(Date.parse(day)).toISOString().startsWith(day) ? instant : undefined;
}

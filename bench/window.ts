//! A stretch of time on the clock that CPU profiles use.

/** Microseconds of the monotonic clock, which is what the profile counts in as well. */
export interface Window {
  from: number;
  to: number;
}

export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

//! Formats times: absolute, and relative to now.

const STEPS: readonly (readonly [limitMs: number, unitMs: number, unit: string])[] = [
  [60_000, 1_000, 's'],
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [Number.POSITIVE_INFINITY, 86_400_000, 'd'],
];
const JUST_NOW_MS = 5_000;

/** As "3 min ago" or "in 2 d". */
export function relativeWords(atMs: number, nowMs: number): string {
  const away = Math.abs(nowMs - atMs);
  if (away < JUST_NOW_MS) return 'just now';
  const [, unitMs, unit] = STEPS.find(([limit]) => away < limit) ?? [0, 86_400_000, 'd'];
  const words = `${Math.floor(away / unitMs)} ${unit}`;
  return atMs > nowMs ? `in ${words}` : `${words} ago`;
}

/** As "2026-11-15 13:05:09 UTC": the same everywhere, so that two people can compare it. */
export function absoluteWords(atMs: number): string {
  const [day = '', time = ''] = new Date(atMs).toISOString().split('T');
  return `${day} ${time.slice(0, 8)} UTC`;
}

/** As "15 Nov": a day of an axis, where the year is plain. */
export function dayWords(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}

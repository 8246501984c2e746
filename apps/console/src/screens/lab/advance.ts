//! Reads how far to set the clock forward.

export const UNITS: Readonly<Record<string, number>> = {
  minutes: 60,
  hours: 3_600,
  days: 86_400,
};
const SECONDS_MAX = 31_536_000;

/** Undefined for what the lab would refuse: nothing, a part of a unit, or more than a year. */
export function secondsOf(count: number | string, unit: string): number | undefined {
  const unitSeconds = UNITS[unit];
  if (typeof count !== 'number' || !Number.isInteger(count) || unitSeconds === undefined) {
    return undefined;
  }
  const seconds = count * unitSeconds;
  return seconds >= 1 && seconds <= SECONDS_MAX ? seconds : undefined;
}

//! Arranges the hours of solvency readings: a row for each day, a cell for each hour.
import type { SolvencyHistory, SolvencyHour } from '@holdfast/sdk';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const HOURS = 24;

export interface HistoryDay {
  /** The start of the day. */
  readonly startsAt: number;
  /** By the hour of the day; undefined where nothing was read. */
  readonly hours: readonly (SolvencyHour | undefined)[];
}

/** Newest day first: recent readings matter most. The oldest day is seldom complete. */
export function daysOf({ from, hours }: SolvencyHistory, nowMs: number): HistoryDay[] {
  const byStart = new Map(hours.map((one) => [Date.parse(one.hour), one]));
  const days: HistoryDay[] = [];
  for (let at = dayOf(nowMs); at >= dayOf(Date.parse(from)); at -= DAY_MS) {
    const slots = Array.from({ length: HOURS }, (_, hour) => byStart.get(at + hour * HOUR_MS));
    days.push({ startsAt: at, hours: slots });
  }
  return days;
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** As "9,960 readings in 166 hours: no breaches." */
export function historyWords(hours: readonly SolvencyHour[]): string {
  const readings = hours.reduce((sum, one) => sum + one.readings, 0);
  const count = (status: SolvencyHour['status']) =>
    hours.filter((one) => one.status === status).length;
  const found = `${readingsWords(readings)} in ${plural(hours.length)}`;
  const [breach, surplus] = [count('BREACH'), count('SURPLUS')];
  if (breach + surplus === 0) return `${found}: no breaches.`;
  const findings = [
    ...(breach > 0 ? [`${plural(breach)} with a breach`] : []),
    ...(surplus > 0 ? [`${plural(surplus)} with a surplus`] : []),
  ];
  return `${found}: ${findings.join(', ')}.`;
}

export function readingsWords(readings: number): string {
  return readings === 1 ? '1 reading' : `${readings.toLocaleString('en-US')} readings`;
}

function plural(hours: number): string {
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

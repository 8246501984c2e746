//! The hours of some days, laid out: a row for each day, a place for each hour.
import type { SolvencyHistory, SolvencyHour } from '@holdfast/sdk';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const HOURS = 24;

export interface HistoryDay {
  /** When it begins. */
  readonly startsAt: number;
  /** By the hour of the day; undefined where nothing was read. */
  readonly hours: readonly (SolvencyHour | undefined)[];
}

/** Newest day first: what was lately is what people ask about. The oldest is seldom whole. */
export function daysOf({ from, hours }: SolvencyHistory, nowMs: number): HistoryDay[] {
  const byStart = new Map(hours.map((one) => [Date.parse(one.hour), one]));
  const days: HistoryDay[] = [];
  for (let at = dayOf(nowMs); at >= dayOf(Date.parse(from)); at -= DAY_MS) {
    const places = Array.from({ length: HOURS }, (_, hour) => byStart.get(at + hour * HOUR_MS));
    days.push({ startsAt: at, hours: places });
  }
  return days;
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** As "9,960 readings in 166 hours: nothing was missing in any of them." */
export function historyWords(hours: readonly SolvencyHour[]): string {
  const readings = hours.reduce((sum, one) => sum + one.readings, 0);
  const count = (status: SolvencyHour['status']) =>
    hours.filter((one) => one.status === status).length;
  const found = `${readingsWords(readings)} in ${plural(hours.length)}`;
  const [breach, surplus] = [count('BREACH'), count('SURPLUS')];
  const all = readings === 1 ? 'it' : 'any of them';
  if (breach + surplus === 0) return `${found}: nothing was missing in ${all}.`;
  const told = [
    ...(breach > 0 ? [`a breach in ${plural(breach)}`] : []),
    ...(surplus > 0 ? [`more than was owed in ${plural(surplus)}`] : []),
  ];
  return `${found}: ${told.join(', ')}.`;
}

export function readingsWords(readings: number): string {
  return readings === 1 ? 'one reading' : `${readings.toLocaleString('en-US')} readings`;
}

function plural(hours: number): string {
  return hours === 1 ? 'one hour' : `${hours} hours`;
}

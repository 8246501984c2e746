//! Sums, means and percentiles over measured figures.
import { loadavg } from 'node:os';

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Of nothing there is no figure, and no target is reached by it. */
export function percentilesOf(values: ArrayLike<number>): Percentiles {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Of the rounds. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { median, low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 };
}

export function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}

/** `12,345`: rates are easier to compare with their thousands apart. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A rate of many without what is behind the point, a rate of few with it. */
export function rateText(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : grouped(perSecond);
}

export function percentText(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}

export function loadText(): string {
  const averages = loadavg().map((each) => each.toFixed(1));
  return `load ${averages.join(' ')}`;
}

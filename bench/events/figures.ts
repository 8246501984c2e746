//! Small sums over measured figures.

export interface Percentiles {
  p50: number;
  p99: number;
  max: number;
}

export function percentilesOf(values: Float64Array): Percentiles {
  const sorted = values.toSorted();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** `12,345`: rates are easier to compare with their thousands apart. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

//! The output of a harness: figures, tables, and a verdict at the end.

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export type Figure = readonly [name: string, value: string | number];

/** One line per figure, with aligned values. */
export function figuresText(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(([name]) => name.length));
  return figures.map(([name, value]) => `${name.padEnd(width)} ${value}\n`).join('');
}

/** The most frequent first. */
export function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/** Counts how often each name occurs. */
export function tally(names: readonly string[]): [string, number][] {
  const counts = [...Map.groupBy(names, (name) => name)];
  return mostFirst(new Map(counts.map(([name, all]) => [name, all.length])));
}

/** The first row is the head; numbers are aligned to the right. */
export function tableText(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, at) =>
    Math.max(...table.map((row) => row[at]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row
      .map((text, at) => {
        const width = widths[at] ?? 0;
        return /^\d/.test(text) && at > 0 ? text.padStart(width) : text.padEnd(width);
      })
      .join(' | ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('-|-');
  return `${[lines[0], rule, ...lines.slice(1)].join('\n')}\n`;
}

/** The number at this share of the sorted list, from 0 to 1. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** Such as `p50 12 ms, p99 40 ms, max 41 ms`. */
export function timesText(ms: readonly number[], ...shares: number[]): string {
  if (ms.length === 0) return 'none';
  const nameOf = (share: number) => (share === 1 ? 'max' : `p${share * 100}`);
  return shares.map((share) => `${nameOf(share)} ${quantile(ms, share).toFixed(0)} ms`).join(', ');
}

export function secondsText(ms: number, digits = 1): string {
  return `${(ms / 1000).toFixed(digits)} s`;
}

/** `startedAt` is a value of `performance.now()`. */
export function secondsSince(startedAt: number): string {
  return secondsText(performance.now() - startedAt, 0);
}

const SHOWN_MAX = 40;

/** Shows the first few and the number of the rest. */
export function wrongText(wrong: readonly string[], max = SHOWN_MAX): string {
  const shown = wrong.slice(0, max).map((text) => `  ${text}\n`);
  return shown.join('') + (wrong.length > max ? `  and ${wrong.length - max} more\n` : '');
}

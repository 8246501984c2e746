//! The matrix as a table: one line per saga, number of milestones and answer.
import { answerOf, type Result } from './cell.ts';

const HEAD = ['saga', 'milestones', 'answer', 'cells', 'ok', 'wrong', 'slowest'];
/** Numbers stand on the right. */
const FIRST_NUMBER = 3;

export function matrixText(results: readonly Result[]): string {
  const groups = Map.groupBy(results, (result) =>
    [result.saga.name, String(result.milestones), answerOf(result)].join('|'),
  );
  const rows = [...groups]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, all]) => [...name.split('|'), ...figuresOf(all)]);
  const table = [HEAD, ...rows, ['all', '', '', ...figuresOf(results)]];
  const widths = HEAD.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((text, at) => {
        const width = widths[at] ?? 0;
        return at < FIRST_NUMBER ? text.padEnd(width) : text.padStart(width);
      })
      .join(' | '),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('-|-');
  return `${[lines[0], rule, ...lines.slice(1)].join('\n')}\n`;
}

function figuresOf(results: readonly Result[]): string[] {
  const wrong = results.filter((result) => result.wrong.length > 0).length;
  const slowest = Math.max(...results.map(({ ms }) => ms));
  return [
    String(results.length),
    String(results.length - wrong),
    String(wrong),
    `${(slowest / 1000).toFixed(1)} s`,
  ];
}

/** How soon it was over after the call, and what callers were told. */
export function figuresText(results: readonly Result[]): string {
  const times = results.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const at = (share: number) => seconds(times[Math.floor((times.length - 1) * share)] ?? 0);
  const told = [...Map.groupBy(results, (result) => result.told)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name, all]) => `${all.length} ${name}`);
  return (
    `from call to rest: median ${at(0.5)}, 99 of 100 ${at(0.99)}, slowest ${at(1)}\n` +
    `told: ${told.join(', ')}\n`
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

//! The matrix as a table: one line per saga, number of milestones and answer.
import { quantile, secondsText, tableText, tally } from '../harness/report.ts';
import { answerOf, type Result } from './cell.ts';

const HEAD = ['saga', 'milestones', 'answer', 'cells', 'ok', 'wrong', 'slowest'];

export function matrixText(results: readonly Result[]): string {
  const groups = Map.groupBy(results, (result) =>
    [result.saga.name, String(result.milestones), answerOf(result)].join('|'),
  );
  const rows = [...groups]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, all]) => [...name.split('|'), ...figuresOf(all)]);
  return tableText([HEAD, ...rows, ['all', '', '', ...figuresOf(results)]]);
}

function figuresOf(results: readonly Result[]): string[] {
  const wrong = results.filter((result) => result.wrong.length > 0).length;
  const slowest = secondsText(Math.max(...results.map(({ ms }) => ms)));
  return [results.length, results.length - wrong, wrong, slowest].map(String);
}

/** How soon it was over after the call, and what callers were told. */
export function figuresText(results: readonly Result[]): string {
  const times = results.map(({ ms }) => ms);
  const at = (share: number) => secondsText(quantile(times, share));
  const told = tally(results.map((each) => each.told)).map(([name, times]) => `${times} ${name}`);
  return (
    `from call to rest: median ${at(0.5)}, 99 of 100 ${at(0.99)}, slowest ${at(1)}\n` +
    `told: ${told.join(', ')}\n`
  );
}

//! The matrix as a table: one line per saga, number of milestones and reply.
import { quantile, secondsText, tableText, tally } from '../../harness/report.ts';
import { outcomeOf, type Result } from './cell.ts';

const HEAD = ['saga', 'milestones', 'reply', 'cells', 'ok', 'wrong', 'slowest'];

export function matrixText(results: readonly Result[]): string {
  const groups = Map.groupBy(results, (result) =>
    [result.saga.name, String(result.milestones), outcomeOf(result)].join('|'),
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

/** Times from the request to the end, and the responses to callers. */
export function figuresText(results: readonly Result[]): string {
  const times = results.map(({ ms }) => ms);
  const at = (share: number) => secondsText(quantile(times, share));
  const responses = tally(results.map((each) => each.response)).map(
    ([name, times]) => `${times} ${name}`,
  );
  return (
    `from request to end: median ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}\n` +
    `responses: ${responses.join(', ')}\n`
  );
}

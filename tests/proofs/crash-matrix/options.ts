//! Options of `npm run test:crash-matrix`.
import { count, flag, type OptionsOf, seedOfCommit, text } from '../../harness/options.ts';

const options = {
  cells: count('number of cells, chosen by the seed', { defaultText: 'all' }),
  seed: seedOfCommit('seed of the choice: every commit tries other cells'),
  slice: text('K/N', 'every Nth cell, starting with the Kth', { full: '1/1' }),
  after: count('skip the first N, to resume an interrupted run', { full: 0, least: 0 }),
  only: text('TEXT', 'only saga/milestones/reply/point; all but milestones may be parts', {
    full: '',
    defaultText: 'all',
  }),
  times: count('number of runs of each cell, to find rare faults', { full: 1 }),
  lanes: count('cells at once', { full: 4 }),
  workers: count('workers at once', { full: 3 }),
  minutes: count('start no cell after N minutes', { full: 600 }),
  webhooks: flag('the escrow provider also sends webhooks'),
  loud: flag('show the standard error of the processes'),
};

export const COMMAND = {
  name: 'npm run test:crash-matrix',
  options,
  note: 'For one kind of cell: --only release/3/reject/after-send',
};

export type MatrixOptions = OptionsOf<typeof options>;

/** Every `of`th cell, starting with the `part`th. */
export function sliceOf({ slice }: MatrixOptions): { readonly part: number; readonly of: number } {
  const [part = 0, of = 0] = slice.split('/').map(Number);
  if (Number.isInteger(part) && Number.isInteger(of) && part >= 1 && part <= of)
    return { part, of };
  throw new Error(`--slice must be K/N with K from 1 to N, not ${slice}`);
}

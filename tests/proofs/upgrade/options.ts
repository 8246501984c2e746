//! The options of `npm run test:upgrade`.
import { count, flag, type OptionsOf, text } from '../../harness/options.ts';

export const options = {
  quick: flag('the short slice: from this tree, unless another commit is given'),
  entries: count('entries in the journal', { full: 1_000_000, quick: 10_000 }),
  rate: count('acts a second', { full: 50, quick: 10 }),
  workers: count('worker processes', { full: 2, quick: 1 }),
  seconds: count('how long each state serves', { full: 10, quick: 1 }),
  stall: count('milliseconds that a call may take; with --quick, wait for a table', { full: 1500 }),
  previous: text('COMMIT', 'what to upgrade from', {
    defaultText: 'the last tag, or the commit before the newest migration',
  }),
  loud: flag('show the standard error of the processes'),
};
export type UpgradeOptions = OptionsOf<typeof options>;

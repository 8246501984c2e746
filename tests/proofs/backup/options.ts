//! The options of `npm run drill:backup`.
import { count, flag, type OptionsOf, seed } from '../../harness/options.ts';

export const options = {
  quick: flag('a small slice'),
  seed: seed('of the moment to restore to'),
  entries: count('entries in the journal', { full: 720_000, quick: 5000 }),
  seconds: count('how long clients write after the backup', { full: 20, quick: 6 }),
  limit: count('seconds that the restore may take', { full: 60 }),
  loud: flag('show the standard error of the processes'),
};
export type DrillOptions = OptionsOf<typeof options>;

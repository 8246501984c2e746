//! Options of `npm run bench:books`.
import { count, counts, flag, type OptionsOf, words } from '../../tests/harness/options.ts';

export const options = {
  rounds: count('rounds, each measuring every case once', { full: 5, quick: 1 }),
  seconds: count('seconds measured per case and round, after one second of lead-in', {
    full: 6,
    quick: 1,
  }),
  connections: counts('connections of the load generator', {
    full: [8, 64, 256],
    quick: [64, 256],
  }),
  operations: words('operations to request', ['credit', 'reserve']),
  spreads: words(
    'load on all users (uniform) or on one user (hot)',
    ['uniform', 'hot'],
    ['uniform'],
  ),
  users: count('users among which the uniform load picks', { full: 10_000, quick: 1000 }),
  apis: count('api processes: one for each core of the machine the targets are for', { full: 2 }),
  'no-worker': flag('without the worker process'),
  quick: flag('a short run: every kind of case once'),
  profile: flag('instead of comparing: CPU profile of the api under load'),
  save: flag('write the figures to bench/results/'),
  strict: flag('exit 1 also when a target is missed'),
};

export type BooksOptions = OptionsOf<typeof options>;
export type Operation = BooksOptions['operations'][number];
export type Spread = BooksOptions['spreads'][number];

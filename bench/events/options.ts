//! Options of `npm run bench:events`.
import { count, counts, flag, type OptionsOf, words } from '../../tests/harness/options.ts';

export const options = {
  only: words('what is measured', ['streams', 'sequencer', 'replay']),
  connections: count('streams: readers over all marketplaces', { full: 2000, quick: 100 }),
  marketplaces: count('streams: marketplaces they are spread over', { full: 100, quick: 5 }),
  rate: count('streams: events a second at the start', { full: 200 }),
  doublings: count('streams: how often the rate may double in search of the next limit', {
    ...{ full: 6, quick: 0, least: 0 },
  }),
  seconds: count('streams and sequencer: length of a window, of streams after the first second', {
    ...{ full: 15, quick: 2, least: 2 },
  }),
  writers: counts('sequencer: how many write at once', { full: [8, 32], quick: [16] }),
  backlog: count('sequencer: events that wait when it starts', { full: 100_000, quick: 2000 }),
  history: count('replay: events in the log', { full: 1_000_000, quick: 10_000 }),
  rounds: count('replay: rounds, each a COPY and a stream', { full: 5, quick: 1 }),
  quick: flag('a slice: all of them, for a moment'),
  profile: flag('also where api and worker spend their time'),
  strict: flag('exit 1 also when a target is missed'),
};

export const NOTE = 'REDIS_URL, when set, is the bell; without it PostgreSQL rings.';

export type EventsOptions = OptionsOf<typeof options>;

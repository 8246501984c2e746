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
  seconds: count('streams and sequencer: seconds measured; streams leaves out the first one', {
    ...{ full: 15, quick: 2, least: 2 },
  }),
  writers: counts('sequencer: how many write at once', { full: [8, 32], quick: [16] }),
  backlog: count('sequencer: events that wait when it starts', { full: 100_000, quick: 2000 }),
  history: count('replay: events in the log', { full: 1_000_000, quick: 10_000 }),
  rounds: count('replay: rounds, each a COPY and a stream', { full: 5, quick: 1 }),
  quick: flag('a short run of all of them'),
  profile: flag('also print a CPU profile of api and worker'),
  strict: flag('exit 1 also when a target is missed'),
};

export const NOTE = 'If REDIS_URL is set, Redis is the notifier; otherwise PostgreSQL is.';

export type EventsOptions = OptionsOf<typeof options>;

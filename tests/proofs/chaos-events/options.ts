//! Options of `npm run chaos:events`.
import { count, flag, type OptionsOf, seed } from '../../harness/options.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
const options = {
  quick: flag('the short run of npm run check: smaller numbers, same checks'),
  events: count('events that the writers commit', { full: 20_000, quick: 1500 }),
  marketplaces: count('marketplaces they spread them over', { full: 10, quick: 3 }),
  writers: count('writers, each with a connection of its own', { full: 8 }),
  consumers: count('consumers of the stream', { full: 24, quick: 6 }),
  cuts: count('times that each consumer cuts its connection, at least', { full: 200, quick: 15 }),
  seconds: count('seconds over which the events are spread, at least', { full: 120, quick: 9 }),
  'api-kills': count('api processes killed', { full: 10, quick: 1, least: 0 }),
  'leader-kills': count('leading workers killed', { full: 10, quick: 1, least: 0 }),
  freezes: count('leading workers stopped for four seconds', { full: 2, quick: 1, least: 0 }),
  'redis-flushes': count('times that Redis is flushed', { full: 3, quick: 1, least: 0 }),
  'redis-kills': count('times that Redis is down for three seconds', { full: 3, quick: 1, least: 0 }),
  'silence-ms': count('longest time that a committed event may wait', { full: 3000 }),
  loud: flag('show the standard error of the processes'),
  seed: seed('random seed of events, cuts and disruptions'),
};

export const COMMAND = { name: 'npm run chaos:events', options };

export type ChaosOptions = OptionsOf<typeof options>;

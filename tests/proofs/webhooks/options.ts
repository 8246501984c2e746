//! Options of `npm run test:webhooks`.
import { count, flag, type OptionsOf, seed } from '../../harness/options.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
const options = {
  quick: flag('the short slice that every check runs'),
  events: count('events of one marketplace, each for every endpoint', { full: 5000, quick: 120 }),
  endpoints: count('endpoints that fail a fifth of the time', { full: 10, quick: 4 }),
  kills: count('kill -9 of api and worker processes on the way', { full: 10, quick: 2, least: 0 }),
  wipes: count('kills of Restate that lose all its state', { full: 1, quick: 0, least: 0 }),
  hangs: count('requests that each endpoint leaves to time out', { full: 2, quick: 0, least: 0 }),
  minutes: count('time limit', { full: 30 }),
  loud: flag('show the standard error of the processes'),
  seed: seed('which endpoints fail when, and what is killed'),
};

export const COMMAND = { name: 'npm run test:webhooks', options };

export type WebhookOptions = OptionsOf<typeof options>;

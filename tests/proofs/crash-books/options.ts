//! Options of `npm run crash:books`.
import { count, flag, type OptionsOf, seed, text } from '../../harness/options.ts';

const options = {
  rounds: count('rounds, one kill each', { full: 10 }),
  seconds: count('seconds of load per round', { full: 5 }),
  clients: count('clients at once', { full: 32 }),
  users: count('users among whom they spread their requests', { full: 200 }),
  postgres: flag('end random database connections instead of killing an api process'),
  history: text('F', "store the clients' history in F; by default only after a fault"),
  seed: seed('seed of requests and disruptions'),
};

export const COMMAND = { name: 'npm run crash:books', options };

export type CrashOptions = OptionsOf<typeof options>;

//! Options of `npm run bench:orders`.
import { count, counts, flag, type OptionsOf } from '../../tests/harness/options.ts';

export const options = {
  rounds: count('rounds, each measuring both sides, one after the other', { full: 5, quick: 1 }),
  seconds: count('seconds measured per side and round, after two seconds of lead-in', {
    full: 10,
    quick: 2,
  }),
  lanes: counts('order lives at once', { full: [1, 16], quick: [4] }),
  pairs: count('buyers with their sellers, at least as many as lanes', { full: 64, quick: 4 }),
  milestones: count('milestones of an order', { full: 0, least: 0, most: 3 }),
  workers: count('worker processes of the service', { full: 1 }),
  webhooks: flag('the escrow provider also sends webhooks to the api'),
  quick: flag('a short run of each side'),
  profile: flag('also print a CPU profile of api and worker'),
  strict: flag('exit 1 also when a target is missed'),
};

export type OrdersOptions = OptionsOf<typeof options>;

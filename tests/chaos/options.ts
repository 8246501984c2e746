//! Options of `npm run chaos`.
import { count, flag, type OptionsOf, seed } from '../harness/options.ts';

const options = {
  quick: flag('fewer kills too: the short slice that every check runs'),
  orders: count('lives of orders while everything fails', { usual: '1000, quick 40', least: 0 }),
  races: count('then so many orders that release, refund and dispute settle at once', {
    usual: '200, quick 20',
    least: 0,
  }),
  payments: count('so many top-ups and withdrawals, while everything fails, the provider too', {
    full: 0,
    least: 0,
  }),
  members: count('so many pairs of Surface B members, while everything fails', {
    full: 0,
    least: 0,
  }),
  clients: count('clients at once', { full: 64 }),
  loud: flag('show what the processes say on standard error'),
  seed: seed('what is asked, when it strikes and what is dropped'),
};

export const COMMAND = {
  name: 'npm run chaos',
  options,
  note: 'Whoever names one of orders, races, payments and members gets no others.',
};

export type ChaosOptions = OptionsOf<typeof options>;

const FULL_SIZE = { orders: 1000, races: 200 };
const QUICK_SIZE = { orders: 40, races: 20 };

/** How many lives and races there are. */
export function sizeOf(options: ChaosOptions): { orders: number; races: number } {
  const { orders, races, members, payments, quick } = options;
  const isTold = orders !== undefined || races !== undefined || members + payments > 0;
  const usual = isTold ? { orders: 0, races: 0 } : quick ? QUICK_SIZE : FULL_SIZE;
  return { orders: orders ?? usual.orders, races: races ?? usual.races };
}

export const STRIKES = {
  full: { worker: 12, api: 10, restate: 3, wipe: 1, flush: 1 },
  quick: { worker: 2, api: 2, restate: 0, wipe: 1, flush: 1 },
};

//! Options of `npm run chaos`.
import { count, flag, type OptionsOf, seed } from '../../harness/options.ts';

const SIZES = { full: { orders: 1000, races: 200 }, quick: { orders: 40, races: 20 } };
const sizesOf = (name: keyof typeof SIZES.full) => ({
  defaultText: `${SIZES.full[name]}, quick ${SIZES.quick[name]}`,
  least: 0,
});

const options = {
  quick: flag('the short run of npm run check: fewer orders, races and kills'),
  orders: count('orders run under disruptions', sizesOf('orders')),
  races: count('then orders that get a release, a refund and a dispute at once', sizesOf('races')),
  payments: count('top-ups and withdrawals under disruptions, with provider outages', {
    full: 0,
    least: 0,
  }),
  members: count('pairs of Surface B members under disruptions', { full: 0, least: 0 }),
  clients: count('clients at once', { full: 64 }),
  loud: flag('show the standard error of the processes'),
  seed: seed('seed of requests, disruptions and lost responses'),
};

export const COMMAND = {
  name: 'npm run chaos',
  options,
  note: 'If --orders, --races, --payments or --members is given, only those given run.',
};

export type ChaosOptions = OptionsOf<typeof options>;

/** The numbers of orders and races. */
export function sizeOf(options: ChaosOptions): { orders: number; races: number } {
  const { orders, races, members, payments, quick } = options;
  const isSized = orders !== undefined || races !== undefined || members + payments > 0;
  const defaults = isSized ? { orders: 0, races: 0 } : SIZES[quick ? 'quick' : 'full'];
  return { orders: orders ?? defaults.orders, races: races ?? defaults.races };
}

export const DISRUPTIONS = {
  full: { worker: 12, api: 10, restate: 3, wipe: 1, flush: 1 },
  quick: { worker: 2, api: 2, restate: 0, wipe: 1, flush: 1 },
};

//! Options of `npm run chaos`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  /** Lives of orders, lived while everything fails. */
  readonly orders: number;
  /** Top-ups and withdrawals, half of each, with outages of the payment provider. */
  readonly payments: number;
  /** Pairs of Surface B members, one of whom funds a project and releases it. */
  readonly members: number;
  /** Orders that several callers settle at once, while nothing else fails. */
  readonly races: number;
  readonly clients: number;
  readonly seed: number;
  readonly strikes: StrikeCounts;
  /** Shows what the processes say on standard error. */
  readonly isLoud: boolean;
}

export interface StrikeCounts {
  readonly worker: number;
  readonly api: number;
  readonly restate: number;
  readonly wipe: number;
  readonly flush: number;
}

const FULL: StrikeCounts = { worker: 12, api: 10, restate: 3, wipe: 1, flush: 1 };
const QUICK: StrikeCounts = { worker: 2, api: 2, restate: 0, wipe: 1, flush: 1 };

const FULL_SIZE = { orders: '1000', races: '200' };
const QUICK_SIZE = { orders: '40', races: '20' };

const usage = `npm run chaos -- [options]
  --orders N    lives of orders while everything fails (1000, quick 40; 0 with --races alone)
  --races N     then so many orders that release, refund and dispute settle at once
                (200, quick 20; 0 with --orders alone)
  --payments N  so many top-ups and withdrawals, while everything fails, the provider too (0)
  --members N   so many pairs of Surface B members, while everything fails (0)
  --clients N   clients at once (64)
  --quick       fewer kills too: the short slice that every check runs
  --seed N      what is asked, when it strikes and what is dropped
  --loud        show what the processes say on standard error
`;

export function readOptions(argv: string[]): ChaosOptions | undefined {
  const { values } = parseArgs({
    args: argv,
    options: {
      orders: { type: 'string' },
      races: { type: 'string' },
      payments: { type: 'string', default: '0' },
      members: { type: 'string', default: '0' },
      clients: { type: 'string', default: '64' },
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      quick: { type: 'boolean', default: false },
      loud: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  const { orders, races, members, payments } = values;
  const isTold = [orders, races].some((each) => each !== undefined) || members + payments !== '00';
  const usual = isTold ? { orders: '0', races: '0' } : values.quick ? QUICK_SIZE : FULL_SIZE;
  return {
    orders: readCount('orders', values.orders ?? usual.orders),
    races: readCount('races', values.races ?? usual.races),
    payments: readCount('payments', values.payments),
    members: readCount('members', values.members),
    clients: Math.max(1, readCount('clients', values.clients)),
    seed: readCount('seed', values.seed),
    strikes: values.quick ? QUICK : FULL,
    isLoud: values.loud,
  };
}

function readCount(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} wants a whole number, not ${text}`);
}

//! Options of `npm run bench:orders`.
import { parseArgs } from 'node:util';

export interface OrdersOptions {
  readonly rounds: number;
  /** Measured seconds of each side in a round. */
  readonly seconds: number;
  /** Lives at once, case by case. */
  readonly lanes: readonly number[];
  /** Buyers with their sellers; a wallet has one open transaction at a time. */
  readonly pairs: number;
  readonly milestones: number;
  readonly workers: number;
  /** The escrow provider also tells the api what happened. */
  readonly hasWebhooks: boolean;
  readonly isProfiled: boolean;
  readonly isStrict: boolean;
}

const usage = `npm run bench:orders -- [options]
  --rounds N       rounds, each measuring both sides, one after the other (5)
  --seconds N      measured seconds per side and round, after two seconds of lead-in (10)
  --lanes LIST     order lives at once (1,16)
  --pairs N        buyers with their sellers, at least as many as lanes (64)
  --milestones N   milestones of an order, 0 to 3 (0)
  --workers N      worker processes of the service (1)
  --webhooks       the escrow provider also tells the api what happened
  --quick          a slice: 2 rounds of 5 s, 16 lives at once
  --profile        also where api and worker spend their time
  --strict         exit 1 also when the aim is missed
`;

export function readOptions(argv: string[]): OrdersOptions | undefined {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      lanes: { type: 'string' },
      pairs: { type: 'string', default: '64' },
      milestones: { type: 'string', default: '0' },
      workers: { type: 'string', default: '1' },
      webhooks: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  const lanes = (values.lanes ?? (values.quick ? '16' : '1,16'))
    .split(',')
    .map((text) => readCount('lanes', text, 1));
  return {
    rounds: readCount('rounds', values.rounds ?? (values.quick ? '2' : '5'), 1),
    seconds: readCount('seconds', values.seconds ?? (values.quick ? '5' : '10'), 1),
    lanes,
    pairs: readCount('pairs', values.pairs, Math.max(...lanes)),
    milestones: readCount('milestones', values.milestones, 0, 3),
    workers: readCount('workers', values.workers, 1),
    hasWebhooks: values.webhooks,
    isProfiled: values.profile,
    isStrict: values.strict,
  };
}

function readCount(name: string, text: string, least: number, most = 10_000): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new Error(`--${name} wants a whole number from ${least} to ${most}, not ${text}`);
}

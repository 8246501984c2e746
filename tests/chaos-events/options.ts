//! Options of `npm run chaos:events`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

type Count = keyof typeof counts;

export interface ChaosOptions extends Readonly<Record<Count, number>> {
  readonly seed: number;
  /** Shows what the processes say on standard error. */
  readonly isLoud: boolean;
}

interface CountRow {
  readonly full: number;
  /** For the short slice that every check runs. */
  readonly quick: number;
  readonly means: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const counts = {
  events: { full: 20_000, quick: 1500, means: 'events that the writers commit' },
  marketplaces: { full: 10, quick: 3, means: 'marketplaces they spread them over' },
  writers: { full: 8, quick: 8, means: 'writers, each with a connection of its own' },
  consumers: { full: 24, quick: 6, means: 'consumers of the stream' },
  cuts: { full: 200, quick: 15, means: 'times that each consumer cuts its connection, at least' },
  seconds: { full: 120, quick: 9, means: 'seconds over which the events are spread, at least' },
  'api-kills': { full: 10, quick: 1, means: 'api processes killed' },
  'leader-kills': { full: 10, quick: 1, means: 'leading workers killed' },
  freezes: { full: 2, quick: 1, means: 'leading workers stopped for four seconds' },
  'redis-flushes': { full: 3, quick: 1, means: 'times that Redis forgets everything' },
  'redis-kills': { full: 3, quick: 1, means: 'times that Redis is gone for three seconds' },
  'silence-ms': { full: 3000, quick: 3000, means: 'longest time that a committed event may wait' },
} as const satisfies Record<string, CountRow>;

const rows = Object.entries(counts) as [Count, CountRow][];

function usage(): string {
  const lines = rows.map(
    ([name, { full, quick, means }]) =>
      `  --${`${name} N`.padEnd(18)} ${means} (${full}, quick ${quick})`,
  );
  return `npm run chaos:events -- [options]
  --quick              the short slice: other numbers below, same checks
${lines.join('\n')}
  --loud               show what the processes say on standard error
  --seed N             what is written, when it is cut and when it strikes
`;
}

export function readOptions(argv: string[]): ChaosOptions | undefined {
  const named = Object.fromEntries(rows.map(([name]) => [name, { type: 'string' }] as const));
  const { values } = parseArgs({
    args: argv,
    options: {
      ...named,
      quick: { type: 'boolean', default: false },
      loud: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage());
    return undefined;
  }
  const told = values as Record<string, string | boolean | undefined>;
  const read = rows.map(([name, row]) => {
    const usual = values.quick ? row.quick : row.full;
    return [name, readCount(name, String(told[name] ?? usual))];
  });
  return {
    ...(Object.fromEntries(read) as Record<Count, number>),
    seed: readCount('seed', values.seed),
    isLoud: values.loud,
  };
}

function readCount(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} wants a whole number, not ${text}`);
}

//! Options of `npm run bench:books`.
import { parseArgs } from 'node:util';

export type Operation = 'credit' | 'reserve';
export type Spread = 'uniform' | 'hot';

export interface BenchOptions {
  rounds: number;
  seconds: number;
  users: number;
  apis: number;
  hasWorker: boolean;
  connections: number[];
  operations: Operation[];
  spreads: Spread[];
  /** Also the server's one-request path and the books-only baseline. */
  isInformed: boolean;
  isSaved: boolean;
  isStrict: boolean;
  isProfiled: boolean;
}

const usage = `npm run bench:books -- [options]
  --rounds N          rounds, each measuring every case once (5)
  --seconds N         measured seconds per case and round, after a second of lead-in (6)
  --connections LIST  connections of the load generator (8,64,256)
  --operations LIST   credit,reserve
  --spreads LIST      uniform,hot
  --users N           users among which the uniform load picks (10000)
  --apis N            api processes (2: one for each core of the machine the targets are for)
  --no-worker         without the worker process
  --quick             a slice: a round of 2 s, uniform, 64 and 256 connections, 2000 users
  --profile           instead of comparing: CPU profile of the api under load
  --save              write the figures to bench/results/
  --strict            exit 1 also when a target is missed
`;

export function readOptions(argv: string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: argv,
    allowNegative: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      operations: { type: 'string' },
      spreads: { type: 'string' },
      users: { type: 'string' },
      apis: { type: 'string' },
      worker: { type: 'boolean', default: true },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  const isSlice = values.quick;
  return {
    rounds: readCount('rounds', values.rounds ?? (isSlice ? '1' : '5')),
    seconds: readCount('seconds', values.seconds ?? (isSlice ? '2' : '6')),
    users: readCount('users', values.users ?? (isSlice ? '2000' : '10000')),
    apis: readCount('apis', values.apis ?? '2'),
    hasWorker: values.worker,
    connections: (values.connections ?? (isSlice ? '64,256' : '8,64,256'))
      .split(',')
      .map((text) => readCount('connections', text)),
    operations: readList('operations', values.operations, ['credit', 'reserve']),
    spreads: readList('spreads', values.spreads ?? (isSlice ? 'uniform' : undefined), [
      'uniform',
      'hot',
    ]),
    isInformed: !isSlice,
    isSaved: values.save,
    isStrict: values.strict,
    isProfiled: values.profile,
  };
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--${name} wants a whole number above zero, not ${text}`);
}

function readList<const T extends string>(
  name: string,
  text: string | undefined,
  known: readonly T[],
): T[] {
  if (text === undefined) return [...known];
  const chosen = known.filter((word) => text.split(',').includes(word));
  if (chosen.length === text.split(',').length) return chosen;
  throw new Error(`--${name} wants some of ${known.join(', ')}, not ${text}`);
}

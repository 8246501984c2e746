//! Options of `npm run test:crash-matrix`.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

export interface MatrixOptions {
  /** Saga, milestones, answer, place: texts that each must hold; empty holds anything. */
  readonly only: readonly string[];
  /** Every `of`th cell, beginning with the `part`th. */
  readonly slice: { readonly part: number; readonly of: number };
  /** Without the first ones: they were run before. */
  readonly after: number;
  /** So many cells, chosen by the seed; all of them when undefined. */
  readonly cells: number | undefined;
  /** How often each of them is run. */
  readonly times: number;
  readonly seed: number;
  /** Where the seed comes from. */
  readonly seedFrom: string;
  readonly lanes: number;
  readonly workers: number;
  /** Begins no cell after so long. */
  readonly minutes: number;
  readonly hasWebhooks: boolean;
  readonly isLoud: boolean;
}

const usage = `npm run test:crash-matrix -- [options]
  --cells N      so many cells, chosen by the seed (all)
  --seed N       which ones (from the commit, so that every commit tries others)
  --slice K/N    every Nth cell, beginning with the Kth (1/1)
  --after N      without the first N, to go on where a run was cut off
  --only TEXT    saga/milestones/answer/place, each in part: --only release/3/reject/after-send
  --times N      run each so often, to meet what is rare (1)
  --lanes N      cells at once (4)
  --workers N    workers at once (3)
  --minutes N    begin no cell after so long (600)
  --webhooks     the escrow provider also tells what happened
  --loud         show what the processes say on standard error
`;

export function readOptions(argv: string[]): MatrixOptions | undefined {
  const { values } = parseArgs({
    args: argv,
    options: {
      cells: { type: 'string' },
      seed: { type: 'string' },
      slice: { type: 'string', default: '1/1' },
      after: { type: 'string' },
      only: { type: 'string', default: '' },
      times: { type: 'string', default: '1' },
      lanes: { type: 'string', default: '4' },
      workers: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '600' },
      webhooks: { type: 'boolean', default: false },
      loud: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  return {
    only: values.only.split('/'),
    slice: readSlice(values.slice),
    after: values.after === undefined ? 0 : readCount('after', values.after),
    cells: values.cells === undefined ? undefined : readCount('cells', values.cells),
    ...readSeed(values.seed),
    times: readCount('times', values.times),
    lanes: readCount('lanes', values.lanes),
    workers: readCount('workers', values.workers),
    minutes: readCount('minutes', values.minutes),
    hasWebhooks: values.webhooks,
    isLoud: values.loud,
  };
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--${name} wants a whole number above zero, not ${text}`);
}

function readSlice(text: string): MatrixOptions['slice'] {
  const [part = 0, of = 0] = text.split('/').map(Number);
  if (Number.isInteger(part) && Number.isInteger(of) && part >= 1 && part <= of)
    return { part, of };
  throw new Error(`--slice wants K/N with K from 1 to N, not ${text}`);
}

const DAY_MS = 86_400_000;

/** The commit's, so that a red one stays red; the day's where there is none. */
function readSeed(text: string | undefined): Pick<MatrixOptions, 'seed' | 'seedFrom'> {
  if (text !== undefined) return { seed: readCount('seed', text), seedFrom: 'as told' };
  try {
    const commit = execFileSync('git', ['rev-parse', '--short=6', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return { seed: Number.parseInt(commit, 16) + 1, seedFrom: `commit ${commit.trim()}` };
  } catch {
    return { seed: Math.floor(Date.now() / DAY_MS), seedFrom: 'the day' };
  }
}

//! Options of `npm run bench:events`.
import { parseArgs } from 'node:util';

const MEASUREMENTS = ['streams', 'sequencer', 'replay'] as const;
export type Measurement = (typeof MEASUREMENTS)[number];

export interface EventsOptions {
  only: readonly Measurement[];
  /** Readers of the stream, over all marketplaces. */
  connections: number;
  marketplaces: number;
  /** Events a second to begin with. */
  rate: number;
  /** How often the rate may double in search of the next limit. */
  doublings: number;
  seconds: number;
  /** How many write at once beside the sequencer. */
  writers: readonly number[];
  /** Also with an old snapshot open, as a backup keeps one. */
  hasSnapshot: boolean;
  /** Events that wait when the sequencer is let loose. */
  backlog: number;
  /** Events of the log that a reader goes through from its beginning. */
  history: number;
  rounds: number;
  isProfiled: boolean;
  isStrict: boolean;
}

const usage = `npm run bench:events -- [options]
  --only LIST         streams,sequencer,replay
  --connections N     streams: readers over all marketplaces (2000)
  --marketplaces N    streams: marketplaces they are spread over (100)
  --rate N            streams: events a second to begin with (200)
  --doublings N       streams: how often the rate doubles in search of the next limit (6)
  --seconds N         streams and sequencer: length of a measured window (15)
  --writers LIST      sequencer: how many write at once (8,32)
  --backlog N         sequencer: events that wait when it starts (100000)
  --history N         replay: events in the log (1000000)
  --rounds N          replay: rounds, each a COPY and a stream (5)
  --quick             a slice: windows of 2 s, 200 readers, 20000 waiting, a history of 50000, 3 rounds
  --profile           also where api and worker spend their time
  --strict            exit 1 also when a target is missed

REDIS_URL, when set, is the bell; without it PostgreSQL rings.
`;

export function readOptions(argv: string[]): EventsOptions | undefined {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string' },
      connections: { type: 'string' },
      marketplaces: { type: 'string' },
      rate: { type: 'string' },
      doublings: { type: 'string' },
      seconds: { type: 'string' },
      writers: { type: 'string' },
      backlog: { type: 'string' },
      history: { type: 'string' },
      rounds: { type: 'string' },
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
  const isSlice = values.quick;
  const count = (
    name: 'connections' | 'marketplaces' | 'rate' | 'seconds' | 'backlog' | 'history' | 'rounds',
    usual: number,
    slice = usual,
  ) => readCount(name, values[name] ?? String(isSlice ? slice : usual), 1);
  return {
    only: readMeasurements(values.only),
    connections: count('connections', 2000, 200),
    marketplaces: count('marketplaces', 100, 10),
    rate: count('rate', 200),
    doublings: readCount('doublings', values.doublings ?? (isSlice ? '0' : '6'), 0),
    seconds: count('seconds', 15, 2),
    writers: (values.writers ?? (isSlice ? '16' : '8,32'))
      .split(',')
      .map((text) => readCount('writers', text, 1)),
    hasSnapshot: !isSlice,
    backlog: count('backlog', 100_000, 20_000),
    history: count('history', 1_000_000, 50_000),
    rounds: count('rounds', 5, 3),
    isProfiled: values.profile,
    isStrict: values.strict,
  };
}

function readCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least) return count;
  throw new Error(`--${name} wants a whole number of at least ${least}, not ${text}`);
}

function readMeasurements(text: string | undefined): readonly Measurement[] {
  if (text === undefined) return MEASUREMENTS;
  const chosen = MEASUREMENTS.filter((word) => text.split(',').includes(word));
  if (chosen.length === text.split(',').length) return chosen;
  throw new Error(`--only wants some of ${MEASUREMENTS.join(', ')}, not ${text}`);
}

//! Options of `npm run crash:books`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface CrashOptions {
  rounds: number;
  seconds: number;
  clients: number;
  users: number;
  seed: number;
  /** Ends database connections instead of api processes. */
  isPostgres: boolean;
  /** Where the clients' history is kept; unset, a temporary file that a clean run removes. */
  history: string | undefined;
}

const usage = `npm run crash:books -- [options]
  --rounds N    rounds, one kill each (10)
  --seconds N   seconds of load per round (5)
  --clients N   clients at once (32)
  --users N     users among whom they spread their requests (200)
  --postgres    end random database connections instead of killing an api process
  --history F   keep the clients' history in F
  --seed N      what the clients ask for and when it strikes
`;

export function readOptions(argv: string[]): CrashOptions | undefined {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '5' },
      clients: { type: 'string', default: '32' },
      users: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      postgres: { type: 'boolean', default: false },
      history: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  return {
    rounds: readCount('rounds', values.rounds),
    seconds: readCount('seconds', values.seconds),
    clients: readCount('clients', values.clients),
    users: readCount('users', values.users),
    seed: readCount('seed', values.seed),
    isPostgres: values.postgres,
    history: values.history,
  };
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--${name} wants a whole number above zero, not ${text}`);
}

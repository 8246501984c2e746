//! Options of `npm run test:webhooks`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface WebhookOptions {
  readonly events: number;
  readonly endpoints: number;
  /** Of api and worker processes. */
  readonly kills: number;
  /** How often Restate loses everything it knows. */
  readonly wipes: number;
  /** Answers that each endpoint never gives, so that the time-out has to. */
  readonly hangs: number;
  readonly seed: number;
  readonly minutesMax: number;
  /** Shows what the processes say on standard error. */
  readonly isLoud: boolean;
}

const FULL = { events: '5000', endpoints: '10', kills: '10', wipes: '1', hangs: '2' };
const QUICK = { events: '120', endpoints: '4', kills: '2', wipes: '0', hangs: '0' };

const usage = `npm run test:webhooks -- [options]
  --events N     events of one marketplace, each for every endpoint (5000, quick 120)
  --endpoints N  endpoints that fail a fifth of the time (10, quick 4)
  --kills N      kill -9 of api and worker processes on the way (10, quick 2)
  --wipes N      so often Restate is killed and loses everything (1, quick 0)
  --hangs N      answers that each endpoint never gives (2, quick 0)
  --quick        the short slice that every check runs
  --seed N       who fails when, and what is killed
  --minutes N    gives up after so long (30)
  --loud         show what the processes say on standard error
`;

export function readOptions(argv: string[]): WebhookOptions | undefined {
  const { values } = parseArgs({
    args: argv,
    options: {
      events: { type: 'string' },
      endpoints: { type: 'string' },
      kills: { type: 'string' },
      wipes: { type: 'string' },
      hangs: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      minutes: { type: 'string', default: '30' },
      quick: { type: 'boolean', default: false },
      loud: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return undefined;
  }
  const usual = values.quick ? QUICK : FULL;
  const count = (name: keyof typeof FULL) => readCount(name, values[name] ?? usual[name]);
  return {
    events: count('events'),
    endpoints: count('endpoints'),
    kills: count('kills'),
    wipes: count('wipes'),
    hangs: count('hangs'),
    seed: readCount('seed', values.seed),
    minutesMax: readCount('minutes', values.minutes),
    isLoud: values.loud,
  };
}

function readCount(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} wants a whole number, not ${text}`);
}

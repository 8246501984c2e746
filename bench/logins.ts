//! `npm run bench:logins`: what a flood of logins does to everybody else. People read their
//! balances in quiet and during the flood, in turns; the ratio of the two p99 is what counts.
import { setTimeout as sleep } from 'node:timers/promises';
import { askAt, dataOf } from '../tests/harness/api.ts';
import { count, flag, type OptionsOf, ratio } from '../tests/harness/options.ts';
import { say, tableText } from '../tests/harness/report.ts';
import { openSet } from '../tests/harness/set.ts';
import { percentilesOf } from './harness/figures.ts';
import { startHelper } from './harness/helper.ts';
import { type Outcome, runBench } from './harness/verdict.ts';
import type { skills } from './logins/flood.ts';

const options = {
  rate: count('logins a second that the flood tries', { full: 1000, quick: 200 }),
  seconds: count('of quiet and of flood in each round', { full: 10, quick: 2 }),
  rounds: count('rounds, each quiet and flooded in turn', { full: 3, quick: 1 }),
  accounts: count('accounts that the flood tries: few are stopped early, many are hashed', {
    full: 100_000,
  }),
  limit: ratio('how many times the quiet p99 the one under flood may be', { full: 3 }),
  quick: flag('a slice, too short to be held to the limit'),
  strict: flag('exit 1 when the limit is passed; always so without --quick'),
};
const WARM_UP_MS = 2000;
const READS_PER_SECOND = 50;
const PASSWORD = 'correct horse battery';

async function benchLogins(told: OptionsOf<typeof options>): Promise<Outcome> {
  const set = await openSet({
    worker: false,
    sandbox: 'none',
    // Only the bounds of hashing itself are left: the worst that a flood from everywhere can do.
    env: { HOLDFAST_RATE_LIMIT: '9000000', HOLDFAST_LOGIN_ATTEMPTS: '9000000' },
  });
  try {
    const { api } = set;
    const token = await register(api);
    await read(api, token, WARM_UP_MS);
    const [quiet, flooded]: [number[], number[]] = [[], []];
    const answers = new Map<number, number>();
    for (let round = 0; round < told.rounds; round += 1) {
      quiet.push(...(await read(api, token, told.seconds * 1000)));
      const flood = startHelper<typeof skills>(import.meta.resolve('./logins/flood.ts'));
      await flood.ask('begin', { api, rate: told.rate, accounts: told.accounts });
      flooded.push(...(await read(api, token, told.seconds * 1000)));
      for (const [status, times] of await flood.ask('end'))
        answers.set(status, (answers.get(status) ?? 0) + times);
      flood.close();
    }
    const logins = [...answers].map(([status, times]) => `${times} × ${status}`);
    say(`${readsTable({ quiet, flooded })}logins answered: ${logins.join(', ')}`);
    const figure = percentilesOf(flooded).p99 / percentilesOf(quiet).p99;
    const target = { name: 'p99 under flood to the quiet one', figure, most: told.limit };
    return { targets: [target], faults: [], isBinding: !told.quick };
  } finally {
    await set.stop();
  }
}

function readsTable(times: Readonly<Record<string, readonly number[]>>): string {
  const rows = Object.entries(times).map(([name, list]) => {
    const { p50, p99 } = percentilesOf(list);
    return [name, String(list.length), `${p50.toFixed(1)} ms`, `${p99.toFixed(1)} ms`];
  });
  return tableText([['GET /balances', 'reads', 'p50', 'p99'], ...rows]);
}

async function register(api: string): Promise<string> {
  const body = { email: 'reader@example.test', password: PASSWORD, name: 'Reader' };
  const answer = await askAt(`${api}/auth/register`, '', { body });
  return dataOf<{ token: string }>('/auth/register', answer).token;
}

/** At a steady pace, whether the one before has been answered or not. */
async function read(api: string, token: string, forMs: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const waits: Promise<number>[] = [];
  const until = performance.now() + forMs;
  for (let next = performance.now(); next < until; next += 1000 / READS_PER_SECOND) {
    await sleep(Math.max(0, next - performance.now()));
    const begun = performance.now();
    const answered = fetch(`${api}/balances`, { headers }).then(async (answer) => {
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`GET /balances answered ${answer.status}`);
      return performance.now() - begun;
    });
    waits.push(answered);
  }
  return Promise.all(waits);
}

await runBench({ name: 'npm run bench:logins', options }, benchLogins);

//! `npm run bench:logins`: the effect of a flood of logins on other requests. Clients read their
//! balances with and without the flood, in turns; the result is the ratio of the two p99. Before,
//! outsiders try an operator's account from many addresses while members log in; the result is the
//! time in which the operator signs in from a known device.
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@holdfast/kernel/assert';
import { callAt, dataOf } from '../tests/harness/api.ts';
import { count, flag, type OptionsOf, ratio } from '../tests/harness/options.ts';
import { print, tableText } from '../tests/harness/report.ts';
import { openSet } from '../tests/harness/set.ts';
import { percentilesOf } from './harness/figures.ts';
import { startHelper } from './harness/helper.ts';
import { type Outcome, runBench } from './harness/verdict.ts';
import type { skills } from './logins/flood.ts';
import { signInUnderAttack } from './logins/operator.ts';

const options = {
  rate: count('logins a second that the flood tries', { full: 1000, quick: 200 }),
  seconds: count('seconds without, then seconds with the flood, in each round', {
    full: 10,
    quick: 2,
  }),
  rounds: count('rounds, each quiet and flooded in turn', { full: 3, quick: 1 }),
  accounts: count('unknown accounts that the flood tries in turn', {
    full: 100_000,
  }),
  outsiders: count("tries on the operator's account, all at once, each from its own address", {
    full: 1000,
  }),
  logins: count('log-ins of members at the same time', { full: 200 }),
  limit: ratio('highest ratio of the p99 under flood to the p99 without it', { full: 3 }),
  quick: flag('a short run, which is not held to the limit'),
  strict: flag('exit 1 when the limit is passed; always so without --quick'),
};
const WARM_UP_MS = 2000;
const READS_PER_SECOND = 50;
const SIGN_IN_MS_MAX = 2000;
const PASSWORD = 'correct horse battery';

async function benchLogins(values: OptionsOf<typeof options>): Promise<Outcome> {
  await using set = await openSet({
    worker: false,
    sandbox: 'none',
    // Only the bounds of hashing itself are left: the worst that a flood from everywhere can do.
    env: {
      HOLDFAST_RATE_LIMIT: '9000000',
      HOLDFAST_LOGIN_ATTEMPTS: '9000000',
      HOLDFAST_SIGN_INS_PER_ADDRESS: '4',
      HOLDFAST_TRUSTED_PROXIES: '1',
    },
  });
  const { api } = set;
  const token = await register(api);
  await read(api, token, WARM_UP_MS);
  const [operator] = set.set.ready.operators;
  assert(operator !== undefined, 'a set has operators');
  const { outsiders: tries, logins: memberLogins } = values;
  const signInMs = await signInUnderAttack(api, operator, { tries, logins: memberLogins });
  const [quiet, flooded]: [number[], number[]] = [[], []];
  const responses = new Map<number, number>();
  for (let round = 0; round < values.rounds; round += 1) {
    quiet.push(...(await read(api, token, values.seconds * 1000)));
    using flood = startHelper<typeof skills>(import.meta.resolve('./logins/flood.ts'));
    await flood.call('start', { api, rate: values.rate, accounts: values.accounts });
    flooded.push(...(await read(api, token, values.seconds * 1000)));
    for (const [status, times] of await flood.call('end'))
      responses.set(status, (responses.get(status) ?? 0) + times);
  }
  const logins = [...responses].map(([status, times]) => `${times} × ${status}`);
  print(`${readsTable({ quiet, flooded })}login responses: ${logins.join(', ')}`);
  const targets = [
    {
      name: 'ratio of the p99 under flood to the p99 without it',
      figure: percentilesOf(flooded).p99 / percentilesOf(quiet).p99,
      most: values.limit,
    },
    {
      name: `ms of an operator's sign-in under ${tries} tries by outsiders and ${memberLogins} log-ins`,
      figure: signInMs,
      most: SIGN_IN_MS_MAX,
    },
  ];
  return { targets, faults: [], isBinding: !values.quick };
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
  const response = await callAt(`${api}/auth/register`, '', { body });
  return dataOf<{ token: string }>('/auth/register', response).token;
}

/** At a steady pace, without waiting for the response before. */
async function read(api: string, token: string, forMs: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const waits: Promise<number>[] = [];
  const until = performance.now() + forMs;
  for (let next = performance.now(); next < until; next += 1000 / READS_PER_SECOND) {
    await sleep(Math.max(0, next - performance.now()));
    const startedAt = performance.now();
    const responded = fetch(`${api}/balances`, { headers }).then(async (response) => {
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`GET /balances returned ${response.status}`);
      return performance.now() - startedAt;
    });
    waits.push(responded);
  }
  return Promise.all(waits);
}

await runBench({ name: 'npm run bench:logins', options }, benchLogins);

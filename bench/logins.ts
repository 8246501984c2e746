//! `npm run bench:logins`: what a flood of logins does to everybody else. People read their
//! balances in quiet and during the flood, in turns; the ratio of the two p99 is what counts.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startLocalSet } from '../apps/cli/src/local-set.ts';
import { percentilesOf, say } from './events/figures.ts';
import { layOut } from './table.ts';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    /** How many different accounts the flood tries: few are stopped early, many are hashed. */
    accounts: { type: 'string', default: '100000' },
    limit: { type: 'string', default: '3' },
  },
});
const READS_PER_SECOND = 50;
const PASSWORD = 'correct horse battery';
const FLOOD = fileURLToPath(new URL('logins/flood.ts', import.meta.url));

const figures = (list: readonly number[]) => percentilesOf(Float64Array.from(list));

async function main(): Promise<number> {
  const set = await startLocalSet({
    worker: false,
    sandbox: false,
    quiet: true,
    // Only the bounds of hashing itself are left: the worst that a flood from everywhere can do.
    env: { HOLDFAST_RATE_LIMIT: '9000000', HOLDFAST_LOGIN_ATTEMPTS: '9000000' },
  });
  try {
    const { api } = set.ready;
    const token = await register(api);
    await read(api, token, 2000);
    const quiet: number[] = [];
    const flooded: number[] = [];
    const answers = new Map<number, number>();
    for (let round = 0; round < Number(values.rounds); round += 1) {
      quiet.push(...(await read(api, token, Number(values.seconds) * 1000)));
      const flood = await startFlood(api);
      flooded.push(...(await read(api, token, Number(values.seconds) * 1000)));
      for (const [status, count] of await endFlood(flood))
        answers.set(status, (answers.get(status) ?? 0) + count);
    }
    return report(quiet, flooded, answers);
  } finally {
    await set.stop();
  }
}

function report(quiet: number[], flooded: number[], answers: ReadonlyMap<number, number>): number {
  const line = (name: string, list: number[]) => [
    name,
    String(list.length),
    `${figures(list).p50.toFixed(1)} ms`,
    `${figures(list).p99.toFixed(1)} ms`,
  ];
  say(
    layOut([
      ['GET /balances', 'reads', 'p50', 'p99'],
      line('quiet', quiet),
      line('flood', flooded),
    ]),
  );
  const logins = [...answers].map(([status, count]) => `${count} × ${status}`);
  say(`logins answered: ${logins.join(', ')}`);
  const ratio = figures(flooded).p99 / figures(quiet).p99;
  say(`p99 under flood is ${ratio.toFixed(2)} times the quiet one (limit ${values.limit})`);
  return ratio <= Number(values.limit) ? 0 : 1;
}

async function register(api: string): Promise<string> {
  const body = JSON.stringify({ email: 'reader@example.test', password: PASSWORD, name: 'Reader' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${api}/auth/register`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { token: string } };
  return data.token;
}

/** At a steady pace, whether the one before has been answered or not. */
async function read(api: string, token: string, forMs: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const waits: Promise<number>[] = [];
  const until = performance.now() + forMs;
  for (let next = performance.now(); next < until; next += 1000 / READS_PER_SECOND) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
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

/** In a process of its own, so that whoever measures is not kept waiting by whoever floods. */
async function startFlood(api: string): Promise<ChildProcess> {
  const child = fork(FLOOD, [api, String(values.rate), String(values.accounts)], {
    execArgv: ['--conditions=@holdfast/source'],
  });
  await once(child, 'message');
  return child;
}

async function endFlood(child: ChildProcess): Promise<[number, number][]> {
  child.send('end');
  const [counts] = (await once(child, 'message')) as [[number, number][]];
  child.kill();
  return counts;
}

process.exit(await main());

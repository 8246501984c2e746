//! What happens when something that the processes rely on is lost: what callers get, whether the
//! processes are ready, and that everything continues when it is back.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, call, poster } from '../../harness/api.ts';
import { createPair } from '../../harness/people.ts';
import { print } from '../../harness/report.ts';
import { within } from '../../harness/wait.ts';
import { credit, entriesAt, isReady, msUntil, type Run } from './environment.ts';
import {
  BACK_MS_MAX,
  expectBack,
  expectStatus,
  expectUnready,
  type Loss,
  SEEN_MS_MAX,
  textOf,
} from './expectations.ts';
import { loseStandby } from './lost-standby.ts';

export type Losses = Readonly<Record<string, Loss>>;

export async function loseEach(run: Run, losses: Losses) {
  const wrong: string[] = [];
  for (const [name, lose] of Object.entries(losses)) {
    const faults: string[] = [];
    const seen = await lose(run, faults).catch((error: Error) => {
      faults.push(error.message);
      return 'aborted';
    });
    print(`${name.padEnd(20)} ${seen}${faults.length > 0 ? '  WRONG' : ''}`);
    wrong.push(...faults.map((fault) => `${name}: ${fault}`));
  }
  return wrong;
}

/** The worker checks an unknown outcome less often with time. */
const ESCROW_MS_MAX = 90_000;

const loseDatabase: Loss = async (run, wrong) => {
  const { primary } = run.replication;
  primary.kill();
  const unready = await expectUnready(run, wrong);
  const refused = expectStatus(await credit(run), 503, wrong);
  primary.start();
  return `${refused}; ${unready}; ${await expectBack(run, wrong)}`;
};

const becomeReadOnly: Loss = async (run, wrong) => {
  const { primary } = run.replication;
  const set = async (how: string) => {
    await primary.query(`alter system ${how}`);
    await primary.query('select pg_reload_conf()');
  };
  await set('set default_transaction_read_only = on');
  const unready = await expectUnready(run, wrong);
  const refused = expectStatus(await credit(run), 503, wrong);
  await set('reset default_transaction_read_only');
  return `${refused}; ${unready}; ${await expectBack(run, wrong)}`;
};

const fillDisk: Loss = async (run, wrong) => {
  const { fillDisk: fill } = run.replication;
  if (fill === undefined) return 'left out: only an administrator can mount a small disk';
  const empty = fill();
  let refused: ApiResponse | undefined;
  // Pages have room left at first.
  const isFull = async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => credit(run)));
    refused = responses.find(({ status }) => status !== 200);
    return refused !== undefined;
  };
  await within(SEEN_MS_MAX, isFull, 0);
  const seen = refused === undefined ? 'no call failed' : expectStatus(refused, 503, wrong);
  if (refused === undefined) wrong.push(seen);
  // A worker has not written, so it has not seen it.
  const isSeen = async () => (await run.probe('/ready'))[0] === 503;
  const ms = await msUntil(SEEN_MS_MAX, isSeen);
  if (ms === undefined) wrong.push('the process that wrote was ready');
  empty();
  return `${seen}; not ready after ${ms} ms; ${await expectBack(run, wrong)}`;
};

async function orderTerms(run: Run): Promise<object> {
  return { ...(await createPair(poster(run.direct), '20.00')), amount: '10.00', title: 'A table' };
}

const loseRedis: Loss = async (run, wrong) => {
  const remaining = async () => {
    const { api, apiKey } = run.direct;
    const { headers } = await fetch(`${api}/api/v1/users/${run.userId}/balance`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    return Number(headers.get('x-ratelimit-remaining'));
  };
  await run.redis.kill();
  await sleep(200);
  const [one, other] = [await remaining(), await remaining()];
  if (one - other !== 2) wrong.push(`a call counted ${one - other} times instead of twice`);
  const done = expectStatus(await credit(run), 200, wrong);
  const late = await eventDelay(run);
  if (late > 1500) wrong.push(`an event was ${late} ms late`);
  if (!(await isReady(run))) wrong.push('a process was not ready');
  await run.apis[1].restart('SIGKILL');
  if ((await msUntil(BACK_MS_MAX, () => isReady(run))) === undefined)
    wrong.push('a process did not start without Redis');
  await run.redis.restart();
  return `${done}, counted twice; event after ${late} ms; ready; starts without it`;
};

/** From the call to the event at a reader of the stream. */
async function eventDelay(run: Run): Promise<number> {
  const { api, apiKey } = run.direct;
  const ending = new AbortController();
  const response = await fetch(`${api}/api/v1/events`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: ending.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  const startedAt = performance.now();
  await credit(run);
  for (let text = ''; !text.includes('balance.credited'); ) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  ending.abort();
  return Math.round(performance.now() - startedAt);
}

const loseEngine: Loss = async (run, wrong) => {
  const path = '/orders/ord_00000000000000000000000000/escrow';
  const start = () => call(run.direct, { path, body: {} });
  const before = textOf(await start());
  await run.engine.kill('SIGKILL');
  let response = await start();
  await within(SEEN_MS_MAX, async () => {
    response = await start();
    return response.status === 503;
  });
  const refused = expectStatus(response, 503, wrong);
  const done = expectStatus(await credit(run), 200, wrong);
  if (!(await isReady(run))) wrong.push('a process was not ready');
  await run.engine.start();
  const ms = await msUntil(BACK_MS_MAX, async () => textOf(await start()) === before);
  if (ms === undefined) wrong.push(`provider work is not ${before} again`);
  return `provider work ${refused}; other calls ${done}; ready; back after ${ms} ms`;
};

/** The providers and the network do not respond, and respond again. */
const loseProviders: Loss = async (run, wrong) => {
  const post = poster(run.direct);
  const path = `/orders/${String((await post('/orders', await orderTerms(run)))['id'])}`;
  await post(`${path}/reserve`, {});
  process.kill(run.sandbox.pid, 'SIGSTOP');
  const unknown = await call(run.direct, { path: `${path}/escrow`, body: {}, msMax: 45_000 });
  const seen = expectStatus(unknown, 504, wrong);
  const done = expectStatus(await credit(run), 200, wrong);
  if (!(await isReady(run))) wrong.push('a process was not ready');
  process.kill(run.sandbox.pid, 'SIGCONT');
  const isCreated = async () => {
    const { data } = await call(run.direct, { path });
    return (data as { status?: string } | undefined)?.status === 'ESCROW_FUNDING';
  };
  const ms = await msUntil(ESCROW_MS_MAX, isCreated);
  if (ms === undefined) wrong.push('the escrow was not created');
  return `${seen}; other calls ${done}; ready; the escrow exists ${ms} ms after they are back`;
};

/** The primary dies under load, and its standby is promoted: no acknowledged credit is lost. */
const losePrimary: Loss = async (run, wrong) => {
  const { primary, standby } = run.replication;
  const before = await entriesAt(run, primary.port);
  let [sent, acknowledged, isEnding] = [0, 0, false];
  const writer = async () => {
    while (!isEnding) {
      sent += 1;
      const { status } = await credit(run);
      if (status === 200) acknowledged += 1;
      else await sleep(20);
    }
  };
  const writing = Array.from({ length: 8 }, writer);
  await sleep(1000);
  primary.kill();
  await standby.query('select pg_promote()');
  const ready = await msUntil(BACK_MS_MAX, () => isReady(run));
  const back = await expectBack(run, wrong);
  if (ready === undefined) wrong.push('not ready within 30 s of the promotion');
  isEnding = true;
  await Promise.all(writing);
  const entries = (await entriesAt(run, standby.port)) - before;
  if (entries < acknowledged) wrong.push(`${acknowledged} acknowledged, ${entries} posted`);
  return `ready ${ready} ms after the promotion, ${back}; ${acknowledged} of ${sent} acknowledged, ${entries - acknowledged} more posted`;
};

export const QUICK: Losses = { Redis: loseRedis };

/** In this order: after the last one the roles of the servers are exchanged. */
export const ALL: Losses = {
  PostgreSQL: loseDatabase,
  'Writes (read-only)': becomeReadOnly,
  'Disk of the data': fillDisk,
  'Synchronous standby': loseStandby,
  Redis: loseRedis,
  Restate: loseEngine,
  Providers: loseProviders,
  Primary: losePrimary,
};

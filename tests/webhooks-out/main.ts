//! `npm run test:webhooks`: endpoints that fail, hang and answer late, while api and workers are
//! killed; in the end every endpoint has every event, in order, signed, at least once.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { inLanes } from '../chaos/lanes.ts';
import { steadyPort } from '../chaos/steady-port.ts';
import { planStrikes, runStrikes, type StrikeStage } from '../chaos/strikes.ts';
import { chanceOf } from '../chaos-events/chance.ts';
import { type OwnRedis, startRedis } from '../chaos-events/redis.ts';
import { closeConnections } from '../crash/http.ts';
import { type Expected, judge, lagsOf } from './judge.ts';
import { readOptions, type WebhookOptions } from './options.ts';
import { type Inbox, openReceivers, type Receivers } from './receivers.ts';
import { runText } from './report.ts';
import {
  creditOnce,
  type MadeEndpoint,
  makeEndpoint,
  openShop,
  pullLog,
  type Shop,
} from './shop.ts';

/** Who draws which chance. */
const LUCK = { ports: 1, strikes: 2 };
const WRITERS = 8;
/** The other marketplace has one endpoint and a few events, which nobody else may see. */
const OTHERS_SHARE = 20;
/** So many events at most wait for the slowest endpoint. */
const AHEAD_MAX = 100;
const SAY_EVERY_MS = 15_000;
const say = (text: string) => process.stdout.write(text);

interface Run {
  readonly options: WebhookOptions;
  readonly stage: StrikeStage;
  readonly urls: readonly string[];
  readonly receivers: Receivers;
  readonly shop: Shop;
  readonly other: Shop;
  /** The last one is the other marketplace's. */
  readonly endpoints: readonly MadeEndpoint[];
}

async function testWebhooks(options: WebhookOptions): Promise<number> {
  say(`seed ${options.seed}\n`);
  const receivers = await openReceivers(options.endpoints + 1, options.hangs, options.seed);
  const redis = await startRedis();
  const starting = startSet(redis, options);
  const stop = async () => {
    closeConnections();
    await starting.then((set) => set.stop()).catch(() => undefined);
    await redis.kill();
    await receivers.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    const wrong = await runAll(await openRun(options, await starting, redis, receivers));
    say(wrong.length === 0 ? 'webhooks: sound\n' : `${wrong.join('\n')}\nwebhooks: WRONG\n`);
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

async function startSet(redis: OwnRedis, { isLoud }: WebhookOptions): Promise<LocalSet> {
  return startLocalSet({
    port: await steadyPort(chanceOf(process.pid, LUCK.ports)),
    workers: 2,
    sandbox: false,
    engine: true,
    quiet: !isLoud,
    env: {
      REDIS_URL: redis.url,
      HOLDFAST_RATE_LIMIT: '1000000',
      HOLDFAST_MASTER_RATE_LIMIT: '1000000',
      HOLDFAST_POOL_SIZE: '10',
      // Where many share few cores, slow is not away.
      HOLDFAST_POOL_WAIT_MS: '5000',
      // Processes are started all the time: they should not compile anew.
      NODE_COMPILE_CACHE: join(tmpdir(), 'holdfast-compile-cache'),
    },
  });
}

async function openRun(
  options: WebhookOptions,
  set: LocalSet,
  redis: OwnRedis,
  receivers: Receivers,
): Promise<Run> {
  const { engine, ready } = set;
  if (engine === undefined) throw new Error('webhooks are driven by Restate');
  await engine.served();
  const apis = [...set.apis, await set.startApi(await steadyPort(chanceOf(process.pid, 2)))];
  const urls = apis.map(({ url }) => url);
  const shop = await openShop(urls, ready.masterKey, 'shop');
  const other = await openShop(urls, ready.masterKey, 'other');
  const endpoints: MadeEndpoint[] = [];
  for (const [at, inbox] of receivers.inboxes.entries()) {
    const whose = at < options.endpoints ? shop : other;
    const made = await makeEndpoint(urls, whose, receivers.urlOf(at));
    inbox.secret = made.secret;
    endpoints.push(made);
  }
  const stage = { set, engine, redis, apis, workers: [...set.workers] };
  return { options, stage, urls, receivers, shop, other, endpoints };
}

async function runAll(run: Run): Promise<string[]> {
  const { options, urls, receivers, shop, other } = run;
  const begun = performance.now();
  const done = () => Math.min(...receivers.inboxes.slice(0, -1).map(({ firsts }) => firsts.size));
  const { kills, wipes, seed } = options;
  const [chance, worker] = [chanceOf(seed, LUCK.strikes), Math.ceil(kills / 2)];
  const strikes = planStrikes(
    { worker, api: kills - worker, restate: 0, wipe: wipes, flush: 0 },
    chance,
  );
  const striking = runStrikes(run.stage, strikes, chance, () => done() / options.events);
  const saying = setInterval(() => say(`${done()} of ${options.events}\n`), SAY_EVERY_MS);
  await inLanes(Array.from({ length: options.events }), WRITERS, async (_, at) => {
    // Whatever is killed is killed while something is written, too.
    while (at - done() > AHEAD_MAX) await sleep(20);
    await creditOnce(urls, shop, at);
    if (at % OTHERS_SHARE === 0) await creditOnce(urls, other, at);
  });
  const writtenSeconds = (performance.now() - begun) / 1000;
  const expected = await awaitAll(run, begun + options.minutesMax * 60_000);
  clearInterval(saying);
  const isStruck = await Promise.race([
    striking.then(() => true),
    sleep(60_000, false, { ref: false }),
  ]);
  const seconds = (performance.now() - begun) / 1000;
  const wrong = expected.flatMap((each) => judge(each, each.inbox));
  if (!isStruck) wrong.push('not all was killed that should have been');
  const lags = expected.flatMap((each) => lagsOf(each, each.inbox));
  const { inboxes } = receivers;
  say(`\n${runText({ options, inboxes, expected, strikes, writtenSeconds, seconds, lags })}`);
  return wrong;
}

/** Until every endpoint has every event of its log, or it takes too long. */
async function awaitAll(run: Run, giveUpAt: number): Promise<Told[]> {
  for (;;) {
    const told = await toldOf(run);
    const isAll = () =>
      told.every(({ events, inbox }) => events.every(({ eventId }) => inbox.firsts.has(eventId)));
    const isWholeLog = told[0] !== undefined && told[0].events.length >= run.options.events;
    while (!isAll() && performance.now() < giveUpAt) await sleep(100);
    if (isWholeLog || performance.now() >= giveUpAt) return told;
    // What was acknowledged last had no place yet when the log was read.
    await sleep(500);
  }
}

interface Told extends Expected {
  readonly inbox: Inbox;
}

async function toldOf({ endpoints, options, shop, other, urls, receivers }: Run): Promise<Told[]> {
  const told: Told[] = [];
  for (const [at, inbox] of receivers.inboxes.entries()) {
    const whose = at < options.endpoints ? shop : other;
    const events = await pullLog(urls, whose, endpoints[at]?.deliveredTo ?? null);
    told.push({ name: `endpoint ${at + 1}`, marketplaceId: whose.id, events, inbox });
  }
  return told;
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await testWebhooks(options);

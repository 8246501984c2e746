//! `npm run chaos:events`: kills what carries events while consumers cut their streams; every
//! transcript must still equal the log.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { closeConnections, exchange } from '../crash/http.ts';
import { findAuditFaults } from './audit.ts';
import { runCaller } from './caller.ts';
import { chanceOf } from './chance.ts';
import { type Audience, type Consumer, LONG_LIFE, newConsumer, runConsumer } from './consumer.ts';
import { findDeafStreams } from './crowd.ts';
import type { Intent, Marketplace } from './intent.ts';
import { isOutboxEmpty, type Log, readLog } from './log.ts';
import { type ChaosOptions, readOptions } from './options.ts';
import { startPace } from './pace.ts';
import { castOf } from './personas.ts';
import { pullAll } from './pull.ts';
import { type OwnRedis, startRedis } from './redis.ts';
import { type Run, runText, violationsOf, violationsText } from './report.ts';
import { findLostSeats } from './seats.ts';
import { newStruck, runStrikes, type Struck, timetableOf } from './strikes.ts';
import { expectedOf, judge } from './verdict.ts';
import { startWatch, type Watch } from './watch.ts';
import { runWriter } from './writer.ts';

const CALLERS = 2;
const DRAIN_MS_MAX = 30_000;
/** So many faults of one consumer tell enough. */
const FAULTS_MAX = 100;
/** What opening a stream takes, roughly: so that the consumers get their cuts in time. */
const OPEN_MS = 40;
/** Who draws which chance. */
const LUCK = { strikes: 1, pulls: 2, crowds: 3, writers: 1000, callers: 2000, consumers: 3000 };
const say = (text: string) => process.stdout.write(text);

interface World {
  readonly options: ChaosOptions;
  readonly set: LocalSet;
  readonly redis: OwnRedis;
  readonly monitor: Client;
  readonly watch: Watch;
  /** Sends the consumers home. */
  readonly closing: AbortController;
  readonly intent: Intent;
  readonly consumers: readonly Consumer[];
  readonly audience: Audience;
  readonly struck: Struck;
  readonly faults: string[];
}

async function chaosEvents(options: ChaosOptions): Promise<number> {
  say(`seed ${options.seed}\n`);
  const redis = await startRedis();
  const set = await startSet(options, redis).catch(async (error: unknown) => {
    await redis.kill();
    throw error;
  });
  const monitor = new Client({ connectionString: set.databaseUrl, application_name: 'chaos' });
  const closing = new AbortController();
  try {
    await monitor.connect();
    const run = await runWatched(options, { set, redis, monitor, closing });
    const violations = violationsOf(run);
    const isSound = violations.length === 0;
    say(`\n${runText(run)}${isSound ? 'sound' : `VIOLATIONS\n${violationsText(violations)}`}\n`);
    return isSound ? 0 : 1;
  } finally {
    closing.abort();
    closeConnections();
    await monitor.end().catch(() => undefined);
    await set.stop();
    await redis.kill();
  }
}

async function runWatched(
  options: ChaosOptions,
  parts: Pick<World, 'set' | 'redis' | 'monitor' | 'closing'>,
): Promise<Run> {
  const watch = await startWatch(parts.set.databaseUrl);
  try {
    return await runAll(await openWorld(options, { ...parts, watch }));
  } finally {
    await watch.stop();
  }
}

/** Not much more than is needed: one that is not given back after a cut is soon missed. */
function seatsOfEach({ consumers, marketplaces }: ChaosOptions): number {
  return 4 + 2 * Math.ceil(consumers / marketplaces);
}

function startSet(options: ChaosOptions, redis: OwnRedis): Promise<LocalSet> {
  return startLocalSet({
    port: 0,
    apis: 2,
    workers: 2,
    sandbox: false,
    quiet: !options.isLoud,
    env: {
      REDIS_URL: redis.url,
      HOLDFAST_RATE_LIMIT: 'off',
      HOLDFAST_MASTER_RATE_LIMIT: '1000000',
      HOLDFAST_STREAMS_PER_KEY: String(seatsOfEach(options)),
      HOLDFAST_POOL_SIZE: '8',
    },
  });
}

async function openWorld(
  options: ChaosOptions,
  parts: Pick<World, 'set' | 'redis' | 'monitor' | 'watch' | 'closing'>,
): Promise<World> {
  const { set, monitor } = parts;
  const marketplaces: Marketplace[] = [];
  for (let at = 1; at <= options.marketplaces; at += 1)
    marketplaces.push(await createMarketplace(set, monitor, `Chaos ${at}`));
  const meanMs = (options.seconds * 1000) / (options.cuts * 1.15) - OPEN_MS;
  const longMs = (LONG_LIFE.percent / 100) * (LONG_LIFE.msMin + LONG_LIFE.msSpread / 2);
  return {
    ...parts,
    options,
    intent: { marketplaces, events: [], transactions: 0, rollbacks: 0, retries: 0 },
    consumers: castOf(options.consumers, marketplaces).map(newConsumer),
    audience: {
      urls: set.apis.map(({ url }) => url),
      masterKey: set.ready.masterKey,
      beginning: new Date(Date.now() - 60_000).toISOString(),
      lifeMsMax: Math.max(100, Math.round(2 * (meanMs - longMs))),
      isDraining: false,
      signal: parts.closing.signal,
    },
    struck: newStruck(),
    faults: [],
  };
}

async function createMarketplace(
  set: LocalSet,
  monitor: Client,
  name: string,
): Promise<Marketplace> {
  const headers = {
    authorization: `Bearer ${set.ready.masterKey}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ name, scopes: ['read', 'write'] });
  const answer = await exchange(`${set.ready.api}/api/v1/auth/api-keys`, 'POST', headers, body);
  if (answer.status !== 201) throw new Error(`POST /auth/api-keys answered ${answer.status}`);
  const { data } = JSON.parse(answer.body.toString()) as {
    data: { data: { key: string; marketplaceId: string } };
  };
  const { key, marketplaceId: id } = data.data;
  const { rows } = await monitor.query<{ number: string }>(
    'select id::text as number from marketplace where public_id = $1',
    [id],
  );
  if (rows[0] === undefined) throw new Error(`no marketplace ${id}`);
  return { number: rows[0].number, id, key };
}

async function runAll(world: World): Promise<Run> {
  const { options, watch, intent, consumers, audience, struck, faults } = world;
  const startedAt = performance.now();
  const reading = Promise.all(
    consumers.map((consumer, at) =>
      runConsumer(consumer, audience, chanceOf(options.seed, LUCK.consumers + at)),
    ),
  ).catch((error: unknown) => faults.push(String(error)));
  await writeAndStrike(world);
  const isLogged = await within(DRAIN_MS_MAX, () => isOutboxEmpty(world.monitor));
  if (!isLogged) faults.push('committed events still wait for their place');
  const log = await readLog(world.monitor);
  audience.isDraining = true;
  const isRead = await within(DRAIN_MS_MAX, () =>
    consumers.every((consumer) => hasReached(consumer, log)),
  );
  if (!isRead) faults.push('a consumer did not come to the end of its log');
  world.closing.abort();
  await reading;
  faults.push(...(await findPullFaults(world, log)));
  const { marketplaces } = intent;
  const luck = chanceOf(options.seed, LUCK.crowds);
  faults.push(...(await findDeafStreams(audience.urls, marketplaces, world.monitor, luck)));
  faults.push(...(await findLostSeats(audience.urls, marketplaces, seatsOfEach(options))));
  faults.push(...(await findAuditFaults(world.set.databaseUrl)));
  const seconds = (performance.now() - startedAt) / 1000;
  const silenceMs = watch.silenceMs;
  const verdict = judge(log, intent, consumers);
  return { options, intent, consumers, struck, silenceMs, seconds, verdict, faults };
}

async function findPullFaults({ options, audience, intent }: World, log: Log): Promise<string[]> {
  const chance = chanceOf(options.seed, LUCK.pulls);
  const faults: string[] = [];
  for (const marketplace of intent.marketplaces) {
    const pulled = await pullAll(audience.urls, marketplace, chance);
    const told = (log.get(marketplace.id) ?? []).map(({ eventId }) => eventId);
    if (pulled.join() !== told.join())
      faults.push(`the pulled list of ${marketplace.id} is not its log`);
  }
  return faults;
}

/** Everything that happens while the consumers read, until the last event is written. */
async function writeAndStrike(world: World): Promise<void> {
  const { options, set, redis, monitor, watch, intent, consumers, audience, struck } = world;
  const { seed } = options;
  const chance = chanceOf(seed, LUCK.strikes);
  const timetable = timetableOf(options, chance);
  const pace = startPace({
    events: options.events,
    seconds: options.seconds,
    cutShare: () => Math.min(...consumers.map(({ cuts }) => cuts)) / options.cuts,
    // Writers do not run away from a strike that lasts, and the last one falls before they end.
    strikeShare: () => (timetable.length === 0 ? 1 : (struck.done + 1.5) / timetable.length),
    isHopeless: () => consumers.some(isHopeless),
  });
  const stage = {
    ...{ set, redis, monitor, watch, chance, struck },
    apis: [...set.apis],
    workers: [...set.workers],
    pace,
  };
  const work = [
    ...Array.from({ length: options.writers }, (_, at) => {
      const luck = chanceOf(seed, LUCK.writers + at);
      return runWriter(set.databaseUrl, `writer ${at + 1}`, luck, intent, pace);
    }),
    ...Array.from({ length: CALLERS }, (_, at) => {
      const luck = chanceOf(seed, LUCK.callers + at);
      return runCaller(audience.urls, `caller ${at + 1}`, luck, intent, pace);
    }),
    runStrikes(stage, timetable),
  ];
  try {
    await Promise.all(work);
  } finally {
    pace.giveUp();
    await Promise.allSettled(work);
  }
  if (pace.isUnfinished()) world.faults.push('the run was given up before its end');
}

function isHopeless({ faults, sentAway }: Consumer): boolean {
  return sentAway + [...faults.values()].reduce((sum, times) => sum + times, 0) > FAULTS_MAX;
}

function hasReached(consumer: Consumer, log: Log): boolean {
  const last = expectedOf(log, consumer).at(-1);
  return last === undefined || (consumer.place?.id ?? '') >= last.occurredAt;
}

async function within(ms: number, isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
  const giveUpAt = performance.now() + ms;
  while (performance.now() < giveUpAt) {
    if (await isTrue()) return true;
    await sleep(50);
  }
  return false;
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await chaosEvents(options);

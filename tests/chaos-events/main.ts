//! `npm run chaos:events`: kills what carries events while consumers cut their streams; every
//! transcript must still equal the log.
import type { Pool } from 'pg';
import { ask, pullLog } from '../harness/api.ts';
import { type Chance, chanceOf } from '../harness/chance.ts';
import { makeMarketplace } from '../harness/people.ts';
import type { OwnRedis } from '../harness/redis.ts';
import { say } from '../harness/report.ts';
import { auditRun, runHarness } from '../harness/run.ts';
import { needed, type OpenSet, openStage, type SetWishes, type Stage } from '../harness/set.ts';
import { within } from '../harness/wait.ts';
import { runCaller } from './caller.ts';
import { type Audience, type Consumer, LONG_LIFE, newConsumer, runConsumer } from './consumer.ts';
import { findDeafStreams } from './crowd.ts';
import type { Intent, Marketplace } from './intent.ts';
import { isOutboxEmpty, type Log, readLog } from './log.ts';
import { type ChaosOptions, COMMAND } from './options.ts';
import { startPace } from './pace.ts';
import { castOf } from './personas.ts';
import { type Run, runText, violationsOf } from './report.ts';
import { findLostSeats } from './seats.ts';
import { newStruck, type Struck, strikeAll } from './strikes.ts';
import { expectedOf, judge } from './verdict.ts';
import { startWatch, type Watch } from './watch.ts';
import { runWriter } from './writer.ts';

const CALLERS = 2;
const PAGE_MAX = 100;
const DRAIN_MS_MAX = 30_000;
/** So many faults of one consumer tell enough. */
const FAULTS_MAX = 100;
/** What opening a stream takes, roughly: so that the consumers get their cuts in time. */
const OPEN_MS = 40;
/** Who draws which chance. */
const LUCK = { strikes: 1, pulls: 2, crowds: 3, writers: 1000, callers: 2000, consumers: 3000 };

interface World {
  readonly options: ChaosOptions;
  readonly watch: Watch;
  readonly redis: OwnRedis;
  /** Sends the consumers home. */
  readonly closing: AbortController;
  readonly intent: Intent;
  readonly consumers: readonly Consumer[];
  readonly audience: Audience;
  readonly chance: Chance;
  readonly struck: Struck;
  readonly faults: string[];
}

async function chaosEvents(options: ChaosOptions): Promise<readonly string[]> {
  const world = await openStage(wishesOf(options), (set, begun) => openWorld(options, set, begun));
  try {
    const run = await runAll(world);
    say(`\n${runText(run)}`);
    return violationsOf(run);
  } finally {
    await world.stop();
  }
}

/** Not much more than is needed: one that is not given back after a cut is soon missed. */
function seatsOfEach({ consumers, marketplaces }: ChaosOptions): number {
  return 4 + 2 * Math.ceil(consumers / marketplaces);
}

function wishesOf(options: ChaosOptions): SetWishes {
  return {
    apis: 2,
    workers: 2,
    sandbox: 'none',
    hasRedis: true,
    isLoud: options.loud,
    env: {
      HOLDFAST_RATE_LIMIT: 'off',
      HOLDFAST_MASTER_RATE_LIMIT: '1000000',
      HOLDFAST_STREAMS_PER_KEY: String(seatsOfEach(options)),
      HOLDFAST_POOL_SIZE: '8',
    },
  };
}

async function openWorld(
  options: ChaosOptions,
  { set, monitor, redis, urls, databaseUrl }: OpenSet,
  begun: AsyncDisposableStack,
): Promise<World> {
  const watch = await startWatch(databaseUrl);
  begun.defer(() => watch.stop());
  const closing = new AbortController();
  begun.defer(async () => closing.abort());
  const marketplaces: Marketplace[] = [];
  for (let at = 1; at <= options.marketplaces; at += 1) {
    const made = await makeMarketplace(set.ready, `Chaos ${at}`);
    marketplaces.push({ ...made, number: await numberOf(monitor, made.id) });
  }
  const meanMs = (options.seconds * 1000) / (options.cuts * 1.15) - OPEN_MS;
  const longMs = (LONG_LIFE.percent / 100) * (LONG_LIFE.msMin + LONG_LIFE.msSpread / 2);
  const chance = chanceOf(options.seed, LUCK.strikes);
  return {
    ...{ options, watch, closing, chance },
    redis: needed(redis, 'Redis'),
    intent: { marketplaces, events: [], transactions: 0, rollbacks: 0, retries: 0 },
    consumers: castOf(options.consumers, marketplaces).map(newConsumer),
    audience: {
      urls,
      masterKey: set.ready.masterKey,
      beginning: new Date(Date.now() - 60_000).toISOString(),
      lifeMsMax: Math.max(100, Math.round(2 * (meanMs - longMs))),
      isDraining: false,
      signal: closing.signal,
    },
    struck: newStruck(options, chance),
    faults: [],
  };
}

async function numberOf(monitor: Pool, marketplaceId: string): Promise<string> {
  const { rows } = await monitor.query<{ number: string }>(
    'select id::text as number from marketplace where public_id = $1',
    [marketplaceId],
  );
  return needed(rows[0], marketplaceId).number;
}

async function runAll(world: Stage<World>): Promise<Run> {
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
  faults.push(...(await auditRun(world)));
  const seconds = (performance.now() - startedAt) / 1000;
  const silenceMs = watch.silenceMs;
  const verdict = judge(log, intent, consumers);
  return { options, intent, consumers, struck, silenceMs, seconds, verdict, faults };
}

async function findPullFaults({ options, audience, intent }: World, log: Log): Promise<string[]> {
  const chance = chanceOf(options.seed, LUCK.pulls);
  const faults: string[] = [];
  for (const { id, key: apiKey } of intent.marketplaces) {
    const get = (path: string) => ask({ api: chance.oneOf(audience.urls), apiKey }, { path });
    const pulled = await pullLog(get, null, () => 1 + chance.below(PAGE_MAX));
    const told = log.get(id) ?? [];
    if (idsOf(pulled) !== idsOf(told)) faults.push(`the pulled list of ${id} is not its log`);
  }
  return faults;
}

function idsOf(events: readonly { readonly eventId: string }[]): string {
  return events.map(({ eventId }) => eventId).join();
}

/** Everything that happens while the consumers read, until the last event is written. */
async function writeAndStrike(world: Stage<World>): Promise<void> {
  const { options, databaseUrl, intent, consumers, audience, struck } = world;
  const { seed } = options;
  const pace = startPace({
    events: options.events,
    seconds: options.seconds,
    cutShare: () => Math.min(...consumers.map(({ cuts }) => cuts)) / options.cuts,
    // Writers do not run away from a strike that lasts, and the last one falls before they end.
    strikeShare: struck.strikes.share,
    isHopeless: () => consumers.some(isHopeless),
  });
  const work = [
    ...Array.from({ length: options.writers }, (_, at) => {
      const luck = chanceOf(seed, LUCK.writers + at);
      return runWriter(databaseUrl, `writer ${at + 1}`, luck, intent, pace);
    }),
    ...Array.from({ length: CALLERS }, (_, at) => {
      const luck = chanceOf(seed, LUCK.callers + at);
      return runCaller(audience.urls, `caller ${at + 1}`, luck, intent, pace);
    }),
    strikeAll({ ...world, pace }),
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

await runHarness(COMMAND, chaosEvents);

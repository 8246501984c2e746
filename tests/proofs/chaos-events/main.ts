//! `npm run chaos:events`: kills the processes that carry events while consumers cut their streams;
//! every transcript must still equal the log.
import { call, pullLog } from '../../harness/api.ts';
import { createMarketplace, marketplaceNumber } from '../../harness/people.ts';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import type { OwnRedis } from '../../harness/redis.ts';
import { print } from '../../harness/report.ts';
import { auditRun, runHarness } from '../../harness/run.ts';
import {
  type Environment,
  needed,
  type OpenSet,
  openEnvironment,
  type SetOptions,
} from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { runCaller } from './caller.ts';
import { type Audience, type Consumer, LONG_LIFE, newConsumer, runConsumer } from './consumer.ts';
import { type DisruptionLog, disruptAll, newDisruptionLog } from './disruptions.ts';
import { findDeafStreams } from './find-deaf-streams.ts';
import { findLeakedStreams } from './find-leaked-streams.ts';
import type { Intent, Marketplace } from './intent.ts';
import { isOutboxEmpty, type Log, readLog } from './log.ts';
import { type ChaosOptions, COMMAND } from './options.ts';
import { startPace } from './pace.ts';
import { castOf } from './personas.ts';
import { type Run, runText, violationsOf } from './report.ts';
import { checkRun, expectedOf } from './verdict.ts';
import { startWatch, type Watch } from './watch.ts';
import { runWriter } from './writer.ts';

const CALLERS = 2;
const PAGE_MAX = 100;
const DRAIN_MS_MAX = 30_000;
/** The run stops early after this many faults of one consumer. */
const FAULTS_MAX = 100;
/** Approximate time to open a stream, so that the consumers reach their cuts in time. */
const OPEN_MS = 40;
/** The random stream of each component. */
const RANDOM_STREAM = {
  disruptions: 1,
  pulls: 2,
  crowds: 3,
  writers: 1000,
  callers: 2000,
  consumers: 3000,
};

interface World {
  readonly options: ChaosOptions;
  readonly watch: Watch;
  readonly redis: OwnRedis;
  /** Stops the consumers. */
  readonly closing: AbortController;
  readonly intent: Intent;
  readonly consumers: readonly Consumer[];
  readonly audience: Audience;
  readonly random: SeededRandom;
  readonly disruptionLog: DisruptionLog;
  readonly faults: string[];
}

async function chaosEvents(options: ChaosOptions): Promise<readonly string[]> {
  await using world = await openEnvironment(setOptionsOf(options), (set, cleanup) =>
    openWorld(options, set, cleanup),
  );
  const run = await runAll(world);
  print(`\n${runText(run)}`);
  return violationsOf(run);
}

/** Only a few spare ones, so that a stream that is not released after a cut is soon missed. */
function streamsPerKey({ consumers, marketplaces }: ChaosOptions): number {
  return 4 + 2 * Math.ceil(consumers / marketplaces);
}

function setOptionsOf(options: ChaosOptions): SetOptions {
  return {
    apis: 2,
    workers: 2,
    sandbox: 'none',
    hasRedis: true,
    isLoud: options.loud,
    env: {
      HOLDFAST_RATE_LIMIT: 'off',
      HOLDFAST_MASTER_RATE_LIMIT: '1000000',
      HOLDFAST_STREAMS_PER_KEY: String(streamsPerKey(options)),
      HOLDFAST_POOL_SIZE: '8',
    },
  };
}

async function openWorld(
  options: ChaosOptions,
  { set, monitor, redis, urls, databaseUrl }: OpenSet,
  cleanup: AsyncDisposableStack,
): Promise<World> {
  const watch = await startWatch(databaseUrl);
  cleanup.defer(() => watch.stop());
  const closing = new AbortController();
  cleanup.defer(async () => closing.abort());
  const marketplaces: Marketplace[] = [];
  for (let at = 1; at <= options.marketplaces; at += 1) {
    const created = await createMarketplace(set.ready, `Chaos ${at}`);
    marketplaces.push({ ...created, number: await marketplaceNumber(monitor, created.id) });
  }
  const meanMs = (options.seconds * 1000) / (options.cuts * 1.15) - OPEN_MS;
  const longMs = (LONG_LIFE.percent / 100) * (LONG_LIFE.msMin + LONG_LIFE.msSpread / 2);
  const random = randomOf(options.seed, RANDOM_STREAM.disruptions);
  return {
    ...{ options, watch, closing, random },
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
    disruptionLog: newDisruptionLog(options, random),
    faults: [],
  };
}

async function runAll(world: Environment<World>): Promise<Run> {
  const { options, watch, intent, consumers, audience, disruptionLog, faults } = world;
  const startedAt = performance.now();
  const reading = Promise.all(
    consumers.map((consumer, at) =>
      runConsumer(consumer, audience, randomOf(options.seed, RANDOM_STREAM.consumers + at)),
    ),
  ).catch((error: unknown) => faults.push(String(error)));
  await writeAndDisrupt(world);
  const isLogged = await within(DRAIN_MS_MAX, () => isOutboxEmpty(world.monitor));
  if (!isLogged) faults.push('committed events still have no position');
  const log = await readLog(world.monitor);
  audience.isDraining = true;
  const isRead = await within(DRAIN_MS_MAX, () =>
    consumers.every((consumer) => hasReached(consumer, log)),
  );
  if (!isRead) faults.push('a consumer did not reach the end of its log');
  world.closing.abort();
  await reading;
  faults.push(...(await findPullFaults(world, log)));
  const { marketplaces } = intent;
  const random = randomOf(options.seed, RANDOM_STREAM.crowds);
  faults.push(...(await findDeafStreams(audience.urls, marketplaces, world.monitor, random)));
  faults.push(...(await findLeakedStreams(audience.urls, marketplaces, streamsPerKey(options))));
  faults.push(...(await auditRun(world)));
  const seconds = (performance.now() - startedAt) / 1000;
  const { silenceMs } = watch;
  const verdict = checkRun(log, intent, consumers);
  return { options, intent, consumers, disruptionLog, silenceMs, seconds, verdict, faults };
}

async function findPullFaults({ options, audience, intent }: World, log: Log): Promise<string[]> {
  const random = randomOf(options.seed, RANDOM_STREAM.pulls);
  const faults: string[] = [];
  for (const { id, key: apiKey } of intent.marketplaces) {
    const get = (path: string) => call({ api: random.oneOf(audience.urls), apiKey }, { path });
    const pulled = await pullLog(get, null, () => 1 + random.below(PAGE_MAX));
    const logged = log.get(id) ?? [];
    if (idsOf(pulled) !== idsOf(logged)) faults.push(`the pulled list of ${id} is not its log`);
  }
  return faults;
}

function idsOf(events: readonly { readonly eventId: string }[]): string {
  return events.map(({ eventId }) => eventId).join();
}

/** Writes, calls and disrupts while the consumers read, until the last event is written. */
async function writeAndDisrupt(world: Environment<World>): Promise<void> {
  const { options, databaseUrl, intent, consumers, audience, disruptionLog } = world;
  const { seed } = options;
  const pace = startPace({
    events: options.events,
    seconds: options.seconds,
    cutShare: () => Math.min(...consumers.map(({ cuts }) => cuts)) / options.cuts,
    // Writers wait for a long disruption, and the last disruption comes before they end.
    disruptionShare: disruptionLog.disruptions.share,
    isHopeless: () => consumers.some(isHopeless),
  });
  const work = [
    ...Array.from({ length: options.writers }, (_, at) => {
      const random = randomOf(seed, RANDOM_STREAM.writers + at);
      return runWriter(databaseUrl, `writer ${at + 1}`, random, intent, pace);
    }),
    ...Array.from({ length: CALLERS }, (_, at) => {
      const random = randomOf(seed, RANDOM_STREAM.callers + at);
      return runCaller(audience.urls, `caller ${at + 1}`, random, intent, pace);
    }),
    disruptAll({ ...world, pace }),
  ];
  try {
    await Promise.all(work);
  } finally {
    pace.giveUp();
    await Promise.allSettled(work);
  }
  if (pace.isUnfinished()) world.faults.push('the run was aborted before its end');
}

function isHopeless({ faults, sentAway }: Consumer): boolean {
  return sentAway + [...faults.values()].reduce((sum, times) => sum + times, 0) > FAULTS_MAX;
}

function hasReached(consumer: Consumer, log: Log): boolean {
  const last = expectedOf(log, consumer).at(-1);
  return last === undefined || (consumer.position?.id ?? '') >= last.occurredAt;
}

await runHarness(COMMAND, chaosEvents);

//! Stops the marketplaces of a run again and again while their clients work, and lifts every stop:
//! also when the process that got the request is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type Post } from '../../harness/api.ts';
import { randomOf } from '../../harness/random.ts';
import * as stops from '../../harness/stops.ts';
import { within } from '../../harness/wait.ts';
import { type Client, openClient, posterOf } from './client.ts';
import type { Environment } from './environment.ts';
import type { Notebook } from './notebook.ts';
import type { ChaosOptions } from './options.ts';
import { type PlannedStop, planStops, type StopKind } from './plan-stops.ts';

export interface StopRecord {
  readonly kind: StopKind;
  readonly marketplaceId: string;
  /** From the request until the stop had settled; undefined if it never did. */
  readonly settledMs: number | undefined;
  /** From the request until it was lifted. */
  readonly stoodMs: number;
}

export interface RunningStops {
  /** Lifts what stands. Returns every stop that was set, each of them lifted. */
  end(): Promise<readonly StopRecord[]>;
}

/** The random stream of each component. */
const RANDOM_STREAM = { plans: 300_000, clients: 310_000 };
const SETTLE_MS_MAX = 60_000;

interface StoppedMarketplace {
  readonly marketplaceId: string;
  readonly client: Client;
  readonly post: Post;
}

export function startStops(
  { urls, set }: Environment,
  { seed, quick }: ChaosOptions,
  marketplaceIds: readonly string[],
  notebook: Notebook,
): RunningStops {
  const ending = new AbortController();
  const records: StopRecord[] = [];
  const running = marketplaceIds.map(async (marketplaceId, at) => {
    const random = randomOf(seed, RANDOM_STREAM.clients + at);
    const client = openClient(urls, set.ready.masterKey, random, notebook);
    const marketplace = { marketplaceId, client, post: posterOf(client) };
    const plan = planStops(at, quick, randomOf(seed, RANDOM_STREAM.plans + at));
    for (let restMs = plan.firstMs; await hasPassed(restMs, ending.signal); ) {
      const planned = plan.next();
      if (planned === undefined) return;
      const stop = await stopOnce(marketplace, planned, ending.signal);
      records.push(stop);
      restMs = planned.restFactor * stop.stoodMs;
    }
  });
  const all = Promise.all(running);
  // `end` awaits it and throws its error.
  all.catch(() => undefined);
  return {
    end: async () => {
      ending.abort();
      await all;
      return records;
    },
  };
}

/** False if the run ends before. */
function hasPassed(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}

async function stopOnce(
  marketplace: StoppedMarketplace,
  { kind, standsMs }: PlannedStop,
  signal: AbortSignal,
): Promise<StopRecord> {
  const { marketplaceId } = marketplace;
  const startedAt = performance.now();
  const isSettled = await setStop(marketplace, kind);
  const settledMs = isSettled ? performance.now() - startedAt : undefined;
  await hasPassed(standsMs, signal);
  await lift(marketplace, kind);
  return { kind, marketplaceId, settledMs, stoodMs: performance.now() - startedAt };
}

/** Returns whether it has settled: in the request, or later by the service's own job. */
async function setStop(marketplace: StoppedMarketplace, kind: StopKind): Promise<boolean> {
  const { marketplaceId, post } = marketplace;
  if (kind !== 'PAUSE')
    return (
      (await stops.stopMarketplace(post, marketplaceId, kind)) ||
      within(SETTLE_MS_MAX, () => hasSettled(marketplace, kind))
    );
  const reason = await stops.pausePayouts(post);
  // A breach of solvency: lifting its pause would hide it.
  if (reason !== stops.STOP_REASON) throw new Error(`payouts are paused already: ${reason}`);
  return true;
}

async function hasSettled(
  { client, marketplaceId }: StoppedMarketplace,
  level: stops.StopLevel,
): Promise<boolean> {
  const path = `/marketplaces/${marketplaceId}/stops`;
  const response = await client.callWithRetry({ action: 'poll stops', path, method: 'GET' });
  const { standing } = dataOf<{ standing: { level: string; settledAt: string | null }[] }>(
    path,
    response,
  );
  return standing.some((stop) => stop.level === level && stop.settledAt !== null);
}

async function lift({ marketplaceId, post }: StoppedMarketplace, kind: StopKind): Promise<void> {
  if (kind === 'PAUSE') await stops.resumePayouts(post);
  else await stops.liftStop(post, marketplaceId, kind);
}

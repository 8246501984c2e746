//! One measured case: the same lead-in, window and CPU accounting for pgbench and for the service.
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenSet } from '../../tests/harness/set.ts';
import { startHelper } from '../harness/helper.ts';
import { runPgbench } from '../harness/pgbench.ts';
import type { Measured } from '../harness/rounds.ts';
import { watchUsage } from '../harness/usage.ts';
import type { Load, skills } from './load.ts';

/** New backends fill their caches and new connections warm up; that is not what is compared. */
const LEAD_SECONDS = 1;
/** The window ends a little early: the CPU time of an ended process cannot be read. */
const EARLY_MS = 150;

export interface Measure extends Measured {
  /** pgbench prints only its mean. */
  readonly p50Ms: number;
  readonly p99Ms?: number;
}

export interface Bench {
  readonly set: OpenSet;
  readonly seconds: number;
}

/** Runs the service under load. */
export async function measureService(
  { set, seconds }: Bench,
  load: Pick<Load, 'operations' | 'userIds' | 'connections'>,
): Promise<Measure> {
  using helper = startHelper<typeof skills>(import.meta.resolve('./load.ts'));
  const { urls, apiKey: key } = set;
  const spans = { leadMs: LEAD_SECONDS * 1000, windowMs: seconds * 1000 };
  await helper.call('open', { ...load, ...spans, urls, key });
  const watch = async () => {
    await sleep(spans.leadMs);
    const pids = { api: apiPids(set), load: helper.pid };
    const stopWatching = await watchUsage(set.monitor, pids);
    await sleep(spans.windowMs - EARLY_MS);
    return stopWatching();
  };
  const [result, usage] = await Promise.all([helper.call('run'), watch()]);
  const { ops, p50Ms, p99Ms, faults, firstFault } = result;
  return { perSecond: ops / seconds, p50Ms, p99Ms, faults, firstFault, usage };
}

/** Runs one script under bare pgbench, 16 clients and 2 threads as in the project's own figures. */
export async function measurePgbench(
  { set, seconds }: Bench,
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<Measure> {
  // New ids for each run: an id contains its time, and the auditor checks that.
  const { rows } = await set.monitor.query<{ prefix: string }>(
    "select substr(id_floor('aud', now()), 5, 11) as prefix",
  );
  const { perSecond, meanMs, failed, usage } = await runPgbench(set, {
    clients: 16,
    seconds,
    leadSeconds: LEAD_SECONDS,
    script,
    variables: { ...variables, ...rows[0] },
    pids: { api: apiPids(set) },
  });
  return { perSecond, p50Ms: meanMs, faults: failed, usage };
}

function apiPids({ apis }: OpenSet): number[] {
  return apis.map(({ pid }) => pid);
}

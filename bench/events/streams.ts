//! Many readers on one api process: what one costs, how late events come, and who gives in first.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMarketplace } from '../../tests/harness/people.ts';
import { say, tableText } from '../../tests/harness/report.ts';
import { grouped, percentText } from '../harness/figures.ts';
import { type Helper, startHelper } from '../harness/helper.ts';
import { type Inspector, inspect, loopShare } from '../harness/inspect.ts';
import { startProfile } from '../harness/profile.ts';
import { describeUsage, residentBytes, type Usage, watchUsage } from '../harness/usage.ts';
import type { Outcome } from '../harness/verdict.ts';
import type { skills } from './crowd.ts';
import { type Delivered, type Deliveries, join } from './deliveries.ts';
import type { EventsOptions } from './options.ts';
import { type EventsSet, openEventsSet } from './set.ts';
import { openWriters, type Writers } from './writers.ts';

type Crowd = Helper<typeof skills>;

/** The first second fills caches; its events must arrive, but their delay is not counted. */
const LEAD_MS = 1000;
/** Stragglers are waited for this long before they count as missing. */
const SETTLE_MS_MAX = 15_000;
/** A stream slower than this has met its limit. */
const P99_MS_MAX = 1000;
/** Of the wanted rate, what must have been written for a step to count. */
const KEPT_SHARE = 0.95;
const FULL_SHARE = 0.93;

interface Step {
  wanted: number;
  written: number;
  delivered: Delivered;
  usage: Usage;
  apiLoop: number;
  workerLoop: number;
}

interface Stage {
  set: EventsSet;
  crowd: Crowd;
  writers: Writers;
  marketplaces: number[];
  connections: number;
  api: { pid: number; inspector: Inspector };
  worker: { pid: number; inspector: Inspector };
}

export async function measureStreams(options: EventsOptions): Promise<Outcome> {
  const { connections } = options;
  const room = String(connections + 1000);
  const set = await openEventsSet({
    HOLDFAST_CONNECTIONS_MAX: room,
    HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: room,
    HOLDFAST_STREAMS_MAX: room,
    HOLDFAST_STREAMS_PER_KEY: room,
  });
  const crowd = startHelper<typeof skills>(import.meta.resolve('./crowd.ts'));
  const inspectors: Inspector[] = [];
  const lookInto = async (pid: number) => {
    const inspector = await inspect(pid);
    inspectors.push(inspector);
    return { pid, inspector };
  };
  try {
    const worker = await set.set.startWorker();
    const { keys, marketplaces } = await makeMarketplaces(set, options.marketplaces);
    const stage: Stage = {
      set,
      crowd,
      marketplaces,
      connections,
      writers: await openWriters(set.databaseUrl, marketplaces),
      api: await lookInto(set.apiPid),
      worker: await lookInto(worker.pid),
    };
    await measureMemory(stage, keys);
    const steps = await climb(stage, options);
    await stage.writers.end();
    return verdict(steps);
  } finally {
    // A process that is looked into waits for the looking to end before it goes.
    for (const inspector of inspectors) inspector.close();
    crowd.close();
    await set.stop();
  }
}

async function makeMarketplaces(
  { set, monitor }: EventsSet,
  count: number,
): Promise<{ keys: string[]; marketplaces: number[] }> {
  const keys: string[] = [];
  const marketplaces: number[] = [];
  while (keys.length < count) {
    const name = `Readers ${keys.length}`;
    const { id, key } = await makeMarketplace(set.ready, name, { scopes: ['read'] });
    const { rows } = await monitor.query<{ id: string }>(
      'select id from marketplace where public_id = $1',
      [id],
    );
    keys.push(key);
    marketplaces.push(Number(rows[0]?.id));
  }
  return { keys, marketplaces };
}

async function measureMemory(stage: Stage, keys: string[]): Promise<void> {
  const { crowd, set, api, connections } = stage;
  const look = async () => {
    const { heapUsed, external } = await api.inspector.heap();
    return { resident: residentBytes(api.pid), heapUsed, external };
  };
  const before = await look();
  const begun = performance.now();
  await crowd.ask('open', { url: set.api, keys, connections });
  const openedMs = performance.now() - begun;
  await sleep(1000);
  const after = await look();
  const megabytes = (bytes: number) => `${(bytes / 1048576).toFixed(1)} MB`;
  const each = (name: 'resident' | 'heapUsed' | 'external') => [
    name === 'heapUsed' ? 'heap' : name,
    megabytes(before[name]),
    megabytes(after[name]),
    `${((after[name] - before[name]) / 1024 / connections).toFixed(1)} KB`,
  ];
  say(
    `${connections} readers over ${stage.marketplaces.length} marketplaces on one api process, ` +
      `opened in ${(openedMs / 1000).toFixed(1)} s`,
  );
  const head = ['memory of the api', 'before', 'with all', 'each'];
  say(`${tableText([head, each('resident'), each('heapUsed'), each('external')])}`);
}

/** Doubles the rate until something gives in. */
async function climb(stage: Stage, options: EventsOptions): Promise<Step[]> {
  const steps: Step[] = [];
  for (let doubling = 0; doubling <= options.doublings; doubling += 1) {
    const isLast = doubling === options.doublings;
    const isProfiled = options.profile && (doubling === 0 || isLast);
    const step = await run(stage, options.rate * 2 ** doubling, options.seconds, isProfiled);
    steps.push(step);
    sayStep(step);
    if (limitOf(step) !== undefined) break;
  }
  return steps;
}

async function run(
  { set, crowd, writers, marketplaces, connections, api, worker }: Stage,
  rate: number,
  seconds: number,
  isProfiled: boolean,
): Promise<Step> {
  const loops = async () => [await api.inspector.loop(), await worker.inspector.loop()] as const;
  await crowd.ask('report'); // What came between two steps belongs to neither.
  const profiles = isProfiled ? await Promise.all([api.pid, worker.pid].map(startProfile)) : [];
  const pids = { api: api.pid, worker: worker.pid, readers: crowd.pid, writers: process.pid };
  const stopWatching = await watchUsage(set.monitor, pids);
  const before = await loops();
  const written = await writers.write(rate, seconds);
  const usage = stopWatching();
  const after = await loops();
  const expected = connections / marketplaces.length;
  const committed = written.committedAt.filter((at) => at > 0).length;
  const arrived = await settle(crowd, committed * expected);
  for (const end of profiles) say(await end(usage.window));
  return {
    wanted: rate,
    written: written.perSecond,
    delivered: join(written, arrived, { count: connections, marketplaces, leadMs: LEAD_MS }),
    usage,
    apiLoop: loopShare(before[0], after[0]),
    workerLoop: loopShare(before[1], after[1]),
  };
}

/** Everything that has arrived once all of it has, or once patience is over. */
async function settle(crowd: Crowd, expected: number): Promise<Deliveries> {
  const deadline = performance.now() + SETTLE_MS_MAX;
  const reports: Deliveries[] = [];
  let count = 0;
  while (performance.now() < deadline) {
    await sleep(250);
    const { deliveries, closed } = await crowd.ask('report');
    if (closed > 0) throw new Error(`${closed} readers lost their stream`);
    reports.push(deliveries);
    count += deliveries.at.length;
    if (count >= expected) break;
  }
  const all: Deliveries = {
    readers: new Uint32Array(count),
    numbers: new Uint32Array(count),
    at: new Float64Array(count),
  };
  let from = 0;
  for (const report of reports) {
    all.readers.set(report.readers, from);
    all.numbers.set(report.numbers, from);
    all.at.set(report.at, from);
    from += report.at.length;
  }
  return all;
}

function sayStep({ wanted, written, delivered, usage, apiLoop, workerLoop }: Step): void {
  const { latency, count, missing, repeated, disordered, worstShare } = delivered;
  const milliseconds = [latency.p50, latency.p99, latency.max].map((ms) => ms.toFixed(0));
  say(
    `${grouped(wanted)} events/s (${grouped(written)} written, ${grouped(count)} deliveries): ` +
      `commit to reader p50 ${milliseconds[0]} p99 ${milliseconds[1]} max ${milliseconds[2]} ms, ` +
      `slowest reader's mean ${delivered.slowestReaderMs.toFixed(0)} ms\n` +
      `  missing ${missing}, repeated ${repeated}, out of order ${disordered}; ` +
      `the worst served reader got ${percentText(worstShare)}\n` +
      `  ${describeUsage(usage)}; ` +
      `event loops: api ${percentText(apiLoop)}, worker ${percentText(workerLoop)}`,
  );
}

/** What a step ran into, or nothing. A loop can look busy while it waits for a core. */
function limitOf({ wanted, written, delivered, usage }: Step): string | undefined {
  const reasons: string[] = [];
  if (delivered.missing > 0) reasons.push(`${delivered.missing} deliveries are missing`);
  if (delivered.latency.p99 > P99_MS_MAX) reasons.push(`p99 is above ${P99_MS_MAX} ms`);
  if (written < KEPT_SHARE * wanted) reasons.push('the writers could not keep the rate');
  if (reasons.length === 0) return undefined;
  const full = Object.entries(usage.cores).filter(
    ([name, share]) => name !== 'postgres' && share > FULL_SHARE,
  );
  const used = Object.values(usage.cores).reduce((sum, share) => sum + share, 0);
  const machine = used / availableParallelism() + usage.othersShare;
  if (full.length > 0) reasons.push(`${full.map(([name]) => name).join(' and ')} fill a core`);
  if (machine > FULL_SHARE) {
    const others = percentText(usage.othersShare);
    reasons.push(`the machine is full, ${others} of it with other work`);
  }
  return reasons.join(', ');
}

function verdict(steps: readonly Step[]): Outcome {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) throw new Error('nothing was measured');
  const limit = limitOf(last);
  say(
    limit === undefined
      ? `no limit met up to ${grouped(last.wanted)} events/s\n`
      : `the limit is at ${grouped(last.wanted)} events/s: ${limit}\n`,
  );
  const { missing, repeated, disordered, latency } = first.delivered;
  const isSound = missing + repeated + disordered === 0;
  const name = `streams: p99 at ${grouped(first.wanted)} events/s in ms`;
  return {
    targets: [{ name, figure: latency.p99, most: P99_MS_MAX }],
    faults: isSound ? [] : ['streams: not everybody got everything once, in order'],
  };
}

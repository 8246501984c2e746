//! Many readers on one api process: the cost of one, the delay of events, and the first limit.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMarketplace, marketplaceNumber } from '../../tests/harness/people.ts';
import { print, tableText } from '../../tests/harness/report.ts';
import { grouped, percentText } from '../harness/figures.ts';
import { type Helper, startHelper } from '../harness/helper.ts';
import { type Inspector, inspect, loopShare } from '../harness/inspect.ts';
import { startProfile } from '../harness/profile.ts';
import { describeUsage, residentBytes, type Usage, watchUsage } from '../harness/usage.ts';
import type { Outcome } from '../harness/verdict.ts';
import { type Delivered, type Deliveries, join } from './deliveries.ts';
import type { EventsOptions } from './options.ts';
import { type EventsSet, openEventsSet } from './set.ts';
import type { skills } from './stream-clients.ts';
import { openWriters, type Writers } from './writers.ts';

type StreamClients = Helper<typeof skills>;

/** The first second fills caches; its events must arrive, but their delay is not counted. */
const LEAD_MS = 1000;
/** Stragglers are waited for this long before they count as missing. */
const SETTLE_MS_MAX = 15_000;
/** A stream slower than this has met its limit. */
const P99_MS_MAX = 1000;
/** Of the wanted rate, what must have been written for a step to count. */
const WRITTEN_SHARE = 0.95;
const FULL_SHARE = 0.93;

interface Step {
  wanted: number;
  written: number;
  delivered: Delivered;
  usage: Usage;
  apiLoop: number;
  workerLoop: number;
}

interface Environment {
  set: EventsSet;
  clients: StreamClients;
  writers: Writers;
  marketplaces: number[];
  connections: number;
  api: { pid: number; inspector: Inspector };
  worker: { pid: number; inspector: Inspector };
}

export async function measureStreams(options: EventsOptions): Promise<Outcome> {
  const { connections } = options;
  const room = String(connections + 1000);
  await using set = await openEventsSet({
    HOLDFAST_CONNECTIONS_MAX: room,
    HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: room,
    HOLDFAST_STREAMS_MAX: room,
    HOLDFAST_STREAMS_PER_KEY: room,
  });
  using clients = startHelper<typeof skills>(import.meta.resolve('./stream-clients.ts'));
  // A process that is looked into waits for the looking to end before it goes.
  using inspectors = new DisposableStack();
  const inspectProcess = async (pid: number) => ({
    pid,
    inspector: inspectors.adopt(await inspect(pid), (each) => each.close()),
  });
  const worker = await set.set.startWorker();
  const { keys, marketplaces } = await createMarketplaces(set, options.marketplaces);
  const environment: Environment = {
    set,
    clients,
    marketplaces,
    connections,
    writers: await openWriters(set.databaseUrl, marketplaces),
    api: await inspectProcess(set.apiPid),
    worker: await inspectProcess(worker.pid),
  };
  await measureMemory(environment, keys);
  const steps = await climb(environment, options);
  await environment.writers.end();
  return verdict(steps);
}

async function createMarketplaces(
  { set, monitor }: EventsSet,
  count: number,
): Promise<{ keys: string[]; marketplaces: number[] }> {
  const keys: string[] = [];
  const marketplaces: number[] = [];
  while (keys.length < count) {
    const name = `Readers ${keys.length}`;
    const { id, key } = await createMarketplace(set.ready, name, { scopes: ['read'] });
    keys.push(key);
    marketplaces.push(Number(await marketplaceNumber(monitor, id)));
  }
  return { keys, marketplaces };
}

async function measureMemory(environment: Environment, keys: string[]): Promise<void> {
  const { clients, set, api, connections } = environment;
  const sample = async () => {
    const { heapUsed, external } = await api.inspector.heap();
    return { resident: residentBytes(api.pid), heapUsed, external };
  };
  const before = await sample();
  const startedAt = performance.now();
  await clients.call('open', { url: set.api, keys, connections });
  const openedMs = performance.now() - startedAt;
  await sleep(1000);
  const after = await sample();
  const megabytes = (bytes: number) => `${(bytes / 1048576).toFixed(1)} MB`;
  const each = (name: 'resident' | 'heapUsed' | 'external') => [
    name === 'heapUsed' ? 'heap' : name,
    megabytes(before[name]),
    megabytes(after[name]),
    `${((after[name] - before[name]) / 1024 / connections).toFixed(1)} KB`,
  ];
  print(
    `${connections} readers over ${environment.marketplaces.length} marketplaces on one api process, ` +
      `opened in ${(openedMs / 1000).toFixed(1)} s`,
  );
  const head = ['memory of the api', 'before', 'with all', 'each'];
  print(`${tableText([head, each('resident'), each('heapUsed'), each('external')])}`);
}

/** Doubles the rate until something gives in. */
async function climb(environment: Environment, options: EventsOptions): Promise<Step[]> {
  const steps: Step[] = [];
  for (let doubling = 0; doubling <= options.doublings; doubling += 1) {
    const isLast = doubling === options.doublings;
    const isProfiled = options.profile && (doubling === 0 || isLast);
    const step = await run(environment, options.rate * 2 ** doubling, options.seconds, isProfiled);
    steps.push(step);
    printStep(step);
    if (limitOf(step) !== undefined) break;
  }
  return steps;
}

async function run(
  { set, clients, writers, marketplaces, connections, api, worker }: Environment,
  rate: number,
  seconds: number,
  isProfiled: boolean,
): Promise<Step> {
  const loops = async () => [await api.inspector.loop(), await worker.inspector.loop()] as const;
  await clients.call('report'); // What came between two steps belongs to neither.
  const profiles = isProfiled ? await Promise.all([api.pid, worker.pid].map(startProfile)) : [];
  const pids = { api: api.pid, worker: worker.pid, readers: clients.pid, writers: process.pid };
  const stopWatching = await watchUsage(set.monitor, pids);
  const before = await loops();
  const written = await writers.write(rate, seconds);
  const usage = stopWatching();
  const after = await loops();
  const expected = connections / marketplaces.length;
  const committed = written.committedAt.filter((at) => at > 0).length;
  const arrived = await settle(clients, committed * expected);
  for (const end of profiles) print(await end(usage.window));
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
async function settle(clients: StreamClients, expected: number): Promise<Deliveries> {
  const deadline = performance.now() + SETTLE_MS_MAX;
  const reports: Deliveries[] = [];
  let count = 0;
  while (performance.now() < deadline) {
    await sleep(250);
    const { deliveries, closed } = await clients.call('report');
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

function printStep({ wanted, written, delivered, usage, apiLoop, workerLoop }: Step): void {
  const { latency, count, missing, repeated, disordered, worstShare } = delivered;
  const milliseconds = [latency.p50, latency.p99, latency.max].map((ms) => ms.toFixed(0));
  print(
    `${grouped(wanted)} events/s (${grouped(written)} written, ${grouped(count)} deliveries): ` +
      `commit to reader p50 ${milliseconds[0]} p99 ${milliseconds[1]} max ${milliseconds[2]} ms, ` +
      `slowest reader's mean ${delivered.slowestReaderMs.toFixed(0)} ms\n` +
      `  missing ${missing}, repeated ${repeated}, out of order ${disordered}; ` +
      `the worst served reader got ${percentText(worstShare)}\n` +
      `  ${describeUsage(usage)}; ` +
      `event loops: api ${percentText(apiLoop)}, worker ${percentText(workerLoop)}`,
  );
}

/** The limit that a step reached, or nothing. A loop can seem busy while it waits for a core. */
function limitOf({ wanted, written, delivered, usage }: Step): string | undefined {
  const reasons: string[] = [];
  if (delivered.missing > 0) reasons.push(`${delivered.missing} deliveries are missing`);
  if (delivered.latency.p99 > P99_MS_MAX) reasons.push(`p99 is above ${P99_MS_MAX} ms`);
  if (written < WRITTEN_SHARE * wanted) reasons.push('the writers could not keep the rate');
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
  print(
    limit === undefined
      ? `no limit met up to ${grouped(last.wanted)} events/s\n`
      : `the limit is at ${grouped(last.wanted)} events/s: ${limit}\n`,
  );
  const { missing, repeated, disordered, latency } = first.delivered;
  const isSound = missing + repeated + disordered === 0;
  const name = `streams: p99 at ${grouped(first.wanted)} events/s in ms`;
  return {
    targets: [{ name, figure: latency.p99, most: P99_MS_MAX }],
    faults: isSound ? [] : ['streams: not every reader received every event once and in order'],
  };
}

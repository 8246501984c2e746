//! A reader that goes through a long log from its beginning, against COPY of the same rows.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Copier, startCopier } from './copier.ts';
import { grouped, medianOf, say } from './figures.ts';
import { fillHistory, type History } from './history.ts';
import type { EventsOptions } from './options.ts';
import type { ReplayOrder, ReplayReport } from './replay-messages.ts';
import { type ServerSet, startProfile, startServerSet } from './server-set.ts';
import { describeUsage, type Usage, watchUsage } from './usage.ts';

/** What the stream must reach, as a ratio to COPY. */
const TARGET = 0.25;
const WARM_UP = 50_000;
const PULL_LIMIT = 100;
const PULLED_MAX = 50_000;

interface Run {
  perSecond: number;
  /** Of everybody on this side but the one who reads: CPU for one event. */
  cpuUs: number;
}

interface Stage {
  set: ServerSet;
  history: History;
  reader: ChildProcess;
  copier: Copier;
}

export async function measureReplay(options: EventsOptions): Promise<boolean> {
  const set = await startServerSet();
  const reader = fork(fileURLToPath(import.meta.resolve('./replay-reader.ts')), []);
  try {
    const history = await fillHistory(set, options.history);
    const copier = await startCopier(set.monitor, set.local.databaseUrl, history);
    const stage: Stage = { set, history, reader, copier };
    await warmUp(stage);
    const rounds: { copy: Run; stream: Run }[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const isProfiled = options.isProfiled && round === options.rounds;
      // Every other round runs backward, so that what drifts favours no side.
      const early = round % 2 === 0 ? await streamOut(stage, isProfiled) : undefined;
      const copy = await copyOut(stage);
      rounds.push({ copy, stream: early ?? (await streamOut(stage, isProfiled)) });
    }
    await pullOut(stage);
    copier.close();
    return verdict(rounds);
  } finally {
    reader.disconnect();
    await set.stop();
  }
}

/** Code that has not run yet is slow; that is not what is compared. */
async function warmUp({ set, history, reader, copier }: Stage): Promise<void> {
  await copier.copy();
  const events = Math.min(WARM_UP, history.events);
  for (let time = 0; time < 2; time += 1) await askReader(reader, orderOf(set, history, events));
}

async function askReader(reader: ChildProcess, order: ReplayOrder): Promise<ReplayReport> {
  const answered = once(reader, 'message');
  reader.send(order);
  const [report] = (await answered) as [ReplayReport];
  return report;
}

function orderOf({ local }: ServerSet, { since }: History, events: number): ReplayOrder {
  return { url: local.ready.api, key: local.ready.apiKey, since, events };
}

async function copyOut({ set, history, copier }: Stage): Promise<Run> {
  const stopWatching = await watchUsage(set.monitor, copier.pids);
  await copier.copy();
  const usage = stopWatching();
  const seconds = secondsOf(usage);
  const perSecond = history.events / seconds;
  const { psql = 0, backend = 0 } = usage.cores;
  say(`COPY    ${grouped(perSecond).padStart(9)} rows/s  (${describeUsage(usage)})`);
  return { perSecond, cpuUs: ((psql + backend) * 1e6) / perSecond };
}

async function streamOut(stage: Stage, isProfiled: boolean): Promise<Run> {
  const { set, history, reader } = stage;
  const endProfile = isProfiled ? await startProfile(set.api.pid) : undefined;
  const pids = { api: set.api.pid, reader: reader.pid };
  const stopWatching = await watchUsage(set.monitor, pids);
  const report = await askReader(reader, orderOf(set, history, history.events));
  const usage = stopWatching();
  if (endProfile !== undefined) say(await endProfile(usage.window));
  if (report.fault !== undefined) throw new Error(`the stream broke off: ${report.fault}`);
  if (report.events !== history.events || report.disordered > 0) {
    throw new Error(
      `the stream is not whole: ${report.events} events, ${report.disordered} disordered`,
    );
  }
  const perSecond = (history.events * 1000) / report.totalMs;
  const { api = 0, postgres = 0 } = usage.cores;
  say(
    `stream  ${grouped(perSecond).padStart(9)} events/s of ` +
      `${(report.bytes / report.events).toFixed(0)} bytes, the first after ` +
      `${report.firstMs.toFixed(0)} ms  (${describeUsage(usage)})`,
  );
  return { perSecond, cpuUs: ((api + postgres) * 1e6) / perSecond };
}

/** The same log in pages, one after the other, as a reader without streams would take it. */
async function pullOut({ set, history }: Stage): Promise<void> {
  const { api, apiKey } = set.local.ready;
  const stopWatching = await watchUsage(set.monitor, { api: set.api.pid, reader: process.pid });
  let cursor: string | null = history.since;
  let pulled = 0;
  while (pulled < PULLED_MAX && cursor !== null) {
    const query = new URLSearchParams({ after: cursor, limit: String(PULL_LIMIT) });
    const answer = await fetch(`${api}/api/v1/events/log?${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    if (answer.status !== 200) throw new Error(`the log: ${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as LogPage;
    pulled += page.data.data.length;
    cursor = page.data.nextCursor;
  }
  const usage = stopWatching();
  say(
    `pages of ${PULL_LIMIT}, one at a time: ${grouped(pulled / secondsOf(usage))} events/s  ` +
      `(${describeUsage(usage)})`,
  );
}

interface LogPage {
  data: { data: unknown[]; nextCursor: string | null };
}

function secondsOf({ window }: Usage): number {
  return (window.to - window.from) / 1e6;
}

function verdict(rounds: readonly { copy: Run; stream: Run }[]): boolean {
  const ratios = rounds.map(({ copy, stream }) => stream.perSecond / copy.perSecond);
  const cpuRatio = medianOf(rounds.map(({ copy, stream }) => copy.cpuUs / stream.cpuUs));
  const ratio = medianOf(ratios);
  const isReached = ratio >= TARGET;
  say(
    `replay: ${ratio.toFixed(2)} of COPY, ${Math.min(...ratios).toFixed(2)}–` +
      `${Math.max(...ratios).toFixed(2)} over ${rounds.length} rounds ` +
      `(${cpuRatio.toFixed(2)} by the CPU for an event, whatever else runs); ` +
      `target ${TARGET}: ${isReached ? 'reached' : 'MISSED'}\n`,
  );
  return isReached;
}

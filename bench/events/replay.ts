//! One reader replays a long log from its start, against COPY of the same rows.
import { type ApiTarget, call, dataOf } from '../../tests/harness/api.ts';
import { print } from '../../tests/harness/report.ts';
import { grouped } from '../harness/figures.ts';
import { type Helper, startHelper } from '../harness/helper.ts';
import { startProfile } from '../harness/profile.ts';
import { linesOf, type Measured, runRounds, tableOf, targetsOf } from '../harness/rounds.ts';
import { describeUsage, secondsOf, watchUsage } from '../harness/usage.ts';
import type { Outcome } from '../harness/verdict.ts';
import { type Copier, startCopier } from './copier.ts';
import { fillHistory, type History } from './history.ts';
import type { EventsOptions } from './options.ts';
import type { ReplayOrder, skills } from './replay-reader.ts';
import { type EventsSet, openEventsSet } from './set.ts';

/** The target of the stream, as a ratio to COPY. */
const TARGET = 0.25;
const WARM_UP = 50_000;
const PULL_LIMIT = 100;
const PULLED_MAX = 50_000;
const UNIT = { many: 'events', cpu: 'µs' } as const;

interface Environment {
  readonly set: EventsSet;
  readonly history: History;
  readonly reader: Helper<typeof skills>;
  readonly copier: Copier;
}

export async function measureReplay(options: EventsOptions): Promise<Outcome> {
  await using set = await openEventsSet();
  using reader = startHelper<typeof skills>(import.meta.resolve('./replay-reader.ts'));
  const history = await fillHistory(set, options.history);
  const copier = await startCopier(set.monitor, set.databaseUrl, history);
  const environment: Environment = { set, history, reader, copier };
  await warmUp(environment);
  const cases = [
    { name: 'COPY', run: () => copyOut(environment) },
    { name: 'stream', baseline: 'COPY', target: TARGET, run: () => streamOut(environment) },
  ];
  const rounds = await runRounds(cases, { rounds: options.rounds, unit: UNIT });
  await pullOut(environment);
  if (options.profile) {
    const end = await startProfile(set.apiPid);
    const { usage } = await streamOut(environment);
    print(await end(usage.window));
  }
  copier.close();
  const lines = linesOf(cases, rounds);
  print(`\n${tableOf(lines, UNIT)}\n`);
  return { targets: targetsOf(lines), faults: [] };
}

/** Code that has not run yet is slow; that is not what is compared. */
async function warmUp({ set, history, reader, copier }: Environment): Promise<void> {
  await copier.copy();
  const events = Math.min(WARM_UP, history.events);
  for (let time = 0; time < 2; time += 1)
    await reader.call('replay', orderOf(set, history, events));
}

function orderOf({ api, apiKey }: ApiTarget, { since }: History, events: number): ReplayOrder {
  return { url: api, key: apiKey, since, events };
}

async function copyOut({ set, history, copier }: Environment): Promise<Measured> {
  const stopWatching = await watchUsage(set.monitor, copier.pids);
  await copier.copy();
  const usage = stopWatching();
  const perSecond = history.events / secondsOf(usage);
  return { perSecond, usage, payers: ['psql', 'backend'], faults: 0 };
}

/** The reader's own CPU does not count: it is not the service. */
async function streamOut({ set, history, reader }: Environment): Promise<Measured> {
  const stopWatching = await watchUsage(set.monitor, { api: set.apiPid, reader: reader.pid });
  const report = await reader.call('replay', orderOf(set, history, history.events));
  const usage = stopWatching();
  const { events, disordered, bytes, firstMs, totalMs } = report;
  if (events !== history.events || disordered > 0)
    throw new Error(`the stream is not whole: ${events} events, ${disordered} disordered`);
  print(`events of ${(bytes / events).toFixed(0)} bytes, the first after ${firstMs.toFixed(0)} ms`);
  return { perSecond: (events * 1000) / totalMs, usage, payers: ['api', 'postgres'], faults: 0 };
}

/** The same log in pages, one after the other, as a reader without streams would take it. */
async function pullOut({ set, history }: Environment): Promise<void> {
  const stopWatching = await watchUsage(set.monitor, { api: set.apiPid, reader: process.pid });
  let cursor: string | null = history.since;
  let pulled = 0;
  while (pulled < PULLED_MAX && cursor !== null) {
    const query = new URLSearchParams({ after: cursor, limit: String(PULL_LIMIT) });
    const page = await call(set, { path: `/events/log?${query}` });
    pulled += dataOf<unknown[]>('/events/log', page).length;
    cursor = page.next;
  }
  const usage = stopWatching();
  print(
    `pages of ${PULL_LIMIT}, one at a time: ${grouped(pulled / secondsOf(usage))} events/s  ` +
      `(${describeUsage(usage)})`,
  );
}

//! A set whose processes are replaced one by one by those of another build, under load.
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOGINS, settingsFor } from '../../../apps/cli/src/process-settings.ts';
import { type ServerProcess, startProcess } from '../../../apps/cli/src/server-process.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { poster } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { createMarketplace, createPerson } from '../../harness/people.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { seedEntries } from '../../harness/seed-entries.ts';
import { HIGH_LOAD, type OpenSet, openSet } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import type { Build } from './builds.ts';
import { type Load, startLoad } from './load.ts';
import type { UpgradeOptions } from './options.ts';
import { holdAccount } from './without-limits.ts';

export interface Upgrade extends AsyncDisposable {
  readonly set: OpenSet;
  readonly load: Load;
  /** Faults if processes of the build do not refuse the database as it is. */
  refusals(build: Build): Promise<string[]>;
  /** A client's open transaction is in the way. */
  migrate(build: Build): Promise<void>;
  /** Finds nothing to do in a newer database. */
  migrateBack(build: Build): Promise<void>;
  roll(build: Build): Promise<void>;
}

/** A process needs seconds to start on a busy machine. */
const DELAY_MS_MAX = 60_000;
const BUYERS = 20;
const FUNDS = '1000.00';
const SETTINGS = {
  ...HIGH_LOAD,
  HOLDFAST_RATE_LIMIT: 'off',
  HOLDFAST_ADJUSTMENT_LIMIT: 'none',
};

export async function openUpgrade(previous: Build, options: UpgradeOptions): Promise<Upgrade> {
  await using cleanup = new AsyncDisposableStack();
  process.env['BUNDLED_PROGRAMS'] = previous.programs;
  const { workers, loud: isLoud } = options;
  const open = { apis: 2, workers, isSteady: true, isLoud, env: SETTINGS };
  const set = cleanup.use(await openSet(open));
  const startedAt = performance.now();
  await seedEntries(set, options.entries);
  print(`${options.entries} entries (in ${secondsSince(startedAt)})`);
  const load = await startClients(set, options.rate);
  cleanup.defer(() => load.stop());
  const processes = { set, load, isLoud, logs: cleanup.use(createTemporaryFolder('upgrade-logs')) };
  cleanup.defer(async () => {
    await Promise.all([...set.apis, ...set.workers].map((each) => each.kill('SIGTERM')));
  });
  const all = cleanup.move();
  return {
    ...{ set, load },
    refusals: (build) => refusals(processes, build),
    migrate: (build) => migrateBesideClient(processes, build),
    migrateBack: async (build) => {
      const { readyInfo } = await start(processes, 'migrate', build);
      print(`migrate of the previous release: ${JSON.stringify(readyInfo)}`);
    },
    roll: async (build) => {
      for (const at of set.workers.keys()) await rollWorker(processes, build, at);
      for (const at of set.apis.keys()) await rollApi(processes, build, at);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function startClients(set: OpenSet, rate: number): Promise<Load> {
  const { key: apiKey } = await createMarketplace(set.set.ready, 'upgraded');
  const post = poster({ api: set.api, apiKey });
  const numbers = Array.from({ length: BUYERS }, (_, at) => at);
  const buyers = await inLanes(numbers, 4, () => createPerson(post, { credit: FUNDS }));
  const seller = await createPerson(post);
  return startLoad({ urls: set.urls, apiKey, buyers, seller, rate });
}

interface Processes {
  readonly set: OpenSet;
  readonly load: Load;
  readonly isLoud: boolean;
  readonly logs: { readonly path: string };
}

function start(
  { set, isLoud }: Processes,
  role: 'api' | 'worker' | 'migrate',
  { programs }: Build,
  { port = '0', logTo = isLoud ? 'inherit' : 'ignore' }: { port?: string; logTo?: LogTo } = {},
): Promise<ServerProcess> {
  const login = role === 'migrate' ? {} : { HOLDFAST_DATABASE_ROLE: LOGINS[role] };
  const settings = settingsFor(role, { ...set.set.settings, ...login, HOLDFAST_PORT: port });
  return startProcess(join(programs, `${role}.js`), settings, logTo, [], role);
}

type LogTo = 'ignore' | 'inherit' | number;

async function refusals(processes: Processes, build: Build): Promise<string[]> {
  const wrong: string[] = [];
  for (const role of ['api', 'worker'] as const) {
    const path = join(processes.logs.path, role);
    const started = await start(processes, role, build, { logTo: openSync(path, 'a') }).catch(
      () => undefined,
    );
    await started?.kill('SIGTERM');
    const [sentence] = /migrations up to .*$/m.exec(readFileSync(path, 'utf8')) ?? [];
    print(`the next ${role} before migrate: ${sentence ?? 'no sentence'}`);
    if (started !== undefined || sentence === undefined)
      wrong.push(`the next ${role} did not refuse the older schema`);
  }
  return wrong;
}

/** The client commits as soon as the migration has let traffic pass for the first time. */
async function migrateBesideClient(processes: Processes, build: Build): Promise<void> {
  const holder = await holdAccount(processes.set.databaseUrl);
  const path = join(processes.logs.path, 'migrate');
  const running = start(processes, 'migrate', build, { logTo: openSync(path, 'a') });
  // It is awaited below, after the holder has gone.
  running.catch(() => undefined);
  const delays = () => readFileSync(path, 'utf8').match(/migration delayed/g)?.length ?? 0;
  const isDelayed = await within(DELAY_MS_MAX, () => delays() > 0);
  await holder[Symbol.asyncDispose]();
  const { readyInfo, gone } = await running.catch((error: Error) => {
    throw new Error(`${error.message}: ${readFileSync(path, 'utf8')}`);
  });
  await gone;
  if (!isDelayed) throw new Error('the migration was not delayed by an open transaction');
  print(`applied ${String(readyInfo['applied'])}, with ${delays()} delays`);
}

/** The next one comes first, as in a rolling update that lets none be missing. */
async function rollWorker(processes: Processes, build: Build, at: number): Promise<void> {
  const { workers } = processes.set;
  const old = workers[at] as ServerProcess;
  workers[at] = await start(processes, 'worker', build);
  await old.kill('SIGTERM');
}

async function rollApi(processes: Processes, build: Build, at: number): Promise<void> {
  const { set, load } = processes;
  const old = set.apis[at] as ServerProcess;
  await load.leave(old.url);
  await old.kill('SIGTERM');
  const { port } = new URL(old.url);
  set.apis[at] = await start(processes, 'api', build, { port });
  load.use(old.url);
}

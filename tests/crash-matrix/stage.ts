//! Where cells run: one of everything, and workers that die and are replaced.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import {
  fundHouse,
  type SandboxFacts,
  sandboxEnvironment,
  sendWebhooks,
} from '../../apps/cli/src/local-world.ts';
import { type ServerProcess, startServerProcess } from '../../apps/cli/src/server-process.ts';
import { type Calm, calmAmongCells } from './calm.ts';
import { type FaultyNetwork, openFaultyNetwork } from './faulty-network.ts';
import { type Journal, openJournal } from './journal.ts';

export interface Stage {
  readonly api: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  /** Looks at the tables as their owner. */
  readonly monitor: pg.Pool;
  readonly sandbox: string;
  readonly journal: Journal;
  readonly network: FaultyNetwork;
  /** What the workers' failpoints are told, request by request. */
  readonly failpoints: string;
  readonly calm: Calm;
  /** How many workers have died so far. */
  deaths(): number;
  stop(): Promise<void>;
}

export interface StageOptions {
  readonly workers: number;
  /** The escrow provider tells what happened; whoever hears it first writes it. */
  readonly hasWebhooks: boolean;
  /** Shows what the processes say on standard error. */
  readonly isLoud: boolean;
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const { workers, hasWebhooks, isLoud } = options;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-matrix-'));
  const sandbox = await startServerProcess('sandbox', {}, isLoud ? 'inherit' : 'ignore', [
    '--port',
    '0',
  ]);
  const network = await openFaultyNetwork(sandbox.url);
  const clear = async () => {
    await network.stop();
    await sandbox.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const facts = sandbox.said as unknown as SandboxFacts;
    const set = await startLocalSet({
      port: 0,
      workers,
      sandbox: false,
      engine: true,
      quiet: !isLoud,
      env: {
        ...sandboxEnvironment(facts),
        HOLDFAST_HORIZON_URL: facts.horizon.replace(sandbox.url, network.url),
        HOLDFAST_FAILPOINT: folder,
        HOLDFAST_RATE_LIMIT: 'off',
        HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: '2000',
        // A PostgreSQL with its usual hundred connections has room for others beside this.
        HOLDFAST_POOL_SIZE: '8',
        // A worker is started for every cell: it should not compile anew each time.
        NODE_COMPILE_CACHE: join(tmpdir(), 'holdfast-compile-cache'),
      },
    });
    const stage = await furnish(set, { sandbox, network, folder, clear });
    const { api, escrowWebhookSecret } = set.ready;
    if (hasWebhooks) await sendWebhooks(sandbox.url, api, { escrow: escrowWebhookSecret });
    return stage;
  } catch (error) {
    await clear();
    throw error;
  }
}

interface Around {
  readonly sandbox: ServerProcess;
  readonly network: FaultyNetwork;
  readonly folder: string;
  readonly clear: () => Promise<void>;
}

async function furnish(set: LocalSet, around: Around): Promise<Stage> {
  const { sandbox, network, folder, clear } = around;
  const monitor = new pg.Pool({ connectionString: set.databaseUrl, max: 6 });
  network.watch(monitor);
  const replaced = replaceTheDead(set);
  const stop = async () => {
    await replaced.end();
    await monitor.end();
    await set.stop();
    await clear();
  };
  try {
    await Promise.all([fundHouse(sandbox.url, set.databaseUrl), set.engine?.served()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    api: set.ready.api,
    apiKey: set.ready.apiKey,
    databaseUrl: set.databaseUrl,
    monitor,
    sandbox: sandbox.url,
    journal: openJournal(sandbox.url),
    network,
    failpoints: folder,
    calm: calmAmongCells(),
    deaths: replaced.deaths,
    stop,
  };
}

/** For every worker that is gone another one is started. */
function replaceTheDead(set: LocalSet): {
  readonly deaths: () => number;
  readonly end: () => Promise<void>;
} {
  let deaths = 0;
  let isOver = false;
  let starting: Promise<unknown>[] = [];
  const start = async () => {
    // One that dies before it is ready, for what it took up at once, has a successor too.
    const started = set.startWorker().catch(() => undefined);
    starting = [...starting, started];
    await started;
    starting = starting.filter((each) => each !== started);
    return started;
  };
  const follow = async (first: ServerProcess): Promise<void> => {
    for (let worker: ServerProcess | undefined = first; ; ) {
      await worker?.gone;
      if (isOver) return;
      deaths += 1;
      worker = await start();
    }
  };
  for (const worker of set.workers) void follow(worker);
  return {
    deaths: () => deaths,
    end: async () => {
      isOver = true;
      // Whoever is still starting is the set's to stop, once it is there.
      await Promise.all(starting);
    },
  };
}

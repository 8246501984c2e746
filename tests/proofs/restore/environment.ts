//! A whole set on a PostgreSQL that can be set back; everything is killed at once, and started
//! again.
import { closeSync, openSync } from 'node:fs';
import type { LocalRestate } from '../../../apps/cli/src/local-restate.ts';
import type { SandboxFacts } from '../../../apps/cli/src/local-world.ts';
import { LOGINS, settingsFor } from '../../../apps/cli/src/process-settings.ts';
import { type ServerProcess, startServerProcess } from '../../../apps/cli/src/server-process.ts';
import type { ApiTarget, Post } from '../../harness/api.ts';
import { call, type Fields, poster } from '../../harness/api.ts';
import { leaveOnePlatformAdmin } from '../../harness/people.ts';
import type { Server } from '../../harness/postgres-server.ts';
import { readJournal } from '../../harness/sandbox.ts';
import { type Environment, HIGH_LOAD, needed, openEnvironment } from '../../harness/set.ts';

export type Run = Environment<RunParts>;

interface RunParts {
  readonly target: ApiTarget;
  readonly master: ApiTarget;
  readonly post: Post;
  readonly restate: LocalRestate;
  /** An account on the network that is not ours and holds USDC. */
  readonly payee: string;
  /** Of every process of the set. */
  readonly logFile: string;
  /** kill -9 of every worker. */
  killWorkers(): Promise<void>;
  /** kill -9 of every process but the sandbox, and the database. */
  killAll(server: Pick<Server, 'kill'>): Promise<void>;
  /** `databaseUrl`: of another server than the one where the set finds its database. */
  startWorker(databaseUrl?: string): Promise<ServerProcess>;
  /** At the address of the killed one. */
  startApi(): Promise<void>;
}

const ENV = {
  ...HIGH_LOAD,
  HOLDFAST_RATE_LIMIT: 'off',
  HOLDFAST_WITHDRAWALS_PER_USER: 'off',
  HOLDFAST_ADJUSTMENT_LIMIT: 'none',
  HOLDFAST_SPARE_WALLETS: '12',
  // The requests that were confirmed are in the log.
  HOLDFAST_LOG_LEVEL: 'info',
};

export async function openRun(
  { adminUrl }: Pick<Server, 'adminUrl'>,
  logFile: string,
): Promise<Run> {
  const options = { postgres: adminUrl, isSteady: true, env: ENV, logFile };
  return openEnvironment(options, async (opened, cleanup) => {
    const { set, api, apiKey, apis, workers, monitor } = opened;
    // Its server is killed, and it connects again.
    monitor.on('error', () => undefined);
    await leaveOnePlatformAdmin(opened.databaseUrl);
    const restate = needed(opened.engine, 'Restate');
    const { escrowFeeAddress } = needed(set.sandbox, 'sandbox')
      .readyInfo as unknown as SandboxFacts;
    const kill = async () => {
      const killed = [...apis.splice(0), ...workers.splice(0)];
      await Promise.all(killed.map((each) => each.kill('SIGKILL')));
    };
    cleanup.defer(kill);
    const target = { api, apiKey };
    return {
      target,
      master: { api, apiKey: set.ready.masterKey },
      post: poster(target),
      restate,
      payee: escrowFeeAddress,
      logFile,
      killWorkers: async () => {
        await Promise.all(workers.splice(0).map((each) => each.kill('SIGKILL')));
      },
      killAll: async (victim) => {
        // First: from then on nothing is acknowledged, and each response before has its log line.
        victim.kill();
        await Promise.all([kill(), restate.kill('SIGKILL')]);
      },
      startWorker: async (databaseUrl) => {
        const started = await (databaseUrl === undefined
          ? set.startWorker()
          : startApart(set.settings, databaseUrl, logFile));
        workers.push(started);
        return started;
      },
      startApi: async () => void apis.push(await set.startApi(Number(new URL(api).port))),
    };
  });
}

async function startApart(
  settings: Readonly<Record<string, string>>,
  databaseUrl: string,
  logFile: string,
): Promise<ServerProcess> {
  const own = { HOLDFAST_PORT: '0', HOLDFAST_DATABASE_ROLE: LOGINS.worker };
  const env = settingsFor('worker', { ...settings, ...own, DATABASE_URL: databaseUrl });
  const log = openSync(logFile, 'a');
  try {
    return await startServerProcess('worker', env, log);
  } finally {
    closeSync(log);
  }
}

/** A payment to those who are not ours, by the network or the provider. */
export interface Payment {
  readonly amount: string;
  /** On the network. */
  readonly txHash: string | undefined;
  /** At the provider: the id of the withdrawal. */
  readonly code: string | undefined;
}

export async function listPayments({
  sandbox,
  payee,
}: Pick<Run, 'sandbox' | 'payee'>): Promise<Payment[]> {
  return (await readJournal(sandbox))
    .filter(({ effect, to }) => (effect === 'ledger.payment' ? to === payee : effect === PAYOUT))
    .map(({ amount, txHash, code }) => ({ amount: Number(amount).toFixed(2), txHash, code }));
}

export async function countPaid(run: Pick<Run, 'sandbox' | 'payee'>): Promise<number> {
  return (await listPayments(run)).length;
}

const PAYOUT = 'payment.payout.commit';

/** Undefined while no API server can read it. */
export async function readStatus({ master }: Pick<Run, 'master'>): Promise<Fields | undefined> {
  const { status, data } = await call(master, { path: '/recovery', msMax: 5000 });
  return status === 200 ? (data as Fields) : undefined;
}

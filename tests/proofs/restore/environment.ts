//! A whole set on a PostgreSQL that can be set back; everything is killed at once, and started
//! again.
import type { LocalRestate } from '../../../apps/cli/src/local-restate.ts';
import type { SandboxFacts } from '../../../apps/cli/src/local-world.ts';
import type { ApiTarget, Post } from '../../harness/api.ts';
import { call, dataOf, type Fields, poster } from '../../harness/api.ts';
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
  /** kill -9 of every worker. */
  killWorkers(): Promise<void>;
  /** kill -9 of every process but the sandbox, and the database. */
  killAll(server: Server): Promise<void>;
  startWorker(): Promise<void>;
  /** At the address of the killed one. */
  startApi(): Promise<void>;
}

const ENV = {
  ...HIGH_LOAD,
  HOLDFAST_RATE_LIMIT: 'off',
  HOLDFAST_WITHDRAWALS_PER_USER: 'off',
  HOLDFAST_ADJUSTMENT_LIMIT: 'none',
  HOLDFAST_SPARE_WALLETS: '12',
};

/** `databaseUrl`: where processes find the server that takes writes, if that is not this one. */
export async function openRun(
  server: Server,
  { isLoud = false, databaseUrl }: { isLoud?: boolean; databaseUrl?: string } = {},
): Promise<Run> {
  const more = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const options = { postgres: server.adminUrl, isSteady: true, isLoud, env: { ...ENV, ...more } };
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
      killWorkers: async () => {
        await Promise.all(workers.splice(0).map((each) => each.kill('SIGKILL')));
      },
      killAll: async (victim) => {
        const gone = [kill(), restate.kill('SIGKILL')];
        victim.kill();
        await Promise.all(gone);
      },
      startWorker: async () => void workers.push(await set.startWorker()),
      startApi: async () => void apis.push(await set.startApi(Number(new URL(api).port))),
    };
  });
}

/** How often each amount was paid to those who are not ours, by the network or the provider. */
export async function readPayments({
  sandbox,
  payee,
}: Pick<Run, 'sandbox' | 'payee'>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { effect, to, amount } of await readJournal(sandbox)) {
    const isOut = effect === 'ledger.payment' ? to === payee : effect === PAYOUT;
    if (!isOut) continue;
    const text = Number(amount).toFixed(2);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

export async function countPaid(run: Pick<Run, 'sandbox' | 'payee'>): Promise<number> {
  return [...(await readPayments(run)).values()].reduce((sum, times) => sum + times, 0);
}

const PAYOUT = 'payment.payout.commit';

/** Undefined while no API server can read it. */
export async function readStatus({ master }: Pick<Run, 'master'>): Promise<Fields | undefined> {
  const { status, data } = await call(master, { path: '/recovery', msMax: 5000 });
  return status === 200 ? (data as Fields) : undefined;
}

export async function openAgain({ master }: Pick<Run, 'master'>): Promise<void> {
  const path = '/recovery/open';
  dataOf(path, await call(master, { path, body: { reason: 'the drill has seen it' } }));
}

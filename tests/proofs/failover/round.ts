//! One round: a set at work on a primary with a standby, which is promoted at a random moment.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServerProcess } from '../../../apps/cli/src/server-process.ts';
import { endPool } from '../../../apps/server/src/testing/database/end-pool.ts';
import type { Server } from '../../harness/postgres-server.ts';
import type { SeededRandom } from '../../harness/random.ts';
import { openRelay } from '../../harness/relay.ts';
import { startReplication } from '../../harness/replication.ts';
import { secondsText } from '../../harness/report.ts';
import { needed } from '../../harness/set.ts';
import { countSent } from '../restore/closed.ts';
import { openRun, type Run } from '../restore/environment.ts';
import { readHistory } from '../restore/history.ts';
import { openLoad } from '../restore/load.ts';
import { type Outcome, outcomeOf, outcomeText } from '../restore/outcome.ts';

interface Way {
  /** A commit waits for the standby. Otherwise the standby is cut off before the failure. */
  readonly isSynchronous: boolean;
  /** Of Restate. */
  readonly wiped: boolean;
  /** The primary is frozen with a worker that knows no other server; both awake later. */
  readonly isFrozen: boolean;
}

export interface RoundPlan extends Way {
  readonly beforeMs: number;
  /** How long the standby has got nothing when the primary fails. */
  readonly lostMs: number;
  /** Before the failure, withdrawals are committed while no worker pays them. */
  readonly awayMs: number;
  /** Until the failure is detected. */
  readonly detectMs: number;
}

interface Round extends RoundPlan, Outcome {}

const BOTH = [false, true];
export const WAYS: Readonly<Record<string, Way>> = Object.fromEntries(
  BOTH.flatMap((isSynchronous) =>
    BOTH.flatMap((isFrozen) =>
      BOTH.map((wiped) => {
        const way = { isSynchronous, isFrozen, wiped };
        return [nameOf(way), way];
      }),
    ),
  ),
);

/** Such as `lossy-frozen-wiped`. */
function nameOf({ isSynchronous, isFrozen, wiped }: Way): string {
  const standby = isSynchronous ? 'synchronous' : 'lossy';
  return [standby, isFrozen ? 'frozen' : 'killed', ...(wiped ? ['wiped'] : [])].join('-');
}

/** No load reaches the old primary any more; what was on its way to the sandbox is there. */
const QUIET_MS = 1000;
/** Several withdrawals are committed meanwhile. */
const AWAY_MS = 1200;
/** For the old worker, to send what it must not. */
const AWAKE_MS = 4000;

export function planRound(random: SeededRandom, way: Way, isQuick: boolean): RoundPlan {
  const most = (ms: number) => random.below(isQuick ? ms / 4 : ms);
  return {
    ...way,
    beforeMs: 1000 + most(4000),
    lostMs: way.isSynchronous ? 0 : most(10_000),
    awayMs: way.isFrozen ? 0 : random.oneOf([0, AWAY_MS]),
    detectMs: most(3000),
  };
}

export async function runRound(plan: RoundPlan, logFile: string): Promise<Round> {
  const { isSynchronous, wiped, isFrozen, beforeMs, lostMs, awayMs, detectMs } = plan;
  await using cleanup = new AsyncDisposableStack();
  const replication = needed(
    await startReplication({ isSynchronous, canBeCut: !isSynchronous }),
    'PostgreSQL',
  );
  cleanup.defer(async () => replication.stop());
  const { primary, standby } = replication;
  const relay = await openRelay(primary.port);
  cleanup.defer(async () => relay.close());
  const run = cleanup.use(await openRun({ adminUrl: at(primary.adminUrl, relay) }, logFile));
  const load = await openLoad(run);
  const stop = load.start();
  const worker = isFrozen ? await moveWorker(run, primary) : undefined;
  await sleep(beforeMs);
  if (!isSynchronous) replication.cutStandby();
  await sleep(lostMs);
  if (awayMs > 0) await run.killWorkers();
  await sleep(awayMs);
  const before = await readHistory(run.monitor);
  const failedAt = performance.now();
  const old = worker === undefined ? undefined : freeze(worker, primary);
  if (old === undefined) primary.kill();
  await stop();

  if (wiped) {
    await run.restate.kill('SIGKILL');
    await run.restate.start({ wiped });
  }
  await sleep(detectMs);
  await untilQuiet(run);
  await replication.promote();
  const database = new pg.Pool({ connectionString: at(run.databaseUrl, standby) });
  cleanup.defer(() => endPool(database));
  const wakeOld = async () => {
    old?.wake();
    if (old !== undefined) await sleep(AWAKE_MS);
    await old?.end();
  };
  const outcome = await outcomeOf(run, load, {
    ...{ before, failedAt, database },
    resume: async () => {
      relay.switchTo(standby.port);
      if (isFrozen || awayMs > 0) await run.startWorker();
    },
    // What it still sends must be there when the recovery looks for it. Without its standby, a
    // primary that waits for one sends nothing any more.
    ...(isSynchronous ? { afterwards: wakeOld } : { whileClosed: wakeOld }),
  });
  return { ...plan, ...outcome, wrong: [...expect(plan, outcome), ...outcome.wrong] };
}

/** What a failover leaves, beyond what holds after each restore. */
function expect({ isSynchronous, wiped }: RoundPlan, outcome: Outcome): string[] {
  const { isAnother, status, missing, openings } = outcome;
  const wrong = isAnother ? [] : ['the standby has the name of the primary'];
  if (!isSynchronous) return wrong;
  if (missing > 0) wrong.push(`${missing} acknowledged writes are lost with a synchronous standby`);
  if (wiped) return wrong;
  if (status !== 'PROMOTED') wrong.push(`${status} although nothing was lost`);
  if (openings > 0) wrong.push('it did not open itself');
  return wrong;
}

const at = (url: string, { port }: { readonly port: number }) =>
  Object.assign(new URL(url), { port: String(port) }).href;

/** The only worker from now on is connected to this server itself, and learns of no other. */
async function moveWorker(run: Run, server: Server): Promise<ServerProcess> {
  await run.killWorkers();
  return run.startWorker(at(run.databaseUrl, server));
}

interface Frozen {
  wake(): void;
  end(): Promise<void>;
}

function freeze(worker: ServerProcess, primary: Server): Frozen {
  process.kill(worker.pid, 'SIGSTOP');
  const wakePrimary = primary.freeze();
  return {
    wake: () => {
      wakePrimary();
      process.kill(worker.pid, 'SIGCONT');
    },
    end: async () => {
      await worker.kill('SIGKILL');
      primary.kill();
    },
  };
}

/** What was sent before the failure is in the journal. */
async function untilQuiet(run: Run): Promise<void> {
  for (let [seen, now] = [-1, await countSent(run, 'REWOUND')]; now !== seen; ) {
    seen = now;
    await sleep(QUIET_MS);
    now = await countSent(run, 'REWOUND');
  }
}

export function roundText(round: Round): string {
  const { isSynchronous, wiped, isFrozen, lostMs, awayMs } = round;
  const cutMs = lostMs + awayMs;
  const standby = isSynchronous ? 'synchronous' : `cut off for ${secondsText(cutMs)}`;
  return [
    `standby ${standby}, primary ${isFrozen ? 'frozen and awake again' : 'killed'}`,
    `Restate ${wiped ? 'wiped' : 'as it was'}`,
    outcomeText(round),
  ].join('; ');
}

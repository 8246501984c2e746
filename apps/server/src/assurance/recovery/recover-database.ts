//! Finds what happened in the time whose writes a database has lost, so that it can open: a job.
//!
//! Its parts run in their order, and each is safe to repeat: a worker that is killed is followed by
//! another. A part that gets no reply is tried again.
import { RECOVERY_STEPS } from '@holdfast/contract/records/recovery-records';
import { retirePooledWallets } from '../../accounts/custody/pooled-wallet.ts';
import { withLock } from '../../accounts/custody/wallet-lock.ts';
import { NO_MARKETPLACE } from '../../platform/call.ts';
import { moveLineage, readLineage } from '../../platform/database/lineage.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { LINEAGE_OPENED } from '../../platform/process/alarms.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findAuditMarketplace } from '../solvency/house-marketplace.ts';
import { findPayments } from './find-payments.ts';
import { findTransactions } from './find-transactions.ts';
import {
  countFindings,
  listRecoverySteps,
  type RecoveryStepName,
  writeRecoveryStep,
} from './recovery-record.ts';
import { type Recoverer, type RecoveryRun, recoveryCall } from './recovery-run.ts';

/** Records are older than the writes that mention them, and clocks differ. */
const EARLIER_MS = 3_600_000;

/**
 * How much later the network's clock must be than the closing: by then everything that was on its
 * way is in, or never will be. Signatures are valid for at most 120 s of payments and 360 s of
 * escrows; two nodes may differ by half a minute. A promoted database keeps sending escrow steps,
 * whose numbers and operations are its own.
 */
const WAIT_SECONDS = { PROMOTED: 180n, REWOUND: 420n } as const;

interface StepResult {
  readonly isFinished: boolean;
  readonly detail: string;
}

const finished = (detail: string): StepResult => ({ isFinished: true, detail });
const waiting = (detail: string): StepResult => ({ isFinished: false, detail });

const STEPS: Readonly<
  Record<RecoveryStepName, (run: RecoveryRun, before: string | undefined) => Promise<StepResult>>
> = {
  wallets: retireWallets,
  wait: waitForNetwork,
  transactions: async (run) => {
    const { network } = run.app;
    if (network === undefined) return finished('there is no ledger network');
    const found = await findTransactions(run, network);
    return found.kind === 'done'
      ? finished(`${found.value} unrecorded transactions found on the network`)
      : waiting(`the ledger network: ${found.reason}`);
  },
  payments: async (run) => {
    const { payments } = run.app;
    if (payments === undefined) return finished('there is no payment provider');
    const found = await findPayments(run, payments);
    return found.kind === 'done'
      ? finished(`${found.value} unrecorded records found at the payment provider`)
      : waiting(`the payment provider: ${found.reason}`);
  },
  end,
};

/** One worker at a time: what another one settles meanwhile would look unrecorded. */
export async function recoverDatabase(app: Recoverer): Promise<number> {
  const { status } = await readLineage(app.pool);
  if (status === 'OPEN') return 0;
  return (await withLock(app.pool, 'recovery', () => recoverAlone(app))) ?? 0;
}

async function recoverAlone(app: Recoverer): Promise<number> {
  const { number, status, isSameServer, isCompared, lostFrom, checkedAt } = await readLineage(
    app.pool,
  );
  if (status === 'OPEN' || !isSameServer || !isCompared) return 0;
  const since = (lostFrom ?? checkedAt) - EARLIER_MS;
  const run: RecoveryRun = { app, lineage: number, status, since, orders: new Map() };
  const steps = await read(app, recoveryCall(), (tx) => listRecoverySteps(tx, number));
  let ended = 0;
  for (const name of RECOVERY_STEPS) {
    const before = steps.find((step) => step.name === name);
    if (before !== undefined && before.finishedAt !== null) continue;
    const result = await STEPS[name](run, before?.detail);
    await transact(app, recoveryCall(), (tx) => writeRecoveryStep(tx, number, name, result));
    if (!result.isFinished) break;
    app.log.info({ lineage: number, step: name, detail: result.detail }, 'recovery step finished');
    ended += 1;
  }
  return ended;
}

async function retireWallets({ app }: RecoveryRun): Promise<StepResult> {
  const retired = await transact(app, recoveryCall(), retirePooledWallets);
  return finished(`${retired} wallets that had no user yet were set aside`);
}

/** The time that is waited for stands in the step, so that every worker waits for the same. */
async function waitForNetwork(
  { app, status }: RecoveryRun,
  before: string | undefined,
): Promise<StepResult> {
  if (app.network === undefined) return finished('there is no ledger network');
  const time = await app.network.closeTime();
  if (time.kind !== 'done') return waiting(before ?? `the ledger network: ${time.reason}`);
  const stored = /until (\d+)/.exec(before ?? '')?.[1];
  const now = BigInt(time.value);
  const until = stored === undefined ? now + WAIT_SECONDS[status] : BigInt(stored);
  return now >= until
    ? finished('what was on its way to the network is there, or never will be')
    : waiting(`until ${until} in the network's time, when nothing is on its way any more`);
}

/** A promoted database of which nothing is found to be lost opens itself. */
async function end({ app, lineage, status }: RecoveryRun): Promise<StepResult> {
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  const call = recoveryCall(auditedIn ?? NO_MARKETPLACE);
  const { detail, isOpened } = await transact(app, call, async (tx) => {
    const findings = await countFindings(tx, lineage);
    if (status === 'PROMOTED' && findings === 0) {
      await openByItself(tx, lineage);
      return { isOpened: true, detail: 'no findings; the database opened itself' };
    }
    const found = findings === 1 ? '1 finding' : `${findings} findings`;
    return { isOpened: false, detail: `${found}; two platform admins have to open the database` };
  });
  if (isOpened) app.log.warn({ number: lineage, reason: detail }, LINEAGE_OPENED);
  return finished(detail);
}

async function openByItself(tx: Tx, lineage: number): Promise<void> {
  const reason = 'a standby took over, and nothing was found that it has no record of';
  if (!(await moveLineage(tx, lineage, 'open', reason))) return;
  await audit(tx, {
    action: 'LINEAGE_OPENED',
    resourceId: String(lineage),
    before: { status: 'PROMOTED' },
    reason,
  });
}

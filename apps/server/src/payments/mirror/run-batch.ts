//! Runs a batch of transfers to its end: sent once, and settled by its hash. A batch that fails on
//! the network is halved until the impossible transfer is alone.
import { assert } from '@holdfast/kernel/assert';
import type { OperationId } from '@holdfast/kernel/ids';
import {
  assetAt,
  type Cashier,
  findTreasury,
  type Payment,
  sendPayments,
} from '../../accounts/custody/send-payments.ts';
import { withLock } from '../../accounts/custody/wallet-lock.ts';
import { listReadyWallets } from '../../accounts/users/wallet.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Tx } from '../../platform/database/transact.ts';
import { transactAt } from '../../platform/database/transact-at.ts';
import { passFor } from '../../platform/process/failpoint.ts';
import { stroopsText } from '../../providers/network/stroops.ts';
import { done, type Outcome, type Refused } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  endBatch,
  insertBatch,
  listOpenTransfers,
  postponeBatch,
  purposeOf,
  type Transfer,
} from './batch.ts';
import { clearWaits, markBooksDue, waitFor } from './due-user.ts';
import { addDrawn } from './treasury-share.ts';
import { ASSETS, type Asset, addMirrored } from './wallet-mirror.ts';

/** Returns how many transfers took effect; zero when another worker runs the batch. */
export async function runBatch(app: Cashier, call: Call, id: OperationId): Promise<number> {
  const ran = await withLock(app.pool, `mirror batch ${id}`, () => runLocked(app, call, id));
  if (ran === undefined) return 0;
  let sum = ran.applied;
  for (const half of ran.halves) sum += await runBatch(app, call, half);
  return sum;
}

interface Ran {
  readonly applied: number;
  readonly halves: readonly OperationId[];
}

const NOTHING: Ran = { applied: 0, halves: [] };

async function runLocked(app: Cashier, call: Call, id: OperationId): Promise<Ran> {
  const transfers = await read(app, call, (tx) => listOpenTransfers(tx, id));
  if (transfers.length === 0) return NOTHING;
  const userIds = transfers.map(({ userId }) => userId);
  return passFor(userIds, () => settle(app, call, { id, transfers }));
}

interface OpenBatch {
  readonly id: OperationId;
  readonly transfers: readonly Transfer[];
}

async function settle(app: Cashier, call: Call, batch: OpenBatch): Promise<Ran> {
  const { id, transfers } = batch;
  const payments = await paymentsFor(app, call, transfers);
  const settled =
    payments.kind === 'done'
      ? await sendPayments(app, call, purposeOf(id), { payments: payments.value })
      : payments;
  if (settled.kind === 'done') return apply(app, call, batch);
  if (settled.kind === 'refused') return fail(app, call, batch, settled);
  app.log.warn(
    { batchId: id, transfers: transfers.length, reason: settled.reason },
    'mirror batch outcome unknown',
  );
  await transactAt(app, call, at('mirror:again'), (tx) => postponeBatch(tx, id));
  return NOTHING;
}

/** Each row guards itself. */
const at = (point: string) => ({ point, isolation: 'read committed' }) as const;

async function paymentsFor(
  app: Cashier,
  call: Call,
  transfers: readonly Transfer[],
): Promise<Outcome<Payment[]>> {
  const found = await findTreasury(app);
  if (found.kind !== 'done') return found;
  const treasury = found.value;
  const payers = transfers.filter(({ stroops }) => stroops < 0n).map(({ userId }) => userId);
  const wallets = await read(app, call, (tx) => listReadyWallets(tx, payers));
  return done(
    transfers.map(({ userId, asset, address, stroops }) => {
      if (stroops > 0n) return { from: treasury, to: address, asset, stroops };
      const wallet = wallets.get(userId);
      assert(wallet !== undefined, 'a wallet that is ready stays so');
      return { from: wallet, to: treasury.address, asset, stroops: -stroops };
    }),
  );
}

async function apply(app: Cashier, call: Call, { id, transfers }: OpenBatch): Promise<Ran> {
  return transactAt(app, call, at('mirror:apply'), async (tx) => {
    if (!(await endBatch(tx, id, 'APPLIED'))) return NOTHING;
    await addMirrored(tx, transfers);
    // Sends were drawn when the batch was stored; amounts that came back are no longer drawn.
    await draw(tx, transfers, ({ stroops }) => stroops < 0n, 1n);
    await clearWaits(
      tx,
      transfers.map(({ userId }) => userId),
    );
    return { applied: transfers.length, halves: [] };
  });
}

/** Gives back, or counts, the draw of the selected transfers. */
async function draw(
  tx: Tx,
  transfers: readonly Transfer[],
  isIncluded: (transfer: Transfer) => boolean,
  sign: 1n | -1n,
): Promise<void> {
  for (const asset of ASSETS) {
    const included = transfers.filter((each) => each.asset === asset && isIncluded(each));
    const sum = included.reduce((total, { stroops }) => total + stroops, 0n);
    if (sum !== 0n) await addDrawn(tx, asset, sign * sum);
  }
}

async function fail(app: Cashier, call: Call, failed: OpenBatch, refusal: Refused): Promise<Ran> {
  const { id, transfers } = failed;
  const lacking = await lackingAsset(app, transfers);
  if (lacking !== undefined) {
    app.log.error({ batchId: id, asset: lacking }, 'treasury balance too low');
    return end(app, call, failed, (tx, { userId }) => waitFor(tx, userId, 'TREASURY'));
  }
  if (transfers.length > 1) return halve(app, call, failed);
  for (const { userId, address, asset, stroops } of transfers) {
    const { code, reason } = refusal;
    const amount = stroopsText(stroops < 0n ? -stroops : stroops);
    app.log.error(
      { batchId: id, userId, address, asset, amount, code, reason },
      'mirror transfer refused',
    );
  }
  return end(app, call, failed, (tx, transfer) => escalate(tx, transfer, id, refusal));
}

/**
 * An asset that the treasury lacks. Halving would isolate every transfer, though none is at fault.
 */
async function lackingAsset(
  app: Cashier,
  transfers: readonly Transfer[],
): Promise<Asset | undefined> {
  const treasury = await findTreasury(app);
  if (treasury.kind !== 'done') return undefined;
  for (const asset of ASSETS) {
    const sent = transfers.filter((each) => each.asset === asset && each.stroops > 0n);
    const sum = sent.reduce((total, { stroops }) => total + stroops, 0n);
    if (sum === 0n) continue;
    const actual = await assetAt(app, treasury.value.address, asset);
    if (actual.kind === 'done' && actual.value < sum) return asset;
  }
  return undefined;
}

async function halve(app: Cashier, call: Call, { id, transfers }: OpenBatch): Promise<Ran> {
  const middle = Math.ceil(transfers.length / 2);
  return transactAt(app, call, at('mirror:halve'), async (tx) => {
    if (!(await endBatch(tx, id, 'FAILED'))) return NOTHING;
    const first = await insertBatch(tx, transfers.slice(0, middle));
    return { applied: 0, halves: [first, await insertBatch(tx, transfers.slice(middle))] };
  });
}

/** Failed for good: the draw is given back, and all users are due again after a wait. */
async function end(
  app: Cashier,
  call: Call,
  { id, transfers }: OpenBatch,
  report: (tx: Tx, transfer: Transfer) => Promise<void>,
): Promise<Ran> {
  return transactAt(app, call, at('mirror:fail'), async (tx) => {
    if (!(await endBatch(tx, id, 'FAILED'))) return NOTHING;
    await draw(tx, transfers, ({ stroops }) => stroops > 0n, -1n);
    await markBooksDue(
      tx,
      transfers.map(({ userId }) => userId),
    );
    for (const transfer of transfers) await report(tx, transfer);
    return NOTHING;
  });
}

async function escalate(
  tx: Tx,
  { userId, address, asset, stroops }: Transfer,
  batchId: OperationId,
  { code, reason }: Refused,
): Promise<void> {
  await waitFor(tx, userId, 'ESCALATED');
  const amount = stroopsText(stroops < 0n ? -stroops : stroops);
  await audit(tx, {
    action: 'MIRROR_TRANSFER_ESCALATED',
    resourceId: userId,
    after: { batchId, asset, amount, address, direction: stroops < 0n ? 'BACK' : 'OUT' },
    reason: `${code}: ${reason}`,
    result: 'FAILURE',
  });
}

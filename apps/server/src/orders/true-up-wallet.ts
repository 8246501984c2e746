//! Brings a user's address on the network to what the books say: after every settlement, in the
//! background. Short, the treasury sends; over, the user's wallet returns it.
import { Refusal } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { findBalance } from '../books/account.ts';
import { type Transfer, transferUsdc, usdcAt } from '../custody/usdc-transfer.ts';
import { whenWalletFree } from '../custody/wallet-lock.ts';
import { findOpenOperation, type Operation, openOperation } from '../engine/operation.ts';
import { type SagaRun, saga } from '../engine/saga.ts';
import { read, type Tx } from '../platform/transact.ts';
import { PersistedEnvelope } from '../providers/envelope.ts';
import { done, type Outcome, unknown } from '../providers/outcome.ts';
import type { SealedWallet } from '../providers/signer.ts';
import { stroopsOf } from '../providers/stroops.ts';
import { findWallet } from '../users/wallet.ts';
import type { EscrowWorker } from './escrow-steps.ts';
import { hasMoneyInFlight } from './in-flight.ts';

const KIND = 'true-up-wallet';

interface TrueUpPlan {
  readonly userId: UserId;
}

/** After the books have changed. One that is open will see the change too. */
export async function openTrueUps(tx: Tx, userIds: readonly UserId[]): Promise<Operation[]> {
  const opened: Operation[] = [];
  for (const userId of userIds) {
    const operation = await openTrueUp(tx, userId);
    if (operation !== undefined) opened.push(operation);
  }
  return opened;
}

async function openTrueUp(tx: Tx, userId: UserId): Promise<Operation | undefined> {
  const plan: TrueUpPlan = { userId };
  try {
    return await openOperation(tx, { kind: KIND, resourceType: 'User', resourceId: userId, plan });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Read, so that under serializable isolation it can't end without having seen this change.
    await findOpenOperation(tx, userId);
    return undefined;
  }
}

/**
 * A round makes the address right by the books as it found them; the operation ends only in a
 * transaction that sees them unchanged. Who settles meanwhile finds it open and counts on it.
 */
export const trueUpSaga = saga(KIND, async (run: SagaRun<EscrowWorker>, { userId }: TrueUpPlan) => {
  for (let round = 1; ; round += 1) {
    const outcome = await run.provider(`transfer-${round}`, {}, (purpose) =>
      trueUp(run, userId, purpose),
    );
    assert(outcome.kind === 'done', 'a transfer that failed is tried again');
    const { booked } = outcome.value;
    try {
      return await run.last(`end-${round}`, async (tx) => {
        if (String(await bookedStroops(tx, userId)) !== booked) throw new BooksMoved(userId);
        return { booked };
      });
    } catch (error) {
      if (!(error instanceof BooksMoved)) throw error;
    }
  }
});

class BooksMoved extends Error {}

async function trueUp(
  run: SagaRun<EscrowWorker>,
  userId: UserId,
  purpose: string,
): Promise<Outcome<{ readonly booked: string }>> {
  const { app, call } = run;
  const wallet = (await read(app, call, (tx) => findWallet(tx, userId)))?.sealed;
  if (!wallet) return unknown('the wallet is being made');
  const trued = await whenWalletFree(app.pool, [wallet], { purpose }, () =>
    trueUpLocked(run, userId, wallet, purpose),
  );
  return trued ?? unknown('the wallet is busy');
}

async function trueUpLocked(
  { app, call }: SagaRun<EscrowWorker>,
  userId: UserId,
  wallet: SealedWallet,
  purpose: string,
): Promise<Outcome<{ readonly booked: string }>> {
  // The books first: what the network shows afterwards can only be newer.
  const [booked, isMoving] = await read(
    app,
    call,
    async (tx) => [await bookedStroops(tx, userId), await hasMoneyInFlight(tx, userId)] as const,
  );
  const found = await usdcAt(app, wallet.address);
  if (found.kind !== 'done') return found;
  const transfer = transferFor(wallet, booked - found.value, isMoving);
  // One that was begun is brought to its end, whatever would be right by now.
  const begun = await PersistedEnvelope.find(app, call, purpose);
  if (transfer !== undefined || begun !== undefined) {
    const stillRight = transfer ?? { to: wallet.address, stroops: 0n };
    const sent = await transferUsdc(app, call, purpose, stillRight);
    if (sent.kind === 'refused')
      app.log.error({ userId, purpose, code: sent.code, reason: sent.reason }, 'fail transfer');
    if (sent.kind !== 'done') return unknown(sent.reason);
  }
  // What was begun under older books is followed by another round.
  return done({ booked: begun === undefined ? String(booked) : 'older' });
}

function transferFor(
  wallet: SealedWallet,
  missing: bigint,
  isMoving: boolean,
): Transfer | undefined {
  if (missing > 0n) return { to: wallet.address, stroops: missing };
  return missing < 0n && !isMoving ? { from: wallet, stroops: -missing } : undefined;
}

/** USD and USDC are both backed by USDC: the address holds the two together. */
async function bookedStroops(tx: Tx, userId: UserId): Promise<bigint> {
  let sum = 0n;
  for (const currency of ['USD', 'USDC'] as const) {
    const balance = await findBalance(tx, userId, currency);
    assert(balance !== undefined, 'an order names users');
    sum += stroopsOf(Money.ofMinor(balance.available + balance.reserved, currency));
  }
  return sum;
}

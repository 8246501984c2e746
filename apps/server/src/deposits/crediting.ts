//! Credits strangers' payments to the users whose addresses they came to, each of them once.
import { randomUUID } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import { creditDeposit } from '../books/deposit-money.ts';
import { makeMirrorDue } from '../mirror/make-due.ts';
import { addDust, listCounts } from '../mirror/wallet-mirror.ts';
import { type Call, systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import { minorOf } from '../providers/stroops.ts';
import { historyLineIdOf } from '../users/list-wallet-transactions.ts';
import { findUser } from '../users/user.ts';
import { insertDeposit } from './deposit.ts';
import type { StrangersPayment } from './strangers-payments.ts';

/**
 * One transaction for each marketplace. What is there already is left alone, so all of it may be
 * repeated, by anybody, at any time. A part that fails keeps no other waiting.
 * Answers how many were new.
 */
export async function creditPayments(
  app: Transactor,
  payments: readonly StrangersPayment[],
  requestId: string = randomUUID(),
): Promise<number> {
  const parts = new Map<RowNumber, StrangersPayment[]>();
  for (const payment of payments) {
    const part = parts.get(payment.marketplace);
    if (part === undefined) parts.set(payment.marketplace, [payment]);
    else part.push(payment);
  }
  let credited = 0;
  const failures: unknown[] = [];
  for (const [marketplace, part] of parts) {
    try {
      credited += await creditPart(app, { ...systemCall(marketplace), requestId }, part);
    } catch (error) {
      app.log.error({ marketplace, reason: (error as Error).message }, 'fail deposits');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return credited;
}

function creditPart(
  app: Transactor,
  call: Call,
  part: readonly StrangersPayment[],
): Promise<number> {
  return transact(app, call, async (tx) => {
    let fresh = 0;
    for (const payment of part) if (await credit(tx, payment)) fresh += 1;
    return fresh;
  });
}

/**
 * Whole cents go to the books; the rest is the wallet's dust, and counts as soon as it makes a cent
 * with what came before. Whoever the user is by now: the money is at the user's address.
 */
async function credit(tx: Tx, payment: StrangersPayment): Promise<boolean> {
  const { userId, asset, stroops, operationId, part } = payment;
  const user = await findUser(tx, userId);
  assert(user !== undefined, 'a wallet is of a user');
  const { dust } = (await listCounts(tx, [userId])).of(userId, asset);
  const sum = minorOf(dust + stroops);
  const isNew = await insertDeposit(tx, {
    ...payment,
    lineId: historyLineIdOf(operationId),
    currency: asset === 'XLM' ? 'XLM' : user.depositCurrency,
    minor: sum.minor,
    dust: sum.dust - dust,
  });
  if (!isNew) return false;
  if (sum.dust !== dust) await addDust(tx, userId, asset, sum.dust - dust);
  if (sum.minor > 0n) await creditDeposit(tx, operationId, part);
  await makeMirrorDue(tx, userId);
  return true;
}

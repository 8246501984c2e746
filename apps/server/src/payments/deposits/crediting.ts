//! Credits external payments to the users whose addresses received them, each once.
import { randomUUID } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import { creditDeposit } from '../../accounts/books/deposit-money.ts';
import { historyLineIdOf } from '../../accounts/users/read-wallets.ts';
import { findUser } from '../../accounts/users/user.ts';
import { type Call, systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { transactAt } from '../../platform/database/transact-at.ts';
import { minorOf } from '../../providers/network/stroops.ts';
import { markMirrorDue } from '../mirror/due-user.ts';
import { publicIdOf } from '../mirror/treasury-share.ts';
import { addDust, listCounts } from '../mirror/wallet-mirror.ts';
import { insertDeposit } from './deposit.ts';
import type { ExternalPayment } from './external-payments.ts';

/**
 * One transaction for each marketplace. Known deposits are skipped, so any worker may repeat all of
 * it at any time. A marketplace that fails does not delay the others. Returns how many were new.
 */
export async function creditPayments(
  app: Transactor,
  payments: readonly ExternalPayment[],
  requestId: string = randomUUID(),
): Promise<number> {
  const groups = new Map<RowNumber, ExternalPayment[]>();
  for (const payment of payments) {
    const part = groups.get(payment.marketplace);
    if (part === undefined) groups.set(payment.marketplace, [payment]);
    else part.push(payment);
  }
  let credited = 0;
  const failures: unknown[] = [];
  for (const [marketplace, part] of groups) {
    try {
      credited += await creditGroup(app, { ...systemCall(marketplace), requestId }, part);
    } catch (error) {
      const marketplaceId = await read(app, systemCall(marketplace), publicIdOf).catch(() => null);
      app.log.error({ marketplaceId, err: error }, 'deposit crediting failed');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return credited;
}

function creditGroup(
  app: Transactor,
  call: Call,
  part: readonly ExternalPayment[],
): Promise<number> {
  return transactAt(app, call, { point: 'deposits:credit' }, async (tx) => {
    let fresh = 0;
    for (const payment of part) if (await credit(tx, payment)) fresh += 1;
    return fresh;
  });
}

/**
 * Whole cents go to the books. The rest is the wallet's dust, and counts once it makes a cent with
 * earlier dust. The user's status does not matter: the money is at the user's address.
 */
async function credit(tx: Tx, payment: ExternalPayment): Promise<boolean> {
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
  await markMirrorDue(tx, userId);
  return true;
}

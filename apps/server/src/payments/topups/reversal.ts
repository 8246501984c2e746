//! A payment that the payer's bank takes back after it was credited. Only the provider's own record
//! says so. The user is charged what was credited; what is spent already becomes a debt.
import { assert } from '@holdfast/kernel/assert';
import { minorText } from '@holdfast/kernel/money';
import { stopOwnMarketplace } from '../../access/marketplaces/stop-marketplace.ts';
import { readTerms } from '../../access/marketplaces/terms.ts';
import { bookTopupReversal } from '../../accounts/books/topup-money.ts';
import { suspendUser } from '../../accounts/users/freeze-user.ts';
import { lockAndSumDebts } from '../../accounts/users/write-off-debt.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { recordReversed, type Topup } from './topup.ts';

/**
 * The top-up stays succeeded, and shows what was taken back. Orders of the user continue. A payment
 * that was never credited changes nothing.
 */
export async function reverse(tx: Tx, topup: Topup): Promise<Topup> {
  const { credited } = topup;
  if (topup.reversed === credited) return topup;
  const reversed = await changeReversed(tx, topup, credited, 'TOPUP_REVERSED');
  await emit(tx, 'topup.reversed', topup.id, payloadOf(topup, credited));
  const { suspendOnReversal, debtLimit } = await readTerms(tx);
  if (suspendOnReversal)
    await suspendUser(tx, topup.userId, `The payment of top-up ${topup.id} was reversed.`);
  await stopAbove(tx, debtLimit);
  return reversed;
}

/**
 * Takes back what no record has confirmed, as two people decided: it is all there, so no debt
 * opens. A record that confirms it later pays it again.
 */
export async function takeBackUnconfirmed(tx: Tx, topup: Topup): Promise<Topup> {
  const { credited } = topup;
  assert(topup.reversed === 0n, 'what is not confirmed was not reversed');
  await emit(tx, 'topup.reversed', topup.id, payloadOf(topup, credited));
  return changeReversed(tx, topup, credited, 'TOPUP_REVERSED');
}

/** Too many reversals at once look like fraud: nothing more is paid out until two people agree. */
async function stopAbove(tx: Tx, debtLimit: bigint): Promise<void> {
  const owed = await lockAndSumDebts(tx);
  if (owed <= debtLimit) return;
  const reason = `Users owe ${minorText(owed)}, above the limit of ${minorText(debtLimit)}.`;
  await stopOwnMarketplace(tx, { level: 'PAYOUTS', reason });
}

/** The record shows the payment as received again: the user gets back what was taken. */
export async function reinstate(tx: Tx, topup: Topup): Promise<Topup> {
  if (topup.reversed === 0n) return topup;
  await emit(tx, 'topup.reinstated', topup.id, payloadOf(topup, topup.reversed));
  return changeReversed(tx, topup, 0n, 'TOPUP_REINSTATED');
}

function payloadOf({ id: topupId, userId, currency }: Topup, amount: bigint) {
  return { topupId, userId, amount: minorText(amount), currency };
}

async function changeReversed(
  tx: Tx,
  topup: Topup,
  reversed: bigint,
  action: 'TOPUP_REVERSED' | 'TOPUP_REINSTATED',
): Promise<Topup> {
  const recorded = await recordReversed(tx, topup, reversed);
  await bookTopupReversal(tx, recorded);
  await audit(tx, {
    action,
    resourceId: topup.id,
    before: { reversed: minorText(topup.reversed) },
    after: { reversed: minorText(reversed), currency: topup.currency },
  });
  return recorded;
}

//! The payment provider's fee on a pay-in, as its record shows it. The user is credited with the
//! whole payment; the fee is posted on its own, so the books have what the provider has.
import { minorText } from '@holdfast/kernel/money';
import { bookTopupFee } from '../../accounts/books/topup-money.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { recordFee, type Topup } from './topup.ts';

/** A fee that has changed posts the difference; the same fee again posts nothing. */
export async function bookFee(tx: Tx, topup: Topup, fee: bigint): Promise<Topup> {
  if (topup.fee === fee) return topup;
  const recorded = await recordFee(tx, topup, fee);
  if (fee === (topup.fee ?? 0n)) return recorded;
  await bookTopupFee(tx, recorded);
  await audit(tx, {
    action: 'TOPUP_FEE_BOOKED',
    resourceId: topup.id,
    before: { fee: minorText(topup.fee ?? 0n) },
    after: { fee: minorText(fee), paidBy: topup.feePaidBy, currency: topup.currency },
  });
  return recorded;
}

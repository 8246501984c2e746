//! Money that came in for a top-up and is not the user's: it is booked to suspense and logged as an
//! error.

import type { Money } from '@holdfast/kernel/money';
import { minorText } from '@holdfast/kernel/money';
import { suspendTopup } from '../../accounts/books/topup-money.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { TOPUP_CONTRADICTED } from '../../platform/process/alarms.ts';
import type { Log } from '../../platform/process/log.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { recordReceived, type Topup } from './topup.ts';

/**
 * Records the amount that the provider reports as received. The difference between that and the
 * user's credit goes through suspense; the user's credit is never reversed.
 */
export async function receiveMoney(
  app: { readonly log: Log },
  tx: Tx,
  topup: Topup,
  received: Money,
  reason: string,
): Promise<Topup> {
  const recorded =
    topup.received?.equals(received) === true ? topup : await recordReceived(tx, topup, received);
  const isSame = received.currency === topup.currency;
  const unexplained = received.minor - (isSame ? topup.credited : 0n);
  const { suspended: before, suspendedCurrency } = topup;
  const isMoved = before !== 0n && suspendedCurrency !== received.currency;
  if (unexplained === before && !isMoved) return recorded;
  const suspended = await suspendTopup(tx, recorded);
  const isMore = suspended > before && !isMoved;
  const { currency } = received;
  const figures = {
    received: received.text,
    credited: minorText(topup.credited),
    suspended: minorText(suspended),
    currency,
  };
  const action = isMore ? 'TOPUP_MONEY_SUSPENDED' : 'TOPUP_CONTRADICTED';
  app.log.error(
    { topupId: topup.id, status: topup.status, ...figures, reason },
    isMore ? 'amount moved to suspense' : TOPUP_CONTRADICTED,
  );
  await audit(tx, {
    action,
    resourceId: topup.id,
    before: { received: topup.received?.text ?? null, suspended: minorText(before) },
    after: figures,
    reason,
  });
  return { ...recorded, suspended, suspendedCurrency: currency };
}

//! What came in for a top-up and is not the user's: it waits in suspense, and somebody is told.
import type { Money } from '@holdfast/kernel/money';
import { minorText } from '@holdfast/kernel/money';
import { audit } from '../audit/audit-entry.ts';
import { suspendTopup } from '../books/topup-money.ts';
import type { Log } from '../platform/log.ts';
import type { Tx } from '../platform/transact.ts';
import { noteReceived, type Topup } from './topup.ts';

/**
 * Writes down what the provider says has come in. Whatever of it the user does not have, or has
 * without its having come, goes through suspense; nothing that the user has is taken back.
 */
export async function receiveMoney(
  app: { readonly log: Log },
  tx: Tx,
  topup: Topup,
  received: Money,
  reason: string,
): Promise<Topup> {
  const noted =
    topup.received?.equals(received) === true ? topup : await noteReceived(tx, topup, received);
  const isSame = received.currency === topup.currency;
  const unexplained = received.minor - (isSame ? topup.credited : 0n);
  const { suspended: before, suspendedCurrency } = topup;
  const isMoved = before !== 0n && suspendedCurrency !== received.currency;
  if (unexplained === before && !isMoved) return noted;
  const suspended = await suspendTopup(tx, noted);
  const isMore = suspended > before && !isMoved;
  const { currency } = received;
  const figures = {
    received: received.text,
    credited: minorText(topup.credited),
    suspended: minorText(suspended),
    currency,
  };
  const action = isMore ? 'TOPUP_MONEY_SUSPENDED' : 'TOPUP_CONTRADICTED';
  app.log.error({ topupId: topup.id, status: topup.status, ...figures, reason }, 'suspend money');
  await audit(tx, {
    action,
    resourceId: topup.id,
    before: { received: topup.received?.text ?? null, suspended: minorText(before) },
    after: figures,
    reason,
  });
  return { ...noted, suspended, suspendedCurrency: currency };
}

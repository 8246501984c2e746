//! Fetches the payment provider's record of a withdrawal, by our own id.
import type { Log } from '../../platform/process/log.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { observationOf, type PayoutObservation } from './apply-payout.ts';
import { hasEnded, type Withdrawal } from './withdrawal.ts';

/** False for a withdrawal that was never sent, goes over the network, or has certainly ended. */
export function isPollable(withdrawal: Withdrawal): boolean {
  const { destination, status, nextPollAt } = withdrawal;
  if (destination.type === 'crypto' || status === 'WITHDRAWAL_CREATED') return false;
  return !hasEnded(withdrawal) || nextPollAt !== null;
}

/** Done, with undefined, where the provider has no record yet. */
export async function fetchPayout(
  payments: PaymentProvider,
  log: Log,
  withdrawal: Withdrawal,
): Promise<Outcome<PayoutObservation | undefined>> {
  const { id, status } = withdrawal;
  const found = await payments.findPayout(id);
  if (found.kind !== 'done') return found;
  if (found.value !== null) return done(observationOf(found.value));
  // A record may be absent only while the payout is being sent.
  if (status !== 'WITHDRAWAL_COMMITTED')
    log.error({ withdrawalId: id, status }, 'payout missing at provider');
  return done(undefined);
}

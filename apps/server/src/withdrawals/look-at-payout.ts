//! A look at what the payment provider has about a withdrawal, by our own id.
import type { Log } from '../platform/log.ts';
import { done, type Outcome } from '../providers/outcome.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { type PayoutTold, toldByLook } from './apply-payout.ts';
import { hasEnded, type Withdrawal } from './withdrawal.ts';

/** False for what was never sent, goes over the network, or has ended for good. */
export function isWorthALook(withdrawal: Withdrawal): boolean {
  const { destination, status, nextLookAt } = withdrawal;
  if (destination.type === 'crypto' || status === 'WITHDRAWAL_CREATED') return false;
  return !hasEnded(withdrawal) || nextLookAt !== null;
}

/** Done with nothing where the provider has none yet. */
export async function lookAtPayout(
  payments: PaymentProvider,
  log: Log,
  withdrawal: Withdrawal,
): Promise<Outcome<PayoutTold | undefined>> {
  const { id, status } = withdrawal;
  const found = await payments.findPayout(id);
  if (found.kind !== 'done') return found;
  if (found.value !== null) return done(toldByLook(found.value));
  // Only while it is being sent can it rightly be absent.
  if (status !== 'WITHDRAWAL_COMMITTED')
    log.error({ withdrawalId: id, status }, 'miss payout at provider');
  return done(undefined);
}

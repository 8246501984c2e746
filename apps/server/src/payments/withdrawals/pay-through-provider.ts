//! Pays a withdrawal out through the payment provider: created there under our id, then committed,
//! which moves the money. No call is repeated without checking the outcome of the first.
import { done, type Outcome, type Refused } from '../../providers/outcome.ts';
import type {
  PaymentProvider,
  Payout,
  PayoutRecipient,
} from '../../providers/payments/payment-provider.ts';
import { giveBack, type PayoutRun, resultOf } from './payout-run.ts';
import { applyStored, callProvider } from './stored-payout.ts';
import type { Withdrawal } from './withdrawal.ts';

export async function payThroughProvider(run: PayoutRun, withdrawal: Withdrawal): Promise<unknown> {
  const { id, userId, amount, destination } = withdrawal;
  const created = await run.providerStep('create', { provider: 'payment_provider' }, () =>
    callProvider(run, (payments) =>
      payments.createPayout({
        code: id,
        recipient: recipientOf(destination),
        amountMinor: amount.minor,
        // The user too: the withdrawal may be forgotten in a restore.
        note: `Withdrawal ${id} of ${userId}`,
      }),
    ),
  );
  if (created.kind === 'refused') return run.lastStep('refused', (tx) => giveBack(tx, id, created));
  const { payoutId } = created.value;
  const sent = await run.providerStep(
    'commit',
    { provider: 'payment_provider', movesMoney: true },
    () => callProvider(run, (payments) => payments.commitPayout(payoutId)),
  );
  if (sent.kind === 'refused') return takeBack(run, withdrawal, payoutId, sent);
  return run.lastStep('sent', (tx) => applyStored(tx, run, id, sent.value));
}

/**
 * The commit was refused, so nothing was paid and the hold is released. The payout is canceled at
 * the provider, so that it cannot be committed later. If it has moved on, its record shows that.
 */
async function takeBack(
  run: PayoutRun,
  withdrawal: Withdrawal,
  payoutId: string,
  refused: Refused,
): Promise<unknown> {
  const { id } = withdrawal;
  await run.txStep('refused', (tx) => giveBack(tx, id, refused));
  const left = await run.providerStep('cancel', { provider: 'payment_provider' }, () =>
    callProvider(run, (payments) => cancelOrFind(payments, payoutId, id)),
  );
  return run.lastStep('canceled', (tx) =>
    left.kind === 'done' ? applyStored(tx, run, id, left.value) : resultOf(tx, id),
  );
}

async function cancelOrFind(
  payments: PaymentProvider,
  payoutId: string,
  code: string,
): Promise<Outcome<Payout>> {
  const canceled = await payments.cancelPayout(payoutId);
  if (canceled.kind !== 'refused') return canceled;
  const found = await payments.findPayout(code);
  if (found.kind !== 'done') return found;
  return found.value === null ? canceled : done(found.value);
}

function recipientOf({ type, ref }: Withdrawal['destination']): PayoutRecipient {
  return type === 'bank' ? { bankRef: ref } : { email: ref };
}

//! Pays a withdrawal out through the payment provider: made there under our id, then committed,
//! which is what moves money. No call of it is made twice without looking what became of the first.
import type { Tx } from '../platform/transact.ts';
import { done, type Outcome, type Refused, unknown } from '../providers/outcome.ts';
import type { PaymentProvider, Payout, PayoutRecipient } from '../providers/payment-provider.ts';
import { applyPayout, toldByLook } from './apply-payout.ts';
import { giveBack, type PayoutRun, resultOf } from './payout-run.ts';
import { lockWithdrawal, type Withdrawal } from './withdrawal.ts';

export async function payThroughProvider(run: PayoutRun, withdrawal: Withdrawal): Promise<unknown> {
  const { id, amount, destination } = withdrawal;
  const made = await run.provider('create', {}, () =>
    asking(run, (payments) =>
      payments.createPayout({
        code: id,
        recipient: recipientOf(destination),
        amountMinor: amount.minor,
        note: `Withdrawal ${id}`,
      }),
    ),
  );
  if (made.kind === 'refused') return run.last('refused', (tx) => giveBack(tx, id, made));
  const { payoutId } = made.value;
  const sent = await run.provider('commit', { movesMoney: true }, () =>
    asking(run, (payments) => payments.commitPayout(payoutId)),
  );
  if (sent.kind === 'refused') return takeBack(run, withdrawal, payoutId, sent);
  return run.last('sent', (tx) => apply(tx, run, withdrawal, sent.value));
}

/**
 * The commit was refused, so nothing was paid and the money goes back. What was made at the
 * provider is canceled there, so that nobody commits it later; should it have moved on, that comes
 * to light.
 */
async function takeBack(
  run: PayoutRun,
  withdrawal: Withdrawal,
  payoutId: string,
  refused: Refused,
): Promise<unknown> {
  const { id } = withdrawal;
  await run.tx('refused', (tx) => giveBack(tx, id, refused));
  const left = await run.provider('cancel', {}, () =>
    asking(run, (payments) => cancelOrFind(payments, payoutId, id)),
  );
  return run.last('canceled', (tx) =>
    left.kind === 'done' ? apply(tx, run, withdrawal, left.value) : resultOf(tx, id),
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

/** A pay-out as a step keeps it, in JSON. */
interface KeptPayout extends Omit<ReturnType<typeof toldByLook>, 'amountMinor' | 'payoutId'> {
  readonly payoutId: string;
  readonly amountMinor: string;
}

async function asking(
  { app: { payments } }: PayoutRun,
  ask: (payments: PaymentProvider) => Promise<Outcome<Payout>>,
): Promise<Outcome<KeptPayout>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const outcome = await ask(payments);
  if (outcome.kind !== 'done') return outcome;
  // Whoever waits is told first that the outcome was open; asking again finds it settled.
  if (outcome.isFoundLater) return unknown('its answer was lost');
  const { id: payoutId, amountMinor } = outcome.value;
  return done({ ...toldByLook(outcome.value), payoutId, amountMinor: String(amountMinor) });
}

async function apply(tx: Tx, { app }: PayoutRun, { id }: Withdrawal, kept: KeptPayout) {
  // Whatever a status means that we have no row for: it was committed, so it is on its way.
  const status = kept.status === 'unrecognised' ? 'pending' : kept.status;
  const told = { ...kept, status, amountMinor: BigInt(kept.amountMinor) };
  await applyPayout(tx, app.log, await lockWithdrawal(tx, id), told);
  return resultOf(tx, id);
}

function recipientOf({ type, ref }: Withdrawal['destination']): PayoutRecipient {
  return type === 'bank' ? { bankRef: ref } : { email: ref };
}

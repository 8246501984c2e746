//! Money out: to the account that the person has linked at the payment provider.
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { findPayment } from '../store/payments.ts';
import type { Person } from '../store/people.ts';
import { dollars } from '../web/words.ts';

/** Two calls, each under a key made from the form that was sent: sending it again pays once. */
export async function withdraw(
  shop: Shop,
  person: Person,
  input: { readonly amount: string; readonly form: string },
): Promise<void> {
  if (person.userId === null) throw new Refusal(403, 'Support accounts have no balance.');
  const result = await shop.holdfast.withdrawals
    .create(
      {
        userId: person.userId,
        amount: input.amount,
        currency: 'USD',
        destination: { type: 'payment_account', ref: person.email },
      },
      { idempotencyKey: `withdraw:${input.form}` },
    )
    .result();
  if (result.ok) return send(shop, result.data.id);
  const { error } = result;
  // The balance page shows the outcome when its event arrives.
  if (!error.isOutcomeKnown) return;
  if (error.code === 'INSUFFICIENT_FUNDS') {
    const available = dollars(error.details.available);
    throw new Refusal(400, `You have ${available} available. Nothing was sent.`);
  }
  throw new Refusal(400, `The withdrawal was not created: ${error.message}`);
}

/** For one whose second call never went out, because this process died between the two. */
export async function sendWithdrawal(shop: Shop, person: Person, id: string): Promise<void> {
  const payment = findPayment(shop.database, id);
  if (payment?.person !== person.id) throw new Refusal(404, 'Withdrawal not found.');
  if (payment.status !== 'WITHDRAWAL_CREATED')
    throw new Refusal(409, 'This withdrawal was already sent or canceled.');
  await send(shop, id);
}

async function send({ holdfast }: Shop, id: string): Promise<void> {
  const result = await holdfast.withdrawals.commit(id, { idempotencyKey: `send:${id}` }).result();
  if (result.ok || !result.error.isOutcomeKnown || result.error.code === 'INVALID_STATE') return;
  throw new Refusal(
    503,
    `The withdrawal has not been sent: ${result.error.message} The amount stays reserved. Select “Send withdrawal” to try again.`,
  );
}

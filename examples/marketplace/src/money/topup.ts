//! Money in: Holdfast calls the payment provider, and the user confirms on its payment page.
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import type { Person } from '../store/people.ts';

/**
 * The URL of the payment page. Undefined when the provider's reply was lost: the balance page then
 * shows the top-up, and its link as soon as an event brings it.
 */
export async function startTopup(
  { config, holdfast }: Shop,
  person: Person,
  input: { readonly amount: string; readonly form: string },
): Promise<string | undefined> {
  if (person.userId === null) throw new Refusal(403, 'Support accounts have no balance.');
  const result = await holdfast.topups
    .create(
      {
        userId: person.userId,
        amount: input.amount,
        currency: 'USD',
        description: 'Driftwood balance',
        // Coming back proves nothing. The balance changes when `topup.succeeded` says so.
        returnUrl: `${config.publicUrl}/balance?message=paying`,
        cancelUrl: `${config.publicUrl}/balance?message=not-paid`,
      },
      { idempotencyKey: `topup:${input.form}` },
    )
    .result();
  if (result.ok) return result.data.confirmationUri ?? undefined;
  const { error } = result;
  if (!error.isOutcomeKnown) return undefined;
  throw new Refusal(400, `The top-up was not started: ${error.message}`);
}

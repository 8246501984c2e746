//! Money in: Holdfast asks the payment provider, and the user confirms on its pay page.
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import type { Person } from '../store/people.ts';

/**
 * Where to send the browser. Undefined when the provider's answer was lost: the balance page then
 * shows the top-up, and its link as soon as an event brings it.
 */
export async function startTopup(
  { config, holdfast }: Shop,
  person: Person,
  wish: { readonly amount: string; readonly form: string },
): Promise<string | undefined> {
  if (person.userId === null) throw new Refusal(403, 'You have no balance here.');
  const result = await holdfast.topups
    .create(
      {
        userId: person.userId,
        amount: wish.amount,
        currency: 'USD',
        description: 'Driftwood balance',
        // Coming back proves nothing. The balance changes when `topup.succeeded` says so.
        returnUrl: `${config.publicUrl}/balance?told=paying`,
        cancelUrl: `${config.publicUrl}/balance?told=not-paid`,
      },
      { idempotencyKey: `topup:${wish.form}` },
    )
    .result();
  if (result.ok) return result.data.confirmationUri ?? undefined;
  const { error } = result;
  if (!error.isOutcomeKnown) return undefined;
  throw new Refusal(400, `That did not work: ${error.message}`);
}

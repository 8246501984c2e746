//! What was asked for, in words.
import { fieldWords } from '#parts/field-words.ts';

const TITLES: Readonly<Record<string, string>> = {
  resolveDispute: 'Decide a dispute',
  releaseOrder: 'Release to the seller',
  refundOrder: 'Refund the buyer',
  commitWithdrawal: 'Pay out a withdrawal',
  creditBalance: 'Credit a balance',
  debitBalance: 'Debit a balance',
  resolveException: 'Post a difference',
};

export function titleOf(action: string): string {
  return TITLES[action] ?? action;
}

/** What the request's body says, one line per field; a reason stands above already. */
export function describeRequest(
  request: Readonly<Record<string, unknown>>,
): (readonly [string, string])[] {
  const body = request['body'];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body)
    .filter(([name]) => name !== 'reason')
    .map(([name, value]) => [
      fieldWords(name),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
}

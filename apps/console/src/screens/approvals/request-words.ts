//! What was asked for, in words.

const TITLES: Readonly<Record<string, string>> = {
  resolveDispute: 'Decide a dispute',
  releaseOrder: 'Release to the seller',
  refundOrder: 'Refund the buyer',
  commitWithdrawal: 'Pay out a withdrawal',
  creditBalance: 'Credit a balance',
  debitBalance: 'Debit a balance',
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
      spaced(name),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
}

function spaced(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

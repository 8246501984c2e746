//! The effect of an approval in words, to the cent, one sentence per line.
import { KEY_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import type {
  ApiKey,
  Approval,
  Balance,
  Debt,
  MarketplaceStop,
  Order,
  ReconciliationException,
  ResolutionPreview,
  User,
  Withdrawal,
} from '@holdfast/sdk';
import { centsOf, grouped, textOf } from '#parts/money/cents.ts';
import { unitsOf } from '#parts/money/decimal.ts';
import { wordsOf } from '#parts/state-badge.tsx';
import { levelName } from '#parts/words/stop-words.ts';
import { effectOf } from '#screens/reconciliation/effects.ts';

const inWords = (amount: string, currency: string) => `${grouped(amount)} ${currency}`;
const cents = (amount: string) => centsOf(amount) ?? 0n;

export function decisionWords(preview: ResolutionPreview): readonly string[] {
  const { currency, releaseAmount, sellerReceives, fee, buyerReceives, amount } = preview;
  const show = (text: string) => inWords(text, currency);
  return [
    cents(releaseAmount) > 0n
      ? `The seller receives ${show(sellerReceives)}: ${show(releaseAmount)} awarded, less a ${show(fee)} fee.`
      : 'The seller receives nothing. No fee is charged.',
    cents(buyerReceives) > 0n
      ? `The buyer is refunded ${show(buyerReceives)}.`
      : 'The buyer is not refunded.',
    `${show(amount)} is paid from escrow. The dispute is resolved and the order is closed.`,
  ];
}

type Settled = Pick<Order, 'amount' | 'currency' | 'fee'>;

export function releaseWords({ amount, currency, fee }: Settled): readonly string[] {
  const net = textOf(cents(amount) - cents(fee));
  return [
    `The seller receives ${inWords(net, currency)}: ${inWords(amount, currency)} from escrow, less a ${inWords(fee, currency)} fee.`,
    'The order is closed.',
  ];
}

export function refundWords({ amount, currency }: Settled): readonly string[] {
  return [
    `The buyer is refunded ${inWords(amount, currency)} from escrow. No fee is charged.`,
    'The order is closed.',
  ];
}

interface Adjusted {
  readonly kind: 'credit' | 'debit';
  readonly amount: string;
  readonly user: Pick<User, 'externalUserId'>;
  readonly balance: Pick<Balance, 'available' | 'currency'>;
}

export function adjustmentWords({ kind, amount, user, balance }: Adjusted): readonly string[] {
  const { available, currency } = balance;
  const isCredit = kind === 'credit';
  const after = cents(available) + (isCredit ? cents(amount) : -cents(amount));
  return [
    `${isCredit ? 'Credits' : 'Debits'} ${inWords(amount, currency)} ${isCredit ? 'to' : 'from'} the available balance of ${user.externalUserId}.`,
    after < 0n
      ? `The available balance is only ${inWords(available, currency)}, so the debit would fail.`
      : `Available balance: ${inWords(available, currency)} before, ${inWords(textOf(after), currency)} after.`,
    'The offsetting entry goes to the marketplace’s adjustment account.',
  ];
}

const DESTINATIONS: Readonly<Record<string, string>> = {
  payment_account: 'payment account',
  crypto: 'blockchain address',
  bank: 'bank account',
};

type Paid = Pick<Withdrawal, 'amount' | 'currency' | 'destination'>;

export function payoutWords(paid: Paid, user: Pick<User, 'externalUserId'>): readonly string[] {
  const { amount, currency, destination } = paid;
  const where = DESTINATIONS[destination.type] ?? wordsOf(destination.type).toLowerCase();
  return [
    `Sends ${inWords(amount, currency)} to ${user.externalUserId}, ${where} ${destination.ref}. No fee is charged.`,
    'The reserved amount is debited when the payout completes, and returned if the payout fails.',
    'Approved by a second operator, the payout passes the waiting time of a new destination and the payout limits of 24 hours. A new destination does not have to wait for this user any more.',
  ];
}

export function liftWords(
  stop: Pick<MarketplaceStop, 'level' | 'reason'> | undefined,
): readonly string[] {
  if (stop === undefined) return ['The stop was lifted since, so this would fail.'];
  return [
    `Lifts the stop of the level ${levelName(stop.level)}, which was set because: ${stop.reason}`,
    'Rejected calls succeed again, and work that waits continues by itself.',
  ];
}

interface WrittenOff {
  readonly amount: string;
  readonly user: Pick<User, 'externalUserId'>;
  readonly debt: Pick<Debt, 'owed' | 'currency'>;
}

export function writeOffWords({ amount, user, debt }: WrittenOff): readonly string[] {
  const { owed, currency } = debt;
  const left = cents(owed) - cents(amount);
  if (left < 0n)
    return [
      `${user.externalUserId} owes only ${inWords(owed, currency)}, so the write-off would fail.`,
    ];
  return [
    `Writes off ${inWords(amount, currency)} that ${user.externalUserId} owes; the marketplace bears the loss.`,
    `Debt: ${inWords(owed, currency)} before, ${inWords(textOf(left), currency)} after.`,
  ];
}

type Body = Readonly<Record<string, unknown>>;
type Requester = Pick<Approval['requestedBy'], 'name'>;

const keyEnd = ({ expiresAt }: Body) => `It expires at ${String(expiresAt)}.`;
const fetchedBy = ({ name }: Requester) =>
  `Only ${name} can fetch its secret, once. The key ends if ${name} is disabled or is no longer an admin.`;

export function keyWords(body: Body, requester: Requester): readonly string[] {
  const { name, scopes } = body as { name?: string; scopes?: readonly string[] };
  return [
    `Creates the API key “${name}” with the scopes ${scopes?.join(', ')}.`,
    keyEnd(body),
    fetchedBy(requester),
  ];
}

export function rotationWords(
  old: Pick<ApiKey, 'name' | 'scopes' | 'revokedAt'> | undefined,
  body: Body,
  requester: Requester,
): readonly string[] {
  if (old === undefined || old.revokedAt !== null)
    return ['The key is no longer valid, so the rotation would fail.'];
  const { overlapSeconds = KEY_OVERLAP_SECONDS.default } = body as { overlapSeconds?: number };
  return [
    `Creates a successor of the API key “${old.name}” with the scopes ${old.scopes.join(', ')}.`,
    `The old key stops working ${overlapSeconds} seconds after the approval.`,
    keyEnd(body),
    fetchedBy(requester),
  ];
}

type Posted = Pick<ReconciliationException, 'cause' | 'amount' | 'currency'>;

export function postingWords(
  exception: Posted,
  body: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { action, userId, expectedAmount } = body;
  const lines = effectOf(
    action as Parameters<typeof effectOf>[0],
    exception,
    typeof userId === 'string' ? userId : '',
  );
  const hasMoved =
    typeof expectedAmount === 'string' && unitsOf(expectedAmount) !== unitsOf(exception.amount);
  if (!hasMoved) return lines;
  const was = inWords(expectedAmount, exception.currency);
  return [
    ...lines,
    `The difference has changed since the request was made (it was ${was}), so the posting would fail.`,
  ];
}

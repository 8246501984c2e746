//! What agreeing does, in words, to the cent: one sentence after the other.
import type {
  Balance,
  Order,
  ReconciliationException,
  ResolutionPreview,
  User,
  Withdrawal,
} from '@holdfast/sdk';
import { centsOf, grouped, textOf } from '#parts/cents.ts';
import { unitsOf } from '#parts/decimal.ts';
import { wordsOf } from '#parts/state-badge.tsx';
import { effectOf } from '#screens/reconciliation/effects.ts';

const inWords = (amount: string, currency: string) => `${grouped(amount)} ${currency}`;
const cents = (amount: string) => centsOf(amount) ?? 0n;

export function decisionWords(preview: ResolutionPreview): readonly string[] {
  const { currency, releaseAmount, sellerReceives, fee, buyerReceives, amount } = preview;
  const show = (text: string) => inWords(text, currency);
  return [
    cents(releaseAmount) > 0n
      ? `The seller receives ${show(sellerReceives)}: ${show(releaseAmount)} awarded, less the fee of ${show(fee)}.`
      : 'The seller receives nothing, and no fee is taken.',
    cents(buyerReceives) > 0n
      ? `The buyer gets back ${show(buyerReceives)}.`
      : 'The buyer gets nothing back.',
    `${show(amount)} leave escrow; the dispute is decided and the order is closed.`,
  ];
}

type Settled = Pick<Order, 'amount' | 'currency' | 'fee'>;

export function releaseWords({ amount, currency, fee }: Settled): readonly string[] {
  const net = textOf(cents(amount) - cents(fee));
  return [
    `The seller receives ${inWords(net, currency)}: ${inWords(amount, currency)} out of escrow, less the fee of ${inWords(fee, currency)}.`,
    'The order is closed.',
  ];
}

export function refundWords({ amount, currency }: Settled): readonly string[] {
  return [
    `The buyer gets back ${inWords(amount, currency)} out of escrow; no fee is taken.`,
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
    `${isCredit ? 'Adds' : 'Takes'} ${inWords(amount, currency)} ${isCredit ? 'to' : 'from'} what ${user.externalUserId} has available.`,
    after < 0n
      ? `Only ${inWords(available, currency)} are available now: it would be refused.`
      : `${inWords(available, currency)} are available now, ${inWords(textOf(after), currency)} then.`,
    'The other side is the marketplace’s adjustment account.',
  ];
}

type Paid = Pick<Withdrawal, 'amount' | 'currency' | 'destination'>;

export function payoutWords(paid: Paid, user: Pick<User, 'externalUserId'>): readonly string[] {
  const { amount, currency, destination } = paid;
  const where = wordsOf(destination.type).toLowerCase();
  return [
    `Sends ${inWords(amount, currency)} to the ${where} ${destination.ref} of ${user.externalUserId}; no fee is taken from it.`,
    'What is held for it is consumed when it arrives, and given back if it fails.',
  ];
}

type Posted = Pick<ReconciliationException, 'amount' | 'currency'>;

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
  return [...lines, `It was ${was} when it was asked for: it would be refused.`];
}

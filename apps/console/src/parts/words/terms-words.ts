//! The terms of a marketplace in words.
import type { LedgerChart, MarketplaceTerms } from '@holdfast/sdk';
import { centsOf, grouped, textOf } from '#parts/money/cents.ts';

export type Settled = Pick<MarketplaceTerms, 'payinFee' | 'suspendOnReversal' | 'debtLimit'>;

interface TermWords {
  readonly name: string;
  readonly show: (value: unknown) => string;
}

const TERMS: Readonly<Record<keyof Settled, TermWords>> = {
  payinFee: {
    name: 'Payment provider’s fee on top-ups',
    show: (payer) => `paid by the ${payer === 'USER' ? 'user' : 'marketplace'}`,
  },
  suspendOnReversal: {
    name: 'User whose payment was reversed',
    show: (isSuspended) => (isSuspended === true ? 'is frozen' : 'stays active'),
  },
  debtLimit: {
    name: 'Payouts stop when users owe more than',
    show: (limit) => `${grouped(textOf(centsOf(String(limit)) ?? 0n))} USD`,
  },
};
const NAMES = Object.keys(TERMS) as readonly (keyof Settled)[];

export function termName(term: keyof Settled): string {
  return TERMS[term].name;
}

/** As "Paid by the marketplace". */
export function termValue(term: keyof Settled, terms: Settled): string {
  const words = TERMS[term].show(terms[term]);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is left out of a change stays as it is. */
export function changesIn(now: Settled, wanted: Partial<Settled>): Partial<Settled> {
  const isOther = (term: keyof Settled) =>
    wanted[term] !== undefined && TERMS[term].show(wanted[term]) !== TERMS[term].show(now[term]);
  return Object.fromEntries(NAMES.filter(isOther).map((term) => [term, wanted[term]]));
}

/** The effect of a change, one sentence per term. */
export function termsWords(now: Settled, wanted: Partial<Settled>): readonly string[] {
  const changes = changesIn(now, wanted);
  const lines = NAMES.filter((term) => changes[term] !== undefined).map((term) => {
    const { name, show } = TERMS[term];
    return `${name}: ${show(changes[term])} (now: ${show(now[term])}).`;
  });
  if (lines.length === 0) return ['These terms apply already; a new version is recorded.'];
  return [...lines, 'Top-ups that were created before keep the fee rule of that time.'];
}

/** What all users owe in dollars, as the debt limit counts it. */
export function owedInAll({ lines }: Pick<LedgerChart, 'lines'>): string {
  const debts = lines.filter(({ kind, currency }) => kind === 'debt' && currency !== 'XLM');
  return textOf(debts.reduce((sum, { total }) => sum - (centsOf(total) ?? 0n), 0n));
}

//! Records of the ledger explorer: accounts, and entries with both of their sides.
import { type Static, Type } from 'typebox';
import { LEDGER_ACCOUNT_KINDS, LEDGER_BUCKETS } from '#enums';
import { amount, currency, instant, nullable, oneOf, record, signedAmount } from '#fields';

const words = () => nullable(Type.String());

/** `user.usr_….USD`, `escrow.ord_….USD`, `fee_income.USD`: kind, owner if it has one, currency. */
export function ledgerAccountId() {
  return Type.String({
    maxLength: 100,
    pattern: '^[a-z_]{4,20}(\\.(usr|ord)_[0-9a-z]{20,32})?\\.(USD|USDC|XLM)$',
    examples: ['fee_income.USD'],
  });
}

/** A number of the journal. Text, because it is larger than a JSON number may be. */
export function ledgerEntryId() {
  return Type.String({ pattern: '^[1-9]\\d{0,18}$', examples: ['184467440737095'] });
}

export const LedgerAccountView = record('LedgerAccount', {
  id: ledgerAccountId(),
  kind: oneOf(LEDGER_ACCOUNT_KINDS),
  /** The user, or the order whose escrow it is; null for the marketplace's own. */
  ownerId: words(),
  currency: currency(),
  available: signedAmount(),
  reserved: signedAmount(),
  total: signedAmount(),
  /** The time of the balance: now, or the `at` of the query. */
  at: instant(),
  updatedAt: instant(),
});
export type LedgerAccountView = Static<typeof LedgerAccountView>;

/** All accounts of one kind and currency together. */
export const LedgerChartLineView = record('LedgerChartLine', {
  kind: oneOf(LEDGER_ACCOUNT_KINDS),
  currency: currency(),
  accounts: Type.Integer({ minimum: 0 }),
  available: signedAmount(),
  reserved: signedAmount(),
  total: signedAmount(),
});
export type LedgerChartLineView = Static<typeof LedgerChartLineView>;

export const LedgerChartView = record('LedgerChart', {
  takenAt: instant(),
  lines: Type.Array(LedgerChartLineView),
  /** Of each currency; zero when the books are right. */
  sums: Type.Array(record('LedgerSum', { currency: currency(), total: signedAmount() })),
});
export type LedgerChartView = Static<typeof LedgerChartView>;

const side = (title: string) =>
  record(title, {
    accountId: ledgerAccountId(),
    bucket: oneOf(LEDGER_BUCKETS),
    /**
     * After the entry, below zero where it is a debt; null for the marketplace's own accounts,
     * which keep no running balance.
     */
    available: nullable(signedAmount()),
    reserved: nullable(amount()),
  });

export const LedgerEntryView = record('LedgerEntry', {
  id: ledgerEntryId(),
  kind: Type.String(),
  at: instant(),
  amount: amount(),
  currency: currency(),
  from: side('LedgerFrom'),
  to: side('LedgerTo'),
  /** What it is about: an order, a withdrawal, a top-up. */
  subjectId: words(),
  reference: words(),
  note: words(),
  actorId: Type.String(),
  requestId: Type.String(),
});
export type LedgerEntryView = Static<typeof LedgerEntryView>;

export const LedgerEntryDetailView = record('LedgerEntryDetail', {
  entry: LedgerEntryView,
  /** The other entries about the same thing, oldest first, fifty at most. */
  related: Type.Array(LedgerEntryView),
});
export type LedgerEntryDetailView = Static<typeof LedgerEntryDetailView>;

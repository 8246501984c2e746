//! Statements: the opening balance, every line that changed it, and the closing balance.
import { type Static, Type } from 'typebox';
import { STATEMENT_SUBJECTS } from '#enums';
import { currency, instant, nullable, oneOf, record, signedAmount } from '#fields';

const sums = {
  available: signedAmount(),
  reserved: signedAmount(),
  total: signedAmount(),
};

const SumsView = record('StatementSums', sums);

export const StatementView = record('Statement', {
  subjectType: oneOf(STATEMENT_SUBJECTS),
  /** Null where it is about the whole marketplace. */
  subjectId: nullable(Type.String()),
  currency: currency(),
  /** The first moment that counts; null for the beginning. */
  from: nullable(instant()),
  /** The first moment that does not count any more. */
  to: instant(),
  opening: SumsView,
  closing: SumsView,
  lines: Type.Array(
    record('StatementLine', {
      entryId: Type.String(),
      at: instant(),
      kind: Type.String(),
      /** What it is about: an order, a top-up, a withdrawal. */
      subjectId: nullable(Type.String()),
      reference: nullable(Type.String()),
      note: nullable(Type.String()),
      change: SumsView,
      balance: SumsView,
    }),
  ),
});
export type StatementView = Static<typeof StatementView>;

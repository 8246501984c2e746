//! Reads a request's amount. Credit and debit have a code of their own for a malformed one.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import type { Currency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';

const WANTED = 'a positive decimal string with at most two places';

/** What every balance request that names an amount carries. */
export interface AmountWish {
  readonly amount: string;
  readonly currency?: Currency | undefined;
}

export function readAdjustmentAmount({ amount, currency = BASE_CURRENCY }: AmountWish): Money {
  return (
    Money.read(amount, currency) ??
    refuse('INVALID_AMOUNT', { amount: amount.slice(0, 40), reason: `amount must be ${WANTED}` })
  );
}

export function readHoldAmount({ amount, currency = BASE_CURRENCY }: AmountWish): Money {
  return (
    Money.read(amount, currency) ??
    refuse('VALIDATION_ERROR', { validationErrors: [`amount must be ${WANTED}`] })
  );
}

//! Reads a request's amount. Credit and debit have a code of their own for a malformed one.
import { refuse } from '@holdfast/contract/errors';
import { AMOUNT_LIMITS, BASE_CURRENCY } from '@holdfast/contract/limits';
import { refuseField } from '@holdfast/contract/validation';
import { assert } from '@holdfast/kernel/assert';
import type { Currency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';

const WANTED = 'a positive decimal string with at most two places';

/** The fields of every balance request that names an amount. */
export interface AmountInput {
  readonly amount: string;
  readonly currency?: Currency | undefined;
}

export function readAdjustmentAmount({ amount, currency = BASE_CURRENCY }: AmountInput): Money {
  return (
    Money.read(amount, currency) ??
    refuse('INVALID_AMOUNT', { amount: amount.slice(0, 40), reason: `amount must be ${WANTED}` })
  );
}

export function readHoldAmount({ amount, currency = BASE_CURRENCY }: AmountInput): Money {
  return (
    Money.read(amount, currency) ?? refuseField('amount', 'format', `amount must be ${WANTED}`)
  );
}

/** Refuses an amount outside the published limits of a top-up, a withdrawal or an order. */
export function checkLimits(amount: Money, of: keyof typeof AMOUNT_LIMITS): void {
  const { currency } = amount;
  const minimum = Money.read(AMOUNT_LIMITS[of].minimum, currency);
  const maximum = Money.read(AMOUNT_LIMITS[of].maximum, currency);
  assert(minimum !== undefined && maximum !== undefined, 'the published limits are amounts');
  if (amount.isLessThan(minimum) || maximum.isLessThan(amount))
    refuse('AMOUNT_OUT_OF_RANGE', {
      requested: amount.text,
      minimum: minimum.text,
      maximum: maximum.text,
      currency,
    });
}

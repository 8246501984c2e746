//! Reads what a caller wants a withdrawal to be, and refuses what can be refused without asking
//! anybody.
import { refuse } from '@holdfast/contract/errors';
import { AMOUNT_LIMITS } from '@holdfast/contract/limits';
import { assert } from '@holdfast/kernel/assert';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { isAccountAddress } from '../providers/strkey.ts';
import type { Destination, WithdrawalTerms } from './withdrawal.ts';

export interface WithdrawalWish {
  readonly userId: UserId;
  readonly amount: string;
  readonly currency: Currency;
  readonly destination: Omit<Destination, 'memo'> & { readonly memo?: string };
}

/** What a text memo of the network can carry. */
const MEMO_BYTES_MAX = 28;

export function readWithdrawalWish(wish: WithdrawalWish): WithdrawalTerms {
  const { userId, currency } = wish;
  const amount =
    Money.read(wish.amount, currency) ??
    refuse('VALIDATION_ERROR', {
      validationErrors: ['amount must be a positive decimal string with at most two places'],
    });
  checkLimits(amount);
  const { type, ref, memo = null } = wish.destination;
  if (currency === 'XLM' && type !== 'crypto') refuse('CURRENCY_NOT_SUPPORTED', { currency });
  const destination = { type, ref, memo };
  checkForm(destination);
  return { id: newId('wd'), userId, amount, currency, destination };
}

function checkLimits(amount: Money): void {
  const { currency } = amount;
  const minimum = Money.read(AMOUNT_LIMITS.withdrawal.minimum, currency);
  const maximum = Money.read(AMOUNT_LIMITS.withdrawal.maximum, currency);
  assert(minimum !== undefined && maximum !== undefined, 'the published limits are amounts');
  if (amount.isLessThan(minimum) || maximum.isLessThan(amount))
    refuse('AMOUNT_OUT_OF_RANGE', {
      requested: amount.text,
      minimum: minimum.text,
      maximum: maximum.text,
      currency,
    });
}

function checkForm({ type, ref, memo }: Destination): void {
  const invalid = (reason: string) => refuse('DESTINATION_INVALID', { type, reason });
  if (type !== 'crypto') {
    if (memo !== null) invalid('only a payment over the network carries a memo');
    return;
  }
  if (!isAccountAddress(ref)) invalid('it is not the address of an account');
  if (memo === null) return;
  const bytes = Buffer.byteLength(memo);
  if (bytes === 0 || bytes > MEMO_BYTES_MAX) invalid(`a memo has 1 to ${MEMO_BYTES_MAX} bytes`);
}

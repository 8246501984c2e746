//! Validates a caller's withdrawal input, and refuses everything that needs no provider or network
//! call.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { checkLimits } from '../../accounts/books/amount-input.ts';
import { isAccountAddress } from '../../providers/network/strkey.ts';
import type { Destination, WithdrawalTerms } from './withdrawal.ts';

export interface WithdrawalInput {
  readonly userId: UserId;
  readonly amount: string;
  readonly currency: Currency;
  readonly destination: Omit<Destination, 'memo'> & { readonly memo?: string };
}

/** The network's limit for a text memo. */
const MEMO_BYTES_MAX = 28;

export function readWithdrawalInput(input: WithdrawalInput, now: Instant): WithdrawalTerms {
  const { userId, currency } = input;
  const amount =
    Money.read(input.amount, currency) ??
    refuseField(
      'amount',
      'format',
      'amount must be a positive decimal string with at most two places',
    );
  checkLimits(amount, 'withdrawal');
  const { type, ref, memo = null } = input.destination;
  if (currency === 'XLM' && type !== 'crypto') refuse('CURRENCY_NOT_SUPPORTED', { currency });
  const destination = { type, ref, memo };
  checkForm(destination);
  return { id: newId('wd', now), userId, amount, currency, destination };
}

function checkForm({ type, ref, memo }: Destination): void {
  const invalid = (reason: string) => refuse('DESTINATION_INVALID', { type, reason });
  if (type !== 'crypto') {
    if (memo !== null) invalid('a memo is allowed only with a crypto destination');
    return;
  }
  if (!isAccountAddress(ref)) invalid('not a valid account address');
  if (memo === null) return;
  const bytes = Buffer.byteLength(memo);
  if (bytes === 0 || bytes > MEMO_BYTES_MAX) invalid(`memo must be 1 to ${MEMO_BYTES_MAX} bytes`);
}

//! Compares a user's books with the user's address: GET /users/{userId}/balance/verify.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import type { Balance } from '../../accounts/books/account.ts';
import { getBalance } from '../../accounts/books/get-balance.ts';
import { getReadyWallet, networkOf, type WalletReader } from '../../accounts/users/read-wallets.ts';
import type { Call } from '../../platform/call.ts';
import { type AddressFacts, type Explanation, explain, readAddressFacts } from './address-facts.ts';

export interface BalanceVerification extends Explanation {
  readonly books: Balance;
  readonly onAddress: Pick<AddressFacts, 'address' | 'currency' | 'actual' | 'dust'>;
  readonly isValid: boolean;
}

/** Changes nothing. USD and USDC are both backed by USDC, so their sum is compared. */
export async function verifyBalance(
  app: WalletReader,
  call: Call,
  userId: UserId,
  currency: Currency = BASE_CURRENCY,
): Promise<BalanceVerification> {
  const books = await getBalance(app, call, userId, currency);
  const { address } = await getReadyWallet(app, call, userId);
  const which = { userId, address, currency: assetOf(currency) };
  const facts = await readAddressFacts({ ...app, network: networkOf(app) }, call, which);
  if (facts.kind !== 'done') return refuse('VERIFICATION_FAILED', { reason: facts.reason });
  const explanation = explain(facts.value);
  const isValid = explanation.unexplained === 0n;
  return { books, onAddress: facts.value, isValid, ...explanation };
}

/** The asset that backs a currency on the network. */
export function assetOf(currency: Currency): 'USDC' | 'XLM' {
  return currency === 'XLM' ? 'XLM' : 'USDC';
}

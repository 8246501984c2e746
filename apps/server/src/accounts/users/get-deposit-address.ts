//! Gets the deposit address of a user: GET /users/{userId}/wallet/deposit.
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { getReadyWallet, networkOf, type WalletReader } from './get-wallet.ts';

export interface DepositAddress {
  readonly address: string;
  readonly asset: 'USDC' | 'XLM';
  readonly network: string;
  /** Which balance a deposit of this asset is credited to. */
  readonly currency: Currency;
}

/** USDC credits the user's own choice of USD or USDC; XLM credits XLM. */
export async function getDepositAddress(
  app: WalletReader,
  call: Call,
  userId: UserId,
  wanted: Currency = 'USDC',
): Promise<DepositAddress> {
  const { user, address } = await getReadyWallet(app, call, userId);
  const network = networkOf(app).passphrase;
  if (wanted === 'XLM') return { address, asset: 'XLM', network, currency: 'XLM' };
  return { address, asset: 'USDC', network, currency: user.depositCurrency };
}

//! Returns a user's balance in one currency: GET /users/{userId}/balance.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Balance, findBalance } from './account.ts';

export async function getBalance(
  app: Transactor,
  call: Call,
  userId: UserId,
  currency: Currency = BASE_CURRENCY,
): Promise<Balance> {
  return read(
    app,
    call,
    async (tx) => (await findBalance(tx, userId, currency)) ?? refuse('USER_NOT_FOUND', { userId }),
  );
}

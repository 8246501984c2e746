//! Lists a member's balances, one per currency: GET /balances.
import { CURRENCY_CODES } from '@holdfast/kernel/currency';
import { type Balance, findBalance } from '../../accounts/books/account.ts';
import type { Call, MemberActor } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';

export async function listBalances(app: Transactor, call: Call<MemberActor>): Promise<Balance[]> {
  return read(app, call, async (tx) => {
    const balances: Balance[] = [];
    for (const currency of CURRENCY_CODES) {
      const balance = await findBalance(tx, call.actor.id, currency);
      if (balance !== undefined) balances.push(balance);
    }
    return balances;
  });
}

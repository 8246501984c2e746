//! A frozen user cannot start anything new, and can again once unfrozen.
import assert from 'node:assert/strict';
import { isHoldfastError, type Order, type Result, type User } from '@holdfast/sdk';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

export async function freezeUser(environment: Environment): Promise<() => Promise<void>> {
  const [buyer, seller] = [await environment.user(), await environment.user()];
  const buy = () =>
    environment.holdfast.orders
      .create({ buyerId: buyer.id, sellerId: seller.id, amount: '5.00', title: 'A pen' })
      .result();
  const sam = await environment.at('sam');
  return () => run(sam, buyer, buy);
}

async function run(sam: Operator, buyer: User, buy: () => Promise<Result<Order>>): Promise<void> {
  await sam.go(`/users/${buyer.id}`);
  await sam.act(sam.button('Freeze user'), 'Freeze user');
  await sam.button('Unfreeze user').waitFor();
  await sam.page
    .getByText('New orders, top-ups, withdrawals and escrows are blocked')
    .first()
    .waitFor();
  const refused = await buy();
  assert.ok(
    !refused.ok && isHoldfastError(refused.error, 'USER_NOT_ACTIVE'),
    'a frozen user was not refused',
  );

  await sam.act(sam.button('Unfreeze user'), 'Unfreeze user');
  await sam.button('Freeze user').waitFor();
  assert.ok((await buy()).ok, 'an unfrozen user was refused');
}

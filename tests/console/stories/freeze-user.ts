//! A frozen user does nothing new, and everything again when unfrozen.
import assert from 'node:assert/strict';
import { isHoldfastError, type Order, type Result, type User } from '@holdfast/sdk';
import type { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

export async function freezeUser(stage: Stage): Promise<() => Promise<void>> {
  const [buyer, seller] = [await stage.user(), await stage.user()];
  const buy = () =>
    stage.holdfast.orders
      .create({ buyerId: buyer.id, sellerId: seller.id, amount: '5.00', title: 'A pen' })
      .result();
  const sam = await stage.at('sam');
  return () => play(sam, buyer, buy);
}

async function play(sam: Operator, buyer: User, buy: () => Promise<Result<Order>>): Promise<void> {
  await sam.go(`/users/${buyer.id}`);
  await sam.act(sam.button('Freeze'), 'Freeze');
  await sam.button('Unfreeze').waitFor();
  await sam.page.getByText('No new orders, top-ups or withdrawals').first().waitFor();
  const refused = await buy();
  assert.ok(!refused.ok && isHoldfastError(refused.error, 'USER_NOT_ACTIVE'), 'it is frozen');

  await sam.act(sam.button('Unfreeze'), 'Unfreeze');
  await sam.button('Freeze').waitFor();
  assert.ok((await buy()).ok, 'it may act again');
}

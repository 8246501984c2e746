import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useEscrowWorld } from '../../testing/escrows.ts';
import { auditedBy, buyerWith, oneCall, orderIn } from '../../testing/orders.ts';
import { inputOf, payeeWith } from '../../testing/withdrawals.ts';
import type { Market } from '../../testing/world.ts';
import { freezeUser } from './freeze-user.ts';

const { world, market } = useEscrowWorld();

const because = { reason: 'two people use one account' };

it('suspends a user, with the reason', async () => {
  const id = await market.user();
  const call = oneCall(market);
  expect(await freezeUser(world.app, call, id, because)).toMatchObject({ id, status: 'SUSPENDED' });
  expect(await auditedBy(world, call)).toEqual([
    {
      action: 'USER_FROZEN',
      resource: id,
      before: { status: 'ACTIVE' },
      after: { status: 'SUSPENDED' },
      reason: because.reason,
      result: 'SUCCESS',
    },
  ]);
  await expect(freezeUser(world.app, market.call, id, because)).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'SUSPENDED', allowed: ['ACTIVE'] },
  });
});

it('blocks new orders, escrows, top-ups and withdrawals, and nothing else', async () => {
  const { id: orderId, buyerId, sellerId } = await orderIn(world, market, 'ORDER_CREATED');
  await freezeUser(world.app, market.call, buyerId, because);
  const code = async (path: string, body: object) =>
    (await market.send('POST', path, { body })).json.error?.code;
  const order = { buyerId, sellerId, amount: '10.00', title: 'A chair' };
  expect(await code('/orders', order)).toBe('USER_NOT_ACTIVE');
  expect(await code('/orders', { ...order, buyerId: sellerId, sellerId: buyerId })).toBe(
    'USER_NOT_ACTIVE',
  );
  expect(await code('/topups', { userId: buyerId, amount: '10.00' })).toBe('USER_NOT_ACTIVE');
  const payee = await payeeWith(world, market);
  await freezeUser(world.app, market.call, payee.userId, because);
  expect(await code('/withdrawals', inputOf(payee))).toBe('USER_NOT_ACTIVE');
  expect(await code(`/users/${buyerId}/balance/credit`, { amount: '1.00' })).toBeUndefined();
  expect((await market.send('POST', `/orders/${orderId}/reserve`, { body: {} })).status).toBe(201);
  expect(await code(`/orders/${orderId}/escrow`, {})).toBe('INTERNAL_ERROR');
});

it('is refused to another marketplace, and runs once for one Idempotency-Key', async () => {
  const id = await buyerWith(world, market, '10.00');
  const otherMarket = await world.market();
  const send = (from: Market, key: string) =>
    from.send('POST', `/users/${id}/freeze`, {
      body: because,
      headers: { 'idempotency-key': key },
    });
  expect((await send(otherMarket, randomUUID())).json.error.code).toBe('USER_NOT_FOUND');
  const key = randomUUID();
  const [first, again] = [await send(market, key), await send(market, key)];
  expect([first.status, again.text]).toEqual([200, first.text]);
});

import { expect, it } from 'vitest';
import { escrowOrderIn, useEscrowWorld } from '../../testing/escrows.ts';
import { previewSettlement } from './preview-settlement.ts';
import { refundOrder } from './refund-order.ts';

const { world, market } = useEscrowWorld();

it('always shows the amount, and refuses a settlement that is no longer possible', async () => {
  const { id } = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '12.50' });
  const preview = () => previewSettlement(world.app, market.call, id, 'refund');
  const before = await preview();
  expect(String(before.amount)).toContain('12.50');
  before.check();
  await refundOrder(world.app, market.call, id, { reason: 'not needed' });
  const { amount, check } = await preview();
  expect(amount).toEqual(before.amount);
  expect(check).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
});

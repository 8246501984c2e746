import { expect, it } from 'vitest';
import { buyerWith, orderIn } from '../../testing/orders.ts';
import { useMarket } from '../../testing/use-world.ts';
import { openDispute } from '../disputes/open-dispute.ts';
import { cancelOrder } from '../order/cancel-order.ts';
import { completeMilestone } from '../order/complete-milestone.ts';
import { getOrder } from '../order/read-orders.ts';
import { reserveOrder } from '../order/reserve-order.ts';

const { world, market } = useMarket();

const milestones = [{ ref: 'm1', title: '', amount: '100.00' }];

const STATES = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'DISPUTED',
  'CLOSED',
] as const;

const ACTIONS = {
  reserve: reserveOrder,
  cancel: cancelOrder,
  complete_milestone: (...[app, call, id]: Parameters<typeof getOrder>) =>
    completeMilestone(app, call, id, 'm1'),
  dispute: (...[app, call, id]: Parameters<typeof getOrder>) =>
    openDispute(app, call, id, { openedBy: 'BUYER', reason: 'OTHER' }),
} as const;

it.each(STATES)('allows in %s exactly the actions that succeed', async (state) => {
  for (const name of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
    const { id } = await orderIn(world, market, state, { milestones });
    const { allowedActions } = await getOrder(world.app, market.call, id);
    const allowedAction = allowedActions.find(({ action }) => action === name);
    const [outcome] = await Promise.allSettled([ACTIONS[name](world.app, market.call, id)]);
    expect({ name, allowed: allowedAction?.allowed }).toEqual({
      name,
      allowed: outcome?.status === 'fulfilled',
    });
    expect(allowedAction?.reason === null).toBe(allowedAction?.allowed);
  }
});

it('gives the reason for each action that is not allowed', async () => {
  const buyerId = await buyerWith(world, market, '10.00');
  const { id } = await orderIn(world, market, 'ORDER_CREATED', { buyerId });
  expect((await getOrder(world.app, market.call, id)).allowedActions).toEqual([
    {
      action: 'reserve',
      allowed: false,
      reason: 'Available balance is 10.00 USD; the request needs 100.00 USD.',
    },
    { action: 'cancel', allowed: true, reason: null },
    {
      action: 'create_escrow',
      allowed: false,
      reason: 'the order status is ORDER_CREATED; this action requires FUNDS_RESERVED',
    },
    {
      action: 'fund_escrow',
      allowed: false,
      reason: 'the order status is ORDER_CREATED; this action requires ESCROW_FUNDING',
    },
    { action: 'complete_milestone', allowed: false, reason: 'The order has no milestones.' },
    { action: 'release', allowed: false, reason: 'the order has no escrow' },
    { action: 'refund', allowed: false, reason: 'the order has no escrow' },
    {
      action: 'dispute',
      allowed: false,
      reason: 'the order status is ORDER_CREATED; this action requires IN_PROGRESS',
    },
  ]);
});

it('requires payment accounts before an escrow, and milestones before a release', async () => {
  const reasonOf = async (id: Parameters<typeof getOrder>[2], wanted: string) =>
    (await getOrder(world.app, market.call, id)).allowedActions.find(
      ({ action }) => action === wanted,
    )?.reason;
  const reserved = await orderIn(world, market, 'FUNDS_RESERVED');
  expect(await reasonOf(reserved.id, 'create_escrow')).toBe('the buyer has no payment account');
  const funding = await orderIn(world, market, 'ESCROW_FUNDING');
  expect(await reasonOf(funding.id, 'fund_escrow')).toBe(null);
  const working = await orderIn(world, market, 'IN_PROGRESS', { milestones });
  expect(await reasonOf(working.id, 'release')).toBe('milestones not completed: m1');
  expect(await reasonOf(working.id, 'refund')).toBe(null);
  await completeMilestone(world.app, market.call, working.id, 'm1');
  expect(await reasonOf(working.id, 'release')).toBe(null);
  expect(await reasonOf(working.id, 'complete_milestone')).toBe('milestone m1 is COMPLETED');
});

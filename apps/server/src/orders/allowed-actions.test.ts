import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyerWith, orderIn } from '../testing/orders.ts';
import { type Market, openWorld, type World } from '../testing/world.ts';
import { cancelOrder } from './cancel-order.ts';
import { completeMilestone } from './complete-milestone.ts';
import { getOrder } from './get-order.ts';
import { openDispute } from './open-dispute.ts';
import { reserveOrder } from './reserve-order.ts';

let world: World;
let market: Market;
beforeAll(async () => {
  world = await openWorld();
  market = await world.market();
});
afterAll(() => world.close());

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

it.each(STATES)('what is allowed in %s succeeds, and what is not is refused', async (state) => {
  for (const name of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
    const { id } = await orderIn(world, market, state, { milestones });
    const { allowedActions } = await getOrder(world.app, market.call, id);
    const told = allowedActions.find(({ action }) => action === name);
    const [outcome] = await Promise.allSettled([ACTIONS[name](world.app, market.call, id)]);
    expect({ name, allowed: told?.allowed }).toEqual({
      name,
      allowed: outcome?.status === 'fulfilled',
    });
    expect(told?.reason === null).toBe(told?.allowed);
  }
});

it('says why not, each in its own words', async () => {
  const buyerId = await buyerWith(world, market, '10.00');
  const { id } = await orderIn(world, market, 'ORDER_CREATED', { buyerId });
  expect((await getOrder(world.app, market.call, id)).allowedActions).toEqual([
    { action: 'reserve', allowed: false, reason: 'The available balance is too low.' },
    { action: 'cancel', allowed: true, reason: null },
    {
      action: 'create_escrow',
      allowed: false,
      reason: 'the order is ORDER_CREATED, not FUNDS_RESERVED',
    },
    {
      action: 'fund_escrow',
      allowed: false,
      reason: 'the order is ORDER_CREATED, not ESCROW_FUNDING',
    },
    { action: 'complete_milestone', allowed: false, reason: 'The order has no milestones.' },
    { action: 'release', allowed: false, reason: 'the order has no escrow' },
    { action: 'refund', allowed: false, reason: 'the order has no escrow' },
    { action: 'dispute', allowed: false, reason: 'the order is ORDER_CREATED, not IN_PROGRESS' },
  ]);
});

it('asks for payment accounts before an escrow, and for milestones before a release', async () => {
  const reasonOf = async (id: Parameters<typeof getOrder>[2], wanted: string) =>
    (await getOrder(world.app, market.call, id)).allowedActions.find(
      ({ action }) => action === wanted,
    )?.reason;
  const reserved = await orderIn(world, market, 'FUNDS_RESERVED');
  expect(await reasonOf(reserved.id, 'create_escrow')).toBe('the buyer has no payment account');
  const funding = await orderIn(world, market, 'ESCROW_FUNDING');
  expect(await reasonOf(funding.id, 'fund_escrow')).toBe(null);
  const working = await orderIn(world, market, 'IN_PROGRESS', { milestones });
  expect(await reasonOf(working.id, 'release')).toBe('milestones are open: m1');
  expect(await reasonOf(working.id, 'refund')).toBe(null);
  await completeMilestone(world.app, market.call, working.id, 'm1');
  expect(await reasonOf(working.id, 'release')).toBe(null);
  expect(await reasonOf(working.id, 'complete_milestone')).toBe('milestone m1 is COMPLETED');
});

//! The cases that only a release has; order-settlement.test.ts has those of both.
import { describe, expect, it } from 'vitest';
import {
  auditBooks,
  balanceOf,
  completeAll,
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
  statesOf,
  stroopsAt,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { openDispute } from '../disputes/open-dispute.ts';
import { refundOrder } from './refund-order.ts';
import { releaseOrder } from './release-order.ts';

const { world, market } = useEscrowWorld();

const release = ({ id }: EscrowedOrder) => releaseOrder(world.app, market.call, id);
const CLOSED = { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' };
const OPEN = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };

const settled = async (order: EscrowedOrder) => {
  expect(await statesOf(world, market, order)).toEqual(CLOSED);
  expect(await balanceOf(world, market, order.sellerId)).toBe('95.00 0.00');
  expect(await balanceOf(world, market, order.buyerId)).toBe('0.00 0.00');
};

describe('releasing', () => {
  it('brings both addresses to the books’ balances, with the provider’s fee', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', { funds: '130.00' });
    await release(order);
    expect(await stroopsAt(world, order.sellerId)).toBe(947_000_000n);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, order.sellerId)).toBe(950_000_000n);
    expect(await stroopsAt(world, order.buyerId)).toBe(300_000_000n);
  });

  it('never rolls back once a milestone was paid, and is escalated', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(3),
    });
    await completeAll(world, market, order);
    await world.sandbox.arm('escrow', 'release', 'drop-after');
    const { details } = await refusalOf(release(order));
    await world.sandbox.arm('escrow', 'release', 'reject');
    const [operation] = await world.rows<{ id: string; epoch: number }>(
      'select id, epoch from operation where id = $1',
      [details['operationId']],
    );
    const ref = { ...operation, marketplace: market.call.actor.marketplace };
    await world.engine.submit(ref as never);
    expect(await statesOf(world, market, order)).toEqual({ ...OPEN, status: 'RELEASE_REQUESTED' });
    expect(
      await world.rows('select status, has_moved_money from operation where id = $1', [ref.id]),
    ).toEqual([{ status: 'ESCALATED', has_moved_money: true }]);
    await world.engine.runWorker();
    await settled(order);
    const each = ['status', 'approve', 'release'];
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', ...each, ...each, ...each]);
  });

  it('lets one win against a refund and a dispute at once', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const { id } = order;
    const complaint = { openedBy: 'BUYER', reason: 'OTHER' } as const;
    const results = await Promise.allSettled([
      release(order),
      refundOrder(world.app, market.call, id, { reason: 'r' }),
      openDispute(world.app, market.call, id, complaint),
      release(order),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused while milestones are open, and moves nothing', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(2),
    });
    expect(await refusalOf(release(order))).toMatchObject({
      code: 'INVALID_STATE',
      details: { unfinishedMilestones: ['m1', 'm2'] },
    });
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});

//! The cases that only a refund has, and readings of a contract, which all settlements share;
//! order-settlement.test.ts has the other cases of both.
import { describe, expect, it } from 'vitest';
import { sagas } from '../../app/sagas.ts';
import { executeInProcess } from '../../testing/engine.ts';
import {
  auditBooks,
  balanceOf,
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
  statesOf,
  stroopsAt,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { refundOrder } from './refund-order.ts';
import { releaseOrder } from './release-order.ts';

const { world, market } = useEscrowWorld();

const REASON = { reason: 'not needed any more' };
const refund = ({ id }: EscrowedOrder) => refundOrder(world.app, market.call, id, REASON);
const CLOSED = { status: 'CLOSED', closeReason: 'REFUNDED', escrow: 'REFUNDED' };
const OPEN = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };

const settled = async (order: EscrowedOrder) => {
  expect(await statesOf(world, market, order)).toEqual(CLOSED);
  expect(await balanceOf(world, market, order.buyerId)).toBe('100.00 0.00');
  expect(await balanceOf(world, market, order.sellerId)).toBe('0.00 0.00');
};

describe('refunding', () => {
  it('leaves a contract that a release still settles when its second call is refused', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', 'resolve', 'reject');
    await refusalOf(refund(order));
    await releaseOrder(world.app, market.call, order.id);
    expect(await statesOf(world, market, order)).toEqual({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      escrow: 'RELEASED',
    });
    expect(await balanceOf(world, market, order.sellerId)).toBe('95.00 0.00');
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', 'dispute', 'resolve']);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, order.sellerId)).toBe(950_000_000n);
    expect(await stroopsAt(world, order.buyerId)).toBe(0n);
  });

  describe('of a contract that does not show its money yet', () => {
    const NOT_YET = { ...OPEN, status: 'REFUND_REQUESTED' };
    const readings = ({ id }: EscrowedOrder) =>
      world.rows(
        `select s.name, s.status from operation_step s join operation o on o.id = s.operation_id
         where o.resource_id = $1 and o.kind = 'refund-order' and s.name like 'read%'`,
        [id],
      );

    it.each([1, 3])('reads it again, with %i milestones', async (count) => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
        milestones: milestonesOf(count),
      });
      await world.sandbox.arm('escrow', 'read', 'stale', 3);
      expect((await refusalOf(refund(order))).code).toBe('PROVIDER_TIMEOUT');
      expect(await statesOf(world, market, order)).toEqual(NOT_YET);
      expect(await readings(order)).toEqual([{ name: 'read', status: 'CLAIMED' }]);
      expect(await world.engine.runWorker()).toBe(0);
      await settled(order);
    });

    it('notifies the provider which transaction funded it', async () => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
      const [funded] = await world.rows<{ hash: string }>(
        `select e.hash from envelope e join operation o on e.purpose = 'fund-escrow:fund:' || o.id
         where o.resource_id = $1`,
        [order.id],
      );
      const reported: string[] = [];
      const { escrows } = world.custody;
      const recordTransaction = (hash: string) => {
        reported.push(hash);
        return escrows.recordTransaction(hash);
      };
      await world.sandbox.arm('escrow', 'read', 'stale');
      const worker = { ...world.custody, escrows: { ...escrows, recordTransaction } };
      executeInProcess(world, worker, sagas);
      await refusalOf(refund(order)).finally(() => executeInProcess(world, world.custody, sagas));
      expect(reported).toEqual([funded?.hash]);
      await world.engine.runWorker();
      await settled(order);
    });

    it('continues when an older build has stored such a reading', async () => {
      const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
      await world.sandbox.arm('escrow', 'read', 'stale');
      await refusalOf(refund(order));
      const flags = { isDisputed: false, isReleased: false, isResolved: false };
      const milestone = { ...flags, status: '', isApproved: false, stroops: null, receiver: null };
      const value = { kind: 'single-release', balanceStroops: '0', ...flags };
      await world.rows(
        `update operation_step s set status = 'DONE', result = $2, ended_at = now()
         from operation o where o.id = s.operation_id and o.resource_id = $1
           and o.kind = 'refund-order' and s.name = 'read'`,
        [order.id, { value: { ...value, milestones: [milestone] } }],
      );
      expect(await world.engine.runWorker()).toBe(0);
      await settled(order);
      expect(await readings(order)).toEqual([
        { name: 'read', status: 'DONE' },
        { name: 'read-again', status: 'DONE' },
      ]);
    });
  });

  it('pays out dust that an external payer sent to the contract, and sweeps it back', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const [escrow] = await world.rows<{ provider_contract_id: string }>(
      'select provider_contract_id from escrow where order_id = $1',
      [order.id],
    );
    await world.sandbox.deposit(escrow?.provider_contract_id ?? '', 'USDC', '0.0000007');
    await refund(order);
    await settled(order);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, order.buyerId)).toBe(1_000_000_000n);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});

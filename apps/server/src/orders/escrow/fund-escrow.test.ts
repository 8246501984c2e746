import { describe, expect, it } from 'vitest';
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
import { paidTo } from '../../testing/mirrored.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { cancelOrder } from '../order/cancel-order.ts';
import { createEscrow } from './create-escrow.ts';
import { fundEscrow } from './fund-escrow.ts';

const { world, market } = useEscrowWorld();

const fund = ({ id }: EscrowedOrder) => fundEscrow(world.app, market.call, id);
const OPEN = { amount: '40.00', funds: '90.00' };
const FUNDED = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };
const FUNDING = { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'FUNDING' };

/** What was sent to the buyer's address, by the treasury or by a test. */
const sentTo = ({ buyerId }: EscrowedOrder) => paidTo(world, buyerId);

describe('funding an escrow', () => {
  it.each([0, 1, 3])('sends the amount into a contract with %i milestones', async (count) => {
    const milestones = milestonesOf(count);
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING', {
      milestones,
      funds: '130.00',
    });
    const { escrow } = await fund(order);
    expect(await statesOf(world, market, order)).toEqual(FUNDED);
    expect(escrow?.fundedAt).not.toBeNull();
    expect(await balanceOf(world, market, order.buyerId)).toBe('30.00 0.00');
    const state = await world.custody.escrows.read(escrow?.providerContractId ?? '');
    expect(state).toMatchObject({ value: { balanceStroops: 1_000_000_000n } });
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
  });

  it('covers what the buyer’s address is short of, and no more', async () => {
    const short = await escrowOrderIn(world, market, 'ESCROW_FUNDING', OPEN);
    await world.sandbox.deposit(await addressOf(world, short.buyerId), 'USDC', '15.5000001');
    await fund(short);
    expect(await sentTo(short)).toEqual(['15.5000001', '24.4999999']);
    expect(await stroopsAt(world, short.buyerId)).toBe(0n);
    const rich = await escrowOrderIn(world, market, 'ESCROW_FUNDING', OPEN);
    await world.sandbox.deposit(await addressOf(world, rich.buyerId), 'USDC', '90');
    await fund(rich);
    expect(await sentTo(rich)).toEqual(['90']);
    expect(await stroopsAt(world, rich.buyerId)).toBe(500_000_000n);
  });

  it('emits events and audit entries under the request', async () => {
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    const call = oneCall(market);
    const { escrow } = await fundEscrow(world.app, call, order.id);
    const { id: escrowId, providerContractId } = escrow ?? {};
    const about = { orderId: order.id, escrowId, providerContractId, amount: '100.00' };
    const funded = { ...about, fundedAt: expect.any(String) };
    expect(await eventsOf(world, call)).toEqual([
      {
        type: 'balance.debited',
        payload: expect.objectContaining({
          destination: 'escrow_fund',
          destinationId: order.id,
          previousReservedBalance: '100.00',
          newReservedBalance: '0.00',
        }),
      },
      { type: 'escrow.funding_started', payload: about },
      { type: 'escrow.funded', payload: funded },
      { type: 'order.escrow_funded', payload: funded },
      { type: 'order.in_progress', payload: { orderId: order.id, escrowId } },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'ESCROW_FUNDING_STARTED', resource: order.id },
      { action: 'ESCROW_FUNDED', resource: order.id },
    ]);
  });

  it('returns the money and archives the escrow when the network refuses', async () => {
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING', OPEN);
    await world.sandbox.arm('escrow', 'fund', 'reject');
    const call = oneCall(market);
    const { code, details } = await refusalOf(fundEscrow(world.app, call, order.id));
    expect(code).toBe('ESCROW_FUNDING_FAILED');
    expect(details).toEqual({ reason: expect.any(String), operationId: expect.any(String) });
    const reserved = { status: 'FUNDS_RESERVED', closeReason: null, escrow: null };
    expect(await statesOf(world, market, order)).toEqual(reserved);
    expect(await balanceOf(world, market, order.buyerId)).toBe('50.00 40.00');
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'ESCROW_FUNDING_STARTED' },
      { action: 'ESCROW_FUNDING_FAILED', resource: order.id, result: 'FAILURE' },
    ]);
    expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([
      'balance.debited',
      'escrow.funding_started',
      'balance.credited',
      'balance.reserved',
    ]);
    await createEscrow(world.app, market.call, order.id);
    await fund(order);
    expect(await statesOf(world, market, order)).toEqual(FUNDED);
    // The money sent to the address for the first try served the second.
    expect(await sentTo(order)).toEqual(['40']);
  });

  it.each(['drop-after', 'drop-before', 'error-after', 'garbage'])(
    'is unknown after %s, and ends by itself, once',
    async (kind) => {
      const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING', OPEN);
      await world.sandbox.arm('escrow', 'fund', kind);
      expect((await refusalOf(fund(order))).code).toBe('PROVIDER_TIMEOUT');
      expect(await statesOf(world, market, order)).toEqual(FUNDING);
      expect(await balanceOf(world, market, order.buyerId)).toBe('50.00 0.00');
      expect((await refusalOf(fund(order))).code).toBe('INVALID_STATE');
      const cancel = cancelOrder(world.app, market.call, order.id);
      expect((await refusalOf(cancel)).code).toBe('INVALID_STATE');
      expect(await world.engine.runWorker()).toBe(0);
      expect(await statesOf(world, market, order)).toEqual(FUNDED);
      expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
      expect(await sentTo(order)).toEqual(['40']);
    },
  );

  it.each(['drop-after', 'drop-before'])(
    'covers once, though the transfer to the address met %s',
    async (kind) => {
      const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING', OPEN);
      await world.sandbox.arm('ledger', 'submit', kind);
      expect((await refusalOf(fund(order))).code).toBe('PROVIDER_TIMEOUT');
      await world.engine.runWorker();
      expect(await statesOf(world, market, order)).toEqual(FUNDED);
      expect(await sentTo(order)).toEqual(['40']);
      expect(await stroopsAt(world, order.buyerId)).toBe(0n);
    },
  );

  it('never spends money that was covered for another order of the buyer', async () => {
    const first = await escrowOrderIn(world, market, 'ESCROW_FUNDING', {
      amount: '40.00',
      funds: '80.00',
    });
    const { buyerId, sellerId } = first;
    const options = { buyerId, sellerId, amount: '40.00' };
    const second = await escrowOrderIn(world, market, 'ESCROW_FUNDING', options);
    await Promise.all([fund(first), fund(second)]);
    expect(await statesOf(world, market, first)).toEqual(FUNDED);
    expect(await statesOf(world, market, second)).toEqual(FUNDED);
    expect(await sentTo(first)).toEqual(['40', '40']);
  });

  it('happens once for ten requests at once', async () => {
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING', OPEN);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => fund(order)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(world, market, order.buyerId)).toBe('50.00 0.00');
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});

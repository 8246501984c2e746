import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  auditBooks,
  balanceOf,
  dealIn,
  type EscrowedDeal,
  type EscrowWorld,
  effectsOf,
  lookAt,
  openEscrowWorld,
  refusalOf,
  stones,
  stroopsAt,
} from '../testing/escrows.ts';
import { auditedBy, oneCall, toldBy } from '../testing/orders.ts';
import type { Market } from '../testing/world.ts';
import { cancelOrder } from './cancel-order.ts';
import { createEscrow } from './create-escrow.ts';
import { fundEscrow } from './fund-escrow.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
});
afterAll(() => world.close());
beforeEach(() => world.sandbox.clearFaults());

const fund = ({ id }: EscrowedDeal) => fundEscrow(world.app, market.call, id);
const OPEN = { amount: '40.00', funds: '90.00' };
const FUNDED = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };
const FUNDING = { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'FUNDING' };

const addressOf = async (userId: string) => {
  const query = 'select address from wallet where user_id = $1';
  const [row] = await world.rows<{ address: string }>(query, [userId]);
  return row?.address ?? '';
};

/** What was sent to the buyer's address, by the treasury or by a test. */
const sentTo = async ({ buyerId }: EscrowedDeal) => {
  const address = await addressOf(buyerId);
  const journal = await world.sandbox.journal();
  return journal
    .filter(({ effect, to }) => effect === 'ledger.payment' && to === address)
    .map(({ amount }) => amount);
};

describe('funding an escrow', () => {
  it.each([0, 1, 3])('brings the amount into a contract with %i milestones', async (count) => {
    const milestones = stones(count);
    const deal = await dealIn(world, market, 'ESCROW_FUNDING', { milestones, funds: '130.00' });
    const { escrow } = await fund(deal);
    expect(await lookAt(world, market, deal)).toEqual(FUNDED);
    expect(escrow?.fundedAt).not.toBeNull();
    expect(await balanceOf(world, market, deal.buyerId)).toBe('30.00 0.00');
    const state = await world.custody.escrows.read(escrow?.providerContractId ?? '');
    expect(state).toMatchObject({ value: { balanceStroops: 1_000_000_000n } });
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund']);
  });

  it('covers what the buyer’s address is short of, and no more', async () => {
    const short = await dealIn(world, market, 'ESCROW_FUNDING', OPEN);
    await world.sandbox.deposit(await addressOf(short.buyerId), 'USDC', '15.5000001');
    await fund(short);
    expect(await sentTo(short)).toEqual(['15.5000001', '24.4999999']);
    expect(await stroopsAt(world, short.buyerId)).toBe(0n);
    const rich = await dealIn(world, market, 'ESCROW_FUNDING', OPEN);
    await world.sandbox.deposit(await addressOf(rich.buyerId), 'USDC', '90');
    await fund(rich);
    expect(await sentTo(rich)).toEqual(['90']);
    expect(await stroopsAt(world, rich.buyerId)).toBe(500_000_000n);
  });

  it('is told by events and audit entries, under the request', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    const call = oneCall(market);
    const { escrow } = await fundEscrow(world.app, call, deal.id);
    const { id: escrowId, providerContractId } = escrow ?? {};
    const about = { orderId: deal.id, escrowId, providerContractId, amount: '100.00' };
    const funded = { ...about, fundedAt: expect.any(String) };
    expect(await toldBy(world, call)).toEqual([
      { type: 'escrow.funding_started', payload: about },
      { type: 'escrow.funded', payload: funded },
      { type: 'order.escrow_funded', payload: funded },
      { type: 'order.in_progress', payload: { orderId: deal.id, escrowId } },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'ESCROW_FUNDING_STARTED', resource: deal.id },
      { action: 'ESCROW_FUNDED', resource: deal.id },
    ]);
  });

  it('that the network refuses gives the money back and archives the escrow', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING', OPEN);
    await world.sandbox.arm('escrow', 'fund', 'reject');
    const call = oneCall(market);
    const { code, details } = await refusalOf(fundEscrow(world.app, call, deal.id));
    expect(code).toBe('ESCROW_FUNDING_FAILED');
    expect(details).toEqual({ reason: expect.any(String), operationId: expect.any(String) });
    const reserved = { status: 'FUNDS_RESERVED', closeReason: null, escrow: null };
    expect(await lookAt(world, market, deal)).toEqual(reserved);
    expect(await balanceOf(world, market, deal.buyerId)).toBe('50.00 40.00');
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'ESCROW_FUNDING_STARTED' },
      { action: 'ESCROW_FUNDING_FAILED', resource: deal.id, result: 'FAILURE' },
    ]);
    await createEscrow(world.app, market.call, deal.id);
    await fund(deal);
    expect(await lookAt(world, market, deal)).toEqual(FUNDED);
    // What was brought to the address for the first try served the second.
    expect(await sentTo(deal)).toEqual(['40']);
  });

  it.each(['drop-after', 'drop-before', 'error-after', 'garbage'])(
    'is unknown after %s, and ends by itself, once',
    async (kind) => {
      const deal = await dealIn(world, market, 'ESCROW_FUNDING', OPEN);
      await world.sandbox.arm('escrow', 'fund', kind);
      expect((await refusalOf(fund(deal))).code).toBe('PROVIDER_TIMEOUT');
      expect(await lookAt(world, market, deal)).toEqual(FUNDING);
      expect(await balanceOf(world, market, deal.buyerId)).toBe('50.00 0.00');
      expect((await refusalOf(fund(deal))).code).toBe('INVALID_STATE');
      const cancel = cancelOrder(world.app, market.call, deal.id);
      expect((await refusalOf(cancel)).code).toBe('INVALID_STATE');
      expect(await world.engine.runWorker()).toBe(0);
      expect(await lookAt(world, market, deal)).toEqual(FUNDED);
      expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund']);
      expect(await sentTo(deal)).toEqual(['40']);
    },
  );

  it.each(['drop-after', 'drop-before'])(
    'covers once, though the transfer to the address met %s',
    async (kind) => {
      const deal = await dealIn(world, market, 'ESCROW_FUNDING', OPEN);
      await world.sandbox.arm('ledger', 'submit', kind);
      expect((await refusalOf(fund(deal))).code).toBe('PROVIDER_TIMEOUT');
      await world.engine.runWorker();
      expect(await lookAt(world, market, deal)).toEqual(FUNDED);
      expect(await sentTo(deal)).toEqual(['40']);
      expect(await stroopsAt(world, deal.buyerId)).toBe(0n);
    },
  );

  it('of two orders of one buyer never spends what was covered for the other', async () => {
    const first = await dealIn(world, market, 'ESCROW_FUNDING', {
      amount: '40.00',
      funds: '80.00',
    });
    const { buyerId, sellerId } = first;
    const options = { buyerId, sellerId, amount: '40.00' };
    const second = await dealIn(world, market, 'ESCROW_FUNDING', options);
    await Promise.all([fund(first), fund(second)]);
    expect(await lookAt(world, market, first)).toEqual(FUNDED);
    expect(await lookAt(world, market, second)).toEqual(FUNDED);
    expect(await sentTo(first)).toEqual(['40', '40']);
  });

  it('of ten at once happens once', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING', OPEN);
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => fund(deal)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(world, market, deal.buyerId)).toBe('50.00 0.00');
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});

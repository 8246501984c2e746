import type { UserId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { creditBalance } from '../books/credit-balance.ts';
import { debitBalance } from '../books/debit-balance.ts';
import type { Operation } from '../engine/operation.ts';
import { transact } from '../platform/transact.ts';
import {
  dealIn,
  type EscrowWorld,
  linkedUser,
  openEscrowWorld,
  refusalOf,
  stroopsAt,
} from '../testing/escrows.ts';
import type { Market } from '../testing/world.ts';
import { fundEscrow } from './fund-escrow.ts';
import { openTrueUps } from './true-up-wallet.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
});
afterAll(() => world.close());
beforeEach(() => world.sandbox.clearFaults());

const open = (...userIds: UserId[]): Promise<Operation[]> =>
  transact(world.app, market.call, (tx) => openTrueUps(tx, userIds));

const trueUp = async (userId: UserId) => {
  await open(userId);
  return world.engine.runWorker();
};

const userWith = async (amount: string, currency: 'USD' | 'USDC' = 'USD') => {
  const userId = await linkedUser(world, market);
  await world.runWorker();
  await creditBalance(world.app, market.call, userId, { amount, currency });
  return userId;
};

const envelopes = async (userId: UserId) => {
  const [row] = await world.rows<{ n: number }>(
    `select count(*)::int as n from envelope e join operation o on e.purpose like '%' || o.id
     where o.resource_id = $1`,
    [userId],
  );
  return row?.n;
};

const deposit = async (userId: UserId, amount: string) => {
  const [row] = await world.rows<{ address: string }>(
    'select address from wallet where user_id = $1',
    [userId],
  );
  await world.sandbox.deposit(row?.address ?? '', 'USDC', amount);
};

describe('truing an address up', () => {
  it('sends what it is short of, over both currencies that USDC backs', async () => {
    const userId = await userWith('12.34');
    const usdc = { amount: '5.00', currency: 'USDC' } as const;
    await creditBalance(world.app, market.call, userId, usdc);
    expect(await trueUp(userId)).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(173_400_000n);
  });

  it('returns what it has too much, to the last stroop', async () => {
    const userId = await userWith('10.00');
    await deposit(userId, '10.0000001');
    expect(await trueUp(userId)).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(100_000_000n);
  });

  it('sends nothing where the address is right', async () => {
    const userId = await userWith('10.00');
    await deposit(userId, '10');
    await trueUp(userId);
    expect(await envelopes(userId)).toBe(0);
  });

  it('leaves alone what may be on its way', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    await world.sandbox.arm('escrow', 'fund', 'drop-before', 50);
    await refusalOf(fundEscrow(world.app, market.call, deal.id));
    expect(await stroopsAt(world, deal.buyerId)).toBe(1_000_000_000n);
    const seller = deal.sellerId;
    await deposit(seller, '3');
    await open(seller);
    // The seller's own order is in flight too.
    await world.engine.runWorker();
    expect(await stroopsAt(world, seller)).toBe(30_000_000n);
    await world.sandbox.clearFaults();
    await world.engine.runWorker();
    await trueUp(seller);
    expect(await stroopsAt(world, seller)).toBe(0n);
  });

  it.each(['drop-after', 'drop-before', 'error-after', 'reject'])(
    'ends well after %s, and sends once',
    async (kind) => {
      const userId = await userWith('10.00');
      await world.sandbox.arm('ledger', 'submit', kind);
      expect(await trueUp(userId)).toBe(0);
      expect(await stroopsAt(world, userId)).toBe(100_000_000n);
    },
  );

  it('follows books that move while it is under way', async () => {
    const userId = await userWith('10.00');
    await world.sandbox.arm('ledger', 'submit', 'drop-after');
    const [operation] = await open(userId);
    if (operation === undefined) throw new Error('it was opened');
    await world.engine.submit(operation);
    await debitBalance(world.app, market.call, userId, { amount: '4.00' });
    // Whoever settles meanwhile finds it open and counts on it.
    expect(await open(userId)).toEqual([]);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(60_000_000n);
  });
});

import type { UserId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { liftStop } from '../../access/marketplaces/lift-stop.ts';
import { stopMarketplace } from '../../access/marketplaces/stop-marketplace.ts';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import { transact } from '../../platform/database/transact.ts';
import { escrowOrderIn, refusalOf, stroopsAt, useEscrowWorld } from '../../testing/escrows.ts';
import { paidTo, usersWith } from '../../testing/mirrored.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { creditDeposits } from '../deposits/credit-deposits.ts';
import { markMirrorDue } from './due-user.ts';

const { world, market } = useEscrowWorld();

const userWith = async (amount: string): Promise<UserId> => {
  const [userId] = await usersWith(world, market, 1, amount);
  if (userId === undefined) throw new Error('it was made');
  return userId;
};

const deposit = async (userId: UserId, amount: string, asset: 'USDC' | 'XLM' = 'USDC') =>
  world.sandbox.deposit(await addressOf(world, userId), asset, amount);

const markDue = (userId: UserId) =>
  transact(world.app, market.call, (tx) => markMirrorDue(tx, userId));

describe('an address', () => {
  it('gets what it is short of, over both currencies that USDC backs', async () => {
    const userId = await userWith('12.34');
    await creditBalance(world.app, market.call, userId, { amount: '5.00', currency: 'USDC' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(173_400_000n);
    expect(await paidTo(world, userId)).toEqual(['17.34']);
  });

  it('holds XLM as the books do, and returns the excess', async () => {
    const userId = await userWith('1.00');
    await creditBalance(world.app, market.call, userId, { amount: '7.50', currency: 'XLM' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId, 'XLM')).toBe(75_000_000n);
    await debitBalance(world.app, market.call, userId, { amount: '7.00', currency: 'XLM' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId, 'XLM')).toBe(5_000_000n);
    expect(await stroopsAt(world, userId)).toBe(10_000_000n);
  });

  it('waits while signing is stopped, and gets it by itself afterwards', async () => {
    const stopped = await world.market();
    const [userId] = await usersWith(world, stopped, 1, '10.00');
    if (userId === undefined) throw new Error('it was made');
    const about = { level: 'SIGNING', reason: 'a doubt' } as const;
    await stopMarketplace(world.app, stopped.call, stopped.id, about);
    const other = await userWith('1.00');
    await world.mirror(market);
    expect(await paidTo(world, other)).toEqual(['1']);
    expect(await paidTo(world, userId)).toEqual([]);
    await liftStop(world.app, stopped.call, stopped.id, about);
    expect(await world.mirror()).toBe(0);
    expect(await paidTo(world, userId)).toEqual(['10']);
  });

  it('returns what the books no longer hold, and is left alone where it is right', async () => {
    const userId = await userWith('10.00');
    await world.mirror();
    await debitBalance(world.app, market.call, userId, { amount: '4.01' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(59_900_000n);
    await markDue(userId);
    expect(await world.mirror()).toBe(0);
    expect(await transfers(userId)).toEqual(['100000000', '-40100000']);
  });

  it('follows books that change while a transfer is in progress', async () => {
    const userId = await userWith('10.00');
    await world.sandbox.arm('ledger', 'submit', 'drop-after');
    await debitBalance(world.app, market.call, userId, { amount: '4.00' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(60_000_000n);
  });
});

describe('an uncredited deposit', () => {
  it('is never sent back, nor counted towards the books', async () => {
    const userId = await userWith('10.00');
    await world.mirror();
    await deposit(userId, '5.0000001');
    await debitBalance(world.app, market.call, userId, { amount: '4.00' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(110_000_001n);
    await creditBalance(world.app, market.call, userId, { amount: '1.00' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(120_000_001n);
  });

  it('belongs to the user once credited: nothing is sent for it, and its dust stays', async () => {
    const userId = await userWith('10.00');
    await world.mirror();
    await deposit(userId, '5.0000001');
    await markDue(userId);
    await world.mirror();
    await creditDeposits(world.custody);
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(150_000_001n);
    await debitBalance(world.app, market.call, userId, { amount: '15.00' });
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(1n);
    expect(await transfers(userId)).toEqual(['100000000', '-150000000']);
  });

  it('counts in XLM too', async () => {
    const userId = await userWith('1.00');
    await deposit(userId, '3', 'XLM');
    await markDue(userId);
    await world.mirror();
    expect(await stroopsAt(world, userId, 'XLM')).toBe(30_000_000n);
    await creditDeposits(world.custody);
    await world.mirror();
    expect(await stroopsAt(world, userId, 'XLM')).toBe(30_000_000n);
  });
});

describe('money in movement', () => {
  it('is left where it is until the order has ended', async () => {
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    await world.sandbox.arm('escrow', 'fund', 'drop-before', 50);
    await refusalOf(fundEscrow(world.app, market.call, order.id));
    // The books have it in escrow; the address still holds it.
    expect(await stroopsAt(world, order.buyerId)).toBe(1_000_000_000n);
    expect(await world.mirror()).toBeGreaterThan(0);
    expect(await stroopsAt(world, order.buyerId)).toBe(1_000_000_000n);
    await world.sandbox.clearFaults();
    await world.engine.runWorker();
    expect(await world.mirror()).toBe(0);
    expect(await stroopsAt(world, order.buyerId)).toBe(0n);
  });
});

describe('the network', () => {
  it.each(['drop-after', 'drop-before', 'error-after', 'error-before', 'garbage', 'reject'])(
    'may reply with %s: the address is right in the end, and was paid once',
    async (kind) => {
      const userId = await userWith('10.00');
      await world.sandbox.arm('ledger', 'submit', kind);
      expect(await world.mirror()).toBe(0);
      expect(await stroopsAt(world, userId)).toBe(100_000_000n);
      expect(await paidTo(world, userId)).toEqual(['10']);
    },
  );
});

async function transfers(userId: UserId): Promise<string[]> {
  const rows = await world.rows<{ stroops: string }>(
    `select stroops from mirror_item where user_id = $1 and status = 'APPLIED' order by batch_id`,
    [userId],
  );
  return rows.map(({ stroops }) => stroops);
}

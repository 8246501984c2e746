import type { UserId } from '@holdfast/kernel/ids';
import { Keypair } from '@stellar/stellar-sdk/base';
import { afterEach, describe, expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { wire } from '../../app/wire.ts';
import { wireCustody } from '../../app/wire-worker.ts';
import { watchFailpoints } from '../../platform/process/failpoint.ts';
import { stroopsAt, useEscrowWorld } from '../../testing/escrows.ts';
import { auditsOf, batchSizes, paidTo, usersWith } from '../../testing/mirrored.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { consumeBalanceEvents } from './consume-balance-events.ts';
import { mirrorWallets } from './mirror-wallets.ts';

const { world } = useEscrowWorld();
const market = useOpenedEach(() => world.market());
afterEach(() => watchFailpoints(undefined));

const debitAll = (users: readonly UserId[], amount: string) =>
  Promise.all(users.map((userId) => debitBalance(world.app, market.call, userId, { amount })));
const held = (users: readonly UserId[]) =>
  Promise.all(users.map((userId) => stroopsAt(world, userId)));
const falling = (one: number, two: number) => two - one;
const all = <T>(users: readonly UserId[], value: T) => users.map(() => value);

/** From now on the user's address is one that can hold no USDC. */
const spoil = async (userId: UserId) => {
  const address = Keypair.random().publicKey();
  await world.sandbox.fund(address, '10');
  await world.rows('update wallet set address = $2 where user_id = $1', [userId, address]);
  await world.rows(
    `insert into wallet_mirror (marketplace_id, user_id, asset, unexplained_stroops, updated_at)
     select marketplace_id, user_id, 'XLM', 100000000, now() from wallet where user_id = $1`,
    [userId],
  );
};

describe('batches', () => {
  it('pay a hundred out at once, and take eighteen back', { timeout: 120_000 }, async () => {
    const users = await usersWith(world, market, 105);
    expect(await world.mirror(market)).toBe(0);
    expect(await held(users)).toEqual(all(users, 100_000_000n));
    expect((await batchSizes(world, market)).toSorted(falling)).toEqual([100, 5]);
    const some = users.slice(0, 40);
    await debitAll(some, '2.50');
    expect(await world.mirror(market)).toBe(0);
    expect(await held(some)).toEqual(all(some, 75_000_000n));
    expect((await batchSizes(world, market)).slice(2).toSorted(falling)).toEqual([18, 18, 4]);
  });

  it('that fail are halved until the bad transfer is alone and is escalated', async () => {
    const users = await usersWith(world, market, 9);
    const [bad, ...good] = users as [UserId, ...UserId[]];
    await spoil(bad);
    await world.sequence();
    await consumeBalanceEvents(world.custody);
    await mirrorWallets(world.custody);
    expect(await held(good)).toEqual(all(good, 100_000_000n));
    const escalated = await auditsOf(world, bad, 'MIRROR_TRANSFER_ESCALATED');
    expect(escalated).toMatchObject([
      { reason: expect.stringContaining('tx_failed'), after: { amount: '10.0000000' } },
    ]);
    expect((await batchSizes(world, market, 'FAILED'))[0]).toBe(9);
    expect((await batchSizes(world, market, 'FAILED')).at(-1)).toBe(1);
  });

  it('leave out a user whose transfer failed: it goes alone, after growing waits', async () => {
    const users = await usersWith(world, market, 4);
    const [bad, ...good] = users as [UserId, ...UserId[]];
    await spoil(bad);
    await world.mirror(market);
    await Promise.all(
      good.map((userId) => creditBalance(world.app, market.call, userId, { amount: '1.00' })),
    );
    const failures = (await batchSizes(world, market, 'FAILED')).length;
    await world.mirror(market);
    expect(await held(good)).toEqual(all(good, 110_000_000n));
    const after = await batchSizes(world, market, 'FAILED');
    expect(new Set(after.slice(failures))).toEqual(new Set([1]));
    const [wait] = await world.rows<{ attempts: number; reason: string; late: boolean }>(
      `select attempts, reason, next_poll_at > now() + interval '1 minute' as late
       from mirror_backoff where user_id = $1`,
      [bad],
    );
    expect(wait).toMatchObject({ reason: 'ESCALATED', late: true });
    expect(wait?.attempts).toBeGreaterThan(2);
  });

  it('wait where the treasury has too little, and nothing is escalated', async () => {
    const [rich, poor] = (await usersWith(world, market, 2)) as [UserId, UserId];
    await creditBalance(world.app, market.call, rich, { amount: '90000000.00' });
    expect(await world.mirror(market)).toBe(1);
    expect(await held([rich, poor])).toEqual([0n, 100_000_000n]);
    expect(await auditsOf(world, rich, 'MIRROR_TRANSFER_ESCALATED')).toEqual([]);
    await debitBalance(world.app, market.call, rich, { amount: '90000000.00' });
    expect(await world.mirror(market)).toBe(0);
    expect(await held([rich])).toEqual([100_000_000n]);
  });
});

const CRASH_POINTS = [
  'mirror:write:before-tx',
  'mirror:write:in-tx',
  'mirror:write:after-tx',
  'mirror:before-sign',
  'mirror:after-sign',
  'mirror:after-persist',
  'mirror:before-send',
  'mirror:after-send',
  'mirror:after-reply',
  'mirror:apply:before-tx',
  'mirror:apply:in-tx',
  'mirror:apply:after-tx',
] as const;

describe('a worker that dies', () => {
  it.each(CRASH_POINTS)(
    'at %s is replaced by one that sends each transfer once',
    async (crashPoint) => {
      const users = await usersWith(world, market, 3);
      await world.sequence();
      await consumeBalanceEvents(world.custody);
      let isDead = false;
      watchFailpoints((passed) => {
        if (passed !== crashPoint) return;
        isDead = true;
        throw new Error(`died at ${crashPoint}`);
      });
      await mirrorWallets(world.custody).catch(() => undefined);
      watchFailpoints(undefined);
      expect(isDead).toBe(true);
      expect(await world.mirror(market)).toBe(0);
      expect(await held(users)).toEqual(all(users, 100_000_000n));
      for (const userId of users) expect(await paidTo(world, userId)).toEqual(['10']);
      await debitAll(users, '4.00');
      expect(await world.mirror(market)).toBe(0);
      expect(await held(users)).toEqual(all(users, 60_000_000n));
    },
  );
});

it('two workers at once send each transfer once', async () => {
  const { config, clock } = world.worker;
  const app = wire(config, 'worker', clock);
  const other = wireCustody(config, app);
  if (other === undefined) throw new Error('it has all that custody needs');
  const users = await usersWith(world, market, 30);
  await world.sequence();
  const workers = [world.custody, other];
  await Promise.all(workers.map((worker) => consumeBalanceEvents(worker)));
  await Promise.all(workers.map((worker) => mirrorWallets(worker)));
  expect(await world.mirror(market)).toBe(0);
  expect(await held(users)).toEqual(all(users, 100_000_000n));
  for (const userId of users) expect(await paidTo(world, userId)).toEqual(['10']);
  await app.close();
});

it('an address that funds an order waits for a transfer that is open', async () => {
  const [userId] = (await usersWith(world, market, 1)) as [UserId];
  await world.sequence();
  await consumeBalanceEvents(world.custody);
  await world.sandbox.arm('ledger', 'submit', 'drop-before');
  await mirrorWallets(world.custody);
  const [row] = await world.rows<{ busy: boolean }>(
    `select work.has_open_envelope($1, 'another') as busy`,
    [await addressOf(world, userId)],
  );
  expect(row?.busy).toBe(true);
});

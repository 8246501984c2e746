import { randomUUID } from 'node:crypto';
import { newId } from '@holdfast/kernel/ids';
import { beforeEach, describe, expect, it } from 'vitest';
import { wire } from '../../app/wire.ts';
import { wireCustody } from '../../app/wire-worker.ts';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { createUser } from '../users/create-user.ts';
import { fillWalletPool, type WalletStocker } from './fill-wallet-pool.ts';
import { claimPooledWallet, insertPooledWallets } from './pooled-wallet.ts';
import type { StockingLimits } from './stocking-limits.ts';

const world = useOpened(openSandboxWorld);
/** Those of earlier tests stay: the network has used their numbers. */
let earlier = 0;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  await world.rows('delete from pooled_wallet');
  earlier = (await world.rows('select from envelope')).length;
});

const UNLIMITED = { HOLDFAST_WALLETS_PER_DAY: 'off', HOLDFAST_TREASURY_XLM_FLOOR: 'off' } as const;

/** A worker that keeps this many wallets ready, at a later time. */
const stocker = (
  wanted: number,
  aheadMs = 0,
  limits: Partial<StockingLimits> = {},
): WalletStocker => ({
  ...world.custody,
  config: { ...UNLIMITED, ...limits, HOLDFAST_SPARE_WALLETS: wanted },
  clock: { now: () => Date.now() + aheadMs },
});

const fill = async (wanted: number) => {
  while ((await fillWalletPool(stocker(wanted))) > 0);
};

const pooledWallets = () =>
  world.rows<{ status: string; n: number }>(
    'select status, count(*)::int as n from pooled_wallet group by 1 order by 1',
  );

const envelopes = async () => {
  const rows = await world.rows<{ attempt: number; state: string }>(
    'select attempt, state from envelope order by created_at',
  );
  return rows.slice(earlier);
};

describe('the stock', () => {
  it('is filled with sponsored addresses that hold USDC, eighteen to an envelope', async () => {
    await fill(40);
    expect(await pooledWallets()).toEqual([{ status: 'READY', n: 40 }]);
    expect(await envelopes()).toEqual(Array(3).fill({ attempt: 1, state: 'APPLIED' }));
    const rows = await world.rows<{ address: string }>('select address from pooled_wallet limit 3');
    for (const { address } of rows) {
      expect(await world.custody.network.account(address)).toMatchObject({
        kind: 'done',
        value: {
          hasUsdcTrustline: true,
          assets: expect.arrayContaining([{ code: 'XLM', stroops: 0n }]),
        },
      });
    }
  });

  it('is refilled, with all taken wallets in one envelope', async () => {
    await fill(5);
    const market = await world.market();
    for (let users = 0; users < 3; users += 1) {
      await createUser(world.app, market.call, { externalUserId: randomUUID() });
    }
    expect(await pooledWallets()).toEqual([{ status: 'READY', n: 2 }]);
    await fill(5);
    expect(await pooledWallets()).toEqual([{ status: 'READY', n: 5 }]);
    expect(await envelopes()).toHaveLength(2);
  });

  it('is left alone when it is full, and when none is wanted', async () => {
    await fill(2);
    expect(await fillWalletPool(stocker(2))).toBe(0);
    expect(await fillWalletPool(stocker(0))).toBe(0);
    expect(await pooledWallets()).toEqual([{ status: 'READY', n: 2 }]);
  });

  it('has no more than is wanted with two workers at once', async () => {
    const app = wire(world.worker.config, 'worker');
    const other = wireCustody(world.worker.config, app) as WalletStocker;
    const workers = [
      stocker(30),
      { ...other, config: { ...UNLIMITED, HOLDFAST_SPARE_WALLETS: 30 } },
    ];
    for (let rounds = 0; rounds < 3; rounds += 1) await Promise.all(workers.map(fillWalletPool));
    await fill(30);
    await app.close();
    expect(await pooledWallets()).toEqual([{ status: 'READY', n: 30 }]);
    expect(await envelopes()).toEqual(Array(2).fill({ attempt: 1, state: 'APPLIED' }));
  });

  it('is not started before the treasury has money', async () => {
    const when = await world.rows<{ trusted_at: Date }>(
      `update house_wallet set trusted_at = null where kind = 'treasury'
       returning (select trusted_at from house_wallet where kind = 'treasury')`,
    );
    expect(await fillWalletPool(stocker(3))).toBe(0);
    expect(await pooledWallets()).toEqual([]);
    await world.rows(`update house_wallet set trusted_at = $1 where kind = 'treasury'`, [
      when[0]?.trusted_at,
    ]);
  });
});

describe('stock wallets after a failure', () => {
  it.each(['error-before', 'error-after', 'drop-before', 'drop-after', 'garbage'])(
    'fills the stock though the network replies with %s, and creates no account twice',
    async (kind) => {
      await world.sandbox.arm('ledger', 'submit', kind);
      await fillWalletPool(stocker(3));
      // An unknown outcome is checked again after a moment.
      await fillWalletPool(stocker(3, 2000));
      expect(await pooledWallets()).toEqual([{ status: 'READY', n: 3 }]);
      expect(await envelopes()).toEqual([{ attempt: 1, state: 'APPLIED' }]);
    },
  );

  it('purges wallets that the network refuses after a pause, and creates others', async () => {
    await world.sandbox.arm('ledger', 'submit', 'reject');
    await fillWalletPool(stocker(3));
    expect(await pooledWallets()).toEqual([{ status: 'REFUSED', n: 3 }]);
    await fillWalletPool(stocker(3, 20_000));
    expect(await pooledWallets()).toEqual([{ status: 'REFUSED', n: 3 }]);
    const refused = await world.rows<{ address: string }>('select address from pooled_wallet');
    await fillWalletPool(stocker(3, 40_000));
    expect(await pooledWallets()).toEqual([{ status: 'READY', n: 3 }]);
    const ready = await world.rows<{ address: string }>('select address from pooled_wallet');
    expect(ready.some(({ address }) => refused.some((old) => old.address === address))).toBe(false);
  });

  it('resumes a group with the same keys when its worker died before it signed', async () => {
    const { pool, clock, signer } = world.custody;
    const wallets = await Promise.all([1, 2].map(() => signer.newWallet(newId('wal', Date.now()))));
    await insertPooledWallets(pool, clock, newId('op', Date.now()), wallets);
    await fillWalletPool(stocker(2));
    const rows = await world.rows<{ address: string; status: string }>(
      'select address, status from pooled_wallet order by id',
    );
    expect(rows).toEqual(wallets.map(({ address }) => ({ address, status: 'READY' })));
  });

  it('frees a claim whose process died after five minutes', async () => {
    await fill(1);
    expect(await claimPooledWallet(world.app)).toMatch(/^wal_/);
    await fillWalletPool(stocker(0, 290_000));
    expect(await claimPooledWallet(world.app)).toBeUndefined();
    await fillWalletPool(stocker(0, 310_000));
    expect(await claimPooledWallet(world.app)).toMatch(/^wal_/);
  });

  it('does not count a claimed wallet: another takes its place', async () => {
    await fill(1);
    await claimPooledWallet(world.app);
    await fill(1);
    expect(await pooledWallets()).toEqual([{ status: 'READY', n: 2 }]);
  });
});

describe('a limit of the deployment', () => {
  const fillWith = async (limits: Partial<StockingLimits>, alarms: object[] = []) => {
    const app = stocker(10, 0, limits);
    const log = { ...app.log, error: (fields: object) => void alarms.push(fields) };
    while ((await fillWalletPool({ ...app, log })) > 0);
    return (await pooledWallets())[0]?.n ?? 0;
  };

  it('stops the stock at the wallets of a day, those of users included, with one alarm', async () => {
    const [{ count }] = (await world.rows('select count(*)::int from wallet')) as [
      { count: number },
    ];
    const alarms: object[] = [];
    expect(await fillWith({ HOLDFAST_WALLETS_PER_DAY: count + 4 }, alarms)).toBe(4);
    expect(alarms).toEqual([{ limit: 'HOLDFAST_WALLETS_PER_DAY', allowed: 4 }]);
    expect(await fillWith({ HOLDFAST_WALLETS_PER_DAY: count + 4 })).toBe(4);
  });

  it('leaves the treasury with the XLM of the floor', async () => {
    const [house] = await world.rows<{ address: string }>(
      `select address from house_wallet where kind = 'treasury'`,
    );
    const found = await world.custody.network.account(house?.address ?? '');
    const spendable = found.kind === 'done' ? (found.value?.spendableXlm ?? 0n) : 0n;
    // Three wallets tie up 4.5 XLM; the floor is a whole number.
    const floor = Number(spendable / 10_000_000n) - 4;
    const alarms: object[] = [];
    const stocked = await fillWith({ HOLDFAST_TREASURY_XLM_FLOOR: floor }, alarms);
    expect([2, 3]).toContain(stocked);
    expect(alarms).toEqual([{ limit: 'HOLDFAST_TREASURY_XLM_FLOOR', allowed: stocked }]);
    const after = await world.custody.network.account(house?.address ?? '');
    expect(after.kind === 'done' && after.value?.spendableXlm).toBe(
      spendable - BigInt(stocked) * 15_000_000n,
    );
  });
});

import { randomUUID } from 'node:crypto';
import { newId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OutsideWorld, openOutsideWorld } from '../testing/outside.ts';
import { createUser } from '../users/create-user.ts';
import { wire } from '../wire.ts';
import { wireCustody } from '../wire-worker.ts';
import { claimSpareWallet, insertSpareWallets } from './spare-wallet.ts';
import { stockWallets, type WalletStocker } from './stock-wallets.ts';

let world: OutsideWorld;
beforeAll(async () => {
  world = await openOutsideWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.sandbox.clearFaults();
  await world.rows('delete from spare_wallet');
  await world.rows('delete from envelope');
});

/** A worker that wants so many, at a later time. */
const stocker = (wanted: number, aheadMs = 0): WalletStocker => ({
  ...world.custody,
  config: { HOLDFAST_SPARE_WALLETS: wanted },
  clock: { now: () => Date.now() + aheadMs },
});

const fill = async (wanted: number) => {
  while ((await stockWallets(stocker(wanted))) > 0);
};

const spares = () =>
  world.rows<{ status: string; n: number }>(
    'select status, count(*)::int as n from spare_wallet group by 1 order by 1',
  );

const envelopes = () =>
  world.rows<{ attempt: number; state: string }>(
    `select attempt, state from envelope where marketplace_id = 0 order by created_at`,
  );

describe('the stock', () => {
  it('is filled with sponsored addresses that hold USDC, eighteen to an envelope', async () => {
    await fill(40);
    expect(await spares()).toEqual([{ status: 'READY', n: 40 }]);
    expect(await envelopes()).toEqual(Array(3).fill({ attempt: 1, state: 'APPLIED' }));
    const rows = await world.rows<{ address: string }>('select address from spare_wallet limit 3');
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

  it('is filled up again, with what was taken together', async () => {
    await fill(5);
    const market = await world.market();
    for (let users = 0; users < 3; users += 1) {
      await createUser(world.app, market.call, { externalUserId: randomUUID() });
    }
    expect(await spares()).toEqual([{ status: 'READY', n: 2 }]);
    await fill(5);
    expect(await spares()).toEqual([{ status: 'READY', n: 5 }]);
    expect(await envelopes()).toHaveLength(2);
  });

  it('is left alone when it is full, and when none is wanted', async () => {
    await fill(2);
    expect(await stockWallets(stocker(2))).toBe(0);
    expect(await stockWallets(stocker(0))).toBe(0);
    expect(await spares()).toEqual([{ status: 'READY', n: 2 }]);
  });

  it('by two workers at once has no more than is wanted', async () => {
    const app = wire(world.app.config, 'worker');
    const other = wireCustody(world.app.config, app) as WalletStocker;
    const workers = [stocker(30), { ...other, config: { HOLDFAST_SPARE_WALLETS: 30 } }];
    for (let rounds = 0; rounds < 3; rounds += 1) await Promise.all(workers.map(stockWallets));
    await fill(30);
    await app.close();
    expect(await spares()).toEqual([{ status: 'READY', n: 30 }]);
    expect(await envelopes()).toEqual(Array(2).fill({ attempt: 1, state: 'APPLIED' }));
  });

  it('is not begun before the treasury has money', async () => {
    const when = await world.rows<{ trusted_at: Date }>(
      `update house_wallet set trusted_at = null where kind = 'treasury'
       returning (select trusted_at from house_wallet where kind = 'treasury')`,
    );
    expect(await stockWallets(stocker(3))).toBe(0);
    expect(await spares()).toEqual([]);
    await world.rows(`update house_wallet set trusted_at = $1 where kind = 'treasury'`, [
      when[0]?.trusted_at,
    ]);
  });
});

describe('when something fails', () => {
  it.each(['error-before', 'error-after', 'drop-before', 'drop-after', 'garbage'])(
    'the stock is filled though the network answers with %s, and no account is made twice',
    async (kind) => {
      await world.sandbox.arm('ledger', 'submit', kind);
      await stockWallets(stocker(3));
      // What is not known is asked again after a moment.
      await stockWallets(stocker(3, 2000));
      expect(await spares()).toEqual([{ status: 'READY', n: 3 }]);
      expect(await envelopes()).toEqual([{ attempt: 1, state: 'APPLIED' }]);
    },
  );

  it('what the network refuses is forgotten after a pause, and others are made', async () => {
    await world.sandbox.arm('ledger', 'submit', 'reject');
    await stockWallets(stocker(3));
    expect(await spares()).toEqual([{ status: 'REFUSED', n: 3 }]);
    await stockWallets(stocker(3, 20_000));
    expect(await spares()).toEqual([{ status: 'REFUSED', n: 3 }]);
    const refused = await world.rows<{ address: string }>('select address from spare_wallet');
    await stockWallets(stocker(3, 40_000));
    expect(await spares()).toEqual([{ status: 'READY', n: 3 }]);
    const ready = await world.rows<{ address: string }>('select address from spare_wallet');
    expect(ready.some(({ address }) => refused.some((old) => old.address === address))).toBe(false);
  });

  it('a group whose worker died before it signed goes on with the same keys', async () => {
    const { pool, clock, signer } = world.custody;
    const wallets = await Promise.all([1, 2].map(() => signer.newWallet(newId('wal'))));
    await insertSpareWallets(pool, clock, newId('op'), wallets);
    await stockWallets(stocker(2));
    const rows = await world.rows<{ address: string; status: string }>(
      'select address, status from spare_wallet order by id',
    );
    expect(rows).toEqual(wallets.map(({ address }) => ({ address, status: 'READY' })));
  });

  it('a claim whose process died is given back after five minutes', async () => {
    await fill(1);
    expect(await claimSpareWallet(world.app)).toMatch(/^wal_/);
    await stockWallets(stocker(0, 290_000));
    expect(await claimSpareWallet(world.app)).toBeUndefined();
    await stockWallets(stocker(0, 310_000));
    expect(await claimSpareWallet(world.app)).toMatch(/^wal_/);
  });

  it('what is claimed is not counted: another takes its place', async () => {
    await fill(1);
    await claimSpareWallet(world.app);
    await fill(1);
    expect(await spares()).toEqual([{ status: 'READY', n: 2 }]);
  });
});

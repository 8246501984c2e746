import { newId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeEnvelope, PersistedEnvelope } from '../../providers/network/envelope.ts';
import { endPool } from '../../testing/database/end-pool.ts';
import { eventually } from '../../testing/until.ts';
import { useMarket } from '../../testing/use-world.ts';
import { whenWalletFree, withFreeWallets, withLock } from './wallet-lock.ts';

const { world, market } = useMarket();
let other: pg.Pool;
beforeAll(async () => {
  // Another process, as far as the database can see.
  other = new pg.Pool({ connectionString: world.databaseUrl, max: 4 });
});
afterAll(() => endPool(other));

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

const locks = async () =>
  (
    await world.rows<{ n: number }>(
      `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and d.datname = current_database()`,
    )
  )[0]?.n;

/** Waits until so many are held. */
const untilHeld = (count: number) =>
  eventually(10_000, async () => expect(await locks()).toBe(count));

const anAddress = () => `G${newId('wal', Date.now())}`;

it('runs one at a time, in this process and in another', async () => {
  const { pool } = world.worker;
  const { opened, open } = gate();
  const first = withLock(pool, 'a', async () => {
    await opened;
    return 'first';
  });
  await untilHeld(1);
  expect(await withLock(pool, 'a', async () => 'second')).toBeUndefined();
  expect(await withLock(other, 'a', async () => 'third')).toBeUndefined();
  expect(await withLock(other, 'b', async () => 'another name')).toBe('another name');
  open();
  expect(await first).toBe('first');
  expect(await withLock(other, 'a', async () => 'fourth')).toBe('fourth');
  expect(await locks()).toBe(0);
});

it('holds many locks with one connection, and gives it back', async () => {
  const { pool } = world.worker;
  const { opened, open } = gate();
  const held = Array.from({ length: 50 }, (_, at) =>
    withLock(pool, `many ${at}`, async () => {
      await opened;
      return at;
    }),
  );
  await untilHeld(50);
  expect(pool.totalCount - pool.idleCount).toBe(1);
  open();
  expect(await Promise.all(held)).toHaveLength(50);
  expect(await locks()).toBe(0);
  expect(pool.totalCount - pool.idleCount).toBe(0);
});

it('gives the lock back when the work throws', async () => {
  const { pool } = world.worker;
  const failing = withLock(pool, 'c', async () => {
    throw new Error('no luck');
  });
  await expect(failing).rejects.toThrow('no luck');
  expect(await withLock(other, 'c', async () => 'free')).toBe('free');
});

it('continues with a new connection when the old one is lost', async () => {
  const { pool } = world.worker;
  const { opened, open } = gate();
  const first = withLock(pool, 'd', async () => {
    await opened;
    return 'first';
  });
  await untilHeld(1);
  await world.rows(
    `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and d.datname = current_database()`,
  );
  await untilHeld(0);
  await withLock(pool, 'e', async () => 'lost').catch(() => undefined);
  expect(await withLock(pool, 'e', async () => 'found')).toBe('found');
  open();
  expect(await first).toBe('first');
  expect(await locks()).toBe(0);
});

it('keeps a lock for longer than the silence limit, and leaves no trace', async () => {
  const { pool } = world.worker;
  const held = withLock(pool, 'f', async () => {
    await new Promise((resolve) => setTimeout(resolve, 9000));
    return withLock(other, 'f', async () => 'not now');
  });
  expect(await held).toBeUndefined();
  expect(await withLock(other, 'f', async () => 'now')).toBe('now');
  const { rows } = await pool.query('show idle_session_timeout');
  expect(rows).toEqual([{ idle_session_timeout: '0' }]);
});

it('waits for a wallet for a limited time', async () => {
  const { pool } = world.worker;
  const wallet = { address: anAddress() };
  const options = { purpose: 'op_1' };
  const order: number[] = [];
  const work = (number: number) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    order.push(number);
  };
  await Promise.all([1, 2, 3].map((each) => whenWalletFree(pool, [wallet], options, work(each))));
  expect(new Set(order)).toEqual(new Set([1, 2, 3]));
  const { opened, open } = gate();
  const first = whenWalletFree(other, [wallet], options, () => opened);
  await untilHeld(1);
  const late = await whenWalletFree(
    pool,
    [wallet],
    { ...options, waitMs: 100 },
    async () => 'late',
  );
  expect(late).toBeUndefined();
  open();
  await first;
});

it('takes whichever wallet of a pool is free', async () => {
  const { pool } = world.worker;
  const wallets = [{ address: anAddress() }, { address: anAddress() }];
  const { opened, open } = gate();
  const used = wallets.map(() =>
    whenWalletFree(pool, wallets, { purpose: 'op_1' }, async ({ address }) => {
      await opened;
      return address;
    }),
  );
  await untilHeld(2);
  open();
  expect(new Set(await Promise.all(used))).toEqual(new Set(wallets.map(({ address }) => address)));
});

it('waits while another transaction of the wallet may still take effect, wherever it is', async () => {
  const { worker: app } = world;
  const wallet = { address: anAddress() };
  const otherMarket = await world.market();
  const signed = {
    hash: newId('evt', Date.now()),
    innerHash: null,
    xdr: 'AAAA',
    source: wallet.address,
    sequence: 1n,
    maxTime: 1,
  };
  const envelope = await PersistedEnvelope.persist(app, otherMarket.call, 'op_first', signed);
  if (!(envelope instanceof PersistedEnvelope)) throw new Error(envelope.reason);
  const attempt = (purpose: string) =>
    whenWalletFree(app.pool, [wallet], { purpose, waitMs: 60 }, async () => 'in');
  expect(await attempt('op_second')).toBeUndefined();
  expect(await attempt('op_first')).toBe('in');
  await closeEnvelope(app, otherMarket.call, envelope, 'FAILED', null);
  expect(await attempt('op_second')).toBe('in');
  expect(market.id).not.toBe(otherMarket.id);
});

it('takes all that are free, up to a maximum, and leaves the others to their holders', async () => {
  const { pool } = world.worker;
  const wallets = Array.from({ length: 6 }, () => ({ address: anAddress() }));
  const [taken, , busy] = wallets as [{ address: string }, unknown, { address: string }];
  await PersistedEnvelope.persist(world.worker, market.call, newId('op', Date.now()), {
    ...{ hash: newId('op', Date.now()), innerHash: null, xdr: '', source: busy.address },
    ...{ sequence: 1n, maxTime: 1 },
  });
  await withFreeWallets(other, [taken], 1, async () => {
    const free = await withFreeWallets(pool, wallets, 4, async (got) => {
      const rest = await withFreeWallets(pool, wallets, 9, async (left) => left.map(addressOf));
      expect(rest).toEqual([wallets[5]?.address]);
      return got.map(addressOf);
    });
    expect(free).toEqual([1, 3, 4].map((at) => wallets[at]?.address));
  });
  expect(await locks()).toBe(0);
});

const addressOf = ({ address }: { readonly address: string }) => address;

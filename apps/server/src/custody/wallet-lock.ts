//! One transaction per account at a time: a wallet is locked from reading its sequence number until
//! its transaction is final. The lock belongs to a connection, so it ends with the process.
import type pg from 'pg';
import type { HouseWallet } from './house-wallet.ts';

/** Runs the work with the first free wallet of a pool; undefined when all are busy. */
export async function withFreeWallet<T>(
  pool: pg.Pool,
  wallets: readonly HouseWallet[],
  work: (wallet: HouseWallet) => Promise<T>,
): Promise<T | undefined> {
  for (const wallet of wallets) {
    const done = await withLock(pool, `wallet ${wallet.address}`, async () => ({
      value: await work(wallet),
    }));
    if (done !== undefined) return done.value;
  }
  return undefined;
}

/** Runs the work while nobody else does under this name; undefined when somebody is at it. */
export async function withLock<T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as free',
      [name],
    );
    if (rows[0]?.free !== true) return undefined;
    try {
      return await work();
    } finally {
      // A connection that can't unlock is thrown away, and the lock goes with it.
      await client
        .query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
        .catch((error: Error) => {
          broken = error;
        });
    }
  } finally {
    client.release(broken);
  }
}

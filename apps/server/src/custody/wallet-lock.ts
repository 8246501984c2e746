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
  const client = await pool.connect();
  try {
    for (const wallet of wallets) {
      const name = `wallet ${wallet.address}`;
      const { rows } = await client.query<{ free: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as free',
        [name],
      );
      if (rows[0]?.free !== true) continue;
      try {
        return await work(wallet);
      } finally {
        await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
      }
    }
    return undefined;
  } finally {
    client.release();
  }
}

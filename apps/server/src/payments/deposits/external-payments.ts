//! Decides which of the network's payments are deposits: to a user's address, from an external
//! payer.
//!
//! The order of reading keeps our own payments out: the network first, then our tables. A hash is
//! committed before its transaction is sent. So the envelope of a payment on a page was in the
//! database before that page was read. A later read of the tables sees it. For the same reason a
//! wallet is recorded before it can be paid, and a contract before it can pay. Reading the tables
//! first would miss an envelope that is written, sent and found in between.
//!
//! The hash alone is not enough: anyone may wrap a transaction that we signed in a fee bump. The
//! network then names it by the hash of the wrapper. So every payment from a wallet or a contract
//! of ours is left out too.
import type { UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Log } from '../../platform/process/log.ts';
import { knownHashes } from '../../providers/network/envelope.ts';
import type { NetworkPayment } from '../../providers/network/ledger-network.ts';

export interface ExternalPayment extends NetworkPayment {
  readonly asset: 'USDC' | 'XLM';
  readonly marketplace: RowNumber;
  readonly userId: UserId;
}

export interface WalletOwner {
  readonly marketplace: RowNumber;
  readonly userId: UserId;
}

/** Over all marketplaces. `payments` must have been read before this is called, see above. */
export async function findExternalPayments(
  { pool, log }: { readonly pool: pg.Pool; readonly log: Log },
  payments: readonly NetworkPayment[],
): Promise<ExternalPayment[]> {
  const owners = await walletOwners(
    pool,
    payments.map(({ to }) => to),
  );
  const toUsers = payments.flatMap((payment): ExternalPayment[] => {
    const owner = owners.get(payment.to);
    if (owner === undefined) return [];
    const { asset, operationId, hash } = payment;
    if (asset !== 'other') return payment.stroops > 0n ? [{ ...payment, asset, ...owner }] : [];
    log.info({ userId: owner.userId, operationId, hash }, 'payment in unsupported asset ignored');
    return [];
  });
  if (toUsers.length === 0) return [];
  const own = await ownAddresses(
    pool,
    toUsers.map(({ from }) => from),
  );
  const ownHashes = await knownHashes(
    pool,
    toUsers.map(({ hash }) => hash),
  );
  return toUsers.filter(({ from, hash }) => !own.has(from) && !ownHashes.has(hash));
}

/** Those of the addresses that are ours: of users, of the house, of the pool, of contracts. */
export async function ownAddresses(
  pool: pg.Pool,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>('select work.own_addresses($1) as name', [
    [...new Set(addresses)],
  ]);
  return new Set(rows.map(({ name }) => name));
}

/** Those of the addresses that belong to users. */
export async function usersAddresses(
  pool: pg.Pool,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await walletOwners(pool, addresses)).keys());
}

/** The users that these addresses belong to, over all marketplaces. */
export async function walletOwners(
  pool: pg.Pool,
  named: readonly string[],
): Promise<ReadonlyMap<string, WalletOwner>> {
  const addresses = [...new Set(named)];
  if (addresses.length === 0) return new Map();
  const { rows } = await pool.query<{
    marketplace_id: RowNumber;
    user_id: UserId;
    address: string;
  }>('select marketplace_id, user_id, address from work.wallets_at($1)', [addresses]);
  return new Map(
    rows.map(({ address, marketplace_id: marketplace, user_id: userId }) => [
      address,
      { marketplace, userId },
    ]),
  );
}

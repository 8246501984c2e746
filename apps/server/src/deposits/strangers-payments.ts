//! Which of the network's payments are deposits: to an address of a user, from a stranger.
//!
//! Our own payments are never taken for a stranger's, because of the order of reading: the network
//! first, then our tables. A hash is committed before its transaction is sent, so when a payment
//! stands on a page its envelope has been in the database since before that page was read, and a
//! look that begins afterwards sees it. For the same reason a wallet is there before anybody can
//! pay to it, and a contract before it can pay anybody. Reading the tables first would leave a
//! moment in which an envelope is written and sent, and its payment found, unknown to that look.
//!
//! The hash alone would not do: anyone may wrap a transaction that we signed in a fee bump of his
//! own, and the network then names it by his hash. So whatever comes from a wallet or a contract of
//! ours is left out too.
import type { UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { NetworkPayment } from '../providers/ledger-network.ts';

export interface StrangersPayment extends NetworkPayment {
  readonly asset: 'USDC' | 'XLM';
  readonly marketplace: RowNumber;
  readonly userId: UserId;
}

interface Owner {
  readonly marketplace: RowNumber;
  readonly userId: UserId;
}

/** Over all marketplaces. `payments` must have been read before this is called, see above. */
export async function findStrangersPayments(
  { pool, log }: { readonly pool: pg.Pool; readonly log: Log },
  payments: readonly NetworkPayment[],
): Promise<StrangersPayment[]> {
  const owners = await ownersOf(pool, payments);
  const toUsers = payments.flatMap((payment): StrangersPayment[] => {
    const owner = owners.get(payment.to);
    if (owner === undefined) return [];
    const { asset, operationId, hash } = payment;
    if (asset !== 'other') return payment.stroops > 0n ? [{ ...payment, asset, ...owner }] : [];
    log.info({ userId: owner.userId, operationId, hash }, 'ignore asset');
    return [];
  });
  if (toUsers.length === 0) return [];
  const ownAddresses = await setOf(pool, 'select work.own_addresses($1) as name', [
    ...new Set(toUsers.map(({ from }) => from)),
  ]);
  const ownHashes = await setOf(pool, 'select work.own_transactions($1) as name', [
    ...new Set(toUsers.map(({ hash }) => hash)),
  ]);
  return toUsers.filter(({ from, hash }) => !ownAddresses.has(from) && !ownHashes.has(hash));
}

async function ownersOf(
  pool: pg.Pool,
  payments: readonly NetworkPayment[],
): Promise<ReadonlyMap<string, Owner>> {
  const addresses = [...new Set(payments.map(({ to }) => to))];
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

async function setOf(
  pool: pg.Pool,
  text: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>(text, [names]);
  return new Set(rows.map(({ name }) => name));
}

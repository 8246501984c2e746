//! The known balance of a user's address, and its books. The only SQL that writes wallet_mirror.
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { findBalance } from '../../accounts/books/account.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { NetworkAsset } from '../../providers/network/ledger-network.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';
import { hasMovedUnseen } from './due-user.ts';
import { findMovement, hasOpenTransfer } from './in-flight.ts';

export type Asset = NetworkAsset['code'];

export const ASSETS: readonly Asset[] = ['USDC', 'XLM'];

/** The currencies that each asset backs: an address holds them together. */
const BACKED = { USDC: ['USD', 'USDC'], XLM: ['XLM'] } as const;

export interface Mirror {
  /** The last known amount there that is ours, without uncredited deposits. */
  readonly mirrored: bigint;
  /** Deposited, but too little for the books to count. */
  readonly dust: bigint;
  /** Money of the user may be moving on the network, or has moved since the last check. */
  readonly isMoving: boolean;
}

export async function findMirror(tx: Tx, userId: UserId, asset: Asset): Promise<Mirror> {
  const { mirrored, dust } = await findCount(tx, userId, asset);
  const isMoving =
    (await findMovement(tx, userId)) !== 'none' ||
    (await hasOpenTransfer(tx, userId)) ||
    (await hasMovedUnseen(tx, userId));
  return { mirrored, dust, isMoving };
}

/**
 * Changes the amount that the address should hold beyond the books; negative once the books count
 * it.
 */
export async function addDust(
  tx: Tx,
  userId: UserId,
  asset: Asset,
  stroops: bigint,
): Promise<void> {
  await tx.query(sql`
    insert into wallet_mirror (marketplace_id, user_id, asset, dust_stroops, updated_at)
    values (${tx.marketplace}, ${userId}, ${asset}, greatest(${String(stroops)}::bigint, 0),
      ${instantText(tx.now)})
    on conflict (marketplace_id, user_id, asset) do update
    set dust_stroops = wallet_mirror.dust_stroops + ${String(stroops)}::bigint`);
}

/** Available and reserved together, without dust. USD and USDC are both backed by USDC. */
export async function bookedStroops(tx: Tx, userId: UserId, asset: Asset): Promise<bigint> {
  let sum = 0n;
  for (const currency of BACKED[asset]) {
    const balance = await findBalance(tx, userId, currency);
    assert(balance !== undefined, 'who is mirrored is a user');
    sum += stroopsOf(Money.ofMinor(balance.available + balance.reserved, currency));
  }
  return sum;
}

/** All that is stored about an address and an asset. */
export interface Count {
  readonly mirrored: bigint;
  readonly dust: bigint;
  /** The sum of all payments up to the cursor. */
  readonly counted: bigint;
  readonly cursor: string | null;
  /** The amount that no payment explains, as last recorded. */
  readonly unexplained: bigint;
  /** The last recorded payment out that was not signed here. */
  readonly recordedCursor: string | null;
}

const NOTHING: Count = {
  mirrored: 0n,
  dust: 0n,
  counted: 0n,
  cursor: null,
  unexplained: 0n,
  recordedCursor: null,
};

async function findCount(tx: Tx, userId: UserId, asset: Asset): Promise<Count> {
  return (await listCounts(tx, [userId])).of(userId, asset);
}

/** One value for each asset of many users. */
export interface PerAsset<T> {
  of(userId: UserId, asset: Asset): T;
}

function perAsset<T>(
  rows: readonly { readonly userId: UserId; readonly asset: Asset; readonly value: T }[],
  otherwise: T,
): PerAsset<T> {
  const known = new Map(rows.map(({ userId, asset, value }) => [`${userId} ${asset}`, value]));
  return { of: (userId, asset) => known.get(`${userId} ${asset}`) ?? otherwise };
}

type CountRow = Row<
  'wallet_mirror',
  Exclude<keyof Tables['wallet_mirror'], 'marketplace_id' | 'updated_at'>,
  { user_id: UserId }
>;

export async function listCounts(tx: Tx, userIds: readonly UserId[]): Promise<PerAsset<Count>> {
  const rows = await tx.query<CountRow>(sql`
    select user_id, asset, stroops, dust_stroops, counted_stroops, counted_cursor,
      unexplained_stroops, recorded_cursor
    from wallet_mirror
    where marketplace_id = ${tx.marketplace} and user_id = any (${[...userIds]}::text[])`);
  const counts = rows.map((row) => ({
    userId: row.user_id,
    asset: row.asset,
    value: {
      mirrored: BigInt(row.stroops),
      dust: BigInt(row.dust_stroops),
      counted: BigInt(row.counted_stroops),
      cursor: row.counted_cursor,
      unexplained: BigInt(row.unexplained_stroops),
      recordedCursor: row.recorded_cursor,
    },
  }));
  return perAsset(counts, NOTHING);
}

/** The amounts that the addresses of many users should hold: their books, and dust. */
export async function listTargets(tx: Tx, userIds: readonly UserId[]): Promise<PerAsset<bigint>> {
  const rows = await tx.query<{ user_id: UserId; asset: Asset; stroops: string }>(sql`
    select user_id, asset, sum(stroops)::text as stroops from (
      select owner_id as user_id, case currency when 'XLM' then 'XLM' else 'USDC' end as asset,
        (available + reserved)::numeric * 100000 as stroops
      from account where marketplace_id = ${tx.marketplace} and kind = 'user'
        and owner_id = any (${[...userIds]}::text[])
      union all
      select user_id, asset, dust_stroops from wallet_mirror
      where marketplace_id = ${tx.marketplace} and user_id = any (${[...userIds]}::text[])) parts
    group by user_id, asset`);
  const targets = rows.map((row) => ({
    userId: row.user_id,
    asset: row.asset,
    value: BigInt(row.stroops),
  }));
  return perAsset(targets, 0n);
}

/** Stores the result of an address check. Dust is not read from the network. */
export async function saveCount(
  tx: Tx,
  userId: UserId,
  asset: Asset,
  count: Omit<Count, 'dust'>,
): Promise<void> {
  await tx.query(sql`
    insert into wallet_mirror (marketplace_id, user_id, asset, stroops, counted_stroops,
      counted_cursor, unexplained_stroops, recorded_cursor, updated_at)
    values (${tx.marketplace}, ${userId}, ${asset}, ${String(count.mirrored)},
      ${String(count.counted)}, ${count.cursor}, ${String(count.unexplained)},
      ${count.recordedCursor}, ${instantText(tx.now)})
    on conflict (marketplace_id, user_id, asset) do update
    set stroops = excluded.stroops, counted_stroops = excluded.counted_stroops,
      counted_cursor = excluded.counted_cursor, unexplained_stroops = excluded.unexplained_stroops,
      recorded_cursor = excluded.recorded_cursor, updated_at = excluded.updated_at`);
}

/** After transfers of the mirror itself. */
export async function addMirrored(
  tx: Tx,
  transfers: readonly {
    readonly userId: UserId;
    readonly asset: Asset;
    readonly stroops: bigint;
  }[],
): Promise<void> {
  await tx.query(sql`
    insert into wallet_mirror (marketplace_id, user_id, asset, stroops, updated_at)
    select ${tx.marketplace}, made.user_id, made.asset, made.stroops, ${instantText(tx.now)}
    from unnest(${transfers.map(({ userId }) => userId)}::text[],
      ${transfers.map(({ asset }) => asset)}::text[],
      ${transfers.map(({ stroops }) => String(stroops))}::bigint[])
      as made (user_id, asset, stroops)
    order by made.user_id, made.asset
    on conflict (marketplace_id, user_id, asset) do update
    set stroops = wallet_mirror.stroops + excluded.stroops, updated_at = excluded.updated_at`);
}

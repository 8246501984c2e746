//! Readings of solvency: the only SQL that writes them, and the walk through all addresses.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Asset } from './house-position.ts';
import {
  HOLDINGS,
  LIABILITIES,
  type SolvencyGroup,
  type SolvencyStatus,
  worstOf,
} from './solvency-terms.ts';

export interface SolvencyReading {
  readonly takenAt: Instant;
  readonly status: SolvencyStatus;
  readonly groups: readonly SolvencyGroup[];
  readonly addressesRead: number;
  readonly addressesKnown: number;
}

type Sums = Readonly<Record<string, string>>;

/** Sums are text: JSON has no whole numbers of this size. */
interface StoredGroup {
  readonly asset: Asset;
  readonly status: SolvencyStatus;
  readonly liabilities: Sums;
  readonly assets: Sums;
  readonly sums: Sums;
}

type ReadingRow = Row<
  'solvency_reading',
  'taken_at' | 'status' | 'groups' | 'addresses_read' | 'addresses_known',
  { groups: StoredGroup[] }
>;

const REMEMBERED_DAYS = 35;

export async function insertReading(tx: Tx, reading: SolvencyReading): Promise<void> {
  const { takenAt, status, groups, addressesRead, addressesKnown } = reading;
  await tx.query(sql`
    insert into solvency_reading (taken_at, status, groups, addresses_read, addresses_known)
    values (${instantText(takenAt)}, ${status}, ${JSON.stringify(groups.map(storedGroup))},
      ${addressesRead}, ${addressesKnown})`);
  const oldest = instantText(takenAt - REMEMBERED_DAYS * 86_400_000);
  await tx.query(sql`delete from solvency_reading where taken_at < ${oldest}`);
}

export async function findNewestReading(tx: Tx): Promise<SolvencyReading | undefined> {
  const [row] = await tx.query<ReadingRow>(sql`
    select taken_at, status, groups, addresses_read, addresses_known from solvency_reading
    order by id desc limit 1`);
  return (
    row && {
      takenAt: row.taken_at,
      status: row.status,
      groups: row.groups.map(readGroup),
      addressesRead: row.addresses_read,
      addressesKnown: row.addresses_known,
    }
  );
}

export interface SolvencyHour {
  readonly hour: Instant;
  readonly readings: number;
  readonly status: SolvencyStatus;
}

/** Each hour is as bad as its worst reading. */
export async function readSolvencyHours(tx: Tx, from: Instant): Promise<SolvencyHour[]> {
  const rows = await tx.query<{ hour: Instant; statuses: SolvencyStatus[]; readings: number }>(sql`
    select date_trunc('hour', taken_at, 'UTC') as hour, count(*)::int as readings,
      array_agg(distinct status) as statuses
    from solvency_reading where taken_at >= ${instantText(from)}
    group by 1 order by 1`);
  return rows.map(({ hour, readings, statuses }) => ({
    hour,
    readings,
    status: worstOf(statuses),
  }));
}

function storedGroup(group: SolvencyGroup): StoredGroup {
  const { asset, status, difference, atPaymentProvider, inFlight, tolerance, spendable } = group;
  return {
    asset,
    status,
    liabilities: texts(group.liabilities),
    assets: texts(group.assets),
    sums: texts({ difference, atPaymentProvider, inFlight, tolerance, spendable }),
  };
}

function readGroup({ asset, status, liabilities, assets, sums }: StoredGroup): SolvencyGroup {
  const sum = (name: string) => BigInt(sums[name] ?? 0);
  return {
    asset,
    status,
    liabilities: numbers(LIABILITIES, liabilities),
    assets: numbers(HOLDINGS, assets),
    difference: sum('difference'),
    atPaymentProvider: sum('atPaymentProvider'),
    inFlight: sum('inFlight'),
    tolerance: sum('tolerance'),
    spendable: sum('spendable'),
  };
}

function texts(sums: Readonly<Record<string, bigint>>): Sums {
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, String(sum)]));
}

function numbers<N extends string>(names: readonly N[], sums: Sums): Record<N, bigint> {
  return Object.fromEntries(names.map((name) => [name, BigInt(sums[name] ?? 0)])) as Record<
    N,
    bigint
  >;
}

export interface WalkedWallet {
  readonly marketplace: RowNumber;
  readonly userId: UserId;
  readonly address: string;
}

interface WalletRow {
  marketplace_id: RowNumber;
  user_id: UserId;
  address: string;
}

/** Wallets that lacked money when last read, then the next ones of the walk. */
export async function nextWallets(
  pool: pg.Pool,
  count: number,
): Promise<{ readonly lacking: WalkedWallet[]; readonly next: WalkedWallet[] }> {
  const lacking = await pool.query<WalletRow>(
    'select marketplace_id, user_id, address from work.wallets_with_shortfall($1)',
    [count],
  );
  const next = await pool.query<WalletRow>(
    `select marketplace_id, user_id, address
     from work.wallets_after((select last_address from address_scan), $1)`,
    [count],
  );
  return { lacking: lacking.rows.map(readWallet), next: next.rows.map(readWallet) };
}

function readWallet(row: WalletRow): WalkedWallet {
  return { marketplace: row.marketplace_id, userId: row.user_id, address: row.address };
}

/** Starts again from the first after the last one. */
export async function moveWalk(pool: pg.Pool, at: Instant, last: string): Promise<void> {
  await pool.query('update address_scan set last_address = $1, completed_at = $2', [
    last,
    instantText(at),
  ]);
}

export async function countWallets(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ known: number }>(
    'select work.count_ready_wallets()::int as known',
  );
  return rows[0]?.known ?? 0;
}

/** Stores nothing where the address holds the right amount. */
export async function saveShortfall(
  tx: Tx,
  userId: UserId,
  asset: Asset,
  stroops: bigint,
): Promise<void> {
  if (stroops <= 0n) {
    await tx.query(sql`
      delete from address_shortfall
      where marketplace_id = ${tx.marketplace} and user_id = ${userId} and asset = ${asset}`);
    return;
  }
  await tx.query(sql`
    insert into address_shortfall (marketplace_id, user_id, asset, stroops, seen_at)
    values (${tx.marketplace}, ${userId}, ${asset}, ${String(stroops)}, ${instantText(tx.now)})
    on conflict (marketplace_id, user_id, asset) do update
    set stroops = excluded.stroops, seen_at = excluded.seen_at`);
}

//! The fees that the escrow provider took from contracts: the only SQL that records them.
import { instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface PaidContract {
  readonly marketplace: RowNumber;
  readonly escrowId: string;
  readonly contractId: string;
  /** The transactions that paid the contract out. */
  readonly hashes: readonly string[];
}

/** Contracts that have paid out and whose provider fee is not recorded yet. */
export async function listUnrecorded(pool: pg.Pool, count: number): Promise<PaidContract[]> {
  const { rows } = await pool.query<{
    marketplace_id: RowNumber;
    escrow_id: string;
    contract_id: string;
    hashes: string[];
  }>(
    'select marketplace_id, escrow_id, contract_id, hashes from work.contract_fees_to_record($1)',
    [count],
  );
  return rows.map((row) => ({
    marketplace: row.marketplace_id,
    escrowId: row.escrow_id,
    contractId: row.contract_id,
    hashes: row.hashes,
  }));
}

export async function recordFee(tx: Tx, escrowId: string, stroops: bigint): Promise<void> {
  await tx.query(sql`
    update contract_fee set provider_stroops = ${String(stroops)}, recorded_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and escrow_id = ${escrowId}
      and provider_stroops is null`);
}

/** Which of these addresses are ours, in any marketplace. */
export async function ownAmong(
  pool: pg.Pool,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ address: string }>(
    'select work.own_addresses($1) as address',
    [addresses],
  );
  return new Set(rows.map(({ address }) => address));
}

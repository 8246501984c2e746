//! Journal entries: reading them back. Only the posting functions in PostgreSQL write them.
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** The result of a balance request's entry: the balances after it, the time, and the request. */
export interface EntryRecord {
  readonly id: RowNumber;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly at: Instant;
  readonly correlationId: string;
}

export async function getEntry(tx: Tx, id: RowNumber): Promise<EntryRecord> {
  const [row] = await tx.query<{
    available: string;
    reserved: string;
    at: Instant;
    correlation_id: string;
  }>(sql`
    select coalesce(to_available, from_available) as available,
      coalesce(to_reserved, from_reserved) as reserved, created_at as at, correlation_id
    from entry where marketplace_id = ${tx.marketplace} and id = ${id}`);
  assert(row !== undefined, 'an entry is never deleted');
  return {
    id,
    available: BigInt(row.available),
    reserved: BigInt(row.reserved),
    at: row.at,
    correlationId: row.correlation_id,
  };
}

//! The records of Idempotency-Keys, for operators; stored responses themselves are not shown.
import type { Instant } from '@holdfast/kernel/clock';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface IdempotencyRecord {
  /** Null for a posting, whose response is rebuilt from the journal, and while it is open. */
  readonly status: number | null;
  readonly requestHash: string;
  readonly storedAt: Instant;
  readonly entryId: RowNumber | null;
  readonly refusal: string | null;
}

export async function findIdempotencyRecord(
  tx: Tx,
  scopeHash: string,
): Promise<IdempotencyRecord | null> {
  const [row] = await tx.query<IdempotencyRecord>(sql`
    select status, request_hash as "requestHash", created_at as "storedAt", entry_id as "entryId",
      refusal
    from idempotency where marketplace_id = ${tx.marketplace} and scope_hash = ${scopeHash}`);
  return row ?? null;
}

/** Keys are scoped to the family of an API key; an operator is a family of one. */
export async function familyOf(tx: Tx, actorId: string): Promise<string> {
  const [row] = await tx.query<Row<'api_key', 'family_id'>>(sql`
    select family_id from api_key where marketplace_id = ${tx.marketplace} and id = ${actorId}`);
  return row?.family_id ?? actorId;
}

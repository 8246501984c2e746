//! Whether an attempt at an operation is running now.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { sql } from '../platform/database/sql.ts';
import type { Tx } from '../platform/database/transact.ts';
import type { Operation } from './operation.ts';

/** False for one that was postponed or lost. */
export async function hasLiveAttempt(
  tx: Tx,
  { id }: Pick<Operation, 'id'>,
  aliveSince: Instant,
): Promise<boolean> {
  const found = await tx.query(sql`
    select from operation where marketplace_id = ${tx.marketplace} and id = ${id}
      and next_try_at <= ${instantText(tx.now)} and heartbeat_at > ${instantText(aliveSince)}`);
  return found.length > 0;
}

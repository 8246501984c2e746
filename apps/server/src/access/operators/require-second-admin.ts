//! Requires another platform admin: what grants more than before is decided by two people.

import type { Tx } from '../../platform/database/transact.ts';
import { SecondApproverNeeded } from '../../platform/second-approver.ts';
import { refuseMasterKey } from './refuse-master-key.ts';

/** In the transaction of the change, which knows what was there before. */
export async function requireSecondAdmin(tx: Tx): Promise<void> {
  await refuseMasterKey(tx);
  const { actor } = tx;
  if (actor.kind === 'person' && actor.approvedBy === undefined) throw new SecondApproverNeeded();
}

/** The same, where the new value is more than the old one; null stands for no limit. */
export async function requireSecondAdminForMore(
  tx: Tx,
  before: bigint | null,
  after: bigint | null,
): Promise<void> {
  const isMore = before !== null && (after === null || after > before);
  if (isMore) await requireSecondAdmin(tx);
}

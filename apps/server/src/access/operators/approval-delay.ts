//! A new operator approves nothing for a while. The other platform admins have that time to find an
//! operator who should not be there.
import { refuse } from '@holdfast/contract/errors';
import { APPROVER_DELAY_HOURS } from '@holdfast/contract/limits';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { setApprovesFrom } from './operator.ts';

const HOUR_MS = 3_600_000;

/** From now on the operator approves nothing, for as long as the contract says. */
export async function delayApprovals(tx: Tx, operatorId: OperatorId): Promise<void> {
  await setApprovesFrom(tx, operatorId, tx.now + APPROVER_DELAY_HOURS * HOUR_MS);
}

/** For each decision that takes a second person. By a function: see `takeProof`. */
export async function refuseNewApprover(tx: Tx): Promise<void> {
  const { actor } = tx;
  if (actor.kind !== 'person' && actor.kind !== 'operator') return;
  const from = await findApprovesFrom(tx, actor.id);
  if (from !== null) refuse('APPROVER_TOO_NEW', { from: instantText(from) });
}

/**
 * A request of a new operator waits too: the operator who invited them would otherwise approve what
 * the new one requests.
 */
export async function refuseNewRequester(tx: Tx, operatorId: OperatorId): Promise<void> {
  const from = await findApprovesFrom(tx, operatorId);
  if (from !== null)
    refuse(
      'APPROVER_TOO_NEW',
      { from: instantText(from) },
      'The requester is new: their requests cannot be approved yet.',
    );
}

async function findApprovesFrom(tx: Tx, operatorId: OperatorId): Promise<Instant | null> {
  const [row] = await tx.query<{ from: Instant | null }>(sql`
    select access.approves_from(${operatorId}, ${instantText(tx.now)}) as "from"`);
  return row?.from ?? null;
}

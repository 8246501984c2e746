//! Counts wrong codes in a row and locks the operator out after too many. An attacker with the
//! password or a session, and enough time, could guess six digits.
import { refuse } from '@holdfast/contract/errors';
import { instantText } from '@holdfast/kernel/clock';
import type { Call, PersonActor } from '../../platform/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { countWrongCode, lockUntil } from './operator.ts';

/** This many in a row lock; each further one locks for twice as long. */
const LOCKING_FROM = 5;
const MINUTE_MS = 60_000;
const LOCKED_MINUTES_MAX = 60;

/** One minute, two, four … an hour. */
export function lockMsOf(wrongCodes: number): number {
  if (wrongCodes < LOCKING_FROM) return 0;
  return Math.min(LOCKED_MINUTES_MAX, 2 ** (wrongCodes - LOCKING_FROM)) * MINUTE_MS;
}

/**
 * Refuses with the same response as any wrong input. Only a caller who knew the rest is counted, so
 * an outsider cannot lock an operator out. All callers cause the same queries and none waits for
 * the disk, so the time reveals nothing.
 */
export async function refuseCode(
  app: Transactor,
  call: Call<PersonActor>,
  isCounted: boolean,
): Promise<never> {
  const alone = { ...call, idempotency: undefined };
  await transact(app, alone, (tx) => count(tx, call.actor, isCounted), 'read committed');
  return refuse('SIGN_IN_REFUSED', {});
}

async function count(tx: Tx, { id }: PersonActor, isCounted: boolean): Promise<void> {
  await tx.query(sql`select set_config('synchronous_commit', 'off', true)`);
  const wrongCodes = await countWrongCode(tx, id, isCounted);
  const lockMs = isCounted ? lockMsOf(wrongCodes) : 0;
  if (lockMs === 0) return;
  await lockUntil(tx, id, tx.now + lockMs);
  const after = { wrongCodes, lockedUntil: instantText(tx.now + lockMs) };
  await audit(tx, { action: 'OPERATOR_LOCKED', resourceId: id, result: 'FAILURE', after });
}

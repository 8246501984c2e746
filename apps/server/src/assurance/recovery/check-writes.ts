//! Finds acknowledged writes that a database no longer has: POST /recovery/writes, and each API
//! server for those of its last minute.
import { instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { AcknowledgedWrite } from '../../platform/acknowledged-write.ts';
import type { Call } from '../../platform/call.ts';
import { getLineage } from '../../platform/database/lineage.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { RECOVERY_FINDING } from '../../platform/process/alarms.ts';
import { findLostWrites, insertFinding, type NewFinding } from './recovery-record.ts';

export interface WritesCheck {
  readonly checked: number;
  readonly lost: readonly AcknowledgedWrite[];
}

/** Each lost one becomes a finding, once. */
export async function checkWrites(
  app: Transactor,
  call: Call,
  writes: readonly AcknowledgedWrite[],
): Promise<WritesCheck> {
  const { lost, found } = await transact(
    app,
    call,
    async (tx) => {
      const missing = await findLostWrites(tx, writes);
      const { number } = await getLineage(tx);
      const reported: NewFinding[] = [];
      for (const finding of missing.map(findingOf))
        if (await insertFinding(tx, number, finding)) reported.push(finding);
      return { lost: missing, found: reported };
    },
    'read committed',
  );
  for (const { kind, reference, resourceId, userId } of found)
    app.log.error({ kind, reference, resourceId, userId }, RECOVERY_FINDING);
  return { checked: writes.length, lost };
}

function findingOf({
  id,
  requestId,
  idempotencyScope,
  at,
  method,
  path,
  status,
  ...write
}: AcknowledgedWrite): NewFinding {
  const { actorId, resourceId, amount, currency } = write;
  return {
    kind: 'ACKNOWLEDGED_WRITE_LOST',
    // Another lost write may have had the same number of a journal entry, and a response that was
    // repeated under the key has another id.
    reference: `${requestId}/${idempotencyScope ?? id}`,
    userId: (/\/(usr_\w+)/.exec(path)?.[1] ?? null) as UserId | null,
    resourceId: resourceId ?? /\/([a-z]{2,3}_\w{20,})/.exec(path)?.[1] ?? null,
    amount,
    currency,
    detail: `${method} ${path} by ${actorId} got ${status} at ${instantText(at)}`,
  };
}

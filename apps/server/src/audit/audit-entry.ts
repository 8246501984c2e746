//! The audit trail: who did what, written in the transaction of the deed, never changed after.
import { type AuditAction, auditActions } from '@holdfast/contract/audit-actions';
import { instantText } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../platform/database.ts';
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';

export interface Deed {
  readonly action: AuditAction;
  readonly resourceId: string;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
  readonly reason?: string | undefined;
  readonly result?: 'SUCCESS' | 'FAILURE';
  /** Where the master key acted on a marketplace's behalf. */
  readonly marketplace?: RowNumber;
}

const ACTOR_TYPES = {
  key: 'API_KEY',
  master: 'MASTER_KEY',
  system: 'SYSTEM',
  anonymous: 'SYSTEM',
} as const;

export async function audit(tx: Tx, deed: Deed): Promise<void> {
  await tx.query(sql`
    insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id,
      actor_type, actor_id, result, reason, correlation_id, before, after)
    values (${deed.marketplace ?? tx.marketplace}, ${newId('aud')}, ${instantText(tx.now)},
      ${deed.action}, ${auditActions[deed.action].resourceType}, ${deed.resourceId},
      ${ACTOR_TYPES[tx.actor.kind]}, ${tx.actor.id},
      ${deed.result ?? 'SUCCESS'}, ${deed.reason ?? null}, ${tx.requestId},
      ${deed.before ? JSON.stringify(deed.before) : null},
      ${deed.after ? JSON.stringify(deed.after) : null})`);
}

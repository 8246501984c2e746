//! Refuses the master key where platform admins decide. It is for the first operators, and for the
//! day on which fewer than two platform admins are left. A thief of the key gains nothing here.
import { refuse } from '@holdfast/contract/errors';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** As many as it takes to approve each other's requests. */
const PLATFORM_ADMINS_NEEDED = 2;

export async function refuseMasterKey(tx: Tx): Promise<void> {
  if (tx.actor.kind !== 'master') return;
  const active = await tx.query(sql`
    select from operator where is_platform_admin and status = 'ACTIVE'
    limit ${PLATFORM_ADMINS_NEEDED}`);
  if (active.length === PLATFORM_ADMINS_NEEDED) refuse('PLATFORM_ADMIN_REQUIRED', {});
}

//! What a database has forgotten, and what is closed meanwhile: GET /recovery.
import type { Call } from '../../platform/call.ts';
import { getLineage, type ShownLineage } from '../../platform/database/lineage.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';

export async function getRecovery(app: Transactor, call: Call): Promise<ShownLineage> {
  return read(app, call, getLineage);
}

//! Creates the marketplace of the members, when the api first starts with its name.
import { randomUUID } from 'node:crypto';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Call, MasterActor } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMarketplace, insertMarketplace } from '../keys/api-key.ts';

const NAME = 'Surface B';

/** Any number of processes may start at once: one of them creates the marketplace. */
export async function openMemberMarketplace(app: Transactor, id: MarketplaceId): Promise<void> {
  const actor: MasterActor = { kind: 'master', id: 'master' };
  const requestId = randomUUID();
  // Without it no api process starts, and only through one is a closed database opened.
  const call: Call = { actor, requestId, idempotency: undefined, worksDuringRecovery: true };
  await transact(app, call, async (tx) => {
    if ((await findMarketplace(tx, id)) !== undefined) return;
    const created = await insertMarketplace(tx, NAME, id);
    await audit(tx, {
      action: 'MARKETPLACE_CREATED',
      resourceId: id,
      marketplace: created.number,
      after: { name: NAME },
    });
  });
}

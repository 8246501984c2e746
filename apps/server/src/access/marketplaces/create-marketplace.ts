//! Creates a marketplace without a key: POST /marketplaces.

import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { insertMarketplace, type Marketplace } from '../keys/api-key.ts';

export async function createMarketplace(
  app: Transactor,
  call: Call,
  name: string,
): Promise<Marketplace> {
  return transact(app, call, async (tx) => {
    const created = await insertMarketplace(tx, name);
    await audit(tx, {
      action: 'MARKETPLACE_CREATED',
      resourceId: created.id,
      marketplace: created.number,
      after: { name },
    });
    return created;
  });
}

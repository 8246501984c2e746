//! Opens a database after its recovery: POST /recovery/open. It takes two platform admins.
import { refuse } from '@holdfast/contract/errors';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { checkFreshCode } from '../../access/operators/check-fresh-code.ts';
import type { OperatorApp } from '../../access/operators/operator-auth.ts';
import { isConfirmed } from '../../access/operators/two-admins.ts';
import { type Call, NO_MARKETPLACE } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { getLineage, moveLineage, requestOpening } from '../../platform/database/lineage.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { LINEAGE_OPENED } from '../../platform/process/alarms.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findAuditMarketplace } from '../solvency/house-marketplace.ts';
import { readRecovery, type ShownRecovery } from './read-recovery.ts';
import { isRecovered, listMarketplaceIds } from './recovery-record.ts';

export async function openDatabase(
  app: OperatorApp & { readonly config: Config },
  call: Call,
  { reason, totp }: { readonly reason: string; readonly totp?: string },
): Promise<ShownRecovery> {
  const request = { reason };
  const takeCode = await checkFreshCode(app, call, { totp, action: 'openDatabase', request });
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  const opened = await transact(app, call, async (tx) => {
    await takeCode(tx);
    return confirmOrRequest(tx, reason, auditedIn ?? NO_MARKETPLACE);
  });
  const { number, status } = opened;
  if (status === 'OPEN') app.log.warn({ number, reason }, LINEAGE_OPENED);
  return opened;
}

async function confirmOrRequest(
  tx: Tx,
  reason: string,
  marketplace: RowNumber,
): Promise<ShownRecovery> {
  const before = await getLineage(tx);
  const { number, status, openRequest, isSameServer } = before;
  if (!isSameServer) refuseToOpen('UNCHECKED', 'a worker has to check the database first');
  if (status === 'OPEN') refuseToOpen(status, 'the database is open');
  if (!(await isRecovered(tx, number))) refuseToOpen(status, 'its recovery is not finished yet');
  const isOpened = await isConfirmed(tx, openRequest);
  if (isOpened) {
    await moveLineage(tx, number, 'open', reason);
    await emitRewound(tx, before.lostFrom ?? before.checkedAt);
  } else await requestOpening(tx, number, tx.actor.id, reason);
  await audit(tx, {
    action: isOpened ? 'LINEAGE_OPENED' : 'LINEAGE_OPEN_REQUESTED',
    resourceId: String(number),
    marketplace,
    before: { status, reasonBefore: before.reason },
    ...(isOpened && openRequest !== null
      ? { after: { requestedBy: openRequest.requestedBy, because: openRequest.reason } }
      : {}),
    reason,
  });
  return readRecovery(tx);
}

/** What a marketplace wrote or read in the lost time may differ from what is here. */
async function emitRewound(tx: Tx, lostFrom: Instant): Promise<void> {
  const lost = { lostFrom: instantText(lostFrom), openedAt: instantText(tx.now) };
  for (const { row, id } of await listMarketplaceIds(tx))
    await emit(tx, 'marketplace.rewound', id, { marketplaceId: id, ...lost }, { marketplace: row });
}

function refuseToOpen(state: string, reason: string): never {
  return refuse('INVALID_STATE', { resource: 'Database', state, reason });
}

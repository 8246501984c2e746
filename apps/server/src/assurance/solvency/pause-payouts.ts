//! Pauses the payouts of all marketplaces by hand: POST /payouts/pause. A pause that stands keeps
//! its reason, and loses a request to resume: it was made before this caller's.
import {
  clearResumeRequest,
  pausePayouts as pause,
} from '../../payments/withdrawals/payouts-pause.ts';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { readSolvency, type Solvency } from './get-solvency.ts';
import { findAuditMarketplace } from './house-marketplace.ts';
import { HOUSE } from './house-snapshot.ts';
import type { PayoutsResumer } from './resume-payouts.ts';

export async function pausePayouts(
  app: PayoutsResumer,
  call: Call,
  { reason }: { readonly reason: string },
): Promise<Solvency> {
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  return transact(app, call, async (tx) => {
    if (!(await pause(tx, reason))) await clearResumeRequest(tx);
    await audit(tx, {
      action: 'PAYOUTS_PAUSED',
      resourceId: 'payouts',
      marketplace: auditedIn ?? HOUSE,
      reason,
    });
    return readSolvency(tx);
  });
}

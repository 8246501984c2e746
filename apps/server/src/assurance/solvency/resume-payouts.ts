//! Resumes withdrawals after a pause: POST /solvency/resume-payouts. The caller gives a reason.
import { refuse } from '@holdfast/contract/errors';
import { findPause, resumePayouts as liftPause } from '../../payments/withdrawals/payouts-pause.ts';
import type { Call } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { readSolvency, type Solvency } from './get-solvency.ts';
import { findAuditMarketplace } from './house-marketplace.ts';
import { HOUSE } from './house-snapshot.ts';

export interface PayoutsResumer extends Transactor {
  readonly config: Config;
}

export async function resumePayouts(
  app: PayoutsResumer,
  call: Call,
  { reason }: { readonly reason: string },
): Promise<Solvency> {
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  return transact(app, call, async (tx) => {
    const pause = await findPause(tx);
    if (pause === undefined || !(await liftPause(tx, reason, tx.actor.id)))
      refuse(
        'INVALID_STATE',
        { resource: 'Payouts', state: 'RUNNING', reason: 'payouts are not paused' },
        'Payouts are not paused.',
      );
    await audit(tx, {
      action: 'PAYOUTS_RESUMED',
      resourceId: 'payouts',
      marketplace: auditedIn ?? HOUSE,
      before: { pausedBecause: pause.reason },
      reason,
    });
    return readSolvency(tx);
  });
}

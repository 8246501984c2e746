//! Resumes withdrawals after a pause: POST /solvency/resume-payouts. The caller gives a reason.
import { refuse } from '@holdfast/contract/errors';
import { audit } from '../audit/audit-entry.ts';
import type { Config } from '../config.ts';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import { findPause, resumePayouts as liftPause } from '../withdrawals/payouts-pause.ts';
import { readSolvency, type Solvency } from './get-solvency.ts';
import { HOUSE } from './house-snapshot.ts';
import { findAuditMarketplace } from './run.ts';

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

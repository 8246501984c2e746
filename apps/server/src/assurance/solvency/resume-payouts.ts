//! Resumes withdrawals after a pause: POST /solvency/resume-payouts. The caller gives a reason. It
//! takes two platform admins: the call of the first one is a request, that of the second resumes.
import { refuse } from '@holdfast/contract/errors';
import type { OperatorId } from '@holdfast/kernel/ids';
import { checkFreshCode } from '../../access/operators/check-fresh-code.ts';
import type { OperatorApp } from '../../access/operators/operator-auth.ts';
import { isConfirmed } from '../../access/operators/two-admins.ts';
import {
  findPause,
  resumePayouts as liftPause,
  requestResume,
} from '../../payments/withdrawals/payouts-pause.ts';
import type { Call } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { readSolvency, type Solvency } from './get-solvency.ts';
import { findAuditMarketplace } from './house-marketplace.ts';
import { HOUSE } from './house-snapshot.ts';

export interface PayoutsResumer extends OperatorApp {
  readonly config: Config;
}

export async function resumePayouts(
  app: PayoutsResumer,
  call: Call,
  { reason, totp }: { readonly reason: string; readonly totp?: string },
): Promise<Solvency> {
  const request = { reason };
  const takeCode = await checkFreshCode(app, call, { totp, action: 'resumePayouts', request });
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    const pause = (await findPause(tx)) ?? refuseRunning();
    const isResumed = await isConfirmed(tx, pause.resumeRequest);
    if (!isResumed) await requestResume(tx, tx.actor.id as OperatorId, reason);
    if (isResumed && !(await liftPause(tx, reason, tx.actor.id))) refuseRunning();
    const { resumeRequest } = pause;
    await audit(tx, {
      action: isResumed ? 'PAYOUTS_RESUMED' : 'PAYOUTS_RESUME_REQUESTED',
      resourceId: 'payouts',
      marketplace: auditedIn ?? HOUSE,
      before: { pausedBecause: pause.reason },
      ...(isResumed && resumeRequest !== null
        ? { after: { requestedBy: resumeRequest.requestedBy, because: resumeRequest.reason } }
        : {}),
      reason,
    });
    return readSolvency(tx);
  });
}

function refuseRunning(): never {
  return refuse(
    'INVALID_STATE',
    { resource: 'Payouts', state: 'RUNNING', reason: 'payouts are not paused' },
    'Payouts are not paused.',
  );
}

//! Resumes withdrawals after a pause: POST /solvency/resume-payouts. The caller gives a reason. It
//! takes two platform admins: the call of the first one is a request, that of the second resumes.
import { refuse } from '@holdfast/contract/errors';
import { APPROVAL_HOURS } from '@holdfast/contract/limits';
import { refuseNewApprover, refuseNewRequester } from '../../access/operators/approval-delay.ts';
import { checkFreshCode } from '../../access/operators/check-fresh-code.ts';
import { findOperator } from '../../access/operators/operator.ts';
import type { OperatorApp } from '../../access/operators/operator-auth.ts';
import { refuseMasterKey } from '../../access/operators/refuse-master-key.ts';
import {
  findPause,
  resumePayouts as liftPause,
  type PayoutsPause,
  type ResumeRequest,
  requestResume,
} from '../../payments/withdrawals/payouts-pause.ts';
import type { Call } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
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
    const isConfirmed = await confirmOrRequest(tx, pause, reason);
    if (isConfirmed && !(await liftPause(tx, reason, tx.actor.id))) refuseRunning();
    const { resumeRequest } = pause;
    await audit(tx, {
      action: isConfirmed ? 'PAYOUTS_RESUMED' : 'PAYOUTS_RESUME_REQUESTED',
      resourceId: 'payouts',
      marketplace: auditedIn ?? HOUSE,
      before: { pausedBecause: pause.reason },
      ...(isConfirmed && resumeRequest !== null
        ? { after: { requestedBy: resumeRequest.requestedBy, because: resumeRequest.reason } }
        : {}),
      reason,
    });
    return readSolvency(tx);
  });
}

/** The master key, where it may, confirms alone. A request is open as long as an approval is. */
async function confirmOrRequest(
  tx: Tx,
  { resumeRequest }: PayoutsPause,
  reason: string,
): Promise<boolean> {
  const { actor } = tx;
  await refuseMasterKey(tx);
  if (actor.kind !== 'person') return true;
  const open = resumeRequest !== null && (await isOpen(tx, resumeRequest)) ? resumeRequest : null;
  if (open?.requestedBy === actor.id) refuse('SECOND_APPROVER_REQUIRED', { requestedBy: actor.id });
  if (open !== null) {
    await refuseNewApprover(tx);
    await refuseNewRequester(tx, open.requestedBy);
    return true;
  }
  await requestResume(tx, actor.id, reason);
  return false;
}

/** A request of an operator who is no platform admin any more counts no longer. */
async function isOpen(tx: Tx, { requestedBy, requestedAt }: ResumeRequest): Promise<boolean> {
  if (tx.now >= requestedAt + APPROVAL_HOURS * 3_600_000) return false;
  const requester = await findOperator(tx, requestedBy);
  return requester?.status === 'ACTIVE' && requester.isPlatformAdmin;
}

function refuseRunning(): never {
  return refuse(
    'INVALID_STATE',
    { resource: 'Payouts', state: 'RUNNING', reason: 'payouts are not paused' },
    'Payouts are not paused.',
  );
}

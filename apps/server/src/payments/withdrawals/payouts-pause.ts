//! The pause of payouts: one for the whole deployment, and the only SQL that writes its row. While
//! it lasts no payout is created or sent; payouts already sent continue.
import { refuse } from '@holdfast/contract/errors';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import { refuseUnlessPayoutsOpen } from '../../platform/database/lineage.ts';
import { refuseWhilePayoutsStopped } from '../../platform/database/marketplace-stop.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface PayoutsPause {
  readonly pausedAt: Instant;
  readonly reason: string;
  readonly pausedBy: string;
  /** A platform admin's, which another one has to confirm. */
  readonly resumeRequest: ResumeRequest | null;
}

export interface ResumeRequest {
  readonly requestedBy: OperatorId;
  readonly requestedAt: Instant;
  readonly reason: string;
}

type PauseRow = Row<
  'payouts_pause',
  'reason' | 'changed_by' | 'resume_requested_by' | 'resume_requested_at' | 'resume_reason',
  { resume_requested_by: OperatorId }
> & { paused_at: Instant };

/** Undefined while payouts are not paused. */
export async function findPause(tx: Tx): Promise<PayoutsPause | undefined> {
  const [row] = await tx.query<PauseRow>(sql`
    select paused_at, reason, changed_by, resume_requested_by, resume_requested_at, resume_reason
    from payouts_pause where paused_at is not null`);
  if (row === undefined) return undefined;
  const { resume_requested_by: requestedBy, resume_requested_at: requestedAt } = row;
  return {
    pausedAt: row.paused_at,
    reason: row.reason ?? '',
    pausedBy: row.changed_by ?? '',
    resumeRequest:
      requestedBy === null || requestedAt === null
        ? null
        : { requestedBy, requestedAt, reason: row.resume_reason ?? '' },
  };
}

/** Replaces an older request. */
export async function requestResume(tx: Tx, by: OperatorId, reason: string): Promise<void> {
  await tx.query(sql`
    update payouts_pause set resume_requested_by = ${by}, resume_reason = ${reason},
      resume_requested_at = ${instantText(tx.now)}
    where paused_at is not null`);
}

export async function clearResumeRequest(tx: Tx): Promise<void> {
  await tx.query(sql`
    update payouts_pause set resume_requested_by = null, resume_reason = null,
      resume_requested_at = null`);
}

/** How the last pause ended. */
export interface PayoutsResumption {
  readonly resumedAt: Instant;
  readonly reason: string;
  readonly resumedBy: string;
}

/** Undefined while a pause stands, and before the first one. */
export async function findResumption(tx: Tx): Promise<PayoutsResumption | undefined> {
  const [row] = await tx.query<{ changed_at: Instant; reason: string; changed_by: string }>(sql`
    select changed_at, reason, changed_by from payouts_pause
    where paused_at is null and changed_at is not null`);
  return row && { resumedAt: row.changed_at, reason: row.reason, resumedBy: row.changed_by };
}

/** Runs in the transaction that would start a payout. A stop of its marketplace refuses it too. */
export async function refuseWhilePaused(tx: Tx): Promise<void> {
  await refuseUnlessPayoutsOpen(tx);
  const pause = await findPause(tx);
  if (pause !== undefined) refuse('PAYOUTS_PAUSED', { reason: pause.reason });
  await refuseWhilePayoutsStopped(tx);
}

/** True when payouts were not paused. A pause in force keeps its reason. */
export async function pausePayouts(tx: Tx, reason: string): Promise<boolean> {
  const now = instantText(tx.now);
  const paused = await tx.query(sql`
    update payouts_pause set paused_at = ${now}, reason = ${reason}, changed_by = ${tx.actor.id},
      changed_at = ${now}
    where paused_at is null returning is_singleton`);
  return paused.length === 1;
}

/**
 * True when payouts were paused. The pause belongs to no marketplace, so the caller that starts or
 * ends it also writes the audit entry.
 */
export async function resumePayouts(tx: Tx, reason: string, actorId: string): Promise<boolean> {
  const resumed = await tx.query(sql`
    update payouts_pause set paused_at = null, reason = ${reason}, changed_by = ${actorId},
      changed_at = ${instantText(tx.now)}, resume_requested_by = null, resume_reason = null,
      resume_requested_at = null
    where paused_at is not null returning is_singleton`);
  return resumed.length === 1;
}

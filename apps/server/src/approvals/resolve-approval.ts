//! Decides on an approval as the second person, and has it carried out:
//! POST /approvals/{id}/approve and /reject.
import { type ErrorCode, errors, Refusal, refuse } from '@holdfast/contract/errors';
import { CARRY_OUT_HOURS } from '@holdfast/contract/limits';
import type { OperatorRole } from '@holdfast/contract/roles';
import { assert } from '@holdfast/kernel/assert';
import type { ApprovalId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { findRole } from '../operators/find-role.ts';
import { type Call, type OperatorActor, Replay } from '../platform/call.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import { type Approval, decideApproval, findApproval, moveApproval } from './approval.ts';
import { expire } from './create-approval.ts';
import { deedReason, hasDeed } from './deed.ts';

/** What of the routes an approval needs. */
export interface Carrying {
  /** Which roles may ask for it, and so agree to it. */
  rolesOf(action: string): readonly OperatorRole[];
  /** By the very route that took the request, for whoever asked. Repeating it repeats nothing. */
  carryOut(approval: Approval, actor: OperatorActor, requestId: string): Promise<void>;
  /** The key that carrying it out takes first: of several only one gets it. */
  scopeOf(approval: Approval): string;
}

export async function rejectApproval(
  app: Transactor,
  carrying: Carrying,
  call: Call<OperatorActor>,
  approvalId: ApprovalId,
): Promise<Approval> {
  const found = await decide(app, call, async (tx) => {
    const approval = await takeUp(tx, carrying, call.actor, approvalId);
    if (approval.status === 'PENDING') return reject(tx, call.actor, approvalId);
    const open = approval.status === 'APPROVED' ? await goOn(tx, approval) : approval;
    return open instanceof Refusal || open.status === 'APPROVED' ? open : isOver(open);
  });
  return found.status === 'APPROVED' ? stop(app, carrying, call, found) : found;
}

/**
 * First it is approved, then carried out, then told: whoever finds one approved and not carried
 * out, since a process died or a provider was away, goes on with it by approving it, in time.
 */
export async function approveApproval(
  app: Transactor,
  carrying: Carrying,
  call: Call<OperatorActor>,
  approvalId: ApprovalId,
): Promise<Approval> {
  const approved = await decide(app, call, async (tx) => {
    const approval = await takeUp(tx, carrying, call.actor, approvalId);
    if (approval.status === 'APPROVED') return goOn(tx, approval);
    if (approval.status !== 'PENDING') return isOver(approval);
    assert(await decideApproval(tx, approvalId, 'approve', call.actor), 'it was looked at above');
    const { requestedBy, action, resourceId } = approval;
    await audit(tx, {
      action: 'APPROVAL_APPROVED',
      resourceId: approvalId,
      after: { requestedBy: requestedBy.id, approvedBy: call.actor.id, action, resourceId },
    });
    return again(tx, approvalId);
  });
  if (approved.status === 'EXECUTED') return approved;
  const actor = await requester(app, carrying, call.actor, approved);
  try {
    await carrying.carryOut(approved, actor, call.requestId);
  } catch (error) {
    // The same answer as then: it was carried out before.
    if (!(error instanceof Replay)) return failed(app, call, approved, error);
  }
  return end(app, call, approved, 'execute');
}

const HOUR_MS = 3_600_000;

/** One that was approved before: it may have been carried out since, or be too late. */
async function goOn(tx: Tx, approval: Approval): Promise<Approval | Refusal> {
  if (await hasDeed(tx, approval)) return finish(tx, approval, 'execute');
  assert(approval.decidedAt !== null, 'what is approved was decided on');
  if (tx.now < approval.decidedAt + CARRY_OUT_HOURS * HOUR_MS) return approval;
  const late = await finish(tx, approval, 'fail', 'INVALID_STATE');
  return isOver(late, `it was not carried out within ${CARRY_OUT_HOURS} hours: ask for it again`);
}

async function reject(tx: Tx, by: OperatorActor, approvalId: ApprovalId): Promise<Approval> {
  if (!(await decideApproval(tx, approvalId, 'reject', by)))
    throw isOver(await again(tx, approvalId));
  await audit(tx, { action: 'APPROVAL_REJECTED', resourceId: approvalId });
  return again(tx, approvalId);
}

/** Takes the key that carrying it out would take: whoever is about to do so comes too late. */
async function stop(
  app: Transactor,
  carrying: Carrying,
  call: Call<OperatorActor>,
  approved: Approval,
): Promise<Approval> {
  const { id } = approved;
  const idempotency = {
    key: id,
    scopeHash: carrying.scopeOf(approved),
    requestHash: fingerprint(`reject ${id}`),
    render: () => ({ status: 409, body: id }),
    renderRefusal: () => undefined,
  };
  try {
    return await transact(app, { ...call, idempotency }, (tx) => reject(tx, call.actor, id));
  } catch (error) {
    if (!(error instanceof Replay) && !isTaken(error)) throw error;
    throw isOver(approved, 'it is being carried out: approving it again tells what came of it');
  }
}

/** The key of its carrying out was taken for something else: to carry it out, or to reject it. */
function isTaken(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'IDEMPOTENCY_KEY_REUSED';
}

/** Commits what was found out, and only then refuses: an approval that is over stays over. */
async function decide(
  app: Transactor,
  call: Call<OperatorActor>,
  work: (tx: Tx) => Promise<Approval | Refusal>,
): Promise<Approval> {
  const found = await transact(app, { ...call, idempotency: undefined }, work);
  if (found instanceof Refusal) throw found;
  return found;
}

/** Whoever asked for it cannot decide, nor can a role that could not have asked. */
async function takeUp(
  tx: Tx,
  carrying: Carrying,
  { id, role }: OperatorActor,
  approvalId: ApprovalId,
): Promise<Approval> {
  const approval =
    (await findApproval(tx, approvalId)) ?? refuse('APPROVAL_NOT_FOUND', { approvalId });
  const required = [...carrying.rolesOf(approval.action)];
  if (!required.includes(role)) refuse('OPERATOR_ROLE_REQUIRED', { required });
  const { requestedBy } = approval;
  if (requestedBy.id === id) refuse('SECOND_PERSON_REQUIRED', { requestedBy: id });
  if (approval.status === 'EXPIRED') await expire(tx, approval);
  return approval;
}

function isOver({ id, status }: Approval, reason?: string): Refusal {
  const about = { resource: 'approval', id, state: status, allowed: ['PENDING'] };
  return new Refusal('INVALID_STATE', reason === undefined ? about : { ...about, reason });
}

async function again(tx: Tx, approvalId: ApprovalId): Promise<Approval> {
  const approval = await findApproval(tx, approvalId);
  assert(approval !== undefined, 'approvals are never removed');
  return approval;
}

/** Who asked, as they are now. What they may no longer ask for is not done for them. */
async function requester(
  app: Transactor,
  carrying: Carrying,
  second: OperatorActor,
  approval: Approval,
): Promise<OperatorActor> {
  const { action, requestedBy, decidedBy } = approval;
  const found = await findRole(app, requestedBy.id, second.marketplace);
  const required = [...carrying.rolesOf(action)];
  if (found === undefined || !required.includes(found.role))
    return refuse(
      'OPERATOR_ROLE_REQUIRED',
      { required },
      'Whoever asked may not do this any more.',
    );
  const { email, name, role } = found;
  const reason = deedReason(approval, decidedBy ?? second);
  return { ...second, id: requestedBy.id, email, name, role, reason };
}

/** A refusal ends it, unless a second try may mend it or the outcome is only not known yet. */
async function failed(
  app: Transactor,
  call: Call<OperatorActor>,
  approval: Approval,
  error: unknown,
): Promise<Approval> {
  if (!(error instanceof Refusal)) throw error;
  if (isTaken(error)) return decide(app, call, async (tx) => isOver(await again(tx, approval.id)));
  const { retry } = errors[error.code as ErrorCode];
  // Its operation has ended: only another approval begins another one.
  const hasEnded = 'operationId' in (error as Refusal).details;
  if (retry === 'look-first') await end(app, call, approval, 'execute');
  else if (retry !== 'later' || hasEnded) await end(app, call, approval, 'fail', error.code);
  throw error;
}

async function end(
  app: Transactor,
  call: Call<OperatorActor>,
  approval: Approval,
  move: 'execute' | 'fail',
  refusalCode?: ErrorCode,
): Promise<Approval> {
  const bare = { ...call, idempotency: undefined };
  return transact(app, bare, (tx) => finish(tx, approval, move, refusalCode));
}

async function finish(
  tx: Tx,
  { id, requestedBy, decidedBy }: Approval,
  move: 'execute' | 'fail',
  refusalCode?: ErrorCode,
): Promise<Approval> {
  if (await moveApproval(tx, id, move, refusalCode ?? null))
    await audit(tx, {
      action: move === 'execute' ? 'APPROVAL_EXECUTED' : 'APPROVAL_FAILED',
      resourceId: id,
      after: { requestedBy: requestedBy.id, approvedBy: decidedBy?.id, refusalCode },
      result: move === 'execute' ? 'SUCCESS' : 'FAILURE',
    });
  return again(tx, id);
}

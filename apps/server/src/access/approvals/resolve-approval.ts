//! Decides on an approval as the second approver, and executes it: POST /approvals/{id}/approve and
//! /reject.
import { type ErrorCode, errors, Refusal, refuse } from '@holdfast/contract/errors';
import { CARRY_OUT_HOURS } from '@holdfast/contract/limits';
import type { OperatorRole } from '@holdfast/contract/roles';
import { assert } from '@holdfast/kernel/assert';
import type { ApprovalId } from '@holdfast/kernel/ids';
import { type Call, RepeatedRequest, Replay, type SignedInActor } from '../../platform/call.ts';
import { read, type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { refuseNewApprover, refuseNewRequester } from '../operators/approval-delay.ts';
import { findRole } from '../operators/find-role.ts';
import { findOperator } from '../operators/operator.ts';
import { type Approval, decideApproval, findApproval, moveApproval } from './approval.ts';
import { expire } from './create-approval.ts';
import { executionReason, wasExecuted } from './execution.ts';

/** What an approval needs of the routes. */
export interface ApprovalExecutor {
  /** The roles that may make this request, and so approve it. */
  rolesOf(action: string): readonly OperatorRole[];
  /** Calls the route that took the request, as the requester. A repeat has no second effect. */
  execute(approval: Approval, call: Omit<Call<SignedInActor>, 'idempotency'>): Promise<void>;
  /** The key that the execution takes first: only one of several callers gets it. */
  scopeOf(approval: Approval): string;
}

export function resolveApproval(
  app: Transactor,
  executor: ApprovalExecutor,
  call: Call<SignedInActor>,
  approvalId: ApprovalId,
  decision: 'approve' | 'reject',
): Promise<Approval> {
  const resolve = decision === 'approve' ? approveApproval : rejectApproval;
  return resolve(app, executor, call, approvalId);
}

async function rejectApproval(
  app: Transactor,
  executor: ApprovalExecutor,
  call: Call<SignedInActor>,
  approvalId: ApprovalId,
): Promise<Approval> {
  const found = await decide(app, call, async (tx) => {
    const approval = await loadForDecision(tx, executor, call.actor, approvalId);
    if (approval.status === 'PENDING') return reject(tx, call.actor, approvalId);
    const open = approval.status === 'APPROVED' ? await resumeApproval(tx, approval) : approval;
    return open instanceof Refusal || open.status === 'APPROVED' ? open : endedRefusal(open);
  });
  return found.status === 'APPROVED' ? stop(app, executor, call, found) : found;
}

/**
 * Approves, executes, then records the result. An approval can stay approved and not executed, when
 * a process died or a provider was down. Approving it again within the time limit resumes it.
 */
async function approveApproval(
  app: Transactor,
  executor: ApprovalExecutor,
  call: Call<SignedInActor>,
  approvalId: ApprovalId,
): Promise<Approval> {
  const approved = await decide(app, call, async (tx) => {
    const approval = await loadForDecision(tx, executor, call.actor, approvalId);
    if (approval.status === 'APPROVED') return resumeApproval(tx, approval);
    if (approval.status !== 'PENDING') return endedRefusal(approval);
    await refuseNewRequester(tx, approval.requestedBy.id);
    assert(
      await decideApproval(tx, approvalId, 'approve', call.actor),
      'the approval was checked above',
    );
    const { requestedBy, action, resourceId } = approval;
    await audit(tx, {
      action: 'APPROVAL_APPROVED',
      resourceId: approvalId,
      after: { requestedBy: requestedBy.id, approvedBy: call.actor.id, action, resourceId },
    });
    return reloadApproval(tx, approvalId);
  });
  if (approved.status === 'EXECUTED') return approved;
  const actor = await requester(app, executor, call, approved);
  try {
    const { requestId } = call;
    // Outside all marketplaces an action is one transaction, which also ends the approval.
    const beforeCommit = async (tx: Tx) => void (await finish(tx, approved, 'execute'));
    const ending = actor.kind === 'person' ? { beforeCommit } : {};
    await executor.execute(approved, { actor, requestId, ...ending });
  } catch (error) {
    // A replay: it was executed before, with the same result.
    if (!(error instanceof Replay)) return failed(app, call, approved, error);
  }
  return end(app, call, approved, 'execute');
}

const HOUR_MS = 3_600_000;

/** An approval that was approved before: it may have been executed since, or be too late. */
async function resumeApproval(tx: Tx, approval: Approval): Promise<Approval | Refusal> {
  if (await wasExecuted(tx, approval)) return finish(tx, approval, 'execute');
  assert(approval.decidedAt !== null, 'an approved request has a decision time');
  if (tx.now < approval.decidedAt + CARRY_OUT_HOURS * HOUR_MS) return approval;
  const late = await finish(tx, approval, 'fail', 'INVALID_STATE');
  return endedRefusal(
    late,
    `it was not carried out within ${CARRY_OUT_HOURS} hours: request it again`,
  );
}

async function reject(tx: Tx, by: SignedInActor, approvalId: ApprovalId): Promise<Approval> {
  if (!(await decideApproval(tx, approvalId, 'reject', by)))
    throw endedRefusal(await reloadApproval(tx, approvalId));
  await audit(tx, { action: 'APPROVAL_REJECTED', resourceId: approvalId });
  return reloadApproval(tx, approvalId);
}

/**
 * Takes the key that the execution would take, so that a caller about to execute comes too late.
 */
async function stop(
  app: Transactor,
  executor: ApprovalExecutor,
  call: Call<SignedInActor>,
  approved: Approval,
): Promise<Approval> {
  const { id } = approved;
  const idempotency = {
    key: id,
    scopeHash: executor.scopeOf(approved),
    requestHash: fingerprint(`reject ${id}`),
    render: () => ({ status: 409, body: id }),
    renderRefusal: () => undefined,
  };
  try {
    return await transact(app, { ...call, idempotency }, (tx) => reject(tx, call.actor, id));
  } catch (error) {
    if (!(error instanceof RepeatedRequest) && !isTaken(error)) throw error;
    throw endedRefusal(approved, 'it is being carried out: approve it again to see the result');
  }
}

/** The execution's key was taken by another call: to execute it, or to reject it. */
function isTaken(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'IDEMPOTENCY_KEY_REUSED';
}

/** Commits the new status first and refuses afterwards, so that an ended approval stays ended. */
async function decide(
  app: Transactor,
  call: Call<SignedInActor>,
  work: (tx: Tx) => Promise<Approval | Refusal>,
): Promise<Approval> {
  const found = await transact(app, { ...call, idempotency: undefined }, work);
  if (found instanceof Refusal) throw found;
  return found;
}

/** The requester cannot decide, nor can a role that could not have made the request. */
async function loadForDecision(
  tx: Tx,
  executor: ApprovalExecutor,
  actor: SignedInActor,
  approvalId: ApprovalId,
): Promise<Approval> {
  const approval =
    (await findApproval(tx, approvalId)) ?? refuse('APPROVAL_NOT_FOUND', { approvalId });
  const required = [...executor.rolesOf(approval.action)];
  // A platform admin is one by the scope of the route.
  if (actor.kind === 'operator' && !required.includes(actor.role))
    refuse('OPERATOR_ROLE_REQUIRED', { required });
  const { requestedBy } = approval;
  if (requestedBy.id === actor.id)
    refuse('SECOND_APPROVER_REQUIRED', { requestedBy: requestedBy.id });
  await refuseNewApprover(tx);
  if (approval.status === 'EXPIRED') await expire(tx, approval);
  return approval;
}

function endedRefusal({ id, status }: Approval, reason?: string): Refusal {
  const about = { resource: 'approval', id, state: status, allowed: ['PENDING'] };
  return new Refusal('INVALID_STATE', reason === undefined ? about : { ...about, reason });
}

async function reloadApproval(tx: Tx, approvalId: ApprovalId): Promise<Approval> {
  const approval = await findApproval(tx, approvalId);
  assert(approval !== undefined, 'approvals are never removed');
  return approval;
}

/**
 * The requester with their current role. A request that they may no longer make is not executed.
 */
async function requester(
  app: Transactor,
  executor: ApprovalExecutor,
  call: Call<SignedInActor>,
  approval: Approval,
): Promise<SignedInActor> {
  const { actor: second } = call;
  const { action, requestedBy, decidedBy } = approval;
  const { id } = requestedBy;
  const approvedBy = decidedBy ?? second;
  const reason = executionReason(approval, approvedBy);
  if (second.kind === 'person') {
    const found = await read(app, call, (tx) => findOperator(tx, id));
    if (!found?.isPlatformAdmin || found.status !== 'ACTIVE') refuseRequester(['platform admin']);
    const { email, name } = found;
    return { ...second, id, email, name, reason, approvedBy };
  }
  const found = await findRole(app, id, second.marketplace);
  const required = [...executor.rolesOf(action)];
  if (found === undefined || !required.includes(found.role)) refuseRequester(required);
  const { email, name, role } = found;
  return { ...second, id, email, name, role, reason, approvedBy };
}

function refuseRequester(required: string[]): never {
  return refuse(
    'OPERATOR_ROLE_REQUIRED',
    { required },
    'The requester no longer has a role that allows this.',
  );
}

/** A refusal ends the approval, unless a retry may succeed or the outcome is still unknown. */
async function failed(
  app: Transactor,
  call: Call<SignedInActor>,
  approval: Approval,
  error: unknown,
): Promise<Approval> {
  if (!(error instanceof Refusal)) throw error;
  if (isTaken(error))
    return decide(app, call, async (tx) => endedRefusal(await reloadApproval(tx, approval.id)));
  const { retry } = errors[error.code as ErrorCode];
  // Its operation has ended: only another approval starts a new one.
  const hasEnded = 'operationId' in (error as Refusal).details;
  if (retry === 'check-first') await end(app, call, approval, 'execute');
  else if (retry !== 'later' || hasEnded) await end(app, call, approval, 'fail', error.code);
  throw error;
}

async function end(
  app: Transactor,
  call: Call<SignedInActor>,
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
  return reloadApproval(tx, id);
}

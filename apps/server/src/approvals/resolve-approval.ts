//! Decides on an approval as the second person, and has it carried out:
//! POST /approvals/{id}/approve and /reject.
import { type ErrorCode, errors, isErrorCode, Refusal, refuse } from '@holdfast/contract/errors';
import type { OperatorRole } from '@holdfast/contract/roles';
import { assert } from '@holdfast/kernel/assert';
import type { ApprovalId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { findRole } from '../operators/find-role.ts';
import { type Call, type OperatorActor, Replay } from '../platform/call.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import { type Approval, decideApproval, findApproval, moveApproval } from './approval.ts';
import { expire } from './create-approval.ts';

/** What of the routes an approval needs. */
export interface Carrying {
  /** Which roles may ask for it, and so agree to it. */
  rolesOf(action: string): readonly OperatorRole[];
  /** By the very route that took the request, for whoever asked. Repeating it repeats nothing. */
  carryOut(approval: Approval, actor: OperatorActor, requestId: string): Promise<void>;
}

export async function rejectApproval(
  app: Transactor,
  carrying: Carrying,
  call: Call<OperatorActor>,
  approvalId: ApprovalId,
): Promise<Approval> {
  return decide(app, call, async (tx) => {
    const approval = await takeUp(tx, carrying, call.actor, approvalId);
    if (approval.status !== 'PENDING') return isOver(approval);
    assert(await decideApproval(tx, approvalId, 'reject', call.actor), 'it was looked at above');
    await audit(tx, { action: 'APPROVAL_REJECTED', resourceId: approvalId });
    return again(tx, approvalId);
  });
}

/**
 * First it is approved, then carried out, then told: whoever finds one approved and not carried
 * out, since a process died or a provider was away, goes on with it by approving it.
 */
export async function approveApproval(
  app: Transactor,
  carrying: Carrying,
  call: Call<OperatorActor>,
  approvalId: ApprovalId,
): Promise<Approval> {
  const approved = await decide(app, call, async (tx) => {
    const approval = await takeUp(tx, carrying, call.actor, approvalId);
    if (approval.status === 'APPROVED') return approval;
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
  const actor = await requester(app, carrying, call.actor, approved);
  try {
    await carrying.carryOut(approved, actor, call.requestId);
  } catch (error) {
    return carriedOutBefore(error) ?? failed(app, call, approved, error);
  }
  return end(app, call, approved, 'execute');

  /** The same answer as then: it was carried out, or was refused. */
  function carriedOutBefore(error: unknown): Promise<Approval> | undefined {
    if (!(error instanceof Replay) || error.answer.status >= 400) return undefined;
    return end(app, call, approved, 'execute');
  }
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

function isOver({ id, status }: Approval): Refusal {
  return new Refusal('INVALID_STATE', {
    resource: 'approval',
    id,
    state: status,
    allowed: ['PENDING'],
  });
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
  { id, action, requestedBy, reason, decidedBy }: Approval,
): Promise<OperatorActor> {
  const found = await findRole(app, requestedBy.id, second.marketplace);
  const required = [...carrying.rolesOf(action)];
  if (found === undefined || !required.includes(found.role))
    return refuse(
      'OPERATOR_ROLE_REQUIRED',
      { required },
      'Whoever asked may not do this any more.',
    );
  const { email, name, role } = found;
  const by = decidedBy ?? second;
  return {
    ...second,
    id: requestedBy.id,
    email,
    name,
    role,
    reason: `${reason} (${id}, approved by ${by.name}, ${by.id})`,
  };
}

/** A refusal ends it, unless a second try may mend it or the outcome is only not known yet. */
async function failed(
  app: Transactor,
  call: Call<OperatorActor>,
  approval: Approval,
  error: unknown,
): Promise<never> {
  const refusal = error instanceof Replay ? replayed(error) : error;
  if (!(refusal instanceof Refusal)) throw error;
  const { retry } = errors[refusal.code as ErrorCode];
  if (retry === 'look-first') await end(app, call, approval, 'execute');
  else if (retry !== 'later') await end(app, call, approval, 'fail', refusal.code);
  throw refusal;
}

/** What was refused when it was first carried out. */
function replayed({ answer }: Replay): Refusal {
  const { error } = JSON.parse(answer.body) as { error: { code: string; details?: object } };
  const code = isErrorCode(error.code) ? error.code : 'INTERNAL_ERROR';
  return new Refusal(code, (error.details ?? {}) as never);
}

async function end(
  app: Transactor,
  call: Call<OperatorActor>,
  { id, requestedBy, decidedBy }: Approval,
  move: 'execute' | 'fail',
  refusalCode?: ErrorCode,
): Promise<Approval> {
  return transact(app, { ...call, idempotency: undefined }, async (tx) => {
    if (await moveApproval(tx, id, move, refusalCode ?? null))
      await audit(tx, {
        action: move === 'execute' ? 'APPROVAL_EXECUTED' : 'APPROVAL_FAILED',
        resourceId: id,
        after: { requestedBy: requestedBy.id, approvedBy: decidedBy?.id, refusalCode },
        result: move === 'execute' ? 'SUCCESS' : 'FAILURE',
      });
    return again(tx, id);
  });
}

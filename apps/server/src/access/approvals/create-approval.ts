//! Stores an operator's request as an approval for a second approver, instead of executing it.
import { assert } from '@holdfast/kernel/assert';
import { newId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Call, SignedInActor } from '../../platform/call.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  type Approval,
  findPending,
  insertApproval,
  moveApproval,
  type OriginalRequest,
} from './approval.ts';

export { type Recipient, recordDecidedAlone } from './decided-alone.ts';

export interface ApprovalInput {
  /** The endpoint that was called. */
  readonly action: string;
  readonly resourceId: string;
  readonly request: OriginalRequest;
  readonly amount: Money | null;
}

/** Returns the pending approval when the same request comes again. */
export async function createApproval(
  app: Transactor,
  call: Call<SignedInActor>,
  input: ApprovalInput,
): Promise<Approval> {
  const { action, resourceId, request, amount } = input;
  const { actor } = call;
  assert(actor.reason !== null, 'a request that changes something has its reason');
  const { reason } = actor;
  const requestHash = fingerprint(JSON.stringify([action, actor.id, request]));
  return transact(app, call, async (tx) => {
    const pending = await findPending(tx, requestHash);
    if (pending?.status === 'PENDING') return pending;
    if (pending !== undefined) await expire(tx, pending);
    const requested = {
      id: newId('apr', tx.now),
      action,
      resourceId,
      request,
      requestHash,
      amount,
      reason,
    };
    const created = await insertApproval(tx, requested, actor);
    assert(created !== undefined, 'none was pending in this transaction');
    await audit(tx, {
      action: 'APPROVAL_REQUESTED',
      resourceId: created.id,
      after: { action, resourceId, amount: amount?.text, currency: amount?.currency },
    });
    return created;
  });
}

/** Marks a pending approval whose time has passed. */
export async function expire(tx: Tx, { id }: Approval): Promise<void> {
  if (!(await moveApproval(tx, id, 'expire'))) return;
  await audit(tx, { action: 'APPROVAL_EXPIRED', resourceId: id });
}

//! Asks for a second person instead of doing what an operator asked for.
import { assert } from '@holdfast/kernel/assert';
import { newId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { audit } from '../audit/audit-entry.ts';
import type { Call, OperatorActor } from '../platform/call.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import {
  type Approval,
  type AskedRequest,
  findPending,
  insertApproval,
  moveApproval,
} from './approval.ts';

export interface ApprovalWish {
  /** The endpoint that was called. */
  readonly action: string;
  readonly resourceId: string;
  readonly request: AskedRequest;
  readonly amount: Money;
}

/** The same again, while nobody has decided, is the same approval. */
export async function createApproval(
  app: Transactor,
  call: Call<OperatorActor>,
  wish: ApprovalWish,
): Promise<Approval> {
  const { action, resourceId, request, amount } = wish;
  const { actor } = call;
  assert(actor.reason !== null, 'a request that changes something has its reason');
  const { reason } = actor;
  const requestHash = fingerprint(JSON.stringify([action, actor.id, request]));
  return transact(app, call, async (tx) => {
    const pending = await findPending(tx, requestHash);
    if (pending?.status === 'PENDING') return pending;
    if (pending !== undefined) await expire(tx, pending);
    const asked = { id: newId('apr'), action, resourceId, request, requestHash, amount, reason };
    const made = await insertApproval(tx, asked, actor);
    assert(made !== undefined, 'none was pending in this transaction');
    await audit(tx, {
      action: 'APPROVAL_REQUESTED',
      resourceId: made.id,
      after: { action, resourceId, amount: amount.text, currency: amount.currency },
    });
    return made;
  });
}

/** Its time has passed; nobody had looked since. */
export async function expire(tx: Tx, { id }: Approval): Promise<void> {
  if (!(await moveApproval(tx, id, 'expire'))) return;
  await audit(tx, { action: 'APPROVAL_EXPIRED', resourceId: id });
}

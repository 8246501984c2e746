//! An action outside all marketplaces that takes two platform admins: the call of the first is a
//! request, that of the second confirms it.
import { refuse } from '@holdfast/contract/errors';
import { APPROVAL_HOURS } from '@holdfast/contract/limits';
import type { Instant } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Tx } from '../../platform/database/transact.ts';
import { refuseNewApprover, refuseNewRequester } from './approval-delay.ts';
import { findOperator } from './operator.ts';
import { refuseMasterKey } from './refuse-master-key.ts';

/** A platform admin's, which another one has to confirm. */
export interface AdminRequest {
  readonly requestedBy: OperatorId;
  readonly requestedAt: Instant;
  readonly reason: string;
}

/**
 * True when this call confirms. The master key, where it may, confirms alone. Otherwise the caller
 * stores the request, in place of an older one.
 */
export async function isConfirmed(tx: Tx, request: AdminRequest | null): Promise<boolean> {
  const { actor } = tx;
  await refuseMasterKey(tx);
  if (actor.kind !== 'person') return true;
  const open = request !== null && (await isOpen(tx, request)) ? request : null;
  if (open?.requestedBy === actor.id) refuse('SECOND_APPROVER_REQUIRED', { requestedBy: actor.id });
  if (open === null) return false;
  await refuseNewApprover(tx);
  await refuseNewRequester(tx, open.requestedBy);
  return true;
}

/**
 * As long as an approval is. A request of an operator who is no platform admin any more counts no
 * longer.
 */
async function isOpen(tx: Tx, { requestedBy, requestedAt }: AdminRequest): Promise<boolean> {
  if (tx.now >= requestedAt + APPROVAL_HOURS * 3_600_000) return false;
  const requester = await findOperator(tx, requestedBy);
  return requester?.status === 'ACTIVE' && requester.isPlatformAdmin;
}

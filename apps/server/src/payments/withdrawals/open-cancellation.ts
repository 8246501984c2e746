//! The cancellation of a payout that is in progress: who requested it, and why.
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { findOpenOperation } from '../../engine/operation.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Cancellation } from './end-withdrawal.ts';

export const CANCEL_WITHDRAWAL = 'cancel-withdrawal';

export interface CancelPlan extends Cancellation {
  readonly withdrawalId: WithdrawalId;
  /** Null until the provider has sent us its id; ours finds the payout too. */
  readonly payoutId: string | null;
}

/** Undefined while no cancellation is in progress. */
export async function findCancellation(
  tx: Tx,
  withdrawalId: WithdrawalId,
): Promise<Cancellation | undefined> {
  const open = await findOpenOperation(tx, withdrawalId);
  if (open?.kind !== CANCEL_WITHDRAWAL) return undefined;
  const { canceledBy, reason } = open.plan as CancelPlan;
  return { canceledBy, reason };
}

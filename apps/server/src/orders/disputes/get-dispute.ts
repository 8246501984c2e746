//! Gets a dispute: GET /disputes/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { type Dispute, findDispute } from '../model/dispute.ts';

export async function getDispute(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
): Promise<Dispute> {
  const found = await read(app, call, (tx) => findDispute(tx, disputeId));
  return shownTo(call.actor, found ?? refuse('DISPUTE_NOT_FOUND', { disputeId }));
}

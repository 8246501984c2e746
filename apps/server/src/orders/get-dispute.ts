//! Gets a dispute: GET /disputes/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { type Dispute, findDispute } from './dispute.ts';

export async function getDispute(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
): Promise<Dispute> {
  return read(
    app,
    call,
    async (tx) => (await findDispute(tx, disputeId)) ?? refuse('DISPUTE_NOT_FOUND', { disputeId }),
  );
}

//! Lists both sides' statements and evidence, newest first: GET /disputes/{id}/evidence.
import { refuse } from '@holdfast/contract/errors';
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findDispute } from '../model/dispute.ts';
import { type DisputeEvidence, listEvidenceRows } from './dispute-evidence.ts';

export async function listDisputeEvidence(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  query: PageQuery,
): Promise<Page<DisputeEvidence>> {
  return read(app, call, async (tx) => {
    if ((await findDispute(tx, disputeId)) === undefined)
      refuse('DISPUTE_NOT_FOUND', { disputeId });
    return pageOf(query, async (after, count) =>
      shownTo(tx.actor, await listEvidenceRows(tx, disputeId, after, count)),
    );
  });
}

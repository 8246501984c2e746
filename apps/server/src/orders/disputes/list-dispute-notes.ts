//! Lists the internal notes on a dispute, newest first: GET /disputes/{id}/notes.
import { refuse } from '@holdfast/contract/errors';
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findDispute } from '../model/dispute.ts';
import { type DisputeNote, listNoteRows } from './dispute-note.ts';

export async function listDisputeNotes(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  query: PageQuery,
): Promise<Page<DisputeNote>> {
  return read(app, call, async (tx) => {
    if ((await findDispute(tx, disputeId)) === undefined)
      refuse('DISPUTE_NOT_FOUND', { disputeId });
    return pageOf(query, (after, count) => listNoteRows(tx, disputeId, after, count));
  });
}

//! Reads disputes, and the evidence and notes on them.
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { type Dispute, type ListedDispute, loadDispute } from '../model/dispute.ts';
import { type DisputeEvidence, listEvidenceRows } from './dispute-evidence.ts';
import { type DisputeFilter, listDisputeRows } from './dispute-list.ts';
import { type DisputeNote, listNoteRows } from './dispute-note.ts';

/** GET /disputes/{id}. */
export async function getDispute(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
): Promise<Dispute> {
  return read(app, call, async (tx) => shownTo(tx.actor, await loadDispute(tx, disputeId)));
}

/** GET /disputes: newest or oldest first. */
export async function listDisputes(
  app: Transactor,
  call: Call,
  query: PageQuery & DisputeFilter,
): Promise<Page<ListedDispute>> {
  return read(app, call, (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(tx.actor, await listDisputeRows(tx, query, after, count)),
    ),
  );
}

/** GET /disputes/{id}/evidence: both sides' statements and evidence, newest first. */
export async function listDisputeEvidence(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  query: PageQuery,
): Promise<Page<DisputeEvidence>> {
  return read(app, call, async (tx) => {
    await loadDispute(tx, disputeId);
    return pageOf(query, async (after, count) =>
      shownTo(tx.actor, await listEvidenceRows(tx, disputeId, after, count)),
    );
  });
}

/** GET /disputes/{id}/notes: internal notes, newest first. */
export async function listDisputeNotes(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  query: PageQuery,
): Promise<Page<DisputeNote>> {
  return read(app, call, async (tx) => {
    await loadDispute(tx, disputeId);
    return pageOf(query, (after, count) => listNoteRows(tx, disputeId, after, count));
  });
}

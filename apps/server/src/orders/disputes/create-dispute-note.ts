//! Writes an internal note on a dispute: POST /disputes/{id}/notes.
import { type DisputeId, newId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { loadDispute } from '../model/dispute.ts';
import { type DisputeNote, insertNote } from './dispute-note.ts';

export async function createDisputeNote(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  { text }: { readonly text: string },
): Promise<DisputeNote> {
  return transact(app, call, async (tx) => {
    await loadDispute(tx, disputeId);
    const id = newId('note', tx.now);
    const note = { id, disputeId, text, writtenBy: tx.actor.id, createdAt: tx.now };
    await insertNote(tx, note);
    // The note has the text; the audit entry does not repeat it.
    await audit(tx, { action: 'DISPUTE_NOTE_ADDED', resourceId: disputeId, after: { noteId: id } });
    return note;
  });
}

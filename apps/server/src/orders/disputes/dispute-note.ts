//! Internal notes on disputes: the only SQL that writes them. Written once, never changed.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { DisputeId, NoteId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface DisputeNote {
  readonly id: NoteId;
  readonly disputeId: DisputeId;
  readonly text: string;
  readonly writtenBy: string;
  readonly createdAt: Instant;
}

export async function insertNote(tx: Tx, note: DisputeNote): Promise<void> {
  await tx.query(sql`
    insert into dispute_note (marketplace_id, dispute_id, id, written_by, note, created_at)
    values (${tx.marketplace}, ${note.disputeId}, ${note.id}, ${note.writtenBy}, ${note.text},
      ${instantText(note.createdAt)})`);
}

/** Newest first. */
export async function listNoteRows(
  tx: Tx,
  disputeId: DisputeId,
  after: string | null,
  count: number,
): Promise<DisputeNote[]> {
  return tx.query<DisputeNote>(sql`
    select id, dispute_id as "disputeId", note as text, written_by as "writtenBy",
      created_at as "createdAt"
    from dispute_note
    where marketplace_id = ${tx.marketplace} and dispute_id = ${disputeId}
      and id < ${after ?? 'note_~'}
    order by id desc limit ${count}`);
}

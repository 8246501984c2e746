//! Evidence of a dispute's sides: the only SQL that writes it. Written once, never changed.
import type { DisputeEvidenceView } from '@holdfast/contract/records/order-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { DisputeId, EvidenceId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface DisputeEvidence {
  readonly id: EvidenceId;
  readonly disputeId: DisputeId;
  readonly party: DisputeEvidenceView['party'];
  readonly statement: string | null;
  readonly evidence: readonly string[];
  readonly addedBy: string;
  readonly createdAt: Instant;
}

export async function insertEvidence(tx: Tx, added: DisputeEvidence): Promise<void> {
  await tx.query(sql`
    insert into dispute_evidence (marketplace_id, dispute_id, id, party, statement, evidence,
      added_by, created_at)
    values (${tx.marketplace}, ${added.disputeId}, ${added.id}, ${added.party}, ${added.statement},
      ${added.evidence}, ${added.addedBy}, ${instantText(added.createdAt)})`);
}

/** Newest first. */
export async function listEvidenceRows(
  tx: Tx,
  disputeId: DisputeId,
  after: string | null,
  count: number,
): Promise<DisputeEvidence[]> {
  return tx.query<DisputeEvidence>(sql`
    select id, dispute_id as "disputeId", party, statement, evidence, added_by as "addedBy",
      created_at as "createdAt"
    from dispute_evidence
    where marketplace_id = ${tx.marketplace} and dispute_id = ${disputeId}
      and id < ${after ?? 'evd_~'}
    order by id desc limit ${count}`);
}

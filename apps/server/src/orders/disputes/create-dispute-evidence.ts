//! Adds one side's statement or evidence to an unresolved dispute: POST /disputes/{id}/evidence.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import { type DisputeId, newId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type Dispute, loadDispute } from '../model/dispute.ts';
import { lockOrder } from '../model/order.ts';
import { type DisputeEvidence, insertEvidence } from './dispute-evidence.ts';

interface EvidenceInput extends Pick<DisputeEvidence, 'party'> {
  readonly statement?: string;
  readonly evidence?: readonly string[];
}

export async function createDisputeEvidence(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  { party, statement, evidence = [] }: EvidenceInput,
): Promise<DisputeEvidence> {
  if (statement === undefined && evidence.length === 0)
    refuseField('statement', 'required', 'statement or evidence is required');
  return transact(app, call, async (tx) => {
    const found = await loadDispute(tx, disputeId);
    const { id: orderId, dispute } = await lockOrder(tx, found.orderId);
    assert(dispute?.id === disputeId, 'an order is disputed once in its life');
    checkUnresolved(dispute);
    const id = newId('evd', tx.now);
    const content = { party, statement: statement ?? null, evidence };
    const added = { id, disputeId, ...content, addedBy: tx.actor.id, createdAt: tx.now };
    await insertEvidence(tx, added);
    // The statement is stored in one place; a consumer of the event reads it there.
    const payload = { disputeId, orderId, evidenceId: id, party, addedAt: instantText(tx.now) };
    await emit(tx, 'dispute.evidence_added', disputeId, payload);
    await audit(tx, {
      action: 'DISPUTE_EVIDENCE_ADDED',
      resourceId: disputeId,
      after: { evidenceId: id, party },
    });
    return added;
  });
}

/** Allowed while a decision is carried out too: it may be refused, and another decision follows. */
function checkUnresolved({ id, status }: Dispute): void {
  if (status !== 'RESOLVED') return;
  refuse('INVALID_STATE', {
    resource: 'dispute',
    id,
    state: status,
    allowed: ['OPEN', 'UNDER_REVIEW'],
    reason: 'a decision has been made',
  });
}

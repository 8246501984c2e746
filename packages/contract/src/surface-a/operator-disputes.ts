//! The dispute desk: notes, the preview of a decision, and the statements of both sides.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { DECISIONS, DISPUTE_PARTIES } from '#enums';
import { amountInput, closed, id, listQuery, oneOf, text } from '#fields';
import { EVIDENCE_MAX, LENGTHS } from '#limits';
import { DisputeNoteView, ResolutionPreviewView } from '#records/console-records';
import { DisputeEvidenceView } from '#records/order-records';
import { SUPPORT } from '#roles';

const dispute = closed({ id: id('dsp') });

export const operatorDisputeEndpoints = {
  listDisputeNotes: ownEndpoint('listDisputeNotes', 'GET', '/disputes/{id}/notes', {
    scope: 'read',
    summary: 'List the internal notes on a dispute, newest first',
    params: dispute,
    query: listQuery('note', {}),
    success: { status: 200, data: DisputeNoteView, list: true },
    errors: ['DISPUTE_NOT_FOUND'],
  }),
  createDisputeNote: ownEndpoint('createDisputeNote', 'POST', '/disputes/{id}/notes', {
    scope: 'support',
    operators: SUPPORT,
    idempotent: true,
    summary: 'Add an internal note to a dispute; the parties never see it',
    params: dispute,
    body: closed({ text: text(LENGTHS.description) }),
    success: { status: 201, data: DisputeNoteView },
    errors: ['DISPUTE_NOT_FOUND'],
  }),
  previewResolution: ownEndpoint('previewResolution', 'POST', '/disputes/{id}/resolve/preview', {
    scope: 'read',
    changesNothing: true,
    summary: 'Preview the effect of a decision to the cent; changes nothing',
    params: dispute,
    body: closed({
      decision: oneOf(DECISIONS),
      releaseAmount: Type.Optional(amountInput()),
      refundAmount: Type.Optional(amountInput()),
    }),
    success: { status: 200, data: ResolutionPreviewView },
    errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE', 'INVALID_AMOUNT'],
    statuses: { INVALID_AMOUNT: 422 },
  }),
  listDisputeEvidence: ownEndpoint('listDisputeEvidence', 'GET', '/disputes/{id}/evidence', {
    scope: 'read',
    summary: 'List the statements and evidence of both parties, newest first',
    params: dispute,
    query: listQuery('evd', {}),
    success: { status: 200, data: DisputeEvidenceView, list: true },
    errors: ['DISPUTE_NOT_FOUND'],
  }),
  createDisputeEvidence: ownEndpoint('createDisputeEvidence', 'POST', '/disputes/{id}/evidence', {
    scope: 'write',
    operators: SUPPORT,
    idempotent: true,
    summary: 'Add a statement or evidence of one party to an unresolved dispute',
    params: dispute,
    body: closed({
      party: oneOf(DISPUTE_PARTIES),
      statement: Type.Optional(text(LENGTHS.description)),
      evidence: Type.Optional(Type.Array(text(LENGTHS.url), { maxItems: EVIDENCE_MAX })),
    }),
    success: { status: 201, data: DisputeEvidenceView },
    errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE'],
    emits: ['dispute.evidence_added'],
  }),
};

//! Routes of disputes, from the party that opens one to the agent who decides it.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { assignDispute } from '../../orders/disputes/assign-dispute.ts';
import { createDisputeEvidence } from '../../orders/disputes/create-dispute-evidence.ts';
import { createDisputeNote } from '../../orders/disputes/create-dispute-note.ts';
import { openDispute } from '../../orders/disputes/open-dispute.ts';
import { previewResolution } from '../../orders/disputes/preview-resolution.ts';
import {
  getDispute,
  listDisputeEvidence,
  listDisputeNotes,
  listDisputes,
} from '../../orders/disputes/read-disputes.ts';
import { resolveDispute } from '../../orders/disputes/resolve-dispute.ts';
import type { Surface } from '../http/serve.ts';
import { disputeNoteView, previewView } from './views/console.view.ts';
import { disputeEvidenceView, disputeView, listedDisputeView } from './views/dispute.view.ts';
import { openedDisputeView } from './views/order.view.ts';

export function disputeRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.openDispute, {
    run: (call, { params, body }) => openDispute(app, call, params.orderId, body),
    respond: (opened) => ({ data: openedDisputeView(opened) }),
  });
  surface.serveList(surfaceA.listDisputes, {
    run: (call, { query }) => listDisputes(app, call, query),
    item: listedDisputeView,
  });
  surface.serve(surfaceA.getDispute, {
    run: (call, { params }) => getDispute(app, call, params.id),
    respond: (dispute) => ({ data: disputeView(dispute) }),
  });
  surface.serve(surfaceA.assignDispute, {
    run: (call, { params, body }) => assignDispute(app, call, params.id, body),
    respond: (dispute) => ({ data: disputeView(dispute) }),
  });
  surface.serve(surfaceA.resolveDispute, {
    run: (call, { params, body }) => resolveDispute(app, call, params.id, body),
    respond: (dispute) => ({ data: disputeView(dispute) }),
  });
  surface.serveList(surfaceA.listDisputeNotes, {
    run: (call, { params, query }) => listDisputeNotes(app, call, params.id, query),
    item: disputeNoteView,
  });
  surface.serve(surfaceA.createDisputeNote, {
    run: (call, { params, body }) => createDisputeNote(app, call, params.id, body),
    respond: (note) => ({ data: disputeNoteView(note) }),
  });
  surface.serve(surfaceA.previewResolution, {
    run: (call, { params, body }) => previewResolution(app, call, params.id, body),
    respond: (preview) => ({ data: previewView(preview) }),
  });
  surface.serveList(surfaceA.listDisputeEvidence, {
    run: (call, { params, query }) => listDisputeEvidence(app, call, params.id, query),
    item: disputeEvidenceView,
  });
  surface.serve(surfaceA.createDisputeEvidence, {
    run: (call, { params, body }) => createDisputeEvidence(app, call, params.id, body),
    respond: (submission) => ({ data: disputeEvidenceView(submission) }),
  });
}

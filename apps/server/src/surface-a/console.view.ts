//! What a console reads beside the resources themselves, as it goes out.

import type {
  DisputeNoteView,
  IdempotencyKeyView,
  LabSeedView,
  LabView,
  LoggedRequestView,
  NoticeDetailView,
  NoticeView,
  ResolutionPreviewView,
  SearchHitView,
  SystemView,
} from '@holdfast/contract/console-records';
import { FAULT_KINDS, FAULT_OPERATIONS } from '@holdfast/contract/sandbox-faults';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Hit } from '../console/find-anything.ts';
import type { System } from '../console/get-system.ts';
import { type LabSeed, STORIES } from '../console/seed-lab.ts';
import { type Lab, SCENARIOS } from '../console/steer-lab.ts';
import type { getNotice } from '../inbox/get-notice.ts';
import type { listNotices } from '../inbox/list-notices.ts';
import type { listDisputeNotes } from '../orders/list-dispute-notes.ts';
import type { previewResolution } from '../orders/preview-resolution.ts';
import type { listIdempotencyKeys } from '../requests/list-idempotency-keys.ts';
import type { listRequests } from '../requests/list-requests.ts';

type Item<F extends (...given: never) => Promise<{ readonly items: readonly unknown[] }>> = Awaited<
  ReturnType<F>
>['items'][number];

export function hitView(hit: Hit): SearchHitView {
  const { type, id, title, status, matchedBy, matched, goTo, createdAt } = hit;
  return { type, id, title, status, matchedBy, matched, goTo, createdAt: maybeText(createdAt) };
}

export function noticeView(notice: Item<typeof listNotices>): NoticeView {
  return {
    id: notice.id,
    provider: notice.provider,
    providerEventId: notice.eventId,
    type: notice.type,
    status: notice.status,
    reason: notice.reason,
    resourceId: notice.resourceId,
    attempts: notice.attempts,
    contradictions: notice.contradictions,
    requestId: notice.requestId,
    receivedAt: instantText(notice.receivedAt),
    appliedAt: maybeText(notice.appliedAt),
    nextTryAt: notice.status === 'PENDING' ? instantText(notice.nextTryAt) : null,
  };
}

export function noticeDetailView(notice: Awaited<ReturnType<typeof getNotice>>): NoticeDetailView {
  return { ...noticeView(notice), body: notice.body };
}

export function loggedRequestView(request: Item<typeof listRequests>): LoggedRequestView {
  return { ...request, at: instantText(request.at) };
}

export function idempotencyKeyView(use: Item<typeof listIdempotencyKeys>): IdempotencyKeyView {
  const { kept } = use;
  return {
    ...use,
    firstSeenAt: instantText(use.firstSeenAt),
    lastSeenAt: instantText(use.lastSeenAt),
    kept: kept === null ? null : { ...kept, keptAt: instantText(kept.keptAt) },
    requestIds: [...use.requestIds],
  };
}

export function disputeNoteView(note: Item<typeof listDisputeNotes>): DisputeNoteView {
  return { ...note, createdAt: instantText(note.createdAt) };
}

export function previewView(
  preview: Awaited<ReturnType<typeof previewResolution>>,
): ResolutionPreviewView {
  const { decision, order, releaseAmount, refundAmount, fee, sellerReceives } = preview;
  return {
    decision,
    currency: order.currency,
    amount: order.amount.text,
    releaseAmount: releaseAmount.text,
    refundAmount: refundAmount.text,
    fee: fee.text,
    sellerReceives: sellerReceives.text,
    buyerReceives: refundAmount.text,
  };
}

export function systemView(system: System): SystemView {
  const { app, migration, takenAt, uptimeSeconds, checks, queues, logEnd, requestLog } = system;
  return {
    ...app,
    migration,
    takenAt: instantText(takenAt),
    uptimeSeconds,
    dependencies: Object.entries(checks).map(([name, { status, latencyMs }]) => ({
      name,
      status,
      latencyMs,
    })),
    queues: queues.map((queue) => ({
      name: queue.name,
      means: queue.means,
      waiting: queue.waiting,
      isCapped: queue.isCapped,
      oldestAt: maybeText(queue.oldestAt),
      lagSeconds: queue.lagSeconds,
    })),
    requestLog: { ...requestLog },
    events: { position: logEnd.position, lastAt: maybeText(logEnd.lastAt) },
  };
}

export function labView({ now, offsetMs, faults }: Lab): LabView {
  return {
    now: instantText(now),
    offsetSeconds: Math.round(offsetMs / 1000),
    faults: faults.map(({ provider, operation, kind, times }) => ({
      provider,
      operation,
      kind,
      times,
    })),
    kinds: Object.entries(FAULT_KINDS).map(([kind, means]) => ({ kind, means })),
    operations: Object.entries(FAULT_OPERATIONS).flatMap(([provider, operations]) =>
      operations.map((operation) => ({ provider, operation })),
    ),
    scenarios: Object.entries(SCENARIOS).map(([name, { means }]) => ({ name, means })),
    stories: Object.entries(STORIES).map(([name, { means }]) => ({ name, means })),
  };
}

export function labSeedView({ story, orders }: LabSeed): LabSeedView {
  return {
    story,
    orders: orders.map(({ id, status, disputeId, stoppedBy }) => ({
      id,
      status,
      disputeId,
      stoppedBy,
    })),
  };
}

function maybeText(at: Instant | null): string | null {
  return at === null ? null : instantText(at);
}

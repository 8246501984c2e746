//! Response views of the routes that only a console uses.

import type {
  DisputeNoteView,
  IdempotencyKeyView,
  LabSeedView,
  LabView,
  LoggedRequestView,
  NotificationDetailView,
  NotificationView,
  ResolutionPreviewView,
  SearchHitView,
  SystemView,
} from '@holdfast/contract/records/console-records';
import { FAULT_KINDS, FAULT_OPERATIONS } from '@holdfast/contract/sandbox-faults';
import { instantText } from '@holdfast/kernel/clock';
import { type Lab, SCENARIOS } from '../../../console/lab/lab.ts';
import { type LabSeed, SAMPLES } from '../../../console/lab/seed-lab.ts';
import type {
  listIdempotencyKeys,
  listRequests,
} from '../../../console/request-log/read-requests.ts';
import type { Hit } from '../../../console/search/find-anything.ts';
import type { System } from '../../../console/system/get-system.ts';
import type { previewResolution } from '../../../orders/disputes/preview-resolution.ts';
import type { listDisputeNotes } from '../../../orders/disputes/read-disputes.ts';
import type {
  getNotification,
  listNotifications,
} from '../../../webhooks/incoming/read-notifications.ts';

type Item<F extends (...given: never) => Promise<{ readonly items: readonly unknown[] }>> = Awaited<
  ReturnType<F>
>['items'][number];

export function hitView(hit: Hit): SearchHitView {
  const { type, id, title, status, matchedBy, matched, goTo, createdAt } = hit;
  return { type, id, title, status, matchedBy, matched, goTo, createdAt: instantText(createdAt) };
}

export function notificationView(notification: Item<typeof listNotifications>): NotificationView {
  return {
    id: notification.id,
    provider: notification.provider,
    providerEventId: notification.eventId,
    type: notification.type,
    status: notification.status,
    reason: notification.reason,
    resourceId: notification.resourceId,
    attempts: notification.attempts,
    contradictions: notification.contradictions,
    requestId: notification.requestId,
    receivedAt: instantText(notification.receivedAt),
    appliedAt: instantText(notification.appliedAt),
    nextTryAt: notification.status === 'PENDING' ? instantText(notification.nextTryAt) : null,
  };
}

export function notificationDetailView(
  notification: Awaited<ReturnType<typeof getNotification>>,
): NotificationDetailView {
  return { ...notificationView(notification), body: notification.body };
}

export function loggedRequestView(request: Item<typeof listRequests>): LoggedRequestView {
  return { ...request, at: instantText(request.at) };
}

export function idempotencyKeyView(use: Item<typeof listIdempotencyKeys>): IdempotencyKeyView {
  const { stored } = use;
  return {
    ...use,
    firstSeenAt: instantText(use.firstSeenAt),
    lastSeenAt: instantText(use.lastSeenAt),
    stored: stored === null ? null : { ...stored, storedAt: instantText(stored.storedAt) },
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
  const { dashboardUrl } = system;
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
      description: queue.description,
      waiting: queue.waiting,
      isCapped: queue.isCapped,
      oldestAt: instantText(queue.oldestAt),
      lagSeconds: queue.lagSeconds,
    })),
    requestLog: { ...requestLog },
    events: { position: logEnd.position, lastAt: instantText(logEnd.lastAt) },
    dashboardUrl,
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
    kinds: Object.entries(FAULT_KINDS).map(([kind, description]) => ({ kind, description })),
    operations: Object.entries(FAULT_OPERATIONS).flatMap(([provider, operations]) =>
      operations.map((operation) => ({ provider, operation })),
    ),
    scenarios: Object.entries(SCENARIOS).map(([name, { description }]) => ({ name, description })),
    samples: Object.entries(SAMPLES).map(([name, { description }]) => ({ name, description })),
  };
}

export function labSeedView({ sample, orders }: LabSeed): LabSeedView {
  return {
    sample,
    orders: orders.map(({ id, status, disputeId, stoppedBy }) => ({
      id,
      status,
      disputeId,
      stoppedBy,
    })),
  };
}

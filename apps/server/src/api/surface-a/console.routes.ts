//! Routes that only a console uses: search, figures, logs, the inbox, the lab.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { findAuditTenant } from '../../assurance/solvency/find-audit-tenant.ts';
import { lab } from '../../console/lab/lab.ts';
import { seedLab } from '../../console/lab/seed-lab.ts';
import { listIdempotencyKeys, listRequests } from '../../console/request-log/read-requests.ts';
import { findAnything } from '../../console/search/find-anything.ts';
import { getSystem } from '../../console/system/get-system.ts';
import { getNotification, listNotifications } from '../../webhooks/incoming/read-notifications.ts';
import { rerunNotification } from '../../webhooks/incoming/rerun-notification.ts';
import type { Surface } from '../http/serve.ts';
import {
  hitView,
  idempotencyKeyView,
  labSeedView,
  labView,
  loggedRequestView,
  notificationDetailView,
  notificationView,
  systemView,
} from './views/console.view.ts';
import { homeView } from './views/home.view.ts';

export function consoleRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.search, {
    run: async (call, { query }) => ({
      query: query.q,
      hits: await findAnything(app, call, query.q),
    }),
    respond: ({ query, hits }) => ({ data: { query, hits: hits.map(hitView) } }),
  });
  surface.serve(surfaceA.getHomeInsights, {
    run: (call, { query }) => app.home.get(call, query),
    respond: (home) => ({ data: homeView(home) }),
  });
  surface.serve(surfaceA.getSystem, {
    run: (call) => getSystem(app, call),
    respond: (system) => ({ data: systemView(system) }),
  });
  surface.serveList(surfaceA.listRequestLog, {
    run: (call, { query }) => listRequests(app, call, query),
    item: loggedRequestView,
  });
  surface.serveList(surfaceA.listIdempotencyKeys, {
    run: (call, { query }) => listIdempotencyKeys(app, call, query),
    item: idempotencyKeyView,
  });
  inboxRoutes(surface, app);
  labRoutes(surface, app);
}

function inboxRoutes(surface: Surface, app: App): void {
  surface.serveList(surfaceA.listNotifications, {
    run: (call, { query }) => listNotifications(app, call, query),
    item: notificationView,
  });
  surface.serve(surfaceA.getNotification, {
    run: (call, { params }) => getNotification(app, call, params.id),
    respond: (notification) => ({ data: notificationDetailView(notification) }),
  });
  surface.serve(surfaceA.rerunNotification, {
    run: async (call, { params, body: { reason } }) => {
      const auditedIn = await findAuditTenant(app);
      return rerunNotification(app, call, params.id, { reason, auditedIn });
    },
    respond: (notification) => ({ data: notificationDetailView(notification) }),
  });
}

function labRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getLab, {
    run: () => lab.read(app.sandbox),
    respond: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.advanceLabClock, {
    run: (call, { body }) => lab.advanceClock(app, call, body.seconds),
    respond: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.armLabFault, {
    run: (call, { body }) => lab.armFault(app, call, body),
    respond: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.clearLabFaults, {
    run: (call) => lab.clearFaults(app, call),
    respond: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.runLabScenario, {
    run: (call, { body }) => lab.runScenario(app, call, body.name),
    respond: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.seedLab, {
    run: (call, { body }) => seedLab(app, call, body),
    respond: (seed) => ({ data: labSeedView(seed) }),
  });
}

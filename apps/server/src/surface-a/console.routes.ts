//! What a console asks beside the resources themselves: search, figures, logs, the inbox, the lab.
import { surfaceA } from '@holdfast/contract/surface-a';
import { findAnything } from '../console/find-anything.ts';
import { getSystem } from '../console/get-system.ts';
import { seedLab } from '../console/seed-lab.ts';
import { advanceClock, armFault, clearFaults, getLab, runScenario } from '../console/steer-lab.ts';
import type { Surface } from '../http/serve.ts';
import { getNotice } from '../inbox/get-notice.ts';
import { listNotices } from '../inbox/list-notices.ts';
import { rerunNotice } from '../inbox/rerun-notice.ts';
import { findAuditPlace } from '../reconciliation/find-audit-place.ts';
import { listIdempotencyKeys } from '../requests/list-idempotency-keys.ts';
import { listRequests } from '../requests/list-requests.ts';
import type { App } from '../wire.ts';
import {
  hitView,
  idempotencyKeyView,
  labSeedView,
  labView,
  loggedRequestView,
  noticeDetailView,
  noticeView,
  systemView,
} from './console.view.ts';
import { homeView } from './home.view.ts';

export function consoleRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.search, {
    run: async (call, { query }) => ({
      query: query.q,
      hits: await findAnything(app, call, query.q),
    }),
    answer: ({ query, hits }) => ({ data: { query, hits: hits.map(hitView) } }),
  });
  surface.serve(surfaceA.getHomeInsights, {
    run: (call, { query }) => app.home.get(call, query),
    answer: (home) => ({ data: homeView(home) }),
  });
  surface.serve(surfaceA.getSystem, {
    run: (call) => getSystem(app, call),
    answer: (system) => ({ data: systemView(system) }),
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
  surface.serveList(surfaceA.listNotices, {
    run: (call, { query }) => listNotices(app, call, query),
    item: noticeView,
  });
  surface.serve(surfaceA.getNotice, {
    run: (call, { params }) => getNotice(app, call, params.id),
    answer: (notice) => ({ data: noticeDetailView(notice) }),
  });
  surface.serve(surfaceA.rerunNotice, {
    run: async (call, { params, body: { reason } }) => {
      const auditedIn = await findAuditPlace(app);
      return rerunNotice(app, call, params.id, { reason, auditedIn });
    },
    answer: (notice) => ({ data: noticeDetailView(notice) }),
  });
}

function labRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getLab, {
    run: () => getLab(app.sandbox),
    answer: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.advanceLabClock, {
    run: (call, { body }) => advanceClock(app, call, body.seconds),
    answer: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.armLabFault, {
    run: (call, { body }) => armFault(app, call, body),
    answer: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.clearLabFaults, {
    run: (call) => clearFaults(app, call),
    answer: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.runLabScenario, {
    run: (call, { body }) => runScenario(app, call, body.name),
    answer: (lab) => ({ data: labView(lab) }),
  });
  surface.serve(surfaceA.seedLab, {
    run: (call, { body }) => seedLab(app, call, body),
    answer: (seed) => ({ data: labSeedView(seed) }),
  });
}

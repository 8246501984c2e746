//! Routes of the audit log.
import { surfaceA } from '@holdfast/contract/surface-a';
import { listAuditLogs } from '../audit/list-audit-logs.ts';
import type { Surface } from '../http/serve.ts';
import type { App } from '../wire.ts';
import { auditEntryView } from './audit.view.ts';

export function auditRoutes(surface: Surface, app: App): void {
  surface.serveList(surfaceA.listAuditLogs, {
    run: (call, { query }) => listAuditLogs(app, call, query),
    item: auditEntryView,
  });
}

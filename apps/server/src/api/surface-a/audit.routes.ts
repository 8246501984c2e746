//! Routes of the audit log.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { listAuditLogs } from '../../record/audit/list-audit-logs.ts';
import type { Surface } from '../http/serve.ts';
import { auditEntryView } from './views/audit.view.ts';

export function auditRoutes(surface: Surface, app: App): void {
  surface.serveList(surfaceA.listAuditLogs, {
    run: (call, { query }) => listAuditLogs(app, call, query),
    item: auditEntryView,
  });
}

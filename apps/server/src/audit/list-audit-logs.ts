//! Lists who did what, newest first: GET /audit/logs.
import type { Call } from '../platform/call.ts';
import { shownTo } from '../platform/mask.ts';
import { type Page, type PageQuery, pageOf } from '../platform/page.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { type AuditEntry, type AuditFilter, listAuditRows } from './audit-entry.ts';

export async function listAuditLogs(
  app: Transactor,
  call: Call,
  query: PageQuery & AuditFilter,
): Promise<Page<AuditEntry>> {
  return read(app, call, async (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(tx.actor, await listAuditRows(tx, query, after, count)),
    ),
  );
}

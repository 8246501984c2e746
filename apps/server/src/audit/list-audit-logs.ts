//! Lists who did what, newest first: GET /audit/logs. What is no marketplace's own, such as who was
//! made an operator, is for who stands above all of them: the master key, and a platform admin who
//! names none.
import { type Call, NO_MARKETPLACE, systemCall } from '../platform/call.ts';
import { shownTo } from '../platform/mask.ts';
import { type Page, type PageQuery, pageOf } from '../platform/page.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { type AuditEntry, type AuditFilter, listAuditRows } from './audit-entry.ts';

export async function listAuditLogs(
  app: Transactor,
  call: Call,
  query: PageQuery & AuditFilter,
): Promise<Page<AuditEntry>> {
  return read(app, placed(call), async (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(call.actor, await listAuditRows(tx, query, after, count)),
    ),
  );
}

/** As one of that place and no more: the role that works across marketplaces reads no audit. */
function placed(call: Call): Call {
  return 'marketplace' in call.actor ? call : { ...call, actor: systemCall(NO_MARKETPLACE).actor };
}

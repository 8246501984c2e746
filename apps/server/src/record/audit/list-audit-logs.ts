//! Lists audit entries, newest first: GET /audit/logs. Entries outside all marketplaces, such as a
//! new operator, are shown to the master key, and to a platform admin who names no marketplace.
import { type Call, NO_MARKETPLACE, systemCall } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { type AuditEntry, type AuditFilter, listAuditRows } from './audit-entry.ts';

export async function listAuditLogs(
  app: Transactor,
  call: Call,
  query: PageQuery & AuditFilter,
): Promise<Page<AuditEntry>> {
  return read(app, asTenant(call), async (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(call.actor, await listAuditRows(tx, query, after, count)),
    ),
  );
}

/** Reads as that pseudo-marketplace only: the cross-marketplace role cannot read the audit. */
function asTenant(call: Call): Call {
  return 'marketplace' in call.actor ? call : { ...call, actor: systemCall(NO_MARKETPLACE).actor };
}

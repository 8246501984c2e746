//! Routes of the recovery of a database that was set back or failed over.
import type { RecoveryView } from '@holdfast/contract/records/recovery-records';
import { surfaceA } from '@holdfast/contract/surface-a';
import { instantText } from '@holdfast/kernel/clock';
import type { App } from '../../app/wire.ts';
import { openDatabase } from '../../assurance/recovery/open-database.ts';
import { getRecovery } from '../../assurance/recovery/read-recovery.ts';
import type { ShownLineage } from '../../platform/database/lineage.ts';
import type { Surface } from '../http/serve.ts';

export function recoveryRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getRecovery, {
    run: (call) => getRecovery(app, call),
    respond: (lineage) => ({ data: recoveryView(lineage) }),
  });
  surface.serve(surfaceA.openDatabase, {
    run: (call, { body }) => openDatabase(app, call, body),
    respond: (lineage) => ({ data: recoveryView(lineage) }),
  });
}

function recoveryView(lineage: ShownLineage): RecoveryView {
  const { number, status, isSameServer, reason, lostFrom, openedAt, openRequest } = lineage;
  return {
    lineage: number,
    status: isSameServer ? status : 'UNCHECKED',
    reason,
    lostFrom: lostFrom === null ? null : instantText(lostFrom),
    checkedAt: instantText(lineage.checkedAt),
    openedAt: openedAt === null ? null : instantText(openedAt),
    openRequested:
      openRequest === null
        ? null
        : { ...openRequest, requestedAt: instantText(openRequest.requestedAt) },
  };
}

//! Routes of the recovery of a database that was set back or failed over.
import type {
  AcknowledgedWriteInput,
  RecoveryFindingView,
  RecoveryView,
} from '@holdfast/contract/records/recovery-records';
import { surfaceA } from '@holdfast/contract/surface-a';
import { instantText, readInstant } from '@holdfast/kernel/clock';
import type { App } from '../../app/wire.ts';
import { checkWrites } from '../../assurance/recovery/check-writes.ts';
import { openDatabase } from '../../assurance/recovery/open-database.ts';
import {
  getRecovery,
  listFindings,
  type RecoveryFinding,
  type ShownRecovery,
} from '../../assurance/recovery/read-recovery.ts';
import type { AcknowledgedWrite } from '../../platform/acknowledged-write.ts';
import type { Surface } from '../http/serve.ts';

export function recoveryRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getRecovery, {
    run: (call) => getRecovery(app, call),
    respond: (recovery) => ({ data: recoveryView(recovery) }),
  });
  surface.serveList(surfaceA.listFindings, {
    run: (call, { query }) => listFindings(app, call, query),
    item: findingView,
  });
  surface.serve(surfaceA.checkWrites, {
    run: (call, { body }) => checkWrites(app, call, body.writes.map(writeOf)),
    respond: ({ checked, lost }) => ({
      data: { checked, lost: lost.map(({ id, requestId }) => ({ writeId: id, requestId })) },
    }),
  });
  surface.serve(surfaceA.openDatabase, {
    run: (call, { body }) => openDatabase(app, call, body),
    respond: (recovery) => ({ data: recoveryView(recovery) }),
  });
}

function writeOf(input: AcknowledgedWriteInput): AcknowledgedWrite {
  const { writeId: id, at, idempotencyScope = null } = input;
  const { resourceId = null, amount = null, currency = null } = input;
  const shown = { resourceId, amount, currency };
  return { ...input, id, idempotencyScope, ...shown, at: readInstant(at) ?? 0 };
}

function recoveryView(lineage: ShownRecovery): RecoveryView {
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
    steps: lineage.steps.map(({ name, startedAt, finishedAt, detail }) => ({
      name,
      startedAt: instantText(startedAt),
      finishedAt: finishedAt === null ? null : instantText(finishedAt),
      detail,
    })),
    findings: lineage.findings,
  };
}

function findingView({ foundAt, ...finding }: RecoveryFinding): RecoveryFindingView {
  return { ...finding, foundAt: instantText(foundAt) };
}

//! What a database may have lost, what its recovery does, and what is closed meanwhile: GET
//! /recovery and /recovery/findings.
import type { Call } from '../../platform/call.ts';
import { getLineage, type ShownLineage } from '../../platform/database/lineage.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import {
  countFindings,
  listFindingRows,
  listRecoverySteps,
  type RecoveryFinding,
  type RecoveryStep,
} from './recovery-record.ts';

export type { RecoveryFinding } from './recovery-record.ts';

export interface ShownRecovery extends ShownLineage {
  readonly steps: readonly RecoveryStep[];
  readonly findings: number;
}

export async function getRecovery(app: Transactor, call: Call): Promise<ShownRecovery> {
  return read(app, call, readRecovery);
}

export async function readRecovery(tx: Tx): Promise<ShownRecovery> {
  const lineage = await getLineage(tx);
  const steps = await listRecoverySteps(tx, lineage.number);
  return { ...lineage, steps, findings: await countFindings(tx, lineage.number) };
}

export async function listFindings(
  app: Transactor,
  call: Call,
  query: PageQuery,
): Promise<Page<RecoveryFinding>> {
  return read(app, call, (tx) =>
    pageOf(query, (after, count) => listFindingRows(tx, after, count)),
  );
}

//! What a recovery has done and found: the only SQL that reads and writes it.
import type { FINDING_KINDS, RECOVERY_STEPS } from '@holdfast/contract/records/recovery-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { type FindingId, type MarketplaceId, newId, type UserId } from '@holdfast/kernel/ids';
import type { AcknowledgedWrite } from '../../platform/acknowledged-write.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export type RecoveryStepName = (typeof RECOVERY_STEPS)[number];
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface RecoveryStep {
  readonly name: RecoveryStepName;
  readonly startedAt: Instant;
  readonly finishedAt: Instant | null;
  /** What it did, or what it waits for. */
  readonly detail: string;
}

/** What happened without a record here, and a person has to settle. */
export interface NewFinding {
  readonly kind: FindingKind;
  /** The transaction, the provider's record or the request: each is found once. */
  readonly reference: string;
  readonly marketplaceId?: MarketplaceId | null;
  readonly userId?: UserId | null;
  readonly resourceId?: string | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly detail: string;
}

export interface RecoveryFinding extends Required<NewFinding> {
  readonly id: FindingId;
  readonly foundAt: Instant;
}

export async function listRecoverySteps(tx: Tx, lineage: number): Promise<RecoveryStep[]> {
  const rows = await tx.query<{
    name: RecoveryStepName;
    started_at: Instant;
    finished_at: Instant | null;
    detail: string;
  }>(sql`
    select name, started_at, finished_at, detail from recovery_step where lineage = ${lineage}
    order by started_at, name`);
  return rows.map(({ name, started_at, finished_at, detail }) => ({
    name,
    startedAt: started_at,
    finishedAt: finished_at,
    detail,
  }));
}

/** Two workers may be at the same step: a finished one stays as it is. */
export async function writeRecoveryStep(
  tx: Tx,
  lineage: number,
  name: RecoveryStepName,
  { isFinished, detail }: { readonly isFinished: boolean; readonly detail: string },
): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into recovery_step (lineage, name, started_at, finished_at, detail)
    values (${lineage}, ${name}, ${now}, ${isFinished ? now : null}, ${detail})
    on conflict (lineage, name) do update
    set finished_at = excluded.finished_at, detail = excluded.detail
    where recovery_step.finished_at is null
      and (excluded.finished_at is not null or recovery_step.detail <> excluded.detail)`);
}

/** Its last part is finished: from now on it waits for people. */
export async function isRecovered(tx: Tx, lineage: number): Promise<boolean> {
  const last: RecoveryStepName = 'end';
  const found = await tx.query(sql`
    select from recovery_step
    where lineage = ${lineage} and name = ${last} and finished_at is not null`);
  return found.length === 1;
}

/** False when it was found before. */
export async function insertFinding(tx: Tx, lineage: number, found: NewFinding): Promise<boolean> {
  const { kind, reference, marketplaceId, userId, resourceId, amount, currency, detail } = found;
  const inserted = await tx.query(sql`
    insert into recovery_finding (id, lineage, kind, reference, marketplace_public_id, user_id,
      resource_id, amount, currency, detail, found_at)
    values (${newId('fnd', tx.now)}, ${lineage}, ${kind}, ${reference}, ${marketplaceId ?? null},
      ${userId ?? null}, ${resourceId ?? null}, ${amount ?? null}, ${currency ?? null}, ${detail},
      ${instantText(tx.now)})
    on conflict do nothing returning id`);
  return inserted.length === 1;
}

/** Also of the recoveries before it, since the database was last open: each is found only once. */
export async function countFindings(tx: Tx, lineage: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from recovery_finding
    where lineage <= ${lineage} and lineage > (
      select coalesce(max(number), 0) from lineage
      where number < ${lineage} and opened_at is not null)`);
  return row?.count ?? 0;
}

/** Newest first, of every recovery. */
export async function listFindingRows(
  tx: Tx,
  after: string | null,
  count: number,
): Promise<RecoveryFinding[]> {
  const rows = await tx.query<{
    id: FindingId;
    kind: FindingKind;
    reference: string;
    marketplace_public_id: MarketplaceId | null;
    user_id: UserId | null;
    resource_id: string | null;
    amount: string | null;
    currency: string | null;
    detail: string;
    found_at: Instant;
  }>(sql`
    select id, kind, reference, marketplace_public_id, user_id, resource_id, amount, currency,
      detail, found_at
    from recovery_finding where ${after}::text is null or id < ${after}
    order by id desc limit ${count}`);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    marketplaceId: row.marketplace_public_id,
    userId: row.user_id,
    resourceId: row.resource_id,
    amount: row.amount,
    currency: row.currency,
    detail: row.detail,
    foundAt: row.found_at,
  }));
}

/** Those that are not here. */
export async function findLostWrites(
  tx: Tx,
  writes: readonly AcknowledgedWrite[],
): Promise<AcknowledgedWrite[]> {
  const ids = writes.map(({ id }) => id);
  const requests = writes.map(({ requestId }) => requestId);
  const scopes = writes.map(({ idempotencyScope }) => idempotencyScope ?? '');
  const rows = await tx.query<{ position: number }>(
    sql`select lost_writes(${ids}, ${requests}, ${scopes}) as position`,
  );
  const lost = new Set(rows.map(({ position }) => position - 1));
  return writes.filter((_, index) => lost.has(index));
}

/** All of them: a platform admin acts on every marketplace. */
export async function listMarketplaceIds(
  tx: Tx,
): Promise<{ readonly row: RowNumber; readonly id: MarketplaceId }[]> {
  return tx.query(sql`select id as row, public_id as id from marketplace order by id`);
}

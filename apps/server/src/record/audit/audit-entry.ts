//! The audit trail: who did what, written in the transaction of the action, never changed later.
import {
  type AuditAction,
  type AuditActionRow,
  type AuditResourceType,
  auditActions,
} from '@holdfast/contract/audit-actions';
import type { AuditEntryView } from '@holdfast/contract/records';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { type AuditId, newId } from '@holdfast/kernel/ids';
import { reasonWith } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import { awaitLink } from '../../platform/database/outbox.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface AuditRecord {
  readonly action: AuditAction;
  readonly resourceId: string;
  /** Set where the action can be about more than one kind of resource. */
  readonly resourceType?: AuditResourceType;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
  readonly reason?: string | undefined;
  readonly result?: 'SUCCESS' | 'FAILURE';
  /** Set where the master key acted on a marketplace's behalf. */
  readonly marketplace?: RowNumber;
}

const ACTOR_TYPES = {
  key: 'API_KEY',
  master: 'MASTER_KEY',
  system: 'SYSTEM',
  provider: 'PROVIDER',
  member: 'MEMBER',
  operator: 'OPERATOR',
  person: 'OPERATOR',
  anonymous: 'SYSTEM',
} as const;

export async function audit(tx: Tx, record: AuditRecord): Promise<void> {
  const id = newId('aud', tx.now);
  const marketplace = record.marketplace ?? tx.marketplace;
  await tx.query(sql`
    insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id,
      actor_type, actor_id, result, reason, correlation_id, before, after)
    values (${marketplace}, ${id}, ${instantText(tx.now)},
      ${record.action}, ${resourceTypeOf(record)}, ${record.resourceId},
      ${ACTOR_TYPES[tx.actor.kind]}, ${tx.actor.id},
      ${record.result ?? 'SUCCESS'}, ${reasonWith(tx.actor, record.reason ?? null)}, ${tx.requestId},
      ${record.before ? JSON.stringify(record.before) : null},
      ${record.after ? JSON.stringify(record.after) : null})`);
  await awaitLink(tx, marketplace, id);
}

function resourceTypeOf({ action, resourceType }: AuditRecord): string {
  const row: AuditActionRow = auditActions[action];
  if (resourceType === undefined || resourceType === row.resourceType) return row.resourceType;
  assert(row.alsoOf?.includes(resourceType), `${action} can be about a ${resourceType}`);
  return resourceType;
}

/** Both parts of a balance. */
export interface BalanceState {
  readonly available: bigint;
  readonly reserved: bigint;
}

/** The data of the journal entry behind a change of a balance. */
export interface BalanceChange {
  readonly before: BalanceState;
  readonly after: BalanceState;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly orderId: string | null;
  readonly reference: string | null;
}

export interface AuditEntry {
  readonly id: AuditId;
  readonly occurredAt: Instant;
  readonly action: AuditAction;
  readonly resourceType: AuditEntryView['resourceType'];
  readonly resourceId: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  /** Replaces `before` and `after` where money moved. */
  readonly balance: BalanceChange | null;
  readonly actorType: AuditEntryView['actorType'];
  readonly actorId: string;
  readonly result: AuditEntryView['result'];
  readonly reason: string | null;
  readonly correlationId: string;
  /** Where the request came from; null where no request waited for the action. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface AuditFilter extends CreatedFilter {
  readonly action?: AuditAction;
  readonly resourceType?: AuditEntry['resourceType'];
  readonly resourceId?: string;
  readonly actorId?: string;
  readonly result?: AuditEntry['result'];
}

/**
 * Newest first. A filter by resource has a separate statement: as an optional condition it would
 * make the planner read from the newest row on, for every page.
 */
export async function listAuditRows(
  tx: Tx,
  filter: AuditFilter,
  after: string | null,
  count: number,
): Promise<AuditEntry[]> {
  const { resourceId } = filter;
  const { from, below } = idRange('aud', filter, after);
  const { action = null, resourceType = null, actorId = null, result = null } = filter;
  const rows =
    resourceId === undefined
      ? await tx.query<AuditRow>(sql`
          select a.id, a.occurred_at, a.action, a.resource_type, a.resource_id, a.before, a.after,
            a.actor_type, a.actor_id, a.result, a.reason, a.correlation_id, a.address,
            a.user_agent, e.amount, e.currency,
            e.from_account = e.to_account as stays, e.from_bucket, e.to_bucket, e.from_available,
            e.from_reserved, e.to_available, e.to_reserved, e.subject_id, e.reference
          from audit a
          left join entry e on e.marketplace_id = a.marketplace_id and e.id = a.entry_id
          where a.marketplace_id = ${tx.marketplace} and a.id >= ${from} and a.id < ${below}
            and (${action}::text is null or a.action = ${action})
            and (${resourceType}::text is null or a.resource_type = ${resourceType})
            and (${actorId}::text is null or a.actor_id = ${actorId})
            and (${result}::text is null or a.result = ${result})
          order by a.id desc limit ${count}`)
      : await tx.query<AuditRow>(sql`
          select a.id, a.occurred_at, a.action, a.resource_type, a.resource_id, a.before, a.after,
            a.actor_type, a.actor_id, a.result, a.reason, a.correlation_id, a.address,
            a.user_agent, e.amount, e.currency,
            e.from_account = e.to_account as stays, e.from_bucket, e.to_bucket, e.from_available,
            e.from_reserved, e.to_available, e.to_reserved, e.subject_id, e.reference
          from audit a
          left join entry e on e.marketplace_id = a.marketplace_id and e.id = a.entry_id
          where a.marketplace_id = ${tx.marketplace} and a.resource_id = ${resourceId}
            and a.id >= ${from} and a.id < ${below}
            and (${action}::text is null or a.action = ${action})
            and (${resourceType}::text is null or a.resource_type = ${resourceType})
            and (${actorId}::text is null or a.actor_id = ${actorId})
            and (${result}::text is null or a.result = ${result})
          order by a.id desc limit ${count}`);
  return rows.map(readAuditEntry);
}

type AuditRow = EntryColumns &
  Row<
    'audit',
    Exclude<keyof Tables['audit'], 'marketplace_id' | 'entry_id'>,
    {
      id: AuditId;
      action: AuditAction;
      resource_type: AuditEntry['resourceType'];
      before: Record<string, unknown>;
      after: Record<string, unknown>;
    }
  >;

/** All null where no money moved. */
interface EntryColumns {
  amount: string | null;
  currency: Currency;
  stays: boolean;
  from_bucket: keyof BalanceState;
  to_bucket: keyof BalanceState;
  from_available: string;
  from_reserved: string;
  to_available: string | null;
  to_reserved: string;
  subject_id: string | null;
  reference: string | null;
}

function readAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    occurredAt: row.occurred_at,
    action: row.action,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    before: row.before,
    after: row.after,
    balance: row.amount === null ? null : readBalanceChange(row, BigInt(row.amount)),
    actorType: row.actor_type,
    actorId: row.actor_id,
    result: row.result,
    reason: row.reason,
    correlationId: row.correlation_id,
    address: row.address,
    userAgent: row.user_agent,
  };
}

/** An entry holds the balances after it; those before it differ by what it moved. */
function readBalanceChange(row: EntryColumns, amount: bigint): BalanceChange {
  const isOfOrder = row.subject_id?.startsWith('ord_') === true;
  const isTo = row.to_available !== null;
  const after: BalanceState = {
    available: BigInt(row.to_available ?? row.from_available),
    reserved: BigInt(isTo ? row.to_reserved : row.from_reserved),
  };
  const moved = (bucket: keyof BalanceState): bigint =>
    ((isTo || row.stays) && row.to_bucket === bucket ? amount : 0n) -
    (!isTo && row.from_bucket === bucket ? amount : 0n);
  return {
    before: {
      available: after.available - moved('available'),
      reserved: after.reserved - moved('reserved'),
    },
    after,
    amount,
    currency: row.currency,
    orderId: isOfOrder ? row.subject_id : null,
    // A deposit has no order: it names its line among the wallet's transactions.
    reference: row.reference ?? (isOfOrder ? null : row.subject_id),
  };
}

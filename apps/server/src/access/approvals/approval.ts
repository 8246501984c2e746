//! Approvals: the only SQL that writes them.
import { APPROVAL_HOURS } from '@holdfast/contract/limits';
import {
  type ApprovalMove,
  type ApprovalState,
  approvalMachine,
} from '@holdfast/contract/machines/approval-machine';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { ApprovalId, OperatorId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { SignedInActor } from '../../platform/call.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** An operator, with the name they had at the time. */
export interface NamedPerson {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
}

/** The request that needs approval, as it was sent. */
export interface OriginalRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface NewApproval {
  readonly id: ApprovalId;
  /** The endpoint that was called. */
  readonly action: string;
  readonly resourceId: string;
  readonly request: OriginalRequest;
  readonly requestHash: string;
  /** Null where the action is about no amount of money. */
  readonly amount: Money | null;
  readonly reason: string;
}

export interface Approval extends Omit<NewApproval, 'requestHash'> {
  readonly status: ApprovalState;
  readonly requestedBy: NamedPerson;
  readonly decidedBy: NamedPerson | null;
  readonly decisionReason: string | null;
  readonly decidedAt: Instant | null;
  readonly refusalCode: string | null;
  readonly expiresAt: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

type ApprovalRow = Row<
  'approval',
  Exclude<keyof Tables['approval'], 'marketplace_id' | 'request_hash'>,
  {
    id: ApprovalId;
    request: OriginalRequest;
    currency: Currency;
    requested_by: OperatorId;
    decided_by: OperatorId;
  }
>;

/** Undefined when the same request is pending already. */
export async function insertApproval(
  tx: Tx,
  requested: NewApproval,
  { id, email, name }: SignedInActor,
): Promise<Approval | undefined> {
  const now = instantText(tx.now);
  const { amount } = requested;
  const inserted = await tx.query(sql`
    insert into approval (marketplace_id, id, status, action, resource_id, request, request_hash,
      amount, currency, reason, requested_by, requested_by_email, requested_by_name, expires_at,
      created_at, updated_at)
    values (${tx.marketplace}, ${requested.id}, ${approvalMachine.initial}, ${requested.action},
      ${requested.resourceId}, ${JSON.stringify(requested.request)}, ${requested.requestHash}, ${amount?.minor ?? null},
      ${amount?.currency ?? null}, ${requested.reason}, ${id}, ${email}, ${name},
      ${instantText(tx.now + APPROVAL_HOURS * 3_600_000)}, ${now}, ${now})
    on conflict do nothing returning id`);
  return inserted.length === 1 ? findApproval(tx, requested.id) : undefined;
}

/** A pending approval past its time reads as EXPIRED, even before its row changes. */
export async function findApproval(tx: Tx, id: ApprovalId): Promise<Approval | undefined> {
  const [row] = await tx.query<ApprovalRow>(sql`
    select id, case when status = 'PENDING' and expires_at <= ${instantText(tx.now)} then 'EXPIRED'
        else status end as status, action, resource_id, request, amount, currency, reason,
      requested_by, requested_by_email, requested_by_name, decided_by, decided_by_email,
      decided_by_name, decision_reason, decided_at, refusal_code, expires_at, created_at, updated_at
    from approval where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row && readApproval(row);
}

export async function findPending(tx: Tx, requestHash: string): Promise<Approval | undefined> {
  const [row] = await tx.query<Pick<ApprovalRow, 'id'>>(sql`
    select id from approval
    where marketplace_id = ${tx.marketplace} and request_hash = ${requestHash}
      and status = 'PENDING'`);
  return row && findApproval(tx, row.id);
}

export interface ApprovalFilter extends CreatedFilter {
  readonly status?: ApprovalState;
  readonly resourceId?: string;
  readonly requestedBy?: OperatorId;
}

/** Newest first. */
export async function listApprovalRows(
  tx: Tx,
  filter: ApprovalFilter,
  after: string | null,
  count: number,
): Promise<Approval[]> {
  const { from, below } = idRange('apr', filter, after);
  const { status = null, resourceId = null, requestedBy = null } = filter;
  const rows = await tx.query<ApprovalRow>(sql`
    select * from (
      select id, case when status = 'PENDING' and expires_at <= ${instantText(tx.now)}
          then 'EXPIRED' else status end as status, action, resource_id, request, amount, currency,
        reason, requested_by, requested_by_email, requested_by_name, decided_by, decided_by_email,
        decided_by_name, decision_reason, decided_at, refusal_code, expires_at, created_at,
        updated_at
      from approval
      where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
        and (${resourceId}::text is null or resource_id = ${resourceId})
        and (${requestedBy}::text is null or requested_by = ${requestedBy})) found
    where ${status}::text is null or status = ${status}
    order by id desc limit ${count}`);
  return rows.map(readApproval);
}

/** The only statement that changes a status. False when another call has moved it meanwhile. */
export async function moveApproval(
  tx: Tx,
  id: ApprovalId,
  move: ApprovalMove,
  refusalCode: string | null = null,
): Promise<boolean> {
  const { from, to } = approvalMachine.moves[move];
  const moved = await tx.query(sql`
    update approval set status = ${to}, refusal_code = ${refusalCode},
      updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = any (${from})
    returning id`);
  return moved.length === 1;
}

/** A move that an operator decided on. */
export async function decideApproval(
  tx: Tx,
  id: ApprovalId,
  move: 'approve' | 'reject',
  { id: by, email, name, reason }: SignedInActor,
): Promise<boolean> {
  const { from, to } = approvalMachine.moves[move];
  const now = instantText(tx.now);
  const moved = await tx.query(sql`
    update approval set status = ${to}, decided_by = ${by}, decided_by_email = ${email},
      decided_by_name = ${name}, decision_reason = ${reason}, decided_at = ${now},
      updated_at = ${now}
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = any (${from})
      and requested_by <> ${by} and (status <> 'PENDING' or expires_at > ${now})
    returning id`);
  return moved.length === 1;
}

function readApproval(row: ApprovalRow): Approval {
  const { decided_by: decider } = row;
  return {
    id: row.id,
    status: row.status,
    action: row.action,
    resourceId: row.resource_id,
    request: row.request,
    amount:
      row.amount === null || row.currency === null
        ? null
        : Money.ofMinor(BigInt(row.amount), row.currency),
    reason: row.reason,
    requestedBy: {
      id: row.requested_by,
      email: row.requested_by_email,
      name: row.requested_by_name,
    },
    decidedBy:
      decider === null
        ? null
        : { id: decider, email: row.decided_by_email ?? '', name: row.decided_by_name ?? '' },
    decisionReason: row.decision_reason,
    decidedAt: row.decided_at,
    refusalCode: row.refusal_code,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

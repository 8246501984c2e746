//! Disputes: the only SQL that writes them. They are read with their order.
import { refuse } from '@holdfast/contract/errors';
import {
  type DisputeMove,
  type DisputeState,
  disputeMachine,
} from '@holdfast/contract/machines/dispute-machine';
import type { DisputeView } from '@holdfast/contract/records/order-records';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { DisputeId, OperationId, OrderId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { maybeTime, readTime } from './json-time.ts';

export interface OpenedDispute {
  readonly id: DisputeId;
  readonly orderId: OrderId;
  readonly openedBy: DisputeView['openedBy'];
  readonly reason: DisputeView['reason'];
  readonly evidence: readonly string[] | null;
}

/** Who gets how much. Claimed while it is carried out, and final once the dispute is resolved. */
export interface Decision {
  readonly decision: NonNullable<DisputeView['resolutionDecision']>;
  readonly releaseAmount: Money;
  readonly refundAmount: Money;
  readonly note: string | null;
  readonly claimedBy: string;
  readonly operationId: OperationId;
}

export interface Dispute extends OpenedDispute {
  readonly status: DisputeState;
  readonly assignedTo: string | null;
  readonly claim: Decision | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly resolvedAt: Instant | null;
}

export function decisionOf(dispute: Dispute | null): Decision {
  const claim = dispute?.claim ?? null;
  assert(claim !== null, 'a decision stays claimed while it is carried out');
  return claim;
}

/** A dispute with the order that it is about. */
export interface ListedDispute extends Dispute {
  readonly orderTitle: string;
  readonly amount: Money;
}

/** As `to_jsonb` writes a row, amounts as text. */
export interface DisputeJson {
  readonly id: DisputeId;
  readonly order_id: OrderId;
  readonly opened_by: Dispute['openedBy'];
  readonly reason: Dispute['reason'];
  readonly evidence: string[] | null;
  readonly status: DisputeState;
  readonly assigned_to: string | null;
  readonly decision: Decision['decision'] | null;
  readonly release_amount: string;
  readonly refund_amount: string;
  readonly note: string | null;
  readonly claimed_by: string;
  readonly claimed_operation_id: OperationId;
  readonly created_at: string;
  readonly updated_at: string;
  readonly resolved_at: string | null;
}

export async function insertDispute(tx: Tx, opened: OpenedDispute): Promise<Dispute> {
  await tx.query(sql`
    insert into dispute (marketplace_id, id, order_id, opened_by, reason, evidence, status,
      created_at, updated_at)
    values (${tx.marketplace}, ${opened.id}, ${opened.orderId}, ${opened.openedBy}, ${opened.reason},
      ${opened.evidence}, ${disputeMachine.initial}, ${instantText(tx.now)}, ${instantText(tx.now)})`);
  return {
    ...opened,
    status: disputeMachine.initial,
    assignedTo: null,
    claim: null,
    createdAt: tx.now,
    updatedAt: tx.now,
    resolvedAt: null,
  };
}

/** Refuses an id that no dispute of the marketplace has. */
export async function loadDispute(tx: Tx, disputeId: DisputeId): Promise<Dispute> {
  const [found] = await findDisputes(tx, [disputeId]);
  return found ?? refuse('DISPUTE_NOT_FOUND', { disputeId });
}

/** In the order of the ids; missing ones are left out. */
export async function findDisputes(tx: Tx, ids: readonly DisputeId[]): Promise<ListedDispute[]> {
  const rows = await tx.query<ListedRow>(sql`
    select to_jsonb(d) || jsonb_build_object('release_amount', d.release_amount::text,
      'refund_amount', d.refund_amount::text) as dispute, o.title, o.amount, o.currency
    from unnest(${ids}::text[]) with ordinality as wanted (id, ordinal)
    join dispute d on d.marketplace_id = ${tx.marketplace} and d.id = wanted.id
    join orders o on o.marketplace_id = d.marketplace_id and o.id = d.order_id
    order by wanted.ordinal`);
  return rows.map(({ dispute, title, amount, currency }) => ({
    ...readDispute(dispute, currency),
    orderTitle: title,
    amount: Money.ofMinor(BigInt(amount), currency),
  }));
}

type ListedRow = Row<'orders', 'title' | 'amount' | 'currency'> & { dispute: DisputeJson };

/**
 * The only statement that changes a dispute's status. The caller has locked the order and checked
 * the dispute.
 */
export async function moveDispute(
  tx: Tx,
  dispute: Dispute,
  move: DisputeMove,
  { assignedTo = dispute.assignedTo }: { assignedTo?: string | null } = {},
): Promise<Dispute> {
  const { from, to } = disputeMachine.moves[move];
  const resolvedAt = to === 'RESOLVED' ? tx.now : null;
  const moved = await tx.query(sql`
    update dispute set status = ${to}, assigned_to = ${assignedTo},
      updated_at = ${instantText(tx.now)},
      resolved_at = ${instantText(resolvedAt)}
    where marketplace_id = ${tx.marketplace} and id = ${dispute.id} and status = any (${from})
    returning id`);
  assert(moved.length === 1, `a dispute that moves by ${move} was checked under its order's lock`);
  return { ...dispute, status: to, assignedTo, updatedAt: tx.now, resolvedAt };
}

/** Claims the decision for one resolver. Under the order's lock, a second one finds it claimed. */
export async function claimDecision(tx: Tx, dispute: Dispute, claim: Decision): Promise<Dispute> {
  const claimed = await tx.query(sql`
    update dispute set decision = ${claim.decision}, release_amount = ${claim.releaseAmount.minor},
      refund_amount = ${claim.refundAmount.minor}, note = ${claim.note},
      claimed_by = ${claim.claimedBy}, claimed_operation_id = ${claim.operationId},
      updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${dispute.id} and decision is null
      and status = any (${disputeMachine.moves.resolve.from})
    returning id`);
  assert(claimed.length === 1, 'a decision is claimed once, of a dispute under review');
  return { ...dispute, claim, updatedAt: tx.now };
}

/** Carrying out the decision was refused, so another decision can be made. */
export async function clearClaim(tx: Tx, dispute: Dispute): Promise<Dispute> {
  const cleared = await tx.query(sql`
    update dispute set decision = null, release_amount = null, refund_amount = null, note = null,
      claimed_by = null, claimed_operation_id = null, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${dispute.id} and decision is not null
      and status = any (${disputeMachine.moves.resolve.from})
    returning id`);
  assert(cleared.length === 1, 'only a claim that is not carried out is cleared');
  return { ...dispute, claim: null, updatedAt: tx.now };
}

export function readDispute(row: DisputeJson, currency: Currency): Dispute {
  return {
    id: row.id,
    orderId: row.order_id,
    openedBy: row.opened_by,
    reason: row.reason,
    evidence: row.evidence,
    status: row.status,
    assignedTo: row.assigned_to,
    claim: row.decision === null ? null : readClaim(row, row.decision, currency),
    createdAt: readTime(row.created_at),
    updatedAt: readTime(row.updated_at),
    resolvedAt: maybeTime(row.resolved_at),
  };
}

function readClaim(row: DisputeJson, decision: Decision['decision'], currency: Currency): Decision {
  return {
    decision,
    releaseAmount: Money.ofMinor(BigInt(row.release_amount), currency),
    refundAmount: Money.ofMinor(BigInt(row.refund_amount), currency),
    note: row.note,
    claimedBy: row.claimed_by,
    operationId: row.claimed_operation_id,
  };
}

//! Orders: the only SQL that writes them. An order is read with its escrow, dispute and milestones.
import { refuse } from '@holdfast/contract/errors';
import {
  type OrderMove,
  type OrderState,
  orderMachine,
} from '@holdfast/contract/machines/order-machine';
import type { OrderView } from '@holdfast/contract/records/order-records';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { DisputeId, EscrowId, OrderId, UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { type Dispute, type DisputeJson, readDispute } from './dispute.ts';
import { type Escrow, type EscrowJson, readEscrow } from './escrow.ts';
import { type Milestone, type MilestoneJson, readMilestone } from './milestone.ts';

/** The agreed terms, which never change. */
export interface OrderTerms {
  readonly id: OrderId;
  readonly buyerId: UserId;
  readonly sellerId: UserId;
  readonly amount: Money;
  readonly currency: Currency;
  readonly fee: Money;
  /** In hundredths of a percent. */
  readonly feeRate: bigint;
  readonly title: string;
  readonly description: string | null;
  readonly clientOrderRef: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Instant;
}

export type CloseReason = NonNullable<OrderView['closeReason']>;

export interface Order extends OrderTerms {
  readonly status: OrderState;
  readonly closeReason: CloseReason | null;
  readonly updatedAt: Instant;
  /** The escrow that is not archived. */
  readonly escrow: Escrow | null;
  readonly dispute: Dispute | null;
  readonly milestones: readonly Milestone[];
}

/** An order whose milestones were not read. */
export type BareOrder = Omit<Order, 'milestones'>;

type OrderRow = Row<
  'orders',
  Exclude<keyof Tables['orders'], 'marketplace_id' | 'request_hash' | 'escrow_id' | 'dispute_id'>,
  { id: OrderId; buyer_id: UserId; seller_id: UserId; metadata: Record<string, unknown> }
> & {
  escrow: EscrowJson | null;
  dispute: DisputeJson | null;
  milestones: MilestoneJson[] | null;
};

/**
 * False when the marketplace has an order under this reference already. Nothing is read before, so
 * that orders created at the same time do not conflict.
 */
export async function insertOrder(
  tx: Tx,
  terms: OrderTerms,
  requestHash: string | null,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    with made as (
      insert into orders (marketplace_id, id, status, buyer_id, seller_id, amount, currency,
        fee_basis_points, fee, title, description, client_order_ref, request_hash, metadata,
        created_at, updated_at)
      values (${tx.marketplace}, ${terms.id}, ${orderMachine.initial}, ${terms.buyerId},
        ${terms.sellerId}, ${terms.amount.minor}, ${terms.currency}, ${terms.feeRate},
        ${terms.fee.minor}, ${terms.title}, ${terms.description}, ${terms.clientOrderRef},
        ${requestHash}, ${JSON.stringify(terms.metadata)}, ${instantText(terms.createdAt)},
        ${instantText(terms.createdAt)})
      on conflict (marketplace_id, client_order_ref) where client_order_ref is not null do nothing
      returning marketplace_id, id)
    insert into open_order (marketplace_id, order_id) select marketplace_id, id from made
    returning order_id`);
  return inserted.length === 1;
}

/** The order under a reference, and the hash of the request that created it. */
export async function findOrderRef(
  tx: Tx,
  clientOrderRef: string,
): Promise<{ id: OrderId; requestHash: string } | undefined> {
  const [row] = await tx.query<{ id: OrderId; request_hash: string }>(sql`
    select id, request_hash from orders
    where marketplace_id = ${tx.marketplace} and client_order_ref = ${clientOrderRef}`);
  return row && { id: row.id, requestHash: row.request_hash };
}

export async function findBuyerId(tx: Tx, id: OrderId): Promise<UserId | undefined> {
  const [row] = await tx.query<Pick<OrderRow, 'buyer_id'>>(sql`
    select buyer_id from orders where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row?.buyer_id;
}

/** Locks the order until the transaction ends; refuses when there is none. */
export async function lockOrder(tx: Tx, id: OrderId): Promise<Order> {
  return readOrder(await lockRow(tx, id, true));
}

/** The same for a caller that changes a milestone. */
export async function lockBareOrder(tx: Tx, id: OrderId): Promise<BareOrder> {
  return readOrder(await lockRow(tx, id, false));
}

/**
 * Reads by keys: a scan, which the planner prefers for small tables, conflicts with all orders.
 */
async function lockRow(tx: Tx, id: OrderId, hasMilestones: boolean): Promise<OrderRow> {
  await tx.query(sql`select set_config('enable_seqscan', 'off', true)`);
  const [row] = await tx.query<OrderRow>(sql`
    select o.id, o.status, o.buyer_id, o.seller_id, o.amount, o.currency, o.fee_basis_points, o.fee,
      o.title, o.description, o.client_order_ref, o.metadata, o.close_reason, o.created_at,
      o.updated_at,
      case when o.escrow_id is not null then (
        select to_jsonb(e) || jsonb_build_object('amount', e.amount::text) from escrow e
        where e.marketplace_id = o.marketplace_id and e.id = o.escrow_id) end as escrow,
      case when o.dispute_id is not null then (
        select to_jsonb(d) || jsonb_build_object('release_amount', d.release_amount::text,
          'refund_amount', d.refund_amount::text) from dispute d
        where d.marketplace_id = o.marketplace_id and d.id = o.dispute_id) end as dispute,
      case when ${hasMilestones} then (
        select jsonb_agg(to_jsonb(m) || jsonb_build_object('amount', m.amount::text) order by m.id)
        from milestone m where m.marketplace_id = o.marketplace_id and m.order_id = o.id
      ) end as milestones
    from orders o where o.marketplace_id = ${tx.marketplace} and o.id = ${id}
    for no key update of o`);
  return row ?? refuse('ORDER_NOT_FOUND', { orderId: id });
}

export async function findOrder(tx: Tx, id: OrderId): Promise<Order | undefined> {
  return (await findOrders(tx, [id]))[0];
}

/** In the order of the ids; missing ones are left out. For reading only. */
export async function findOrders(tx: Tx, ids: readonly OrderId[]): Promise<Order[]> {
  const rows = await tx.query<OrderRow>(sql`
    select o.id, o.status, o.buyer_id, o.seller_id, o.amount, o.currency, o.fee_basis_points, o.fee,
      o.title, o.description, o.client_order_ref, o.metadata, o.close_reason, o.created_at,
      o.updated_at,
      (select to_jsonb(e) || jsonb_build_object('amount', e.amount::text) from escrow e
        where e.marketplace_id = o.marketplace_id and e.id = o.escrow_id) as escrow,
      (select to_jsonb(d) || jsonb_build_object('release_amount', d.release_amount::text,
          'refund_amount', d.refund_amount::text) from dispute d
        where d.marketplace_id = o.marketplace_id and d.id = o.dispute_id) as dispute,
      (select jsonb_agg(to_jsonb(m) || jsonb_build_object('amount', m.amount::text) order by m.id)
        from milestone m where m.marketplace_id = o.marketplace_id and m.order_id = o.id
      ) as milestones
    from unnest(${ids}::text[]) with ordinality as wanted (id, ordinal)
    join orders o on o.marketplace_id = ${tx.marketplace} and o.id = wanted.id
    order by wanted.ordinal`);
  return rows.map(readOrder);
}

/** Columns that a move sets beyond the status. */
interface MoveFacts {
  openEscrow: { readonly escrowId: EscrowId };
  openDispute: { readonly disputeId: DisputeId };
  cancel: { readonly closeReason: CloseReason };
  close: { readonly closeReason: CloseReason };
}

type Facts<M extends OrderMove> = M extends keyof MoveFacts ? [MoveFacts[M]] : [];

/**
 * Moves after a refused deployment or funding: the escrow is archived, and the order can have
 * another.
 */
const ARCHIVES_ESCROW: readonly OrderMove[] = ['escrowRefused', 'fundingRefused'];

/** The only statement that changes a status. The caller has locked and checked the order. */
export async function moveOrder<M extends OrderMove>(
  tx: Tx,
  order: Pick<Order, 'id'>,
  move: M,
  ...[facts]: Facts<M>
): Promise<Pick<Order, 'status' | 'closeReason'>> {
  const { from, to } = orderMachine.moves[move];
  const {
    closeReason = null,
    escrowId = null,
    disputeId = null,
  } = (facts ?? {}) as {
    closeReason?: CloseReason;
    escrowId?: EscrowId;
    disputeId?: DisputeId;
  };
  const moved = await tx.query(sql`
    update orders set status = ${to}, close_reason = ${closeReason},
      escrow_id = case when ${ARCHIVES_ESCROW.includes(move)} then null
        else coalesce(${escrowId}, escrow_id) end,
      dispute_id = coalesce(${disputeId}, dispute_id), updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${order.id} and status = any (${from})
    returning id`);
  assert(moved.length === 1, `an order that moves by ${move} was locked and checked`);
  if (to === 'CLOSED')
    await tx.query(sql`
      delete from open_order where marketplace_id = ${tx.marketplace} and order_id = ${order.id}`);
  return { status: to, closeReason };
}

function readOrder(row: OrderRow): Order {
  const { currency, escrow, dispute, milestones } = row;
  return {
    id: row.id,
    status: row.status,
    buyerId: row.buyer_id,
    sellerId: row.seller_id,
    amount: Money.ofMinor(BigInt(row.amount), currency),
    currency,
    fee: Money.ofMinor(BigInt(row.fee), currency),
    feeRate: BigInt(row.fee_basis_points),
    title: row.title,
    description: row.description,
    clientOrderRef: row.client_order_ref,
    metadata: row.metadata,
    closeReason: row.close_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    escrow: escrow === null ? null : readEscrow(escrow, currency),
    dispute: dispute === null ? null : readDispute(dispute, currency),
    milestones: (milestones ?? []).map((milestone) => readMilestone(milestone, currency)),
  };
}

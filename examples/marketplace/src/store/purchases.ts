//! Purchases: the shop's own facts, and the copy of each order's state.
import type { Order } from '@holdfast/sdk';
import { all, type Database, first, run } from './database.ts';
import type { Item } from './items.ts';
import type { Person } from './people.ts';

/** Why an order is stuck: its outcome is unknown, or a provider refused. */
export type Trouble = 'CHECKING' | 'REFUSED';

export interface Purchase {
  readonly id: string;
  readonly itemId: string;
  readonly title: string;
  readonly buyer: string;
  readonly seller: string;
  readonly amount: string;
  /** Null until Holdfast has the order. */
  readonly orderId: string | null;
  /** The order's; STARTING until there is one. */
  readonly status: Order['status'] | 'STARTING';
  readonly closeReason: Order['closeReason'];
  readonly fee: string | null;
  /** The shop's own fact: Holdfast only knows of milestones. */
  readonly deliveredAt: string | null;
  readonly trouble: Trouble | null;
  /** The operation to read when the outcome is unknown. */
  readonly operationId: string | null;
  readonly createdAt: string;
}

export interface PurchaseMilestone {
  readonly ref: string;
  readonly title: string;
  readonly amount: string;
  readonly completedAt: string | null;
}

const COLUMNS = `id, item_id as itemId, title, buyer, seller, amount, order_id as orderId, status,
  close_reason as closeReason, fee, delivered_at as deliveredAt, trouble,
  operation_id as operationId, created_at as createdAt`;

/** The same cart again is the same purchase: a double click buys once. */
export function addPurchase(database: Database, cart: string, item: Item, buyer: Person): void {
  const added = run(
    database,
    `insert or ignore into purchase
       (id, item_id, title, buyer, seller, amount, status, created_at)
     values (?, ?, ?, ?, ?, ?, 'STARTING', ?)`,
    ...[cart, item.id, item.title, buyer.id, item.seller, item.price, new Date().toISOString()],
  );
  if (added === 0) return;
  for (const [position, { ref, title, amount }] of item.milestones.entries()) {
    run(
      database,
      'insert into milestone (purchase, position, ref, title, amount) values (?, ?, ?, ?, ?)',
      ...[cart, position, ref, title, amount],
    );
  }
}

export function findPurchase(database: Database, id: string): Purchase | undefined {
  return first<Purchase>(database, `select ${COLUMNS} from purchase where id = ?`, id);
}

export function purchaseOfOrder(database: Database, orderId: string): Purchase | undefined {
  return first<Purchase>(database, `select ${COLUMNS} from purchase where order_id = ?`, orderId);
}

export function purchasesOf(database: Database, person: Person): Purchase[] {
  return all<Purchase>(
    database,
    `select ${COLUMNS} from purchase where buyer = ? or seller = ? order by created_at desc`,
    person.id,
    person.id,
  );
}

/** Checkouts that have not finished, and purchases with an unknown outcome. */
export function unfinishedPurchases(database: Database): Purchase[] {
  const sql = `select ${COLUMNS} from purchase
    where status <> 'CLOSED' and trouble is not 'REFUSED' order by created_at`;
  return all<Purchase>(database, sql).filter(
    (purchase) => purchase.trouble === 'CHECKING' || isBeforeEscrow(purchase),
  );
}

/** The money is not in escrow yet: the checkout is under way, or stands still. */
export function isBeforeEscrow({ status }: Purchase): boolean {
  return CHECKOUT.includes(status);
}
const CHECKOUT: readonly Purchase['status'][] = [
  'STARTING',
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
];

export function milestonesOf(database: Database, purchase: string): PurchaseMilestone[] {
  return all<PurchaseMilestone>(
    database,
    `select ref, title, amount, completed_at as completedAt
     from milestone where purchase = ? order by position`,
    purchase,
  );
}

export function completeMilestone(
  database: Database,
  purchase: string,
  ref: string,
  at: string,
): void {
  const sql = 'update milestone set completed_at = ? where purchase = ? and ref = ?';
  run(database, sql, at, purchase, ref);
}

export function markDelivered(database: Database, purchase: string, at: string): void {
  const sql = 'update purchase set delivered_at = ? where id = ? and delivered_at is null';
  run(database, sql, at, purchase);
}

export function linkOrder(database: Database, purchase: string, orderId: string): void {
  run(database, 'update purchase set order_id = ? where id = ?', orderId, purchase);
}

/** From an event. */
export function setStatus(
  database: Database,
  purchase: string,
  status: Order['status'],
  occurredAt: string,
): void {
  const sql = 'update purchase set status = ?, notified_at = ? where id = ?';
  run(database, sql, status, occurredAt, purchase);
}

/**
 * From a response. It can be older than the last event by the time it is read; then
 * only what no event carries is taken from it.
 */
export function saveOrder(database: Database, purchase: string, order: Order): void {
  const { id, status, closeReason, fee, updatedAt } = order;
  const always = 'update purchase set order_id = ?, fee = ? where id = ?';
  run(database, always, id, fee, purchase);
  run(
    database,
    `update purchase set status = ?, close_reason = ?
     where id = ? and (notified_at is null or notified_at < ?)`,
    ...[status, closeReason, purchase, updatedAt],
  );
}

export function setCloseReason(
  database: Database,
  purchase: string,
  reason: NonNullable<Order['closeReason']>,
): void {
  run(database, 'update purchase set close_reason = ? where id = ?', reason, purchase);
}

export function setTrouble(
  database: Database,
  purchase: string,
  trouble: Trouble | null,
  operationId: string | null = null,
): void {
  const sql = 'update purchase set trouble = ?, operation_id = ? where id = ?';
  run(database, sql, trouble, operationId, purchase);
}

export function setComplaint(database: Database, purchase: string, words: string): void {
  run(database, 'update purchase set complaint = ? where id = ?', words, purchase);
}

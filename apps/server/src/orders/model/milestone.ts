//! Milestones: the only SQL that writes them. Mostly they are read with their order.
import {
  type MilestoneState,
  milestoneMachine,
} from '@holdfast/contract/machines/milestone-machine';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { MilestoneId, OrderId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { maybeTime } from './json-time.ts';

export interface MilestoneTerms {
  /** Ids follow the order in which the milestones were given. */
  readonly id: MilestoneId;
  readonly ref: string;
  readonly title: string;
  readonly amount: Money;
}

export interface Milestone extends MilestoneTerms {
  readonly orderId: OrderId;
  readonly status: MilestoneState;
  readonly completedAt: Instant | null;
}

/** As `to_jsonb` writes a row, amounts as text. */
export interface MilestoneJson {
  readonly id: MilestoneId;
  readonly order_id: OrderId;
  readonly ref: string;
  readonly title: string;
  readonly amount: string;
  readonly status: MilestoneState;
  readonly completed_at: string | null;
}

export async function insertMilestones(
  tx: Tx,
  orderId: OrderId,
  milestones: readonly MilestoneTerms[],
): Promise<void> {
  await tx.query(sql`
    insert into milestone (marketplace_id, id, order_id, ref, title, amount, status)
    select ${tx.marketplace}, id, ${orderId}, ref, title, amount, ${milestoneMachine.initial}
    from unnest(${milestones.map(({ id }) => id)}::text[],
      ${milestones.map(({ ref }) => ref)}::text[],
      ${milestones.map(({ title }) => title)}::text[],
      ${milestones.map(({ amount }) => String(amount.minor))}::bigint[])
      as given (id, ref, title, amount)`);
}

/**
 * Finds one by its name. Completing it reads no other milestone, so two can be completed at once.
 */
export async function findMilestone(
  tx: Tx,
  { id, currency }: { readonly id: OrderId; readonly currency: Currency },
  ref: string,
): Promise<Milestone | undefined> {
  const [row] = await tx.query<{ milestone: MilestoneJson }>(sql`
    select to_jsonb(m) || jsonb_build_object('amount', m.amount::text) as milestone
    from milestone m
    where m.marketplace_id = ${tx.marketplace} and m.order_id = ${id} and m.ref = ${ref}`);
  return row && readMilestone(row.milestone, currency);
}

/** In the order in which they were given. */
export async function listMilestoneRows(
  tx: Tx,
  { id, currency }: { readonly id: OrderId; readonly currency: Currency },
  status: MilestoneState | null,
  after: string | null,
  count: number,
): Promise<Milestone[]> {
  const rows = await tx.query<{ milestone: MilestoneJson }>(sql`
    select to_jsonb(m) || jsonb_build_object('amount', m.amount::text) as milestone
    from milestone m
    where m.marketplace_id = ${tx.marketplace} and m.order_id = ${id}
      and (${after}::text is null or m.id > ${after})
      and (${status}::text is null or m.status = ${status})
    order by m.id limit ${count}`);
  return rows.map(({ milestone }) => readMilestone(milestone, currency));
}

export async function completeMilestoneRow(tx: Tx, milestone: Milestone): Promise<Milestone> {
  const { from, to } = milestoneMachine.moves.complete;
  const moved = await tx.query(sql`
    update milestone set status = ${to}, completed_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and order_id = ${milestone.orderId}
      and ref = ${milestone.ref} and status = any (${from})
    returning id`);
  assert(moved.length === 1, 'a milestone is completed under the lock of its order');
  return { ...milestone, status: to, completedAt: tx.now };
}

export function readMilestone(row: MilestoneJson, currency: Currency): Milestone {
  return {
    id: row.id,
    orderId: row.order_id,
    ref: row.ref,
    title: row.title,
    amount: Money.ofMinor(BigInt(row.amount), currency),
    status: row.status,
    completedAt: maybeTime(row.completed_at),
  };
}

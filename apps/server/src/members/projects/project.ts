//! Projects: the only SQL that writes them. A project's status derives from its order.
import type { PROJECT_STATUSES } from '@holdfast/contract/enums';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { EscrowId, OrderId, ProjectId, UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export interface Project {
  readonly id: ProjectId;
  readonly ownerId: UserId;
  readonly title: string;
  readonly description: string;
  readonly budget: Money;
  readonly status: ProjectStatus;
  readonly orderId: OrderId | null;
  readonly escrowId: EscrowId | null;
  readonly createdAt: Instant;
}

type ProjectRow = Row<
  'project',
  Exclude<keyof Tables['project'], 'marketplace_id'>,
  { id: ProjectId; owner_id: UserId; currency: Currency; order_id: OrderId }
> &
  Row<'orders', 'close_reason' | 'escrow_id', { escrow_id: EscrowId }> & {
    order_status: string | null;
  };

export async function insertProject(tx: Tx, project: Project): Promise<void> {
  const { id, ownerId, title, description, budget, createdAt } = project;
  await tx.query(sql`
    insert into project (marketplace_id, id, owner_id, title, description, budget, currency, created_at)
    values (${tx.marketplace}, ${id}, ${ownerId}, ${title}, ${description}, ${budget.minor},
      ${budget.currency}, ${instantText(createdAt)})`);
}

/** Locks the project, so that two callers who fund it at once go one after the other. */
export async function lockProject(tx: Tx, id: ProjectId): Promise<Project | undefined> {
  const [row] = await tx.query<ProjectRow>(sql`
    select p.id, p.owner_id, p.title, p.description, p.budget, p.currency, p.order_id,
      o.status as order_status, o.close_reason, o.escrow_id, p.created_at
    from project p left join orders o on o.marketplace_id = p.marketplace_id and o.id = p.order_id
    where p.marketplace_id = ${tx.marketplace} and p.id = ${id} for update of p`);
  return row && readProject(row);
}

export async function setProjectOrder(tx: Tx, id: ProjectId, orderId: OrderId): Promise<void> {
  await tx.query(sql`
    update project set order_id = ${orderId}
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
}

export async function listProjectRows(
  tx: Tx,
  ownerId: UserId,
  skip: number,
  count: number,
): Promise<{ items: Project[]; total: number }> {
  const rows = await tx.query<ProjectRow>(sql`
    select p.id, p.owner_id, p.title, p.description, p.budget, p.currency, p.order_id,
      o.status as order_status, o.close_reason, o.escrow_id, p.created_at
    from project p left join orders o on o.marketplace_id = p.marketplace_id and o.id = p.order_id
    where p.marketplace_id = ${tx.marketplace} and p.owner_id = ${ownerId}
    order by p.id desc limit ${count} offset ${skip}`);
  const [counted] = await tx.query<{ total: number }>(sql`
    select count(*)::int as total from project
    where marketplace_id = ${tx.marketplace} and owner_id = ${ownerId}`);
  return { items: rows.map(readProject), total: counted?.total ?? 0 };
}

/** An order that was given up or paid back leaves the project open for another try. */
function statusOf({ order_id, order_status, close_reason }: ProjectRow): ProjectStatus {
  if (order_id === null) return 'open';
  if (order_status !== 'CLOSED') return 'in_progress';
  return close_reason === 'RELEASED' || close_reason === 'SPLIT' ? 'completed' : 'open';
}

function readProject(row: ProjectRow): Project {
  return {
    id: row.id,
    ownerId: row.owner_id,
    title: row.title,
    description: row.description,
    budget: Money.ofMinor(BigInt(row.budget), row.currency),
    status: statusOf(row),
    orderId: row.order_id,
    escrowId: row.escrow_id,
    createdAt: row.created_at,
  };
}

//! Lists an order's milestones, in their given order: GET /orders/{id}/milestones.
import { refuse } from '@holdfast/contract/errors';
import type { MilestoneState } from '@holdfast/contract/machines/milestone-machine';
import type { OrderId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { listMilestoneRows, type Milestone } from '../model/milestone.ts';
import { findOrder } from '../model/order.ts';

export async function listMilestones(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  query: PageQuery & { readonly status?: MilestoneState },
): Promise<Page<Milestone>> {
  return read(app, call, async (tx) => {
    const order = (await findOrder(tx, orderId)) ?? refuse('ORDER_NOT_FOUND', { orderId });
    return pageOf(query, (after, count) =>
      listMilestoneRows(tx, order, query.status ?? null, after, count),
    );
  });
}

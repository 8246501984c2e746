//! Gets the timeline of an order, oldest first: GET /orders/{id}/timeline.
//!
//! State changes come from the audit entries of their transactions: unlike events, these can be
//! found by resource and are never deleted.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { OrderId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageSizeOf } from '../../platform/database/page.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findOrder } from '../model/order.ts';
import { listOperations } from '../model/order-operations.ts';
import {
  auditItems,
  type Causes,
  isBefore,
  networkTxItem,
  postingItem,
  providerCallItem,
  type TimelineItem,
  type TimelinePosition,
  webhookItem,
} from './timeline-items.ts';
import {
  findWebhookIds,
  listAuditEntries,
  listNetworkTxs,
  listPostings,
  listProviderCalls,
  listResources,
  listWebhooks,
  type Since,
} from './timeline-rows.ts';

/** Per source and page: more rows than an order can create in one moment. */
const ROWS_MAX = 500;

export async function getOrderTimeline(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  query: PageQuery,
): Promise<Page<TimelineItem>> {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const limit = pageSizeOf(query);
  const all = await read(app, call, async (tx) => {
    if ((await findOrder(tx, orderId)) === undefined) refuse('ORDER_NOT_FOUND', { orderId });
    return listItems(tx, orderId, { at: after?.at ?? 0, count: ROWS_MAX });
  });
  const rest = all.filter((each) => after === undefined || isBefore(after, each));
  const items = rest.slice(0, limit);
  const hasMore = rest.length > limit;
  const last = items.at(-1);
  return {
    items: shownTo(call.actor, items),
    hasMore,
    nextCursor: hasMore && last ? cursorOf(last) : null,
  };
}

async function listItems(tx: Tx, orderId: OrderId, since: Since): Promise<TimelineItem[]> {
  const resources = await listResources(tx, orderId);
  const operations = await listOperations(tx, resources);
  const ids = operations.map(({ id }) => id);
  const sources = {
    auditRows: await listAuditEntries(tx, resources, since),
    postings: await listPostings(tx, orderId, since),
    calls: await listProviderCalls(tx, ids, since),
    networkTxs: await listNetworkTxs(tx, ids, since),
    webhooks: await listWebhooks(tx, orderId, since),
  };
  const requestIds = [...sources.auditRows, ...sources.postings].map((row) => row.correlation_id);
  const webhookIds = await findWebhookIds(tx, orderId, [...new Set(requestIds)]);
  const causes: Causes = { operations, webhookIds };
  const items = [
    ...sources.auditRows.flatMap((row) => auditItems(causes, row)),
    ...sources.postings.map((row) => postingItem(causes, row)),
    ...sources.calls.map((row) => providerCallItem(causes, row)),
    ...sources.networkTxs.map((row) => networkTxItem(causes, row)),
    ...sources.webhooks.map(webhookItem),
  ];
  const horizon = horizonOf(Object.values(sources), since.count);
  return sorted(items.filter(({ at }) => at < horizon));
}

/** A source that was cut short may have more rows after its last row's time. */
function horizonOf(sources: readonly (readonly { at: number }[])[], count: number): number {
  const ends = sources.filter((rows) => rows.length === count).map((rows) => rows.at(-1)?.at ?? 0);
  return Math.min(Number.POSITIVE_INFINITY, ...ends);
}

/** Removes duplicates: two entries of one transaction may describe the same state change. */
function sorted(items: readonly TimelineItem[]): TimelineItem[] {
  const each = new Map(items.map((item) => [JSON.stringify([item.at, item.rank, item.id]), item]));
  return [...each.values()].toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
}

function cursorOf({ at, rank, id }: TimelinePosition): string {
  return Buffer.from(JSON.stringify([at, rank, id])).toString('base64url');
}

function readCursor(text: string): TimelinePosition {
  try {
    const [at, rank, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    if (Number.isSafeInteger(at) && Number.isSafeInteger(rank) && typeof id === 'string')
      return { at: at as number, rank: rank as number, id };
  } catch {
    // Not a cursor of ours.
  }
  return refuseField('cursor', 'format', 'cursor must be a cursor that this list returned');
}

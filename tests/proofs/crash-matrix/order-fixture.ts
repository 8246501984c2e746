//! An order brought to the state before a saga, through the API.
import type { ApiTarget, Fields, Post } from '../../harness/api.ts';
import { ORDER_AMOUNT, someMilestones } from '../../harness/orders.ts';
import { callWithRetry, get } from './client.ts';
import type { Ending, Fixture, Surroundings } from './saga-row.ts';
import { balanceText, createUser, holdMirror } from './user-fixture.ts';

/** The state of an order before the request of a cell. */
export type Point = 'reserved' | 'deployed' | 'funded' | 'under review';

/** More than the order needs, so that the mirror has a remainder of the buyer to true up. */
const FUNDS = '125.00';

/** A saga's starting point. */
export function prepareOrder(from: Point) {
  return (environment: Surroundings, milestones: number): Promise<Fixture> =>
    createOrderFixture(
      environment,
      from,
      milestones,
      // Funding covers the buyer's address only if the mirror has not filled it before.
      from === 'deployed' ? (id) => holdMirror(environment, id) : undefined,
    );
}

/** `onBuyer` is called before the buyer has any money. */
async function createOrderFixture(
  environment: ApiTarget,
  point: Point,
  milestones: number,
  onBuyer?: (buyerId: string) => Promise<void>,
): Promise<Fixture> {
  const post: Post = (path, more = {}) => callWithRetry(environment, { path, body: more });
  const [{ id: buyerId }, { id: sellerId }] = await Promise.all([
    createUser(post),
    createUser(post),
  ]);
  await onBuyer?.(buyerId);
  await post(`/users/${buyerId}/balance/credit`, { amount: FUNDS });
  const parts = someMilestones(milestones);
  const body = { buyerId, sellerId, amount: ORDER_AMOUNT, title: 'A table', milestones: parts };
  const orderId = String((await post('/orders', body))['id']);
  const userIds = [buyerId, sellerId];
  const fixture: Fixture = { subjectId: orderId, userIds, disputeId: '' };
  await post(`/orders/${orderId}/reserve`);
  if (point === 'reserved') return fixture;
  await post(`/orders/${orderId}/escrow`);
  if (point === 'deployed') return fixture;
  await post(`/orders/${orderId}/escrow/fund`);
  for (const { ref } of parts) await post(`/orders/${orderId}/milestones/${ref}/complete`);
  if (point === 'funded') return fixture;
  const complaint = { orderId, openedBy: 'BUYER', reason: 'NOT_DELIVERED' };
  const dispute = await post(`/orders/${orderId}/resolution/dispute`, complaint);
  const disputeId = String(dispute['id']);
  await post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-1' });
  return { ...fixture, disputeId };
}

export async function readOrderEnding(
  environment: ApiTarget,
  { subjectId, userIds: [buyerId = '', sellerId = ''] }: Fixture,
): Promise<Ending> {
  const order = await get(environment, `/orders/${subjectId}`);
  return {
    order: String(order['status']),
    closeReason: order['closeReason'] as string | null,
    escrow: statusOf(order['escrow']),
    dispute: statusOf(order['dispute']),
    buyer: await balanceText(environment, buyerId),
    seller: await balanceText(environment, sellerId),
  };
}

function statusOf(part: unknown): string | null {
  return part === null ? null : String((part as Fields)['status']);
}

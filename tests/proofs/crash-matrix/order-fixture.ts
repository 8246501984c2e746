//! An order brought to the state before a saga, through the API.
import type { ApiTarget, Post } from '../../harness/api.ts';
import { ORDER_AMOUNT, someMilestones } from '../../harness/orders.ts';
import { createPerson } from '../../harness/people.ts';
import { callWithRetry } from './client.ts';

export interface OrderFixture {
  readonly orderId: string;
  readonly buyerId: string;
  readonly sellerId: string;
  /** Empty where there is none. */
  readonly disputeId: string;
}

/** The state of an order before the request of a cell. */
export type Point = 'reserved' | 'deployed' | 'funded' | 'under review';

/** More than the order needs, so that the mirror has a remainder of the buyer to true up. */
const FUNDS = '125.00';

/** `onBuyer` is called before the buyer has any money. */
export async function createOrderFixture(
  environment: ApiTarget,
  point: Point,
  milestones: number,
  onBuyer?: (buyerId: string) => Promise<void>,
): Promise<OrderFixture> {
  const post: Post = (path, more = {}) => callWithRetry(environment, { path, body: more });
  const [buyerId, sellerId] = await Promise.all([createUser(post), createUser(post)]);
  await onBuyer?.(buyerId);
  await post(`/users/${buyerId}/balance/credit`, { amount: FUNDS });
  const parts = someMilestones(milestones);
  const body = { buyerId, sellerId, amount: ORDER_AMOUNT, title: 'A table', milestones: parts };
  const orderId = String((await post('/orders', body))['id']);
  const fixture: OrderFixture = { orderId, buyerId, sellerId, disputeId: '' };
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

let lastUser: Promise<unknown> = Promise.resolve();

/** Sequentially: concurrent creation of users is not tested here. */
async function createUser(post: Post): Promise<string> {
  const created = lastUser.then(() => createPerson(post));
  lastUser = created.catch(() => undefined);
  return (await created).id;
}

//! An order brought to the state before a saga, through the API.
import type { Door, Post } from '../harness/api.ts';
import { makePerson } from '../harness/people.ts';
import { insist } from './client.ts';

export interface Deal {
  readonly orderId: string;
  readonly buyerId: string;
  readonly sellerId: string;
  /** Empty where there is none. */
  readonly disputeId: string;
}

/** How far an order is brought before the call of a cell. */
export type Point = 'reserved' | 'deployed' | 'funded' | 'under review';

/** More than the order needs, so that its buyer has something left to be trued up. */
const FUNDS = '125.00';
const AMOUNT = '100.00';
/** By number of milestones; several make another kind of contract than none or one. */
const STONES: Readonly<Record<number, readonly string[]>> = {
  0: [],
  1: ['100.00'],
  3: ['30.00', '30.00', '40.00'],
};

/** `onBuyer` is called before the buyer has any money. */
export async function makeDeal(
  stage: Door,
  point: Point,
  milestones: number,
  onBuyer?: (buyerId: string) => Promise<void>,
): Promise<Deal> {
  const post: Post = (path, more = {}) => insist(stage, { path, body: more });
  const [buyerId, sellerId] = await Promise.all([makeUser(post), makeUser(post)]);
  await onBuyer?.(buyerId);
  await post(`/users/${buyerId}/balance/credit`, { amount: FUNDS });
  const stones = (STONES[milestones] ?? []).map((amount, at) => ({
    ref: `m${at + 1}`,
    title: `Part ${at + 1}`,
    amount,
  }));
  const body = { buyerId, sellerId, amount: AMOUNT, title: 'A table', milestones: stones };
  const orderId = String((await post('/orders', body))['id']);
  const deal: Deal = { orderId, buyerId, sellerId, disputeId: '' };
  await post(`/orders/${orderId}/reserve`);
  if (point === 'reserved') return deal;
  await post(`/orders/${orderId}/escrow`);
  if (point === 'deployed') return deal;
  await post(`/orders/${orderId}/escrow/fund`);
  for (const { ref } of stones) await post(`/orders/${orderId}/milestones/${ref}/complete`);
  if (point === 'funded') return deal;
  const complaint = { orderId, openedBy: 'BUYER', reason: 'NOT_DELIVERED' };
  const dispute = await post(`/orders/${orderId}/resolution/dispute`, complaint);
  const disputeId = String(dispute['id']);
  await post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-1' });
  return { ...deal, disputeId };
}

let lastUser: Promise<unknown> = Promise.resolve();

/** One after the other: users made at once are no part of what is tested here. */
async function makeUser(post: Post): Promise<string> {
  const made = lastUser.then(() => makePerson(post));
  lastUser = made.catch(() => undefined);
  return (await made).id;
}

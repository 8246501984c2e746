//! One order's life as its client leads it: looks where the order stands, asks for what comes next,
//! and after a lost answer looks again before it asks again.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, answerText, dataOf, isGood, isPassing } from '../harness/api.ts';
import { type Asked, type Client, isInDoubt } from './client.ts';
import type { Notebook } from './notebook.ts';
import type { SeenOrder } from './order.ts';
import { orderBody, type Plan } from './plan.ts';

export interface Life {
  readonly plan: Plan;
  readonly client: Client;
  readonly notebook: Notebook;
  readonly seed: number;
  /** Deeds of this order that were asked for, and nobody knows what became of them. */
  readonly doubts: Set<string>;
  /** By deed; the same key until there was an answer. */
  readonly keys: Map<string, string>;
  readonly giveUpAt: number;
}

/** What to do with an order as it stands. */
export type Next = (order: SeenOrder) => Asked | 'wait' | 'end';

const PATIENCE_MS = 900_000;
const WAIT_MS = 150;
const STORY_MAX = 25;

export function newLife(plan: Plan, client: Client, notebook: Notebook, seed: number): Life {
  const giveUpAt = performance.now() + PATIENCE_MS;
  return { ...{ plan, client, notebook, seed, giveUpAt }, doubts: new Set(), keys: new Map() };
}

export async function create(life: Life): Promise<SeenOrder> {
  const { client, plan, seed } = life;
  const asked = { deed: 'create', path: '/orders', body: orderBody(plan, seed) };
  return dataOf(asked.path, await client.insist(asked));
}

export async function look({ client }: Life, orderId: string): Promise<SeenOrder> {
  const path = `/orders/${orderId}`;
  return dataOf(path, await client.insist({ deed: 'look', path, method: 'GET' }));
}

/** Step by step until there is nothing more to do. */
export async function walk(life: Life, from: SeenOrder, next: Next): Promise<SeenOrder> {
  for (let order = from; ; ) {
    const step = next(order);
    if (step === 'end') return order;
    if (performance.now() > life.giveUpAt) throw new Error(`${order.id} is stuck: ${text(order)}`);
    if (step === 'wait') await sleep(WAIT_MS + life.plan.chance.below(WAIT_MS));
    else await act(life, order, step);
    order = await look(life, order.id);
  }
}

async function act(life: Life, order: SeenOrder, step: Asked): Promise<void> {
  const { client, plan, keys } = life;
  const key = step.key === undefined ? undefined : (keys.get(step.deed) ?? randomUUID());
  if (key !== undefined) keys.set(step.deed, key);
  const answer = await client.ask({ ...step, ...(key === undefined ? {} : { key }) });
  judge(life, order, step, answer);
  if (isInDoubt(answer)) life.doubts.add(step.deed);
  if (isPassing(answer)) await sleep(WAIT_MS + plan.chance.below(3 * WAIT_MS));
  else {
    life.doubts.delete(step.deed);
    keys.delete(step.deed);
  }
}

/** Only its own client moves this order, so a refusal needs a reason that the client knows. */
function judge(life: Life, order: SeenOrder, { deed }: Asked, answer: Answer): void {
  if (isGood(answer) || isPassing(answer)) return;
  const isDoneBefore = answer.code === 'INVALID_STATE' && life.doubts.has(deed);
  // A provider's refusal names its operation; everything was taken back.
  const isProvidersNo = answer.operationId !== undefined;
  if (isDoneBefore || isProvidersNo) return;
  complain(life, `${deed} of ${order.id}, ${text(order)}, was answered ${answerText(answer)}`);
}

/** With the client's own story, from which the cause can be found. */
export function complain({ notebook, client, plan }: Life, what: string): void {
  const story = client.trace.slice(-STORY_MAX).map((line) => `\n      ${line}`);
  notebook.wrong.push(`${plan.script} ${plan.number}: ${what}${story.join('')}`);
}

export function text({ status, closeReason, escrow, dispute }: SeenOrder): string {
  const parts = [
    status,
    closeReason,
    escrow && `escrow ${escrow.status}`,
    dispute && `dispute ${dispute.status}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** It must have ended so. */
export function expectEnd(life: Life, order: SeenOrder, closeReason: string): void {
  if (order.status === 'CLOSED' && order.closeReason === closeReason) return;
  complain(life, `${order.id} ended ${text(order)}, not ${closeReason}`);
}

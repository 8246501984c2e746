//! One order as its client runs it: reads its status, requests the next step, and after a lost
//! response reads again before it repeats the request.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, dataOf, isGood, isTransient, responseText } from '../../harness/api.ts';
import { type ActionRequest, type Client, isInDoubt } from './client.ts';
import type { Notebook } from './notebook.ts';
import type { SeenOrder } from './order.ts';
import { orderBody, type Plan } from './plan.ts';

export interface Life {
  readonly plan: Plan;
  readonly client: Client;
  readonly notebook: Notebook;
  readonly seed: number;
  /** Actions of this order with an unknown outcome. */
  readonly doubts: Set<string>;
  /** Idempotency keys by action; the key stays until there is a response. */
  readonly keys: Map<string, string>;
  readonly giveUpAt: number;
}

/** The next step for an order in its current state. */
export type Next = (order: SeenOrder) => ActionRequest | 'wait' | 'end';

const PATIENCE_MS = 900_000;
const WAIT_MS = 150;
const HISTORY_MAX = 25;

export function newLife(plan: Plan, client: Client, notebook: Notebook, seed: number): Life {
  const giveUpAt = performance.now() + PATIENCE_MS;
  return { ...{ plan, client, notebook, seed, giveUpAt }, doubts: new Set(), keys: new Map() };
}

export async function create(life: Life): Promise<SeenOrder> {
  const { client, plan, seed } = life;
  const request = { action: 'create', path: '/orders', body: orderBody(plan, seed) };
  return dataOf(request.path, await client.callWithRetry(request));
}

export async function fetchOrder({ client }: Life, orderId: string): Promise<SeenOrder> {
  const path = `/orders/${orderId}`;
  return dataOf(path, await client.callWithRetry({ action: 'poll', path, method: 'GET' }));
}

/** Takes step after step until there is none left. */
export async function walk(life: Life, from: SeenOrder, next: Next): Promise<SeenOrder> {
  for (let order = from; ; ) {
    const step = next(order);
    if (step === 'end') return order;
    if (performance.now() > life.giveUpAt) throw new Error(`${order.id} is stuck: ${text(order)}`);
    if (step === 'wait') await sleep(WAIT_MS + life.plan.random.below(WAIT_MS));
    else await act(life, order, step);
    order = await fetchOrder(life, order.id);
  }
}

async function act(life: Life, order: SeenOrder, step: ActionRequest): Promise<void> {
  const { client, plan, keys } = life;
  const key = step.key === undefined ? undefined : (keys.get(step.action) ?? randomUUID());
  if (key !== undefined) keys.set(step.action, key);
  const response = await client.call({ ...step, ...(key === undefined ? {} : { key }) });
  checkResponse(life, order, step, response);
  if (isInDoubt(response)) life.doubts.add(step.action);
  if (isTransient(response)) await sleep(WAIT_MS + plan.random.below(3 * WAIT_MS));
  else {
    life.doubts.delete(step.action);
    keys.delete(step.action);
  }
}

/** Only its own client moves this order, so the client must know the reason of a refusal. */
function checkResponse(
  life: Life,
  order: SeenOrder,
  { action }: ActionRequest,
  response: ApiResponse,
): void {
  if (isGood(response) || isTransient(response)) return;
  const isDoneBefore = response.code === 'INVALID_STATE' && life.doubts.has(action);
  // A provider's refusal names its operation; all of its changes were undone.
  const isProvidersNo = response.operationId !== undefined;
  if (isDoneBefore || isProvidersNo) return;
  complain(life, `${action} of ${order.id}, ${text(order)}, returned ${responseText(response)}`);
}

/** Records a fault with the client's last requests, to find its cause. */
export function complain({ notebook, client, plan }: Life, what: string): void {
  const history = client.trace.slice(-HISTORY_MAX).map((line) => `\n      ${line}`);
  notebook.wrong.push(`${plan.script} ${plan.number}: ${what}${history.join('')}`);
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

/** Records a fault unless the order closed for this reason. */
export function expectEnd(life: Life, order: SeenOrder, closeReason: string): void {
  if (order.status === 'CLOSED' && order.closeReason === closeReason) return;
  complain(life, `${order.id} ended ${text(order)}, not ${closeReason}`);
}

//! Hints: requests that anybody can send. Nothing in one is believed but that a contract of ours
//! may be worth a look, and that not often.
import type { Instant } from '@holdfast/kernel/clock';
import { lookAtOrder, type Observer } from '../orders/apply-escrow-event.ts';
import { findNoticedOrder } from '../orders/find-noticed-order.ts';
import { systemCall } from '../platform/call.ts';
import type { Applier } from './apply-provider-event.ts';

const LOOK_EVERY_MS = 30_000;
/** Of all contracts together: a look costs the provider's own limit, which the sagas need. */
const LOOKS_MAX = 20;

/** Of this process, by contract; what is older than the interval is forgotten. */
const looks = new Map<string, Instant>();

/** Never throws, and waits for nobody's good: what can't be looked at now is not. */
export async function takeHint(app: Applier, contractId: string, requestId: string): Promise<void> {
  const { network, escrows, log } = app;
  if (network === undefined || escrows === undefined) return;
  try {
    const found = await findNoticedOrder(app.pool, { contractId, orderId: null });
    if (found === undefined || !mayLook(contractId, app.clock.now())) return;
    const { marketplace, orderId } = found;
    const observer: Observer = { ...app, network, escrows };
    const isNews = await lookAtOrder(observer, { ...systemCall(marketplace), requestId }, orderId);
    log.info({ orderId, contractId, isNews }, 'follow hint');
  } catch (error) {
    log.warn({ contractId, reason: (error as Error).message }, 'leave hint');
  }
}

function mayLook(contractId: string, now: Instant): boolean {
  for (const [looked, at] of looks) if (at <= now - LOOK_EVERY_MS) looks.delete(looked);
  if (looks.has(contractId) || looks.size >= LOOKS_MAX) return false;
  looks.set(contractId, now);
  return true;
}

//! Handles hints: unsigned requests that any sender can make. A hint only makes us check a contract
//! of ours, at a limited rate; nothing else in it is trusted.
import type { Instant } from '@holdfast/kernel/clock';
import { checkOrder, type Observer } from '../../orders/notifications/apply-escrow-event.ts';
import { findOrderByContract } from '../../orders/notifications/find-order-by-contract.ts';
import { systemCall } from '../../platform/call.ts';
import type { Applier } from './apply-provider-event.ts';

const CHECK_INTERVAL_MS = 30_000;
/** For all contracts together: a check uses up the provider's rate limit, which the sagas need. */
const CHECKS_MAX = 20;

/** Last checks of this process, by contract; entries older than the interval are dropped. */
const checkedAt = new Map<string, Instant>();

/** Never throws. A hint that cannot be checked now is dropped. */
export async function handleHint(
  app: Applier,
  contractId: string,
  requestId: string,
): Promise<void> {
  const { network, escrows, log } = app;
  if (network === undefined || escrows === undefined) return;
  try {
    const found = await findOrderByContract(app.pool, { contractId, orderId: null });
    if (found === undefined || !mayCheck(contractId, app.clock.now())) return;
    const { marketplace, orderId } = found;
    const observer: Observer = { ...app, network, escrows };
    const isNews = await checkOrder(observer, { ...systemCall(marketplace), requestId }, orderId);
    log.info({ orderId, contractId, isNews }, 'escrow hint checked');
  } catch (error) {
    log.warn({ contractId, err: error }, 'escrow hint check failed');
  }
}

function mayCheck(contractId: string, now: Instant): boolean {
  for (const [checked, at] of checkedAt)
    if (at <= now - CHECK_INTERVAL_MS) checkedAt.delete(checked);
  if (checkedAt.has(contractId) || checkedAt.size >= CHECKS_MAX) return false;
  checkedAt.set(contractId, now);
  return true;
}

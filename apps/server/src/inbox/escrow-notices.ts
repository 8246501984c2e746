//! What an event of the escrow provider is about: an order, found by its contract or by its id.
import { applyEscrowEvent, type Observer } from '../orders/apply-escrow-event.ts';
import { findNoticedOrder } from '../orders/find-noticed-order.ts';
import { readEscrowBody } from './escrow-body.ts';
import type { Finder } from './noticed.ts';

export function escrowFinder(app: Observer): Finder {
  return async ({ body }) => {
    const { notice } = readEscrowBody(body);
    if (notice === undefined) return { kind: 'wrong', reason: 'it can not be read' };
    const noticed = await findNoticedOrder(app.pool, notice);
    if (noticed === undefined)
      return { kind: 'early', reason: 'neither contract nor order is known' };
    const { marketplace, orderId: resourceId } = noticed;
    return {
      marketplace,
      resourceType: 'Order',
      resourceId,
      apply: (call, seal) => applyEscrowEvent(app, call, noticed, notice, seal),
    };
  };
}

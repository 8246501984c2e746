//! Finds the order of an escrow provider's event, by its contract or by its id.
import { applyEscrowEvent, type Observer } from '../../orders/notifications/apply-escrow-event.ts';
import { findOrderByContract } from '../../orders/notifications/find-order-by-contract.ts';
import { readEscrowBody } from './escrow-body.ts';
import type { Finder } from './event-subject.ts';

export function escrowFinder(app: Observer): Finder {
  return async ({ body }) => {
    const { notification } = readEscrowBody(body);
    if (notification === undefined)
      return { kind: 'wrong', reason: 'The notification cannot be parsed.' };
    const found = await findOrderByContract(app.pool, notification);
    if (found === undefined) return { kind: 'early', reason: 'Contract and order are unknown.' };
    const { marketplace, orderId: resourceId } = found;
    return {
      marketplace,
      resourceType: 'Order',
      resourceId,
      apply: (call, mark) => applyEscrowEvent(app, call, found, notification, mark),
    };
  };
}

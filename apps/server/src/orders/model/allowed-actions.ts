//! Lists the actions an order allows now, by the same checks that enforce them.
import { Refusal, refuse } from '@holdfast/contract/errors';
import { ORDER_ACTION_NAMES, type OrderAction } from '@holdfast/contract/lifecycle';
import type { AllowedActionView } from '@holdfast/contract/records/order-records';
import type { OrderMoney } from '../../accounts/books/order-money.ts';
import {
  checkCancel,
  checkCompleteMilestone,
  checkCreateEscrow,
  checkDispute,
  checkFund,
  checkRefund,
  checkRelease,
  checkReserve,
  checkReserved,
} from './checks.ts';
import type { Milestone } from './milestone.ts';
import type { Order } from './order.ts';
import type { Parties } from './parties.ts';

/** The facts that the checks need beyond the order itself. */
export interface OrderFacts extends OrderMoney {
  readonly parties: Parties;
}

const CHECKS: Readonly<Record<OrderAction, (order: Order, facts: OrderFacts) => unknown>> = {
  reserve: (order, { available }) => checkReserve(order, available),
  cancel: checkCancel,
  create_escrow: (order, { parties }) => checkCreateEscrow(order, parties),
  fund_escrow: (order, { reserved }) => {
    checkFund(order);
    checkReserved(order, reserved);
  },
  complete_milestone: checkSomeMilestone,
  release: checkRelease,
  refund: checkRefund,
  dispute: checkDispute,
};

export function allowedActions(order: Order, facts: OrderFacts): AllowedActionView[] {
  return ORDER_ACTION_NAMES.map((action) => {
    const reason = whyNot(() => CHECKS[action](order, facts));
    return { action, allowed: reason === null, reason };
  });
}

/** One milestone that can be completed is enough. */
function checkSomeMilestone(order: Order): Milestone {
  const { id, milestones } = order;
  const next = milestones.find(({ status }) => status === 'OPEN') ?? milestones[0];
  if (next === undefined)
    return refuse('MILESTONE_NOT_FOUND', { orderId: id, ref: '' }, 'The order has no milestones.');
  return checkCompleteMilestone(order, next.ref, next);
}

function whyNot(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { reason } = error.details as { reason?: string };
    return reason ?? error.message;
  }
}

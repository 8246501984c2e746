//! The conditions of each action on an order, in the specification's order of checks.
//!
//! Pure: the operations refuse by these checks, and `allowedActions` uses the same ones.

import { refuse } from '@holdfast/contract/errors';
import { canMove } from '@holdfast/contract/machine';
import { disputeMachine } from '@holdfast/contract/machines/dispute-machine';
import { escrowMachine } from '@holdfast/contract/machines/escrow-machine';
import { milestoneMachine } from '@holdfast/contract/machines/milestone-machine';
import {
  type OrderMove,
  type OrderState,
  orderMachine,
} from '@holdfast/contract/machines/order-machine';
import { assert } from '@holdfast/kernel/assert';
import { Money } from '@holdfast/kernel/money';
import type { Dispute } from './dispute.ts';
import type { Escrow } from './escrow.ts';
import type { Milestone } from './milestone.ts';
import type { BareOrder, Order } from './order.ts';
import type { Parties } from './parties.ts';

export function checkReserve(order: Order, available: Money): void {
  checkMove(order, 'reserveFunds');
  const { amount, currency } = order;
  if (available.isLessThan(amount))
    refuse('INSUFFICIENT_FUNDS', { requested: amount.text, available: available.text, currency });
}

export function checkCancel(order: Order): void {
  checkMove(order, 'cancel');
  if (order.escrow !== null) refuseEscrow(order.escrow, 'the order has an escrow');
}

/** Surface B's checkout needs no payment accounts; every other way to an escrow does. */
export type NeedsAccounts = 'with-accounts' | 'without-accounts';

export function checkCreateEscrow(
  order: Order,
  parties: Parties,
  accounts: NeedsAccounts = 'with-accounts',
): void {
  const { escrow, milestones, amount } = order;
  checkMove(order, 'openEscrow');
  if (escrow !== null) refuse('ESCROW_ALREADY_EXISTS', { escrowId: escrow.id });
  for (const [role, { status, hasPaymentAccount }] of Object.entries(parties)) {
    if (status !== 'ACTIVE') refuse('INTERNAL_ERROR', { reason: `the ${role} is ${status}` });
    if (!hasPaymentAccount && accounts === 'with-accounts')
      refuse('INTERNAL_ERROR', { reason: `the ${role} has no payment account` });
  }
  if (milestones.length > 0 && !sumOf(milestones, amount).equals(amount))
    refuse('INTERNAL_ERROR', { reason: 'the milestones do not sum to the amount' });
}

/** Returns the escrow that waits for the money, with its contract. */
export function checkFund(order: Order): DeployedEscrow {
  const { escrow } = order;
  checkState(order, ['ESCROW_FUNDING']);
  if (escrow === null) return refuse('INTERNAL_ERROR', { reason: 'the order has no escrow' });
  // Money may be moving: a second caller is too late, and the state is valid.
  if (escrow.status === 'FUNDING') refuseEscrow(escrow, 'funding is in progress');
  if (!canMove(escrowMachine, escrow.status, 'startFunding'))
    refuse('INTERNAL_ERROR', { reason: `the escrow is ${escrow.status}` });
  return deployed(escrow);
}

/** After `checkFund`. A funding does not call it: posting the money refuses by the same rule. */
export function checkReserved({ amount, currency }: Order, reserved: Money): void {
  if (reserved.isLessThan(amount))
    refuse('RESERVE_NOT_FOUND', { requested: amount.text, reserved: reserved.text, currency });
}

export function checkCompleteMilestone(
  order: BareOrder,
  ref: string,
  milestone: Milestone | undefined,
): Milestone {
  if (milestone === undefined) return refuse('MILESTONE_NOT_FOUND', { orderId: order.id, ref });
  checkState(order, ['IN_PROGRESS']);
  if (!canMove(milestoneMachine, milestone.status, 'complete'))
    refuse('INVALID_STATE', {
      resource: 'milestone',
      id: milestone.id,
      state: milestone.status,
      allowed: [...milestoneMachine.moves.complete.from],
      reason: `milestone ${ref} is ${milestone.status}`,
    });
  return milestone;
}

/** Returns the escrow that pays the seller, with its contract. */
export function checkRelease(order: Order): DeployedEscrow {
  const escrow = checkEscrow(order);
  checkMove(order, 'requestRelease');
  checkUndisputed(order);
  const unfinishedMilestones = order.milestones
    .filter(({ status }) => status !== 'COMPLETED')
    .map(({ ref }) => ref);
  if (unfinishedMilestones.length > 0)
    refuse('INVALID_STATE', {
      resource: 'order',
      id: order.id,
      state: order.status,
      unfinishedMilestones,
      reason: `milestones not completed: ${unfinishedMilestones.join(', ')}`,
    });
  return checkFunded(escrow);
}

/** Returns the escrow that pays the buyer back, with its contract. */
export function checkRefund(order: Order): DeployedEscrow {
  const escrow = checkEscrow(order);
  checkMove(order, 'requestRefund');
  checkUndisputed(order);
  return checkFunded(escrow);
}

export function checkDispute(order: Order): Escrow {
  checkMove(order, 'openDispute');
  checkUndisputed(order);
  assert(order.escrow !== null, 'an order in progress has an escrow');
  return order.escrow;
}

export function checkAssign({ id, status }: Dispute): void {
  if (canMove(disputeMachine, status, 'assign')) return;
  refuse('INVALID_STATE', {
    resource: 'dispute',
    id,
    state: status,
    allowed: [...disputeMachine.moves.assign.from],
    reason: `the dispute is ${status}`,
  });
}

/** An escrow whose contract is known. */
export type DeployedEscrow = Escrow & { readonly providerContractId: string };

export function deployed(escrow: Escrow): DeployedEscrow {
  const { providerContractId } = escrow;
  assert(providerContractId !== null, 'an escrow past CREATING has its contract');
  return { ...escrow, providerContractId };
}

function checkMove(order: Order, move: OrderMove): void {
  checkState(order, orderMachine.moves[move].from);
}

function checkState({ id, status }: BareOrder, allowed: readonly OrderState[]): void {
  if (allowed.includes(status)) return;
  refuse('INVALID_STATE', {
    resource: 'order',
    id,
    state: status,
    allowed: [...allowed],
    reason: `the order status is ${status}; this action requires ${allowed.join(' or ')}`,
  });
}

function checkEscrow({ id, escrow }: Order): Escrow {
  if (escrow !== null) return escrow;
  const reason = 'the order has no escrow';
  const details = { resource: 'escrow', id, state: 'none', reason };
  return refuse('INVALID_STATE', details, 'Order has no escrow.');
}

function checkUndisputed({ dispute }: Order): void {
  if (dispute !== null && dispute.status !== 'RESOLVED')
    refuse('DISPUTE_ALREADY_OPEN', { disputeId: dispute.id });
}

function checkFunded(escrow: Escrow): DeployedEscrow {
  if (escrow.status !== 'FUNDED')
    refuseEscrow(escrow, `the escrow status is ${escrow.status}; this action requires FUNDED`);
  return deployed(escrow);
}

function refuseEscrow({ id, status }: Escrow, reason: string): never {
  return refuse('INVALID_STATE', { resource: 'escrow', id, state: status, reason });
}

function sumOf(milestones: readonly Milestone[], { currency }: Money): Money {
  return milestones.reduce((sum, { amount }) => sum.plus(amount), Money.zero(currency));
}

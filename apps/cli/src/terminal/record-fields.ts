//! The main fields of each record: the same in every list, record view and explanation.
import type { Order, Topup, Withdrawal } from '@holdfast/sdk';
import type { Field } from './table.ts';
import { moneyText, timeText } from './words.ts';

export function orderFields(order: Order): readonly Field[] {
  const { escrow, dispute } = order;
  return [
    ['title', order.title],
    ['amount', moneyText(order.amount, order.currency)],
    ['fee', `${moneyText(order.fee, order.currency)} (${order.feeRate}%)`],
    ['buyer', order.buyerId],
    ['seller', order.sellerId],
    ['reference', order.clientOrderRef],
    ['close reason', order.closeReason],
    ['escrow', escrow && `${escrow.id}  ${escrow.status}`],
    ['contract', escrow?.providerContractId],
    ['dispute', dispute && `${dispute.id}  ${dispute.status}`],
    ['created', timeText(order.createdAt)],
  ];
}

/** What may be done to an order as it stands. */
export function allowedActions(order: Order): string[] {
  return order.allowedActions.filter(({ allowed }) => allowed).map(({ action }) => action);
}

export function topupFields(topup: Topup): readonly Field[] {
  return [
    ['amount', moneyText(topup.amount, topup.currency)],
    ['user', topup.userId],
    ['payment page', topup.confirmationUri],
    ['provider payment id', topup.providerPayinId],
    ['failure', topup.failureReason],
    ['created', timeText(topup.createdAt)],
  ];
}

export function withdrawalFields(withdrawal: Withdrawal): readonly Field[] {
  const { destination } = withdrawal;
  return [
    ['amount', moneyText(withdrawal.amount, withdrawal.currency)],
    ['user', withdrawal.userId],
    ['destination', `${destination.type} ${destination.ref}`],
    ['provider payment id', withdrawal.providerPayoutId],
    ['transaction', withdrawal.transactionHash],
    ['action required', withdrawal.actionRequired],
    ['failure', withdrawal.failureReason],
    ['created', timeText(withdrawal.createdAt)],
    ['expires', timeText(withdrawal.expiresAt)],
    ['completed', timeText(withdrawal.completedAt)],
  ];
}

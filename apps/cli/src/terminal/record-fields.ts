//! What people look for first in a record: the same fields wherever it is shown or explained.
import type { Order, Topup, Withdrawal } from '@holdfast/sdk';
import type { Field } from './table.ts';
import { moneyText, timeText } from './words.ts';

export function orderFields(order: Order): readonly Field[] {
  const { escrow, dispute } = order;
  return [
    ['title', order.title],
    ['amount', moneyText(order.amount, order.currency)],
    ['fee', `${moneyText(order.fee, order.currency)} (${order.feeRate} %)`],
    ['buyer', order.buyerId],
    ['seller', order.sellerId],
    ['reference', order.clientOrderRef],
    ['closed as', order.closeReason],
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
    ['pay page', topup.confirmationUri],
    ['at the provider', topup.providerPayinId],
    ['why', topup.failureReason],
    ['created', timeText(topup.createdAt)],
  ];
}

export function withdrawalFields(withdrawal: Withdrawal): readonly Field[] {
  const { destination } = withdrawal;
  return [
    ['amount', moneyText(withdrawal.amount, withdrawal.currency)],
    ['user', withdrawal.userId],
    ['to', `${destination.type} ${destination.ref}`],
    ['at the provider', withdrawal.providerPayoutId],
    ['transaction', withdrawal.transactionHash],
    ['recipient must', withdrawal.actionRequired],
    ['why', withdrawal.failureReason],
    ['created', timeText(withdrawal.createdAt)],
    ['completed', timeText(withdrawal.completedAt)],
  ];
}

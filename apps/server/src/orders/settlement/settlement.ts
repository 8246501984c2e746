//! The transaction that settles an order: escrow, order, dispute, books, events and audit together.
//!
//! Saga, webhook and reconciler may all find out that a contract has paid. The first to lock the
//! order settles it; the others find it closed and post nothing.
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { OrderId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { collectFeeFromEscrow, payFromEscrow } from '../../accounts/books/order-money.ts';
import { markMirrorDue } from '../../payments/mirror/due-user.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type Dispute, decisionOf, moveDispute } from '../model/dispute.ts';
import { type Escrow, moveEscrow } from '../model/escrow.ts';
import { type CloseReason, lockOrder, moveOrder, type Order } from '../model/order.ts';

/** The amounts that a contract paid, and the moves that follow from them. */
interface Award {
  readonly order: 'release' | 'refund' | 'awardSeller' | 'awardBuyer' | 'awardBoth';
  readonly escrow: 'release' | 'refund' | 'awardSeller' | 'awardBuyer' | 'awardBoth';
  readonly closeReason: Exclude<CloseReason, 'CANCELED'>;
  /** To the seller, before the fee. */
  readonly releaseAmount: Money;
  readonly refundAmount: Money;
}

/** The seller is paid. */
export async function settleRelease(
  tx: Tx,
  orderId: OrderId,
): Promise<{ readonly isSettled: true }> {
  return settle(tx, orderId, ({ amount, currency, dispute }) => ({
    order: isDecided(dispute) ? 'awardSeller' : 'release',
    escrow: isDecided(dispute) ? 'awardSeller' : 'release',
    closeReason: 'RELEASED',
    releaseAmount: amount,
    refundAmount: Money.zero(currency),
  }));
}

/** The buyer is paid back in full and without a fee. */
export async function settleRefund(
  tx: Tx,
  orderId: OrderId,
): Promise<{ readonly isSettled: true }> {
  return settle(tx, orderId, ({ amount, currency, dispute }) => ({
    order: isDecided(dispute) ? 'awardBuyer' : 'refund',
    escrow: isDecided(dispute) ? 'awardBuyer' : 'refund',
    closeReason: 'REFUNDED',
    releaseAmount: Money.zero(currency),
    refundAmount: amount,
  }));
}

/** Both are paid, as decided; the fee is taken from the seller's part. */
export async function settleSplit(tx: Tx, orderId: OrderId): Promise<{ readonly isSettled: true }> {
  return settle(tx, orderId, ({ dispute }) => {
    const { releaseAmount, refundAmount } = decisionOf(dispute);
    const moves = { order: 'awardBoth', escrow: 'awardBoth' } as const;
    return { ...moves, closeReason: 'SPLIT', releaseAmount, refundAmount };
  });
}

type DecidedDispute = Dispute & { readonly claim: NonNullable<Dispute['claim']> };

function isDecided(dispute: Dispute | null): dispute is DecidedDispute {
  return dispute !== null && dispute.claim !== null;
}

async function settle(
  tx: Tx,
  orderId: OrderId,
  awardOf: (order: Order) => Award,
): Promise<{ readonly isSettled: true }> {
  const order = await lockOrder(tx, orderId);
  const { escrow, dispute, buyerId, sellerId } = order;
  // Another process has settled it.
  if (order.closeReason !== null) return { isSettled: true };
  assert(escrow !== null, 'an order that is settled has its escrow');
  const award = awardOf(order);
  await moveEscrow(tx, escrow, award.escrow);
  await moveOrder(tx, order, award.order);
  if (!award.releaseAmount.isZero) await paySeller(tx, order, escrow, award);
  if (!award.refundAmount.isZero) await payBuyer(tx, order, escrow, award.refundAmount);
  if (isDecided(dispute)) await resolve(tx, dispute);
  await moveOrder(tx, order, 'close', { closeReason: award.closeReason });
  await emit(tx, 'order.closed', orderId, {
    orderId,
    finalStatus: award.closeReason,
    closedAt: instantText(tx.now),
  });
  // A contract pays less than the books post, by the fees taken on the network.
  await markMirrorDue(tx, buyerId);
  await markMirrorDue(tx, sellerId);
  return { isSettled: true };
}

/** The fee for the whole amount is fixed on the order; a part has its own fee. */
export function sellerProceeds(
  { fee, feeRate }: Pick<Order, 'fee' | 'feeRate'>,
  releaseAmount: Money,
  isSplit: boolean,
): { readonly fee: Money; readonly net: Money } {
  return isSplit ? releaseAmount.feeAndNet(feeRate) : { fee, net: releaseAmount.minus(fee) };
}

async function paySeller(
  tx: Tx,
  order: Order,
  escrow: Escrow,
  { releaseAmount, closeReason }: Award,
): Promise<void> {
  const { id: orderId, sellerId, currency } = order;
  const { fee, net } = sellerProceeds(order, releaseAmount, closeReason === 'SPLIT');
  const releasedAt = instantText(tx.now);
  await emit(tx, 'escrow.released', escrow.id, {
    escrowId: escrow.id,
    orderId,
    sellerId,
    amount: releaseAmount.text,
    releasedAt,
  });
  const { available } = await payFromEscrow(tx, order, 'order_release', net);
  await collectFeeFromEscrow(tx, order, fee);
  await emit(tx, 'order.released', orderId, {
    orderId,
    sellerId,
    amount: net.text,
    currency,
    releasedAt,
    newSellerBalance: available.text,
  });
  await audit(tx, {
    action: 'ORDER_RELEASED',
    resourceId: orderId,
    before: { status: order.status, escrowStatus: escrow.status },
    after: { status: 'CLOSED', closeReason, amount: net.text, fee: fee.text, currency },
  });
}

async function payBuyer(tx: Tx, order: Order, escrow: Escrow, amount: Money): Promise<void> {
  const { id: orderId, buyerId, currency } = order;
  const refundedAt = instantText(tx.now);
  await emit(tx, 'escrow.refunded', escrow.id, {
    escrowId: escrow.id,
    orderId,
    buyerId,
    amount: amount.text,
    refundedAt,
  });
  const { available } = await payFromEscrow(tx, order, 'order_refund', amount);
  await emit(tx, 'order.refunded', orderId, {
    orderId,
    buyerId,
    amount: amount.text,
    currency,
    refundedAt,
    newBuyerBalance: available.text,
  });
  await audit(tx, {
    action: 'ORDER_REFUNDED',
    resourceId: orderId,
    before: { status: order.status, escrowStatus: escrow.status },
    after: { status: 'CLOSED', amount: amount.text, currency },
  });
}

async function resolve(tx: Tx, dispute: DecidedDispute): Promise<void> {
  const { id, orderId, claim } = dispute;
  const { decision, note, claimedBy, releaseAmount, refundAmount } = claim;
  const resolved = await moveDispute(tx, dispute, 'resolve');
  await emit(tx, 'dispute.resolved', id, {
    disputeId: id,
    orderId,
    decision,
    ...(note === null ? {} : { decisionNote: note }),
    resolvedBy: claimedBy,
    resolvedAt: instantText(tx.now),
    buyerAmount: refundAmount.text,
    sellerAmount: releaseAmount.text,
  });
  await audit(tx, {
    action: 'DISPUTE_RESOLVED',
    resourceId: id,
    before: { status: dispute.status },
    after: {
      status: resolved.status,
      decision,
      releaseAmount: releaseAmount.text,
      refundAmount: refundAmount.text,
      resolvedBy: claimedBy,
    },
  });
}

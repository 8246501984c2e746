//! Tells what a decision would do, and does nothing: POST /disputes/{id}/resolve/preview.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Call } from '../platform/call.ts';
import { read, type Transactor, type Tx } from '../platform/transact.ts';
import { checkResolve, type DecisionWish, readParts } from './decision.ts';
import { type Decision, type Dispute, findDispute } from './dispute.ts';
import { findOrder, type Order } from './order.ts';
import type { SettlementPreview } from './preview-settlement.ts';
import { sellersPart } from './settlement.ts';

export interface ResolutionPreview {
  readonly decision: Decision['decision'];
  readonly order: Pick<Order, 'amount' | 'currency'>;
  readonly releaseAmount: Money;
  readonly refundAmount: Money;
  readonly fee: Money;
  readonly sellerReceives: Money;
}

/** By the same functions that read a decision and share its money out. */
export async function previewResolution(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  wish: Omit<DecisionWish, 'note'>,
): Promise<ResolutionPreview> {
  return read(app, call, async (tx) => {
    const { dispute, order } = await findDisputed(tx, disputeId);
    if (dispute.status === 'RESOLVED' || dispute.claim !== null)
      refuse('INVALID_STATE', {
        resource: 'dispute',
        id: disputeId,
        state: dispute.status,
        allowed: ['OPEN', 'UNDER_REVIEW'],
        reason: 'it has been decided',
      });
    const { releaseAmount, refundAmount } = readParts(order, wish);
    const nothing = Money.zero(order.currency);
    const { fee, net } = releaseAmount.isZero
      ? { fee: nothing, net: nothing }
      : sellersPart(order, releaseAmount, wish.decision === 'SPLIT');
    const parts = { releaseAmount, refundAmount, fee, sellerReceives: net };
    return { decision: wish.decision, order, ...parts };
  });
}

/** How much a decision is about, and whether it could be made now, by the checks of deciding. */
export async function findResolution(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  wish: DecisionWish,
): Promise<SettlementPreview> {
  const { dispute, order } = await read(app, call, (tx) => findDisputed(tx, disputeId));
  const check = () => {
    checkResolve(dispute);
    readParts(order, wish);
  };
  return { amount: order.amount, check };
}

async function findDisputed(tx: Tx, disputeId: DisputeId): Promise<Disputed> {
  const dispute = (await findDispute(tx, disputeId)) ?? refuse('DISPUTE_NOT_FOUND', { disputeId });
  const order = await findOrder(tx, dispute.orderId);
  assert(order !== undefined, 'a dispute is about an order');
  return { dispute, order };
}

interface Disputed {
  readonly dispute: Dispute;
  readonly order: Order;
}

//! Previews the effect of a decision and changes nothing: POST /disputes/{id}/resolve/preview.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { type Decision, type Dispute, loadDispute } from '../model/dispute.ts';
import { findOrder, type Order } from '../model/order.ts';
import type { SettlementPreview } from '../settlement/preview-settlement.ts';
import { sellerProceeds } from '../settlement/settlement.ts';
import { checkResolve, type DecisionInput, readParts } from './decision.ts';

export interface ResolutionPreview {
  readonly decision: Decision['decision'];
  readonly order: Pick<Order, 'amount' | 'currency'>;
  readonly releaseAmount: Money;
  readonly refundAmount: Money;
  readonly fee: Money;
  readonly sellerReceives: Money;
}

/** Uses the functions that parse a decision and divide its money. */
export async function previewResolution(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  input: Omit<DecisionInput, 'note'>,
): Promise<ResolutionPreview> {
  return read(app, call, async (tx) => {
    const { dispute, order } = await findDisputed(tx, disputeId);
    if (dispute.status === 'RESOLVED' || dispute.claim !== null)
      refuse('INVALID_STATE', {
        resource: 'dispute',
        id: disputeId,
        state: dispute.status,
        allowed: ['OPEN', 'UNDER_REVIEW'],
        reason: 'a decision has been made',
      });
    const { releaseAmount, refundAmount } = readParts(order, input);
    const nothing = Money.zero(order.currency);
    const { fee, net } = releaseAmount.isZero
      ? { fee: nothing, net: nothing }
      : sellerProceeds(order, releaseAmount, input.decision === 'SPLIT');
    const parts = { releaseAmount, refundAmount, fee, sellerReceives: net };
    return { decision: input.decision, order, ...parts };
  });
}

/** The amount to decide about, and whether it can be decided now, by the checks of deciding. */
export async function findResolution(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  input: DecisionInput,
): Promise<SettlementPreview> {
  const { dispute, order } = await read(app, call, (tx) => findDisputed(tx, disputeId));
  const check = () => {
    checkResolve(dispute);
    readParts(order, input);
  };
  const recipients = () => {
    const { releaseAmount, refundAmount } = readParts(order, input);
    return [
      { userId: order.sellerId, amount: releaseAmount },
      { userId: order.buyerId, amount: refundAmount },
    ].filter(({ amount }) => !amount.isZero);
  };
  return { amount: order.amount, check, recipients };
}

async function findDisputed(tx: Tx, disputeId: DisputeId): Promise<Disputed> {
  const dispute = await loadDispute(tx, disputeId);
  const order = await findOrder(tx, dispute.orderId);
  assert(order !== undefined, 'a dispute is about an order');
  return { dispute, order };
}

interface Disputed {
  readonly dispute: Dispute;
  readonly order: Order;
}

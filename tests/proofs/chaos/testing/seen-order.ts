//! An order fixture for tests of the checks.
import type { SeenDispute, SeenOrder } from '../order.ts';

export const RELEASED_ORDER: SeenOrder = {
  id: 'ord_1',
  status: 'CLOSED',
  amount: '100.00',
  fee: '5.00',
  feeRate: '5.00',
  buyerId: 'usr_buyer',
  sellerId: 'usr_seller',
  closeReason: 'RELEASED',
  escrow: { id: 'esc_1', status: 'RELEASED', providerContractId: 'C1' },
  dispute: null,
  milestones: [{ ref: 'm1', status: 'COMPLETED' }],
};

export const SPLIT_DISPUTE: SeenDispute = {
  id: 'dsp_1',
  orderId: 'ord_1',
  status: 'RESOLVED',
  resolutionDecision: 'SPLIT',
  releaseAmount: '45.00',
  refundAmount: '55.00',
};

export function anOrder(changes: Partial<SeenOrder> = {}): SeenOrder {
  return { ...RELEASED_ORDER, ...changes };
}

//! Every saga of the matrix and every job that moves money; here the sagas of orders.
import type { ApiRequest } from '../../harness/api.ts';
import { JOBS } from './jobs.ts';
import { type Point, prepareOrder, readOrderEnding } from './order-fixture.ts';
import { PAYMENT_SAGAS } from './payment-sagas.ts';
import type { Effects, Ending, Fixture, RequestRow, SagaRow } from './saga-row.ts';

const escrowOf = ({ subjectId: orderId }: Fixture): ApiRequest => ({
  path: `/orders/${orderId}/escrow`,
});
const fundingOf = ({ subjectId: orderId }: Fixture): ApiRequest => ({
  path: `/orders/${orderId}/escrow/fund`,
});
const releaseOf = ({ subjectId: orderId }: Fixture): ApiRequest => ({
  path: `/orders/${orderId}/resolution/release`,
});
const refundOf = ({ subjectId: orderId }: Fixture): ApiRequest => ({
  path: `/orders/${orderId}/resolution/refund`,
  body: { reason: 'It never came.' },
});
const RESERVED: Ending = {
  order: 'FUNDS_RESERVED',
  closeReason: null,
  escrow: null,
  dispute: null,
  buyer: '25.00 100.00',
  seller: '0.00 0.00',
};
const DEPLOYED: Ending = { ...RESERVED, order: 'ESCROW_FUNDING', escrow: 'CREATED' };
const FUNDED: Ending = {
  ...DEPLOYED,
  order: 'IN_PROGRESS',
  escrow: 'FUNDED',
  buyer: '25.00 0.00',
};
const DISPUTED: Ending = {
  ...FUNDED,
  order: 'DISPUTED',
  escrow: 'DISPUTED',
  dispute: 'UNDER_REVIEW',
};
const RELEASED: Ending = {
  ...FUNDED,
  order: 'CLOSED',
  closeReason: 'RELEASED',
  escrow: 'RELEASED',
  seller: '95.00 0.00',
};
const REFUNDED: Ending = {
  ...FUNDED,
  order: 'CLOSED',
  closeReason: 'REFUNDED',
  escrow: 'REFUNDED',
  buyer: '125.00 0.00',
};
const SPLIT: Ending = {
  ...RELEASED,
  closeReason: 'SPLIT',
  buyer: '80.00 0.00',
  seller: '42.75 0.00',
};

const paying = (parts: number): Effects => ({
  deploy: 1,
  fund: 1,
  status: parts,
  approve: parts,
  release: parts,
});
const sharing = (parts: number): Effects => ({
  deploy: 1,
  fund: 1,
  dispute: parts,
  resolve: parts,
});

/** What all sagas of orders have in common. */
function ofOrder(from: Point, done: Ending) {
  return {
    prepare: prepareOrder(from),
    read: readOrderEnding,
    done,
    hasAddresses: done['order'] === 'CLOSED',
  };
}

/** A dispute with this decision. */
function resolving(
  milestones: readonly number[],
  body: { readonly decision: string; readonly [part: string]: string },
  done: Ending,
  effects: RequestRow['effects'],
): RequestRow {
  return {
    name: `resolve ${body.decision}`,
    milestones,
    ...ofOrder('under review', { ...done, dispute: 'RESOLVED' }),
    isKeyed: true,
    call: ({ disputeId }) => ({ path: `/disputes/${disputeId}/resolve`, body }),
    undone: DISPUTED,
    effects,
  };
}

const ORDER_SAGAS: readonly RequestRow[] = [
  {
    name: 'create escrow',
    milestones: [0, 1, 3],
    ...ofOrder('reserved', DEPLOYED),
    call: escrowOf,
    undone: RESERVED,
    effects: () => ({ deploy: 1 }),
  },
  {
    name: 'fund escrow',
    milestones: [0, 1, 3],
    ...ofOrder('deployed', FUNDED),
    call: fundingOf,
    undone: RESERVED,
    refusal: 'ESCROW_FUNDING_FAILED',
    // The unfunded contract is abandoned.
    again: (fixture) => [escrowOf(fixture), fundingOf(fixture)],
    effects: () => ({ deploy: 1, fund: 1 }),
    effectsAgain: { deploy: 1 },
  },
  {
    name: 'release',
    milestones: [0, 1, 3],
    ...ofOrder('funded', RELEASED),
    call: releaseOf,
    undone: FUNDED,
    effects: paying,
  },
  {
    name: 'refund',
    milestones: [0, 1, 3],
    ...ofOrder('funded', REFUNDED),
    call: refundOf,
    undone: FUNDED,
    effects: sharing,
  },
  resolving([0], { decision: 'FULL_RELEASE' }, RELEASED, paying),
  resolving([0], { decision: 'FULL_REFUND' }, REFUNDED, sharing),
  resolving(
    [0, 3],
    { decision: 'SPLIT', releaseAmount: '45.00', refundAmount: '55.00' },
    SPLIT,
    sharing,
  ),
];

export const SAGAS: readonly SagaRow[] = [...ORDER_SAGAS, ...PAYMENT_SAGAS, ...JOBS];

//! Every saga of the matrix: its starting point, its request, and its expected ending.
import type { ApiRequest } from '../../harness/api.ts';
import type { OrderFixture, Point } from './order-fixture.ts';

/** The visible state of an order and its money when nothing is in flight. */
export interface Ending {
  readonly order: string;
  readonly closeReason: string | null;
  readonly escrow: string | null;
  readonly dispute: string | null;
  /** Available and reserved. */
  readonly buyer: string;
  readonly seller: string;
}

export interface SagaRow {
  readonly name: string;
  readonly milestones: readonly number[];
  readonly from: Point;
  readonly call: (fixture: OrderFixture) => ApiRequest;
  /** Its route accepts an Idempotency-Key. */
  readonly isKeyed?: true;
  readonly done: Ending;
  /** After a refusal before any money moved. Undefined: a refused step is retried. */
  readonly undone?: Ending;
  /** The error code of that response, if not INTERNAL_ERROR. */
  readonly refusal?: string;
  /** Requests after that, if not the same; they must succeed, since no refusal is a dead end. */
  readonly again?: (fixture: OrderFixture) => readonly ApiRequest[];
  /** Effects of the whole order, by the number of parts that the contract settles. */
  readonly effects: (parts: number) => Effects;
  /** Additional effects where a refused contract is abandoned and another is created. */
  readonly effectsAgain?: Effects;
}

export type Effects = Readonly<Record<string, number>>;

const escrowOf = ({ orderId }: OrderFixture): ApiRequest => ({ path: `/orders/${orderId}/escrow` });
const fundingOf = ({ orderId }: OrderFixture): ApiRequest => ({
  path: `/orders/${orderId}/escrow/fund`,
});
const releaseOf = ({ orderId }: OrderFixture): ApiRequest => ({
  path: `/orders/${orderId}/resolution/release`,
});
const refundOf = ({ orderId }: OrderFixture): ApiRequest => ({
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

/** A dispute with this decision. */
function resolving(
  milestones: readonly number[],
  body: { readonly decision: string; readonly [part: string]: string },
  done: Ending,
  effects: SagaRow['effects'],
): SagaRow {
  return {
    name: `resolve ${body.decision}`,
    milestones,
    from: 'under review',
    isKeyed: true,
    call: ({ disputeId }) => ({ path: `/disputes/${disputeId}/resolve`, body }),
    done: { ...done, dispute: 'RESOLVED' },
    undone: DISPUTED,
    effects,
  };
}

export const SAGAS: readonly SagaRow[] = [
  {
    name: 'create escrow',
    milestones: [0, 1, 3],
    from: 'reserved',
    call: escrowOf,
    done: DEPLOYED,
    undone: RESERVED,
    effects: () => ({ deploy: 1 }),
  },
  {
    name: 'fund escrow',
    milestones: [0, 1, 3],
    from: 'deployed',
    call: fundingOf,
    done: FUNDED,
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
    from: 'funded',
    call: releaseOf,
    done: RELEASED,
    undone: FUNDED,
    effects: paying,
  },
  {
    name: 'refund',
    milestones: [0, 1, 3],
    from: 'funded',
    call: refundOf,
    done: REFUNDED,
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

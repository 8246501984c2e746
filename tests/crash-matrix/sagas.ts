//! Every saga that the matrix strikes: where it begins, what asks for it, and how it must end.
import type { Asked } from './client.ts';
import type { Deal, Point } from './deal.ts';

/** What can be seen of an order and its money once nothing moves any more. */
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
  readonly call: (deal: Deal) => Asked;
  /** Its route honours an Idempotency-Key. */
  readonly isKeyed?: true;
  readonly done: Ending;
  /** After a refusal before any money moved. Undefined: what is refused here is tried again. */
  readonly undone?: Ending;
  /** What its caller is told then, if not INTERNAL_ERROR. */
  readonly refusal?: string;
  /** What is asked after that, and must succeed: no refusal is a dead end. */
  readonly again: (deal: Deal) => readonly Asked[];
  /** Effects of the whole life, by the number of parts that the contract settles. */
  readonly effects: (parts: number) => Effects;
  /** Those that another life adds, where a refused one is given up. */
  readonly effectsAgain?: Effects;
}

export type Effects = Readonly<Record<string, number>>;

const escrowOf = ({ orderId }: Deal): Asked => ({ path: `/orders/${orderId}/escrow` });
const fundingOf = ({ orderId }: Deal): Asked => ({ path: `/orders/${orderId}/escrow/fund` });
const releaseOf = ({ orderId }: Deal): Asked => ({
  path: `/orders/${orderId}/resolution/release`,
});
const refundOf = ({ orderId }: Deal): Asked => ({
  path: `/orders/${orderId}/resolution/refund`,
  body: { reason: 'It never came.' },
});
const decisionOf =
  (decision: string, more: object = {}) =>
  ({ disputeId }: Deal): Asked => ({
    path: `/disputes/${disputeId}/resolve`,
    body: { decision, ...more },
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
const RESOLVED = { dispute: 'RESOLVED' };

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

export const SAGAS: readonly SagaRow[] = [
  {
    name: 'create escrow',
    milestones: [0, 1, 3],
    from: 'reserved',
    call: escrowOf,
    done: DEPLOYED,
    undone: RESERVED,
    again: (deal) => [escrowOf(deal)],
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
    // The contract that was not funded is given up.
    again: (deal) => [escrowOf(deal), fundingOf(deal)],
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
    again: (deal) => [releaseOf(deal)],
    effects: paying,
  },
  {
    name: 'refund',
    milestones: [0, 1, 3],
    from: 'funded',
    call: refundOf,
    done: REFUNDED,
    undone: FUNDED,
    again: (deal) => [refundOf(deal)],
    effects: sharing,
  },
  {
    name: 'resolve FULL_RELEASE',
    milestones: [0],
    from: 'under review',
    isKeyed: true,
    call: decisionOf('FULL_RELEASE'),
    done: { ...RELEASED, ...RESOLVED },
    undone: DISPUTED,
    again: (deal) => [decisionOf('FULL_RELEASE')(deal)],
    effects: paying,
  },
  {
    name: 'resolve FULL_REFUND',
    milestones: [0],
    from: 'under review',
    isKeyed: true,
    call: decisionOf('FULL_REFUND'),
    done: { ...REFUNDED, ...RESOLVED },
    undone: DISPUTED,
    again: (deal) => [decisionOf('FULL_REFUND')(deal)],
    effects: sharing,
  },
  {
    name: 'resolve SPLIT',
    milestones: [0, 3],
    from: 'under review',
    isKeyed: true,
    call: decisionOf('SPLIT', { releaseAmount: '45.00', refundAmount: '55.00' }),
    done: { ...SPLIT, ...RESOLVED },
    undone: DISPUTED,
    again: (deal) => [decisionOf('SPLIT', { releaseAmount: '45.00', refundAmount: '55.00' })(deal)],
    effects: sharing,
  },
];

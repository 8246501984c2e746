//! The life of a dispute.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const disputeMachine = defineMachine({
  name: 'dispute',
  initial: 'OPEN',
  born: ['dispute.opened'],
  inFlight: [],
  states: {
    OPEN: 'Opened; nobody looks at it yet.',
    UNDER_REVIEW: 'An agent looks at it; also while the decision is carried out.',
    RESOLVED: 'Decided, and the decision is carried out.',
  },
  moves: {
    assign:  { from: ['OPEN'],         to: 'UNDER_REVIEW', emits: ['dispute.under_review'] },
    resolve: { from: ['UNDER_REVIEW'], to: 'RESOLVED',     emits: ['dispute.resolved'], means: 'Once the money has moved; until then the decision is only claimed.' },
  },
});

export type DisputeState = StateOf<typeof disputeMachine>;
export type DisputeMove = MoveOf<typeof disputeMachine>;

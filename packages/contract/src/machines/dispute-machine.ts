//! The life cycle of a dispute.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const disputeMachine = defineMachine({
  name: 'dispute',
  initial: 'OPEN',
  initialEvents: ['dispute.opened'],
  inFlight: [],
  states: {
    OPEN: 'Opened; not assigned yet.',
    UNDER_REVIEW: 'Assigned to an agent; also while the decision is executed.',
    RESOLVED: 'Decided, and the decision is executed.',
  },
  moves: {
    assign:  { from: ['OPEN'],         to: 'UNDER_REVIEW', emits: ['dispute.under_review'] },
    resolve: { from: ['UNDER_REVIEW'], to: 'RESOLVED',     emits: ['dispute.resolved'], description: 'After the money has moved; until then the decision is in progress.' },
  },
});

export type DisputeState = StateOf<typeof disputeMachine>;
export type DisputeMove = MoveOf<typeof disputeMachine>;

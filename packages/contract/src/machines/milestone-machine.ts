//! The life cycle of a milestone. Completing one needs an order IN_PROGRESS.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const milestoneMachine = defineMachine({
  name: 'milestone',
  initial: 'OPEN',
  inFlight: [],
  states: {
    OPEN: 'Not completed.',
    COMPLETED: 'Completed by an API call or a signed provider webhook.',
  },
  moves: {
    complete: { from: ['OPEN'], to: 'COMPLETED', emits: ['escrow.milestone_completed'] },
  },
});

export type MilestoneState = StateOf<typeof milestoneMachine>;
export type MilestoneMove = MoveOf<typeof milestoneMachine>;

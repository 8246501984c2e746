//! The life cycle of a reconciliation run.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const runMachine = defineMachine({
  name: 'run',
  initial: 'RUNNING',
  inFlight: ['RUNNING'],
  states: {
    RUNNING: 'Records are being compared.',
    DONE: 'The comparison is complete; the figures are final.',
  },
  moves: {
    end: { from: ['RUNNING'], to: 'DONE', emits: [] },
  },
});

export type RunState = StateOf<typeof runMachine>;
export type RunMove = MoveOf<typeof runMachine>;

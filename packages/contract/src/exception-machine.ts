//! The life of an exception: a difference that a reconciliation run found.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const exceptionMachine = defineMachine({
  name: 'exception',
  initial: 'OPEN',
  inFlight: [],
  states: {
    OPEN: 'The difference stands; somebody should look.',
    RESOLVED: 'Somebody dealt with it, and said why.',
    CLEARED: 'A later run no longer saw it.',
  },
  moves: {
    resolve: { from: ['OPEN'], to: 'RESOLVED', emits: [] },
    clear:   { from: ['OPEN'], to: 'CLEARED',  emits: [], means: 'By a run that looked at the same records and found them in agreement.' },
  },
});

export type ExceptionState = StateOf<typeof exceptionMachine>;
export type ExceptionMove = MoveOf<typeof exceptionMachine>;

//! The life cycle of an exception: a difference that a reconciliation run found.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const exceptionMachine = defineMachine({
  name: 'exception',
  initial: 'OPEN',
  inFlight: [],
  states: {
    OPEN: 'The difference is unresolved and needs an operator.',
    RESOLVED: 'Resolved by an operator, with a reason.',
    CLEARED: 'A later run no longer found the difference.',
  },
  moves: {
    resolve: { from: ['OPEN'], to: 'RESOLVED', emits: [] },
    clear:   { from: ['OPEN'], to: 'CLEARED',  emits: [], description: 'By a run that compared the same records and found no difference.' },
  },
});

export type ExceptionState = StateOf<typeof exceptionMachine>;
export type ExceptionMove = MoveOf<typeof exceptionMachine>;

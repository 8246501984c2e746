//! The life of an approval: what one operator asked for, and another decides on.
import { CARRY_OUT_HOURS } from '#limits';
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const approvalMachine = defineMachine({
  name: 'approval',
  initial: 'PENDING',
  inFlight: ['APPROVED'],
  states: {
    PENDING:  'Waits for a second person.',
    APPROVED: `A second person agreed; it is being carried out. Approving again goes on with it, for ${CARRY_OUT_HOURS} hours.`,
    REJECTED: 'A second person did not agree.',
    EXPIRED:  'Nobody decided in time.',
    EXECUTED: 'It was carried out; from there on the resource itself tells.',
    FAILED:   'It was refused when it was carried out, or was not carried out in time.',
  },
  moves: {
    approve: { from: ['PENDING'],  to: 'APPROVED', emits: [], means: 'By another operator whose role could have asked for it.' },
    reject:  { from: ['PENDING', 'APPROVED'], to: 'REJECTED', emits: [], means: 'By another operator whose role could have asked for it; once approved, only while nothing was done.' },
    expire:  { from: ['PENDING'],  to: 'EXPIRED',  emits: [] },
    execute: { from: ['APPROVED'], to: 'EXECUTED', emits: [] },
    fail:    { from: ['APPROVED'], to: 'FAILED',   emits: [], means: `The resource was no longer as it was when it was asked for, or ${CARRY_OUT_HOURS} hours had passed and nothing was done.` },
  },
});

export type ApprovalState = StateOf<typeof approvalMachine>;
export type ApprovalMove = MoveOf<typeof approvalMachine>;

//! The life cycle of an approval: one operator requests an action, another operator decides on it.
import { APPROVAL_HOURS, CARRY_OUT_HOURS } from '#limits';
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const approvalMachine = defineMachine({
  name: 'approval',
  initial: 'PENDING',
  inFlight: ['APPROVED'],
  states: {
    PENDING:  'Waiting for a second approver.',
    APPROVED: `Approved, but not executed yet. Another operator can retry the request within ${CARRY_OUT_HOURS} hours of the approval.`,
    REJECTED: 'Rejected by the second approver.',
    EXPIRED:  `Expired: no operator approved or rejected the request within ${APPROVAL_HOURS} hours.`,
    EXECUTED: 'Executed. Open the linked record to see the result.',
    FAILED:   `Execution failed, or did not happen within ${CARRY_OUT_HOURS} hours of the approval.`,
  },
  moves: {
    approve: { from: ['PENDING'],  to: 'APPROVED', emits: [], description: 'By another operator with a role that allows the action.' },
    reject:  { from: ['PENDING', 'APPROVED'], to: 'REJECTED', emits: [], description: 'By another operator with a role that allows the action; after an approval, only while nothing was executed.' },
    expire:  { from: ['PENDING'],  to: 'EXPIRED',  emits: [] },
    execute: { from: ['APPROVED'], to: 'EXECUTED', emits: [] },
    fail:    { from: ['APPROVED'], to: 'FAILED',   emits: [], description: `The resource changed after the request, or nothing was executed within ${CARRY_OUT_HOURS} hours.` },
  },
});

export type ApprovalState = StateOf<typeof approvalMachine>;
export type ApprovalMove = MoveOf<typeof approvalMachine>;

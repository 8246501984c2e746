//! The life of a withdrawal. Its money is held from the beginning until it ends.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const withdrawalMachine = defineMachine({
  name: 'withdrawal',
  initial: 'WITHDRAWAL_CREATED',
  born: ['withdrawal.created'],
  inFlight: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING'],
  states: {
    WITHDRAWAL_CREATED: 'Asked for; the money is held.',
    WITHDRAWAL_COMMITTED: 'Confirmed; the pay-out is being sent.',
    WITHDRAWAL_PENDING: 'The pay-out is on its way.',
    WITHDRAWAL_PENDING_USER_ACTION: 'The recipient must do something first.',
    WITHDRAWAL_COMPLETED: 'Paid out; the hold is consumed.',
    WITHDRAWAL_FAILED: 'Not paid out; the hold is given back.',
    WITHDRAWAL_CANCELED: 'Given up; the hold is given back.',
  },
  moves: {
    commit:          { from: ['WITHDRAWAL_CREATED'], to: 'WITHDRAWAL_COMMITTED', emits: ['withdrawal.committed'] },
    pend:            { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_PENDING', emits: ['withdrawal.pending'], means: 'Also after the recipient has acted.' },
    awaitUser:       { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING'], to: 'WITHDRAWAL_PENDING_USER_ACTION', emits: ['withdrawal.pending_user_action'] },
    complete:        { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_COMPLETED', emits: ['withdrawal.completed'], means: 'Also straight from WITHDRAWAL_CREATED: what the provider has paid is paid.' },
    fail:            { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_FAILED', emits: ['withdrawal.failed'] },
    canceledOutside: { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_CANCELED', emits: ['withdrawal.canceled'], means: 'By the payment provider, the recipient or an operator.' },
  },
});

export type WithdrawalState = StateOf<typeof withdrawalMachine>;
export type WithdrawalMove = MoveOf<typeof withdrawalMachine>;

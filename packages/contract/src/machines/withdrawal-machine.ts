//! The life cycle of a withdrawal. Its money is held from its creation until it ends.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const withdrawalMachine = defineMachine({
  name: 'withdrawal',
  initial: 'WITHDRAWAL_CREATED',
  initialEvents: ['withdrawal.created'],
  inFlight: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING'],
  states: {
    WITHDRAWAL_CREATED: 'Created. The amount is reserved until it is confirmed, canceled or expires.',
    WITHDRAWAL_COMMITTED: 'Confirmed. The payout is being sent.',
    WITHDRAWAL_PENDING: 'The payout is in transit.',
    WITHDRAWAL_PENDING_USER_ACTION: 'Waiting for the recipient to act at the payment provider.',
    WITHDRAWAL_COMPLETED: 'Paid out. The reserved amount was debited.',
    WITHDRAWAL_FAILED: 'Not paid out. The amount is available to the user again.',
    WITHDRAWAL_CANCELED: 'Canceled. The amount is available to the user again.',
  },
  moves: {
    commit:          { from: ['WITHDRAWAL_CREATED'], to: 'WITHDRAWAL_COMMITTED', emits: ['withdrawal.committed'] },
    pend:            { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_PENDING', emits: ['withdrawal.pending'], description: 'Also after the recipient has acted.' },
    awaitUser:       { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING'], to: 'WITHDRAWAL_PENDING_USER_ACTION', emits: ['withdrawal.pending_user_action'] },
    complete:        { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_COMPLETED', emits: ['withdrawal.completed'], description: 'Also directly from WITHDRAWAL_CREATED: a payment made by the provider is final.' },
    fail:            { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_FAILED', emits: ['withdrawal.failed'] },
    cancel:          { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_CANCELED', emits: ['withdrawal.canceled'], description: 'By a caller, or by Holdfast when it was not confirmed in time. A payout that was sent is canceled at the payment provider first.' },
    canceledUpstream: { from: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'], to: 'WITHDRAWAL_CANCELED', emits: ['withdrawal.canceled'], description: 'At the payment provider, by the provider or the recipient.' },
  },
});

export type WithdrawalState = StateOf<typeof withdrawalMachine>;
export type WithdrawalMove = MoveOf<typeof withdrawalMachine>;

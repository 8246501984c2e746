//! The life cycle of a top-up: forward jumps are allowed, steps back are not.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const topupMachine = defineMachine({
  name: 'topup',
  initial: 'TOPUP_CREATED',
  initialEvents: ['topup.created'],
  inFlight: ['TOPUP_CREATED', 'TOPUP_PROCESSING'],
  states: {
    TOPUP_CREATED: 'Created. Being registered with the payment provider.',
    TOPUP_AWAITING_USER_CONFIRMATION: 'Waiting for the user to confirm on the payment page.',
    TOPUP_PROCESSING: 'The payment provider is processing the payment.',
    TOPUP_SUCCEEDED: 'The money was received and credited.',
    TOPUP_FAILED: 'The payment failed.',
    TOPUP_CANCELED: 'Canceled. A later payment is posted to suspense and recorded in the audit log.',
  },
  moves: {
    awaitConfirmation: { from: ['TOPUP_CREATED'], to: 'TOPUP_AWAITING_USER_CONFIRMATION', emits: ['topup.confirmation_required'] },
    startProcessing:   { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION'], to: 'TOPUP_PROCESSING', emits: ['topup.processing'] },
    succeed:           { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'], to: 'TOPUP_SUCCEEDED', emits: ['topup.succeeded'], description: 'Only when code, amount and currency match; otherwise the money goes to suspense.' },
    fail:              { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'], to: 'TOPUP_FAILED', emits: ['topup.failed'] },
    cancel:            { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION'], to: 'TOPUP_CANCELED', emits: ['topup.canceled'], description: 'By a caller.' },
    canceledUpstream:   { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'], to: 'TOPUP_CANCELED', emits: ['topup.canceled'], description: 'By the user on the payment page, or by the payment provider.' },
  },
});

export type TopupState = StateOf<typeof topupMachine>;
export type TopupMove = MoveOf<typeof topupMachine>;

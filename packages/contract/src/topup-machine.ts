//! The life of a top-up: forward jumps are allowed, steps back are not.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const topupMachine = defineMachine({
  name: 'topup',
  initial: 'TOPUP_CREATED',
  born: ['topup.created'],
  inFlight: ['TOPUP_CREATED', 'TOPUP_PROCESSING'],
  states: {
    TOPUP_CREATED: 'Asked for; the payment provider is being told.',
    TOPUP_AWAITING_USER_CONFIRMATION: 'The user must confirm on the pay page.',
    TOPUP_PROCESSING: 'The payment provider is working on it.',
    TOPUP_SUCCEEDED: 'The money came in and is credited.',
    TOPUP_FAILED: 'The money did not come in.',
    TOPUP_CANCELED: 'Given up. Money that comes in later goes to suspense and is raised.',
  },
  moves: {
    awaitConfirmation: { from: ['TOPUP_CREATED'], to: 'TOPUP_AWAITING_USER_CONFIRMATION', emits: ['topup.confirmation_required'] },
    startProcessing:   { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION'], to: 'TOPUP_PROCESSING', emits: ['topup.processing'] },
    succeed:           { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'], to: 'TOPUP_SUCCEEDED', emits: ['topup.succeeded'], means: 'Only when code, amount and currency match; else the money goes to suspense.' },
    fail:              { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'], to: 'TOPUP_FAILED', emits: ['topup.failed'] },
    cancel:            { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION'], to: 'TOPUP_CANCELED', emits: ['topup.canceled'], means: 'By a caller.' },
    canceledOutside:   { from: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'], to: 'TOPUP_CANCELED', emits: ['topup.canceled'], means: 'By the user on the pay page, or by the payment provider.' },
  },
});

export type TopupState = StateOf<typeof topupMachine>;
export type TopupMove = MoveOf<typeof topupMachine>;

//! The life cycle of an order. Its escrow and its dispute move with it: see lifecycle.ts.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const orderMachine = defineMachine({
  name: 'order',
  initial: 'ORDER_CREATED',
  initialEvents: ['order.created'],
  inFlight: ['ESCROW_CREATING', 'ESCROW_FUNDING', 'RELEASE_REQUESTED', 'REFUND_REQUESTED'],
  states: {
    ORDER_CREATED: 'Created; no money is reserved.',
    FUNDS_RESERVED: 'The money of the buyer is reserved.',
    ESCROW_CREATING: 'The contract is being deployed.',
    ESCROW_FUNDING: 'The contract is deployed. The order waits for the call that funds it, or for that call to end.',
    IN_PROGRESS: 'The contract holds the money; the seller can work.',
    RELEASE_REQUESTED: 'The seller is being paid.',
    RELEASED: 'The seller has been paid.',
    REFUND_REQUESTED: 'The buyer is being refunded.',
    REFUNDED: 'The buyer has been refunded.',
    DISPUTED: 'A party disputes the order; also while a decision is executed.',
    CLOSED: 'Final; closeReason has the outcome.',
  },
  moves: {
    reserveFunds:   { from: ['ORDER_CREATED'],                   to: 'FUNDS_RESERVED',    emits: ['order.funds_reserved'] },
    cancel:         { from: ['ORDER_CREATED', 'FUNDS_RESERVED'], to: 'CLOSED',            emits: ['order.canceled', 'order.closed'], description: 'Reserved money becomes available again.' },
    openEscrow:     { from: ['FUNDS_RESERVED'],                  to: 'ESCROW_CREATING',   emits: ['order.escrow_creating'] },
    escrowOpened:   { from: ['ESCROW_CREATING'],                 to: 'ESCROW_FUNDING',    emits: ['order.escrow_funding'], description: 'The contract id is known from the reply, a webhook or the network.' },
    escrowRefused:  { from: ['ESCROW_CREATING'],                 to: 'FUNDS_RESERVED',    emits: [], undo: true },
    escrowFunded:   { from: ['ESCROW_FUNDING'],                  to: 'IN_PROGRESS',       emits: ['order.escrow_funded', 'order.in_progress'] },
    fundingRefused: { from: ['ESCROW_FUNDING'],                  to: 'FUNDS_RESERVED',    emits: [], undo: true, description: 'The money is reserved again and the escrow is archived, so that another can be created.' },
    requestRelease: { from: ['IN_PROGRESS'],                     to: 'RELEASE_REQUESTED', emits: ['order.release_requested'] },
    release:        { from: ['RELEASE_REQUESTED'],               to: 'RELEASED',          emits: ['order.released'] },
    releaseRefused: { from: ['RELEASE_REQUESTED'],               to: 'IN_PROGRESS',       emits: [], undo: true, description: 'Only while no call has moved money.' },
    requestRefund:  { from: ['IN_PROGRESS'],                     to: 'REFUND_REQUESTED',  emits: ['order.refund_requested'] },
    refund:         { from: ['REFUND_REQUESTED'],                to: 'REFUNDED',          emits: ['order.refunded'] },
    refundRefused:  { from: ['REFUND_REQUESTED'],                to: 'IN_PROGRESS',       emits: [], undo: true, description: 'Only while no call has moved money.' },
    openDispute:    { from: ['IN_PROGRESS'],                     to: 'DISPUTED',          emits: ['order.disputed'] },
    awardSeller:    { from: ['DISPUTED'],                        to: 'RELEASED',          emits: ['order.released'] },
    awardBuyer:     { from: ['DISPUTED'],                        to: 'REFUNDED',          emits: ['order.refunded'] },
    awardBoth:      { from: ['DISPUTED'],                        to: 'RELEASED',          emits: ['order.released', 'order.refunded'], description: 'A split: each event has its own amount.' },
    close:          { from: ['RELEASED', 'REFUNDED'],            to: 'CLOSED',            emits: ['order.closed'] },
  },
});

export type OrderState = StateOf<typeof orderMachine>;
export type OrderMove = MoveOf<typeof orderMachine>;

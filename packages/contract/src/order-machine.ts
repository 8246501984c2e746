//! The life of an order. Its escrow and its dispute move with it: see lifecycle.ts.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const orderMachine = defineMachine({
  name: 'order',
  initial: 'ORDER_CREATED',
  born: ['order.created'],
  inFlight: ['ESCROW_CREATING', 'ESCROW_FUNDING', 'RELEASE_REQUESTED', 'REFUND_REQUESTED'],
  states: {
    ORDER_CREATED: 'Agreed; no money is set aside.',
    FUNDS_RESERVED: "The buyer's money is set aside.",
    ESCROW_CREATING: 'The contract is being deployed.',
    ESCROW_FUNDING: 'The contract is deployed; it waits for the money, or the money is on its way.',
    IN_PROGRESS: 'The contract holds the money and the seller works.',
    RELEASE_REQUESTED: 'The seller is being paid.',
    RELEASED: 'The seller has been paid.',
    REFUND_REQUESTED: 'The buyer is getting the money back.',
    REFUNDED: 'The buyer has the money back.',
    DISPUTED: 'A party disputes the order; also while a decision is carried out.',
    CLOSED: 'Nothing more happens; closeReason says how it ended.',
  },
  moves: {
    reserveFunds:   { from: ['ORDER_CREATED'],                   to: 'FUNDS_RESERVED',    emits: ['order.funds_reserved'] },
    cancel:         { from: ['ORDER_CREATED', 'FUNDS_RESERVED'], to: 'CLOSED',            emits: ['order.canceled', 'order.closed'], means: 'What was reserved becomes available again.' },
    openEscrow:     { from: ['FUNDS_RESERVED'],                  to: 'ESCROW_CREATING',   emits: ['order.escrow_creating'] },
    escrowOpened:   { from: ['ESCROW_CREATING'],                 to: 'ESCROW_FUNDING',    emits: ['order.escrow_funding'], means: 'The contract id is known, by the answer, a webhook or the network.' },
    escrowRefused:  { from: ['ESCROW_CREATING'],                 to: 'FUNDS_RESERVED',    emits: [], undo: true },
    escrowFunded:   { from: ['ESCROW_FUNDING'],                  to: 'IN_PROGRESS',       emits: ['order.escrow_funded', 'order.in_progress'] },
    fundingRefused: { from: ['ESCROW_FUNDING'],                  to: 'FUNDS_RESERVED',    emits: [], undo: true, means: 'The money is reserved again and the escrow archived, so that another can be created.' },
    requestRelease: { from: ['IN_PROGRESS'],                     to: 'RELEASE_REQUESTED', emits: ['order.release_requested'] },
    release:        { from: ['RELEASE_REQUESTED'],               to: 'RELEASED',          emits: ['order.released'] },
    releaseRefused: { from: ['RELEASE_REQUESTED'],               to: 'IN_PROGRESS',       emits: [], undo: true, means: 'Only while no call has moved money.' },
    requestRefund:  { from: ['IN_PROGRESS'],                     to: 'REFUND_REQUESTED',  emits: ['order.refund_requested'] },
    refund:         { from: ['REFUND_REQUESTED'],                to: 'REFUNDED',          emits: ['order.refunded'] },
    refundRefused:  { from: ['REFUND_REQUESTED'],                to: 'IN_PROGRESS',       emits: [], undo: true, means: 'Only while no call has moved money.' },
    openDispute:    { from: ['IN_PROGRESS'],                     to: 'DISPUTED',          emits: ['order.disputed'] },
    awardSeller:    { from: ['DISPUTED'],                        to: 'RELEASED',          emits: ['order.released'] },
    awardBuyer:     { from: ['DISPUTED'],                        to: 'REFUNDED',          emits: ['order.refunded'] },
    awardBoth:      { from: ['DISPUTED'],                        to: 'RELEASED',          emits: ['order.released', 'order.refunded'], means: 'A split: each event tells its own part.' },
    close:          { from: ['RELEASED', 'REFUNDED'],            to: 'CLOSED',            emits: ['order.closed'] },
  },
});

export type OrderState = StateOf<typeof orderMachine>;
export type OrderMove = MoveOf<typeof orderMachine>;

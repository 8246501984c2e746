//! The life of an escrow: our row about one contract on the ledger network.
import { defineMachine, type MoveOf, type StateOf, statesOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const escrowMachine = defineMachine({
  name: 'escrow',
  initial: 'CREATING',
  inFlight: ['CREATING', 'FUNDING'],
  states: {
    CREATING: 'The contract is being deployed, or is deployed and its id not known yet.',
    CREATED: 'The contract is deployed and empty.',
    FUNDING: 'The reservation is consumed; the money may be moving.',
    FUNDED: 'The contract holds the money.',
    RELEASED: 'The contract has paid the seller, or both sides by a split.',
    REFUNDED: 'The contract has paid the buyer back.',
    DISPUTED: 'The order is disputed, or the contract was found disputed on the network.',
    ARCHIVED: 'Given up after a proven refusal. Never on the wire: the order shows no escrow.',
  },
  moves: {
    deployed:       { from: ['CREATING'], to: 'CREATED',  emits: ['escrow.created'], means: 'The contract id is known, by the answer, a webhook or the network.' },
    deployRefused:  { from: ['CREATING'], to: 'ARCHIVED', emits: [], undo: true },
    startFunding:   { from: ['CREATED'],  to: 'FUNDING',  emits: ['escrow.funding_started'], means: 'In the transaction that consumes the reservation, before the provider is called.' },
    funded:         { from: ['FUNDING'],  to: 'FUNDED',   emits: ['escrow.funded'] },
    fundingRefused: { from: ['FUNDING'],  to: 'ARCHIVED', emits: [], undo: true },
    release:        { from: ['FUNDED'],   to: 'RELEASED', emits: ['escrow.released'] },
    refund:         { from: ['FUNDED'],   to: 'REFUNDED', emits: ['escrow.refunded'] },
    dispute:        { from: ['FUNDED'],   to: 'DISPUTED', emits: [], means: 'A party opened a dispute; nothing is sent to the network.' },
    foundDisputed:  { from: ['FUNDED'],   to: 'DISPUTED', emits: [], means: 'The network shows the flag, and no operation of ours is in flight. The way on is a dispute.' },
    awardSeller:    { from: ['DISPUTED'], to: 'RELEASED', emits: ['escrow.released'] },
    awardBuyer:     { from: ['DISPUTED'], to: 'REFUNDED', emits: ['escrow.refunded'] },
    awardBoth:      { from: ['DISPUTED'], to: 'RELEASED', emits: ['escrow.released', 'escrow.refunded'], means: 'A split: each event tells its own part.' },
  },
});

export type EscrowState = StateOf<typeof escrowMachine>;
export type EscrowMove = MoveOf<typeof escrowMachine>;

/** What a caller can see: an archived escrow is shown as none. */
export type ShownEscrowState = Exclude<EscrowState, 'ARCHIVED'>;
export const SHOWN_ESCROW_STATES = statesOf(escrowMachine).filter(
  (state): state is ShownEscrowState => state !== 'ARCHIVED',
);

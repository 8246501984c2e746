//! The life cycle of an escrow: our row about one contract on the Stellar network.
import { defineMachine, type MoveOf, type StateOf, statesOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const escrowMachine = defineMachine({
  name: 'escrow',
  initial: 'CREATING',
  inFlight: ['CREATING', 'FUNDING'],
  states: {
    CREATING: 'The contract is being deployed, or its id is not known yet.',
    CREATED: 'The contract is deployed and not funded.',
    FUNDING: 'The reserved money is being moved to the contract.',
    FUNDED: 'The contract holds the money.',
    RELEASED: 'The contract has paid the seller, or both parties in a split.',
    REFUNDED: 'The contract has refunded the buyer.',
    DISPUTED: 'The order is disputed, or the contract was found disputed on the network.',
    ARCHIVED: 'Abandoned: the provider rejected the deployment or the funding. Never returned by the API: the order shows no escrow.',
  },
  moves: {
    deployed:       { from: ['CREATING'], to: 'CREATED',  emits: ['escrow.created'], description: 'The contract id is known from the reply, a webhook or the network.' },
    deployRefused:  { from: ['CREATING'], to: 'ARCHIVED', emits: [], undo: true },
    startFunding:   { from: ['CREATED'],  to: 'FUNDING',  emits: ['escrow.funding_started'], description: 'In the transaction that consumes the reservation, before the provider is called.' },
    funded:         { from: ['FUNDING'],  to: 'FUNDED',   emits: ['escrow.funded'] },
    fundingRefused: { from: ['FUNDING'],  to: 'ARCHIVED', emits: [], undo: true },
    release:        { from: ['FUNDED'],   to: 'RELEASED', emits: ['escrow.released'] },
    refund:         { from: ['FUNDED'],   to: 'REFUNDED', emits: ['escrow.refunded'] },
    dispute:        { from: ['FUNDED'],   to: 'DISPUTED', emits: [], description: 'A party opened a dispute; nothing is sent to the network.' },
    foundDisputed:  { from: ['FUNDED'],   to: 'DISPUTED', emits: [], description: 'The network shows the contract as disputed, and no operation is in progress. A dispute has to be opened.' },
    awardSeller:    { from: ['DISPUTED'], to: 'RELEASED', emits: ['escrow.released'] },
    awardBuyer:     { from: ['DISPUTED'], to: 'REFUNDED', emits: ['escrow.refunded'] },
    awardBoth:      { from: ['DISPUTED'], to: 'RELEASED', emits: ['escrow.released', 'escrow.refunded'], description: 'A split: each event has its own amount.' },
  },
});

export type EscrowState = StateOf<typeof escrowMachine>;
export type EscrowMove = MoveOf<typeof escrowMachine>;

/** What a caller can see: an archived escrow is shown as none. */
export type ShownEscrowState = Exclude<EscrowState, 'ARCHIVED'>;
export const SHOWN_ESCROW_STATES = statesOf(escrowMachine).filter(
  (state): state is ShownEscrowState => state !== 'ARCHIVED',
);

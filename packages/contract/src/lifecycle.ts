//! Order, escrow and dispute as one life: which operation moves what together.
import { type DisputeMove, type DisputeState, disputeMachine } from '#dispute-machine';
import { type EscrowMove, type EscrowState, escrowMachine } from '#escrow-machine';
import { canMove, moveSources } from '#machine';
import { type OrderMove, type OrderState, orderMachine } from '#order-machine';

/** Where an order stands with all that hangs on it. NONE: there is no such row yet. */
export interface Joint {
  readonly order: OrderState;
  /** The latest escrow: an archived one makes room for another. */
  readonly escrow: EscrowState | 'NONE';
  readonly dispute: DisputeState | 'NONE';
}

/** What one transaction does: all of it, or none of it. */
export interface Step {
  readonly does: 'request' | 'done' | 'refused' | 'found';
  readonly means: string;
  readonly order?: readonly OrderMove[];
  /** BEGIN makes the row, in its machine's initial state. */
  readonly escrow?: EscrowMove | 'BEGIN';
  readonly dispute?: DisputeMove | 'BEGIN';
  /** What must hold beyond what the moves themselves ask. */
  readonly when?: {
    readonly order?: readonly OrderState[];
    readonly escrow?: readonly Joint['escrow'][];
    readonly dispute?: readonly Joint['dispute'][];
  };
}

const noEscrow = ['NONE', 'ARCHIVED'] as const;
const held = { escrow: ['FUNDED'], dispute: ['NONE'] } as const;

// biome-ignore format: a table is the one thing exempt from the line limit.
export const lifecycle = {
  reserve:              { does: 'request', means: "sets the buyer's money aside", order: ['reserveFunds'] },
  cancel:               { does: 'request', means: 'gives the order up', order: ['cancel'], when: { escrow: noEscrow } },
  create_escrow:        { does: 'request', means: 'begins the deployment', order: ['openEscrow'], escrow: 'BEGIN', when: { escrow: noEscrow } },
  escrow_deployed:      { does: 'done',    means: 'the contract id is known', order: ['escrowOpened'], escrow: 'deployed' },
  deploy_refused:       { does: 'refused', means: 'the deployment came to nothing', order: ['escrowRefused'], escrow: 'deployRefused' },
  fund_escrow:          { does: 'request', means: 'consumes the reservation', escrow: 'startFunding', when: { order: ['ESCROW_FUNDING'] } },
  escrow_funded:        { does: 'done',    means: 'the contract holds the money', order: ['escrowFunded'], escrow: 'funded' },
  funding_refused:      { does: 'refused', means: 'the money is reserved again', order: ['fundingRefused'], escrow: 'fundingRefused' },
  complete_milestone:   { does: 'request', means: 'a milestone is done', when: { order: ['IN_PROGRESS'] } },
  release:              { does: 'request', means: 'begins to pay the seller', order: ['requestRelease'], when: held },
  released:             { does: 'done',    means: 'the seller is paid', order: ['release', 'close'], escrow: 'release' },
  release_refused:      { does: 'refused', means: 'no money has moved', order: ['releaseRefused'] },
  refund:               { does: 'request', means: 'begins to pay the buyer back', order: ['requestRefund'], when: held },
  refunded:             { does: 'done',    means: 'the buyer is paid back', order: ['refund', 'close'], escrow: 'refund' },
  refund_refused:       { does: 'refused', means: 'no money has moved', order: ['refundRefused'] },
  found_disputed:       { does: 'found',   means: 'the network shows the contract disputed', escrow: 'foundDisputed', when: { order: ['IN_PROGRESS'] } },
  dispute:              { does: 'request', means: 'a party disputes', order: ['openDispute'], escrow: 'dispute', dispute: 'BEGIN', when: { dispute: ['NONE'] } },
  dispute_after_found:  { does: 'request', means: 'a party disputes what the network shows disputed already', order: ['openDispute'], dispute: 'BEGIN', when: { escrow: ['DISPUTED'], dispute: ['NONE'] } },
  assign:               { does: 'request', means: 'an agent takes the dispute up', dispute: 'assign', when: { order: ['DISPUTED'] } },
  resolved_for_seller:  { does: 'done',    means: 'FULL_RELEASE is carried out', order: ['awardSeller', 'close'], escrow: 'awardSeller', dispute: 'resolve' },
  resolved_for_buyer:   { does: 'done',    means: 'FULL_REFUND is carried out', order: ['awardBuyer', 'close'], escrow: 'awardBuyer', dispute: 'resolve' },
  resolved_by_split:    { does: 'done',    means: 'SPLIT is carried out', order: ['awardBoth', 'close'], escrow: 'awardBoth', dispute: 'resolve' },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof lifecycle;

export const START: Joint = { order: orderMachine.initial, escrow: 'NONE', dispute: 'NONE' };

/** The states a step passes through, the last one last; undefined when it cannot happen here. */
export function take(step: Step, at: Joint): readonly Joint[] | undefined {
  if (!holds(step.when?.order, at.order)) return undefined;
  if (!holds(step.when?.escrow, at.escrow)) return undefined;
  if (!holds(step.when?.dispute, at.dispute)) return undefined;
  const escrow = moved(escrowMachine, at.escrow, step.escrow);
  const dispute = moved(disputeMachine, at.dispute, step.dispute);
  if (escrow === undefined || dispute === undefined) return undefined;
  const passed: Joint[] = [];
  let order = at.order;
  for (const move of step.order ?? []) {
    if (!canMove(orderMachine, order, move)) return undefined;
    order = orderMachine.moves[move].to;
    passed.push({ order, escrow, dispute });
  }
  return passed.length > 0 ? passed : [{ order, escrow, dispute }];
}

function holds<S>(allowed: readonly S[] | undefined, state: S): boolean {
  return allowed === undefined || allowed.includes(state);
}

function moved<S extends string, M extends string>(
  machine: {
    initial: S;
    moves: Readonly<Record<M, { from: readonly S[]; to: S }>>;
  },
  state: S | 'NONE',
  move: M | 'BEGIN' | undefined,
): S | 'NONE' | undefined {
  if (move === undefined) return state;
  if (move === 'BEGIN') return machine.initial;
  const { from, to } = machine.moves[move];
  return state !== 'NONE' && from.includes(state) ? to : undefined;
}

/** What `allowedActions` tells about, with the order states in which each may happen. */
export const ORDER_ACTIONS = {
  reserve: statesFor(lifecycle.reserve),
  cancel: statesFor(lifecycle.cancel),
  create_escrow: statesFor(lifecycle.create_escrow),
  fund_escrow: statesFor(lifecycle.fund_escrow),
  complete_milestone: statesFor(lifecycle.complete_milestone),
  release: statesFor(lifecycle.release),
  refund: statesFor(lifecycle.refund),
  dispute: statesFor(lifecycle.dispute),
} as const;

export type OrderAction = keyof typeof ORDER_ACTIONS;
export const ORDER_ACTION_NAMES = Object.keys(ORDER_ACTIONS) as readonly OrderAction[];

function statesFor(step: Step): readonly OrderState[] {
  const first = step.order?.[0];
  return first === undefined ? (step.when?.order ?? []) : moveSources(orderMachine, first);
}

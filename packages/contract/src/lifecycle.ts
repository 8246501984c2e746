//! The joint life cycle of order, escrow and dispute: which moves an operation makes together.

import { canMove, moveSources } from '#machine';
import { type DisputeMove, type DisputeState, disputeMachine } from '#machines/dispute-machine';
import { type EscrowMove, type EscrowState, escrowMachine } from '#machines/escrow-machine';
import { type OrderMove, type OrderState, orderMachine } from '#machines/order-machine';

/** The states of an order, its escrow and its dispute. NONE: the row does not exist yet. */
export interface Joint {
  readonly order: OrderState;
  /** The latest escrow: an archived one makes room for another. */
  readonly escrow: EscrowState | 'NONE';
  readonly dispute: DisputeState | 'NONE';
}

/** The moves that one transaction makes together. */
export interface Step {
  readonly trigger: 'request' | 'done' | 'refused' | 'found';
  readonly description: string;
  readonly order?: readonly OrderMove[];
  /** CREATE inserts the row, in its machine's initial state. */
  readonly escrow?: EscrowMove | 'CREATE';
  readonly dispute?: DisputeMove | 'CREATE';
  /** Conditions beyond those of the moves themselves. */
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
  reserve:              { trigger: 'request', description: 'reserves the money of the buyer', order: ['reserveFunds'] },
  cancel:               { trigger: 'request', description: 'cancels the order', order: ['cancel'], when: { escrow: noEscrow } },
  create_escrow:        { trigger: 'request', description: 'starts the deployment', order: ['openEscrow'], escrow: 'CREATE', when: { escrow: noEscrow } },
  escrow_deployed:      { trigger: 'done',    description: 'the contract id is known', order: ['escrowOpened'], escrow: 'deployed' },
  deploy_refused:       { trigger: 'refused', description: 'the deployment was refused', order: ['escrowRefused'], escrow: 'deployRefused' },
  fund_escrow:          { trigger: 'request', description: 'consumes the reservation', escrow: 'startFunding', when: { order: ['ESCROW_FUNDING'] } },
  escrow_funded:        { trigger: 'done',    description: 'the contract holds the money', order: ['escrowFunded'], escrow: 'funded' },
  funding_refused:      { trigger: 'refused', description: 'the money is reserved again', order: ['fundingRefused'], escrow: 'fundingRefused' },
  complete_milestone:   { trigger: 'request', description: 'a milestone is done', when: { order: ['IN_PROGRESS'] } },
  release:              { trigger: 'request', description: 'starts the release to the seller', order: ['requestRelease'], when: held },
  released:             { trigger: 'done',    description: 'the seller is paid', order: ['release', 'close'], escrow: 'release' },
  release_refused:      { trigger: 'refused', description: 'no money has moved', order: ['releaseRefused'] },
  refund:               { trigger: 'request', description: 'starts the refund to the buyer', order: ['requestRefund'], when: held },
  refunded:             { trigger: 'done',    description: 'the buyer is refunded', order: ['refund', 'close'], escrow: 'refund' },
  refund_refused:       { trigger: 'refused', description: 'no money has moved', order: ['refundRefused'] },
  found_disputed:       { trigger: 'found',   description: 'the network shows the contract disputed', escrow: 'foundDisputed', when: { order: ['IN_PROGRESS'] } },
  dispute:              { trigger: 'request', description: 'a party disputes', order: ['openDispute'], escrow: 'dispute', dispute: 'CREATE', when: { dispute: ['NONE'] } },
  dispute_after_found:  { trigger: 'request', description: 'a party disputes a contract that the network already shows as disputed', order: ['openDispute'], dispute: 'CREATE', when: { escrow: ['DISPUTED'], dispute: ['NONE'] } },
  assign:               { trigger: 'request', description: 'the dispute is assigned to an agent', dispute: 'assign', when: { order: ['DISPUTED'] } },
  resolved_for_seller:  { trigger: 'done',    description: 'FULL_RELEASE is executed', order: ['awardSeller', 'close'], escrow: 'awardSeller', dispute: 'resolve' },
  resolved_for_buyer:   { trigger: 'done',    description: 'FULL_REFUND is executed', order: ['awardBuyer', 'close'], escrow: 'awardBuyer', dispute: 'resolve' },
  resolved_by_split:    { trigger: 'done',    description: 'SPLIT is executed', order: ['awardBoth', 'close'], escrow: 'awardBoth', dispute: 'resolve' },
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
  move: M | 'CREATE' | undefined,
): S | 'NONE' | undefined {
  if (move === undefined) return state;
  if (move === 'CREATE') return machine.initial;
  const { from, to } = machine.moves[move];
  return state !== 'NONE' && from.includes(state) ? to : undefined;
}

/** The actions in `allowedActions`, with the order states in which each may happen. */
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

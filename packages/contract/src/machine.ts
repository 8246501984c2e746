//! Life cycles as tables: a status changes only through a declared move.
import type { EventName } from '#events';

export interface Move<S extends string = string> {
  readonly from: readonly S[];
  readonly to: S;
  /** Events of this resource's own kind, in the order in which they are published. */
  readonly emits: readonly EventName[];
  /** Takes back the start of a refused call. */
  readonly undo?: true;
  readonly description?: string;
}

export interface Machine<S extends string = string, M extends string = string> {
  readonly name: string;
  readonly initial: S;
  /** Published when the resource comes into being, in its initial state. */
  readonly initialEvents: readonly EventName[];
  /** States that wait for a provider's reply: an operation is still at work. */
  readonly inFlight: readonly S[];
  readonly states: Readonly<Record<S, string>>;
  readonly moves: Readonly<Record<M, Move<S>>>;
}

export type StateOf<T extends Machine> = keyof T['states'] & string;
export type MoveOf<T extends Machine> = keyof T['moves'] & string;

/** A typed identity: a misspelt state or an event that is not in the catalogue does not compile. */
export function defineMachine<const S extends string, const M extends string>(table: {
  readonly name: string;
  readonly initial: NoInfer<S>;
  readonly initialEvents?: readonly EventName[];
  readonly inFlight: readonly NoInfer<S>[];
  readonly states: Readonly<Record<S, string>>;
  readonly moves: Readonly<Record<M, Move<NoInfer<S>>>>;
}): Machine<S, M> {
  return { initialEvents: [], ...table };
}

export function statesOf<S extends string>(machine: Machine<S>): S[] {
  return Object.keys(machine.states) as S[];
}

export function movesOf<M extends string>(machine: Machine<string, M>): M[] {
  return Object.keys(machine.moves) as M[];
}

/** The states that no move leaves. */
export function terminalStates<S extends string>(machine: Machine<S>): S[] {
  const left = new Set(allMoves(machine).flatMap((move) => move.from));
  return statesOf(machine).filter((state) => !left.has(state));
}

/** The states that some sequence of moves leads to, the initial one included. */
export function reachableStates<S extends string>(machine: Machine<S>): Set<S> {
  const reached = new Set<S>([machine.initial]);
  for (const state of reached) {
    for (const move of allMoves(machine)) if (move.from.includes(state)) reached.add(move.to);
  }
  return reached;
}

export function canMove<S extends string, M extends string>(
  machine: Machine<S, M>,
  state: S,
  move: M,
): boolean {
  return machine.moves[move].from.includes(state);
}

/** The states that a move may start from: the guard of its UPDATE. */
export function moveSources<S extends string, M extends string>(
  machine: Machine<S, M>,
  move: M,
): readonly S[] {
  return machine.moves[move].from;
}

function allMoves<S extends string>(machine: Machine<S>): Move<S>[] {
  return Object.values(machine.moves);
}

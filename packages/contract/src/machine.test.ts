//! Checks the functions that read a life cycle, and mistakes in one that must not compile.
import { describe, expect, it } from 'vitest';
import {
  canMove,
  defineMachine,
  moveSources,
  movesOf,
  reachableStates,
  statesOf,
  terminalStates,
} from '#machine';

const gate = defineMachine({
  name: 'gate',
  initial: 'OPEN',
  inFlight: [],
  states: {
    OPEN: 'One can walk through.',
    SHUT: 'One cannot.',
    GONE: 'There is no gate.',
    NEVER: 'Nothing leads here.',
  },
  moves: {
    shut: { from: ['OPEN'], to: 'SHUT', emits: [] },
    open: { from: ['SHUT'], to: 'OPEN', emits: [] },
    remove: { from: ['OPEN', 'SHUT'], to: 'GONE', emits: ['order.closed'] },
  },
});

describe('a machine', () => {
  it('lists its states and moves in the order of the table', () => {
    expect(statesOf(gate)).toEqual(['OPEN', 'SHUT', 'GONE', 'NEVER']);
    expect(movesOf(gate)).toEqual(['shut', 'open', 'remove']);
  });

  it('derives where it ends: in the states that no move leaves', () => {
    expect(terminalStates(gate)).toEqual(['GONE', 'NEVER']);
  });

  it('derives what can be reached from the beginning', () => {
    expect([...reachableStates(gate)].sort()).toEqual(['GONE', 'OPEN', 'SHUT']);
  });

  it('allows a move from its sources and from nowhere else', () => {
    expect(canMove(gate, 'OPEN', 'shut')).toBe(true);
    expect(canMove(gate, 'SHUT', 'shut')).toBe(false);
    expect(canMove(gate, 'GONE', 'remove')).toBe(false);
    expect(moveSources(gate, 'remove')).toEqual(['OPEN', 'SHUT']);
  });

  it('publishes nothing at its birth unless the table says so', () => {
    expect(gate.initialEvents).toEqual([]);
  });
});

const states = { A: 'a', B: 'b' };

/** Never called: the compiler reads it, and complains when one of these lines compiles. */
export function doesNotCompile(): void {
  const table = { name: 'x', initial: 'A', inFlight: [], states } as const;
  // @ts-expect-error a move from a misspelt state
  defineMachine({ ...table, moves: { go: { from: ['AA'], to: 'B', emits: [] } } });
  // @ts-expect-error a move to a misspelt state
  defineMachine({ ...table, moves: { go: { from: ['A'], to: 'BB', emits: [] } } });
  // @ts-expect-error an event that is not in the catalogue
  defineMachine({ ...table, moves: { go: { from: ['A'], to: 'B', emits: ['order.exploded'] } } });
  // @ts-expect-error a misspelt initial state
  defineMachine({ ...table, initial: 'AAA', moves: {} });
  // @ts-expect-error a move that the table does not have
  canMove(gate, 'OPEN', 'slam');
  // @ts-expect-error a state that the table does not have
  canMove(gate, 'AJAR', 'shut');
}

//! What is read off a life cycle, and what does not compile in one.
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

const door = defineMachine({
  name: 'door',
  initial: 'OPEN',
  inFlight: [],
  states: {
    OPEN: 'One can walk through.',
    SHUT: 'One cannot.',
    GONE: 'There is no door.',
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
    expect(statesOf(door)).toEqual(['OPEN', 'SHUT', 'GONE', 'NEVER']);
    expect(movesOf(door)).toEqual(['shut', 'open', 'remove']);
  });

  it('derives where it ends: in the states that no move leaves', () => {
    expect(terminalStates(door)).toEqual(['GONE', 'NEVER']);
  });

  it('derives what can be reached from the beginning', () => {
    expect([...reachableStates(door)].sort()).toEqual(['GONE', 'OPEN', 'SHUT']);
  });

  it('allows a move from its sources and from nowhere else', () => {
    expect(canMove(door, 'OPEN', 'shut')).toBe(true);
    expect(canMove(door, 'SHUT', 'shut')).toBe(false);
    expect(canMove(door, 'GONE', 'remove')).toBe(false);
    expect(moveSources(door, 'remove')).toEqual(['OPEN', 'SHUT']);
  });

  it('publishes nothing at its birth unless the table says so', () => {
    expect(door.born).toEqual([]);
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
  canMove(door, 'OPEN', 'slam');
  // @ts-expect-error a state that the table does not have
  canMove(door, 'AJAR', 'shut');
}

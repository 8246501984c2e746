//! Walks every reachable combination of order, escrow and dispute, and searches for dead ends.
import { describe, expect, it } from 'vitest';
import { errors } from '#errors';
import {
  type Joint,
  lifecycle,
  ORDER_ACTION_NAMES,
  ORDER_ACTIONS,
  START,
  type Step,
  type StepName,
  take,
} from '#lifecycle';
import { type Machine, movesOf, statesOf, terminalStates } from '#machine';
import { disputeMachine } from '#machines/dispute-machine';
import { escrowMachine } from '#machines/escrow-machine';
import { orderMachine } from '#machines/order-machine';

const steps = Object.entries<Step>(lifecycle) as [StepName, Step][];
const keyOf = (joint: Joint) => `${joint.order} ${joint.escrow} ${joint.dispute}`;

interface Explored {
  /** Where a transaction can leave things. */
  readonly rests: Map<string, Joint>;
  /** The same, and what a transaction passes through. */
  readonly passed: Joint[];
  readonly ways: { from: string; step: StepName; to: string }[];
}

function explore(table: readonly (readonly [StepName, Step])[] = steps): Explored {
  const rests = new Map([[keyOf(START), START]]);
  const passed: Joint[] = [START];
  const ways: Explored['ways'] = [];
  for (const [from, joint] of rests) {
    for (const [name, step] of table) {
      const path = take(step, joint);
      const end = path?.at(-1);
      if (path === undefined || end === undefined) continue;
      passed.push(...path);
      rests.set(keyOf(end), end);
      ways.push({ from, step: name, to: keyOf(end) });
    }
  }
  return { rests, passed, ways };
}

/** Everything from which a closed order can be reached. */
function ableToClose({ rests, ways }: Explored): Set<string> {
  const able = new Set([...rests].filter(([, at]) => at.order === 'CLOSED').map(([key]) => key));
  for (let size = -1; size !== able.size; ) {
    size = able.size;
    for (const { from, to } of ways) if (able.has(to)) able.add(from);
  }
  return able;
}

const world = explore();

describe('order, escrow and dispute together', () => {
  it('have no dead end: from every state an order can still be closed', () => {
    const able = ableToClose(world);
    expect([...world.rests.keys()].filter((key) => !able.has(key))).toEqual([]);
    expect(world.rests.size).toBeGreaterThan(15);
  });

  it('would have a dead end if a refused funding kept its escrow', () => {
    const altered = steps
      .filter(([name]) => name !== 'cancel')
      .map(([name, { escrow, ...step }]): [StepName, Step] =>
        name === 'funding_refused' || escrow === undefined
          ? [name, step]
          : [name, { ...step, escrow }],
      );
    const broken = explore(altered);
    const able = ableToClose(broken);
    expect([...broken.rests.keys()].filter((key) => !able.has(key))).toContain(
      'FUNDS_RESERVED FUNDING NONE',
    );
  });

  it.each<[string, Machine, keyof Joint]>([
    ['order', orderMachine, 'order'],
    ['escrow', escrowMachine, 'escrow'],
    ['dispute', disputeMachine, 'dispute'],
  ])('reach every state of the %s', (_, machine, part) => {
    const reached = new Set<string>(world.passed.map((joint) => joint[part]));
    reached.delete('NONE');
    expect([...reached].sort()).toEqual([...statesOf(machine)].sort());
  });

  it('use every move of the three tables', () => {
    const used = (part: 'order' | 'escrow' | 'dispute') =>
      new Set(steps.flatMap(([, step]) => step[part] ?? []).filter((move) => move !== 'CREATE'));
    expect([...used('order')].sort()).toEqual(movesOf(orderMachine).sort());
    expect([...used('escrow')].sort()).toEqual(movesOf(escrowMachine).sort());
    expect([...used('dispute')].sort()).toEqual(movesOf(disputeMachine).sort());
  });

  it('take every step somewhere', () => {
    const taken = new Set(world.ways.map((way) => way.step));
    expect(steps.map(([name]) => name).filter((name) => !taken.has(name))).toEqual([]);
  });

  it('do nothing more once an order is closed', () => {
    const closed = [...world.rests].filter(([, at]) => at.order === 'CLOSED').map(([key]) => key);
    expect(world.ways.filter((way) => closed.includes(way.from))).toEqual([]);
    expect(closed.length).toBeGreaterThan(4);
  });

  it('never rest where money is settled and the order is not closed', () => {
    for (const { order, escrow } of world.rests.values()) {
      expect(['RELEASED', 'REFUNDED']).not.toContain(order);
      if (escrow === 'RELEASED' || escrow === 'REFUNDED') expect(order).toBe('CLOSED');
    }
  });

  it('show an escrow that holds money only while the order can settle it', () => {
    for (const { order, escrow, dispute } of world.rests.values()) {
      if (escrow === 'FUNDED') {
        expect(['IN_PROGRESS', 'RELEASE_REQUESTED', 'REFUND_REQUESTED']).toContain(order);
      }
      if (escrow === 'DISPUTED') expect(['IN_PROGRESS', 'DISPUTED']).toContain(order);
      if (order === 'DISPUTED') expect(['OPEN', 'UNDER_REVIEW']).toContain(dispute);
      if (escrow === 'FUNDING') expect(order).toBe('ESCROW_FUNDING');
    }
  });

  it('show an unresolved dispute in the status, so DISPUTE_ALREADY_OPEN is reserved', () => {
    for (const { order, dispute } of world.rests.values())
      if (dispute === 'OPEN' || dispute === 'UNDER_REVIEW') expect(order).toBe('DISPUTED');
    expect(errors.DISPUTE_ALREADY_OPEN.reserved).toBeDefined();
  });

  it('end every dispute as RESOLVED with a closed order', () => {
    expect(terminalStates(disputeMachine)).toEqual(['RESOLVED']);
    for (const { order, dispute } of world.rests.values()) {
      expect(dispute === 'RESOLVED').toBe(order === 'CLOSED' && dispute !== 'NONE');
    }
  });

  it('can cancel only before an escrow, and again after one was archived', () => {
    const from = world.ways.filter((way) => way.step === 'cancel').map((way) => way.from);
    expect(from.sort()).toEqual([
      'FUNDS_RESERVED ARCHIVED NONE',
      'FUNDS_RESERVED NONE NONE',
      'ORDER_CREATED NONE NONE',
    ]);
  });
});

describe('the allowed actions of an order', () => {
  it('are eight, with the states in which each may happen', () => {
    expect(ORDER_ACTIONS).toEqual({
      reserve: ['ORDER_CREATED'],
      cancel: ['ORDER_CREATED', 'FUNDS_RESERVED'],
      create_escrow: ['FUNDS_RESERVED'],
      fund_escrow: ['ESCROW_FUNDING'],
      complete_milestone: ['IN_PROGRESS'],
      release: ['IN_PROGRESS'],
      refund: ['IN_PROGRESS'],
      dispute: ['IN_PROGRESS'],
    });
  });

  it.each([...ORDER_ACTION_NAMES])('%s happens in exactly those states', (action) => {
    const found = new Set(
      [...world.rests.values()]
        .filter((joint) => take(lifecycle[action], joint) !== undefined)
        .map((joint) => joint.order),
    );
    expect([...found].sort()).toEqual([...ORDER_ACTIONS[action]].sort());
  });
});

//! Compares every state and every move of all life cycles with a second statement of them.
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '#events';
import {
  canMove,
  type Machine,
  movesOf,
  reachableStates,
  statesOf,
  terminalStates,
} from '#machine';
import { machines } from '#machines';

/** Which state each move leads to, stated apart from the tables: anything missing is refused. */
const expected: Record<string, Record<string, Record<string, string>>> = {
  order: {
    ORDER_CREATED: { reserveFunds: 'FUNDS_RESERVED', cancel: 'CLOSED' },
    FUNDS_RESERVED: { openEscrow: 'ESCROW_CREATING', cancel: 'CLOSED' },
    ESCROW_CREATING: { escrowOpened: 'ESCROW_FUNDING', escrowRefused: 'FUNDS_RESERVED' },
    ESCROW_FUNDING: { escrowFunded: 'IN_PROGRESS', fundingRefused: 'FUNDS_RESERVED' },
    IN_PROGRESS: {
      requestRelease: 'RELEASE_REQUESTED',
      requestRefund: 'REFUND_REQUESTED',
      openDispute: 'DISPUTED',
    },
    RELEASE_REQUESTED: { release: 'RELEASED', releaseRefused: 'IN_PROGRESS' },
    REFUND_REQUESTED: { refund: 'REFUNDED', refundRefused: 'IN_PROGRESS' },
    DISPUTED: { awardSeller: 'RELEASED', awardBuyer: 'REFUNDED', awardBoth: 'RELEASED' },
    RELEASED: { close: 'CLOSED' },
    REFUNDED: { close: 'CLOSED' },
    CLOSED: {},
  },
  escrow: {
    CREATING: { deployed: 'CREATED', deployRefused: 'ARCHIVED' },
    CREATED: { startFunding: 'FUNDING' },
    FUNDING: { funded: 'FUNDED', fundingRefused: 'ARCHIVED' },
    FUNDED: {
      release: 'RELEASED',
      refund: 'REFUNDED',
      dispute: 'DISPUTED',
      foundDisputed: 'DISPUTED',
    },
    DISPUTED: { awardSeller: 'RELEASED', awardBuyer: 'REFUNDED', awardBoth: 'RELEASED' },
    RELEASED: {},
    REFUNDED: {},
    ARCHIVED: {},
  },
  milestone: { OPEN: { complete: 'COMPLETED' }, COMPLETED: {} },
  dispute: {
    OPEN: { assign: 'UNDER_REVIEW' },
    UNDER_REVIEW: { resolve: 'RESOLVED' },
    RESOLVED: {},
  },
  topup: {
    TOPUP_CREATED: {
      awaitConfirmation: 'TOPUP_AWAITING_USER_CONFIRMATION',
      startProcessing: 'TOPUP_PROCESSING',
      succeed: 'TOPUP_SUCCEEDED',
      fail: 'TOPUP_FAILED',
      cancel: 'TOPUP_CANCELED',
      canceledUpstream: 'TOPUP_CANCELED',
    },
    TOPUP_AWAITING_USER_CONFIRMATION: {
      startProcessing: 'TOPUP_PROCESSING',
      succeed: 'TOPUP_SUCCEEDED',
      fail: 'TOPUP_FAILED',
      cancel: 'TOPUP_CANCELED',
      canceledUpstream: 'TOPUP_CANCELED',
    },
    TOPUP_PROCESSING: {
      succeed: 'TOPUP_SUCCEEDED',
      fail: 'TOPUP_FAILED',
      canceledUpstream: 'TOPUP_CANCELED',
    },
    TOPUP_SUCCEEDED: {},
    TOPUP_FAILED: {},
    TOPUP_CANCELED: {},
  },
  withdrawal: {
    WITHDRAWAL_CREATED: {
      commit: 'WITHDRAWAL_COMMITTED',
      pend: 'WITHDRAWAL_PENDING',
      awaitUser: 'WITHDRAWAL_PENDING_USER_ACTION',
      complete: 'WITHDRAWAL_COMPLETED',
      fail: 'WITHDRAWAL_FAILED',
      cancel: 'WITHDRAWAL_CANCELED',
      canceledUpstream: 'WITHDRAWAL_CANCELED',
    },
    WITHDRAWAL_COMMITTED: {
      pend: 'WITHDRAWAL_PENDING',
      awaitUser: 'WITHDRAWAL_PENDING_USER_ACTION',
      complete: 'WITHDRAWAL_COMPLETED',
      fail: 'WITHDRAWAL_FAILED',
      canceledUpstream: 'WITHDRAWAL_CANCELED',
    },
    WITHDRAWAL_PENDING: {
      awaitUser: 'WITHDRAWAL_PENDING_USER_ACTION',
      complete: 'WITHDRAWAL_COMPLETED',
      fail: 'WITHDRAWAL_FAILED',
      cancel: 'WITHDRAWAL_CANCELED',
      canceledUpstream: 'WITHDRAWAL_CANCELED',
    },
    WITHDRAWAL_PENDING_USER_ACTION: {
      pend: 'WITHDRAWAL_PENDING',
      complete: 'WITHDRAWAL_COMPLETED',
      fail: 'WITHDRAWAL_FAILED',
      cancel: 'WITHDRAWAL_CANCELED',
      canceledUpstream: 'WITHDRAWAL_CANCELED',
    },
    WITHDRAWAL_COMPLETED: {},
    WITHDRAWAL_FAILED: {},
    WITHDRAWAL_CANCELED: {},
  },
  run: { RUNNING: { end: 'DONE' }, DONE: {} },
  exception: { OPEN: { resolve: 'RESOLVED', clear: 'CLEARED' }, RESOLVED: {}, CLEARED: {} },
  webhook: {
    ACTIVE: { pause: 'PAUSED', disable: 'DISABLED' },
    PAUSED: { resume: 'ACTIVE', disable: 'DISABLED' },
    DISABLED: {},
  },
  approval: {
    PENDING: { approve: 'APPROVED', reject: 'REJECTED', expire: 'EXPIRED' },
    APPROVED: { execute: 'EXECUTED', fail: 'FAILED', reject: 'REJECTED' },
    REJECTED: {},
    EXPIRED: {},
    EXECUTED: {},
    FAILED: {},
  },
  operator: {
    INVITED: { enroll: 'ENROLLED', disable: 'DISABLED', reset: 'INVITED' },
    ENROLLED: { activate: 'ACTIVE', void: 'INVITED', disable: 'DISABLED', reset: 'INVITED' },
    ACTIVE: { disable: 'DISABLED', reset: 'INVITED' },
    DISABLED: { enable: 'ACTIVE', reset: 'INVITED' },
  },
  lineage: {
    OPEN: { promote: 'PROMOTED', rewind: 'REWOUND' },
    PROMOTED: { rewind: 'REWOUND', open: 'OPEN' },
    REWOUND: { open: 'OPEN' },
  },
};

const all = Object.entries<Machine>(machines);

it('has all life cycles, each under its own name', () => {
  expect(all.map(([name]) => name)).toEqual(Object.keys(expected));
  for (const [name, machine] of all) expect(machine.name).toBe(name);
});

describe.each(all)('the %s machine', (name, machine) => {
  const table = expected[name] ?? {};
  const pairs = statesOf(machine).flatMap((state) =>
    movesOf(machine).map((move) => [state, move] as const),
  );

  it('has the states that it should have', () => {
    expect(statesOf(machine)).toHaveLength(Object.keys(table).length);
    expect([...statesOf(machine)].sort()).toEqual(Object.keys(table).sort());
  });

  it.each(pairs)('from %s by %s goes where it should, or nowhere', (state, move) => {
    const to = table[state]?.[move];
    expect(canMove(machine, state, move)).toBe(to !== undefined);
    if (to !== undefined) expect(machine.moves[move]?.to).toBe(to);
  });

  it('reaches every state', () => {
    expect([...reachableStates(machine)].sort()).toEqual([...statesOf(machine)].sort());
  });

  it('ends exactly where nothing leads on', () => {
    const ends = statesOf(machine).filter((state) => Object.keys(table[state] ?? {}).length === 0);
    expect(terminalStates(machine)).toEqual(ends);
    // An operator never ends: the audit log names them. Nor does a database that is in use.
    expect(ends.length > 0).toBe(name !== 'operator' && name !== 'lineage');
  });

  it('has a way on from every state in flight, and at most one way back', () => {
    for (const state of machine.inFlight) {
      const moves = Object.values(machine.moves).filter((move) => move.from.includes(state));
      expect(moves.filter((move) => move.undo !== true).length).toBeGreaterThan(0);
      expect(moves.filter((move) => move.undo === true).length).toBeLessThanOrEqual(1);
    }
  });

  it('emits nothing when it takes a refused call back', () => {
    const undone = Object.values(machine.moves).filter((move) => move.undo === true);
    for (const move of undone) expect(move.emits).toEqual([]);
  });

  it('says in a sentence what each state means', () => {
    for (const description of Object.values(machine.states))
      expect(description).toMatch(/^[A-Z].{8,}\.$/);
  });
});

describe('events of a life', () => {
  const emitted = all.flatMap(([, machine]) => [
    ...machine.initialEvents,
    ...Object.values(machine.moves).flatMap((move) => move.emits),
  ]);
  const families = /^(order|escrow|dispute|topup|withdrawal|webhook)\./;

  /** A statement of one side changes no state, nor does money that comes back after the end. */
  const withoutTransition: readonly string[] = [
    'dispute.evidence_added',
    'topup.reversed',
    'topup.reinstated',
    'withdrawal.returned',
  ];
  const moving = EVENT_NAMES.filter(
    (name) => families.test(name) && !withoutTransition.includes(name),
  );

  it.each(moving)('%s is emitted by some move', (name) => {
    expect(emitted).toContain(name);
  });

  it('are of the kind of the thing that moves', () => {
    for (const [name, machine] of all) {
      const family = name === 'milestone' ? 'escrow' : name;
      for (const move of Object.values(machine.moves)) {
        for (const event of move.emits) expect(event.split('.')[0]).toBe(family);
      }
    }
  });
});

it('has a way back for an order from every state in flight, and only from those', () => {
  const back = Object.values(machines.order.moves).filter((move) => move.undo === true);
  expect(back.flatMap((move) => move.from).sort()).toEqual([...machines.order.inFlight].sort());
});

import type { ErrorCode } from '@holdfast/contract/errors';
import { type Joint, lifecycle, take } from '@holdfast/contract/lifecycle';
import { statesOf } from '@holdfast/contract/machine';
import { disputeMachine } from '@holdfast/contract/machines/dispute-machine';
import { SHOWN_ESCROW_STATES } from '@holdfast/contract/machines/escrow-machine';
import { orderMachine } from '@holdfast/contract/machines/order-machine';
import type { Money } from '@holdfast/kernel/money';
import { describe, expect, it } from 'vitest';
import {
  active,
  aDispute,
  aMilestone,
  anEscrow,
  anOrder,
  parties,
  usd,
} from '../../testing/sample-orders.ts';
import {
  checkAssign,
  checkCancel,
  checkCompleteMilestone,
  checkCreateEscrow,
  checkDispute,
  checkFund,
  checkRefund,
  checkRelease,
  checkReserve,
  checkReserved,
} from './checks.ts';
import type { Order } from './order.ts';
import type { Parties, Party } from './parties.ts';

interface Situation {
  readonly order: Order;
  readonly available: Money;
  readonly reserved: Money;
  readonly parties: Parties;
}

type Rung = [
  fix: Partial<Order & Omit<Situation, 'order'>>,
  code: ErrorCode | null,
  resource?: string,
];

/**
 * Every rung fixes one condition and leaves all below it broken. The refusals therefore show the
 * order of the checks: swapping two makes a rung fail.
 */
function ladder(
  check: (situation: Situation) => unknown,
  broken: Partial<Order & Omit<Situation, 'order'>>,
  rungs: readonly Rung[],
): void {
  let now = { ...anOrder, available: usd('0'), reserved: usd('0'), parties, ...broken };
  for (const [fix, code, resource] of rungs) {
    now = { ...now, ...fix };
    const { available, reserved, parties: both, ...order } = now;
    const run = () => check({ order, available, reserved, parties: both });
    it(`after fixing ${Object.keys(fix).join() || 'nothing'}: ${code ?? 'passes'} ${resource ?? ''}`, () => {
      if (code === null) return void run();
      const details = resource === undefined ? {} : { details: { resource } };
      expect(run).toThrow(expect.objectContaining({ code }));
      try {
        run();
      } catch (error) {
        expect(error).toMatchObject(details);
      }
    });
  }
}

describe('reserve', () => {
  ladder(({ order, available }) => checkReserve(order, available), { status: 'CLOSED' }, [
    [{}, 'INVALID_STATE', 'order'],
    [{ status: 'ORDER_CREATED' }, 'INSUFFICIENT_FUNDS'],
    [{ available: usd('99.99') }, 'INSUFFICIENT_FUNDS'],
    [{ available: usd('100.00') }, null],
  ]);
});

describe('cancel', () => {
  const broken = { status: 'ESCROW_FUNDING', escrow: anEscrow('CREATED') } as const;
  ladder(({ order }) => checkCancel(order), broken, [
    [{}, 'INVALID_STATE', 'order'],
    [{ status: 'FUNDS_RESERVED' }, 'INVALID_STATE', 'escrow'],
    [{ escrow: null }, null],
    [{ status: 'ORDER_CREATED' }, null],
  ]);
});

describe('create_escrow', () => {
  const unready: Party = { status: 'SUSPENDED', hasPaymentAccount: false };
  const broken = {
    status: 'ORDER_CREATED',
    escrow: anEscrow('CREATED'),
    milestones: [aMilestone('OPEN', '99.99')],
    parties: { buyer: unready, seller: unready },
  } as const;
  ladder(({ order, parties: both }) => checkCreateEscrow(order, both), broken, [
    [{}, 'INVALID_STATE', 'order'],
    [{ status: 'FUNDS_RESERVED' }, 'ESCROW_ALREADY_EXISTS'],
    [{ escrow: null }, 'INTERNAL_ERROR'],
    [{ parties: { buyer: active, seller: unready } }, 'INTERNAL_ERROR'],
    [{ parties }, 'INTERNAL_ERROR'],
    [{ milestones: [aMilestone('OPEN', '100.00')] }, null],
    [{ milestones: [] }, null],
  ]);

  it('says who or what stands in the way', () => {
    const order: Order = { ...anOrder, status: 'FUNDS_RESERVED' };
    const reason = (changed: Order, both: Parties) => () => checkCreateEscrow(changed, both);
    expect(
      reason(order, { buyer: { ...active, hasPaymentAccount: false }, seller: active }),
    ).toThrow(expect.objectContaining({ details: { reason: 'the buyer has no payment account' } }));
    expect(reason(order, { buyer: active, seller: { ...active, status: 'SUSPENDED' } })).toThrow(
      expect.objectContaining({ details: { reason: 'the seller is SUSPENDED' } }),
    );
    expect(reason({ ...order, milestones: [aMilestone('OPEN', '1.00')] }, parties)).toThrow(
      expect.objectContaining({ details: { reason: 'the milestones do not sum to the amount' } }),
    );
  });
});

describe('fund_escrow', () => {
  const check = ({ order, reserved }: Situation) => {
    checkFund(order);
    checkReserved(order, reserved);
  };
  ladder(check, { status: 'IN_PROGRESS' }, [
    [{}, 'INVALID_STATE', 'order'],
    [{ status: 'ESCROW_FUNDING' }, 'INTERNAL_ERROR'],
    [{ escrow: anEscrow('DISPUTED') }, 'INTERNAL_ERROR'],
    // A second caller is late while the money is moving, and the state is valid.
    [{ escrow: anEscrow('FUNDING') }, 'INVALID_STATE', 'escrow'],
    [{ escrow: anEscrow('CREATED') }, 'RESERVE_NOT_FOUND'],
    [{ reserved: usd('99.99') }, 'RESERVE_NOT_FOUND'],
    [{ reserved: usd('100.00') }, null],
  ]);
});

describe('complete_milestone', () => {
  const check = ({ order }: Situation) => checkCompleteMilestone(order, 'm1', order.milestones[0]);
  ladder(check, { status: 'FUNDS_RESERVED' }, [
    [{}, 'MILESTONE_NOT_FOUND'],
    [{ milestones: [aMilestone('COMPLETED')] }, 'INVALID_STATE', 'order'],
    [{ status: 'IN_PROGRESS' }, 'INVALID_STATE', 'milestone'],
    [{ milestones: [aMilestone('OPEN')] }, null],
  ]);
});

describe('release', () => {
  const broken = {
    status: 'CLOSED',
    dispute: aDispute('OPEN'),
    milestones: [aMilestone('OPEN')],
  } as const;
  ladder(({ order }) => checkRelease(order), broken, [
    [{}, 'INVALID_STATE', 'escrow'],
    [{ escrow: anEscrow('CREATED') }, 'INVALID_STATE', 'order'],
    [{ status: 'IN_PROGRESS' }, 'DISPUTE_ALREADY_OPEN'],
    [{ dispute: aDispute('UNDER_REVIEW') }, 'DISPUTE_ALREADY_OPEN'],
    [{ dispute: null }, 'INVALID_STATE', 'order'],
    [{ milestones: [aMilestone('COMPLETED')] }, 'INVALID_STATE', 'escrow'],
    [{ escrow: anEscrow('FUNDED') }, null],
    [{ milestones: [] }, null],
  ]);

  it('names the milestones that are open', () => {
    const milestones = [aMilestone('OPEN'), { ...aMilestone('COMPLETED'), ref: 'm2' }];
    const order: Order = {
      ...anOrder,
      status: 'IN_PROGRESS',
      escrow: anEscrow('FUNDED'),
      milestones,
    };
    expect(() => checkRelease(order)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ unfinishedMilestones: ['m1'] }),
      }),
    );
  });
});

describe('refund', () => {
  const broken = {
    status: 'CLOSED',
    dispute: aDispute('OPEN'),
    milestones: [aMilestone('OPEN')],
  } as const;
  ladder(({ order }) => checkRefund(order), broken, [
    [{}, 'INVALID_STATE', 'escrow'],
    [{ escrow: anEscrow('CREATED') }, 'INVALID_STATE', 'order'],
    [{ status: 'IN_PROGRESS' }, 'DISPUTE_ALREADY_OPEN'],
    [{ dispute: aDispute('RESOLVED') }, 'INVALID_STATE', 'escrow'],
    [{ escrow: anEscrow('FUNDED') }, null],
  ]);
});

describe('dispute', () => {
  const broken = {
    status: 'DISPUTED',
    dispute: aDispute('OPEN'),
    escrow: anEscrow('FUNDED'),
  } as const;
  ladder(({ order }) => checkDispute(order), broken, [
    [{}, 'INVALID_STATE', 'order'],
    [{ status: 'IN_PROGRESS' }, 'DISPUTE_ALREADY_OPEN'],
    [{ dispute: null }, null],
  ]);
});

it('assigns an open dispute and no other', () => {
  const assigned = statesOf(disputeMachine).filter((status) => {
    try {
      checkAssign(aDispute(status));
      return true;
    } catch {
      return false;
    }
  });
  expect(assigned).toEqual(['OPEN']);
});

// The contract's own exploration of order, escrow and dispute: what it can do, the checks allow.
describe('in every reachable state the checks agree with the contract for', () => {
  const checks = {
    reserve: (order: Order) => checkReserve(order, order.amount),
    cancel: checkCancel,
    create_escrow: (order: Order) => checkCreateEscrow(order, parties),
    fund_escrow: checkFund,
    release: checkRelease,
    refund: checkRefund,
    dispute: checkDispute,
  };
  const joints = reachable();
  it.each(Object.keys(checks) as (keyof typeof checks)[])('%s', (action) => {
    const steps =
      action === 'dispute'
        ? [lifecycle.dispute, lifecycle.dispute_after_found]
        : [lifecycle[action]];
    for (const joint of joints) {
      const isPossible = steps.some((step) => take(step, joint) !== undefined);
      expect({ joint, isAllowed: passes(() => checks[action](orderAt(joint))) }).toEqual({
        joint,
        isAllowed: isPossible,
      });
    }
    expect(joints.length).toBeGreaterThan(15);
  });
});

function reachable(): Joint[] {
  const start: Joint = { order: orderMachine.initial, escrow: 'NONE', dispute: 'NONE' };
  const found = new Map([[JSON.stringify(start), start]]);
  for (const joint of found.values())
    for (const step of Object.values(lifecycle))
      for (const next of take(step, joint) ?? []) found.set(JSON.stringify(next), next);
  return [...found.values()];
}

function orderAt({ order: status, escrow, dispute }: Joint): Order {
  const shown = SHOWN_ESCROW_STATES.find((state) => state === escrow);
  return {
    ...anOrder,
    status,
    escrow: shown === undefined ? null : anEscrow(shown),
    dispute: dispute === 'NONE' ? null : aDispute(dispute),
  };
}

function passes(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    expect(error).toHaveProperty('code');
    return false;
  }
}

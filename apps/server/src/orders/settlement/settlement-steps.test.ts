import { Money } from '@holdfast/kernel/money';
import { describe, expect, it } from 'vitest';
import { holdsUnpaid, type StoredContract } from '../escrow/contract-parts.ts';
import type { SettlementStep } from '../escrow/escrow-run.ts';
import type { DeployedEscrow } from '../model/checks.ts';
import { refundSteps, releaseSteps, splitSteps } from './settlement-steps.ts';

const usd = (minor: bigint) => Money.ofMinor(minor, 'USD');

const escrow = (contractType: DeployedEscrow['contractType']) =>
  ({
    contractType,
    amount: usd(10_000n),
    feeRate: 500n,
    providerContractId: 'C1',
    orderId: 'ord_1',
    buyerAddress: 'GB',
    sellerAddress: 'GS',
    resolverAddress: 'GR',
  }) as unknown as DeployedEscrow;

const single = escrow('SINGLE_RELEASE');
const multi = escrow('MULTI_RELEASE');
const CLEAR = { isDisputed: false, isReleased: false, isResolved: false };
const MILESTONE = { ...CLEAR, status: 'pending', isApproved: false, receiver: null };

const contract = (changes: Partial<StoredContract> = {}): StoredContract => ({
  kind: 'single-release',
  balanceStroops: '1000000000',
  ...CLEAR,
  milestones: [{ ...MILESTONE, stroops: null }],
  ...changes,
});

type MilestoneState = Partial<StoredContract['milestones'][number]>;
const parts = (...milestones: MilestoneState[]) =>
  contract({
    kind: 'multi-release',
    milestones: milestones.map((each) => ({ ...MILESTONE, stroops: '500000000', ...each })),
  });

const names = (steps: SettlementStep[]) => steps.map(({ name }) => name);
const movers = (steps: SettlementStep[]) =>
  steps.filter(({ movesMoney }) => movesMoney).map(({ name }) => name);
const sharesOf = (steps: SettlementStep[]) =>
  steps.flatMap(({ step }) =>
    step.step === 'resolve'
      ? [step.distributions.map(({ address, stroops }) => `${address} ${stroops}`)]
      : [],
  );

describe('releasing', () => {
  it('completes, approves and pays; a single-release contract once', () => {
    const steps = releaseSteps(single, contract());
    expect(names(steps)).toEqual(['complete-1', 'approve-1', 'release']);
    expect(movers(steps)).toEqual(['release']);
  });

  it('requires approval of every milestone of a single-release contract first', () => {
    const three = contract({ milestones: [1, 2, 3].map(() => ({ ...MILESTONE, stroops: null })) });
    expect(names(releaseSteps(single, three))).toEqual([
      'complete-1',
      'approve-1',
      'complete-2',
      'approve-2',
      'complete-3',
      'approve-3',
      'release',
    ]);
  });

  it('goes milestone by milestone through a multi-release contract', () => {
    const steps = releaseSteps(multi, parts({}, {}));
    expect(names(steps)).toEqual([
      'complete-1',
      'approve-1',
      'release-1',
      'complete-2',
      'approve-2',
      'release-2',
    ]);
    expect(movers(steps)).toEqual(['release-1', 'release-2']);
  });

  it('leaves out steps that the network shows done', () => {
    const milestones = parts({ isReleased: true }, { status: 'completed' }, { isApproved: true });
    expect(names(releaseSteps(multi, milestones))).toEqual(['approve-2', 'release-2', 'release-3']);
    expect(releaseSteps(single, contract({ isReleased: true }))).toEqual([]);
  });

  it('resolves a disputed contract, all of it to the seller', () => {
    const steps = releaseSteps(single, contract({ isDisputed: true }));
    expect(names(steps)).toEqual(['resolve']);
    expect(sharesOf(steps)).toEqual([['GS 1000000000']]);
    const mixed = releaseSteps(multi, parts({ isDisputed: true }, { isApproved: true }));
    expect(names(mixed)).toEqual(['resolve-1', 'release-2']);
    expect(sharesOf(mixed)).toEqual([['GS 500000000']]);
  });
});

describe('refunding', () => {
  it('disputes and resolves, all of it to the buyer', () => {
    const steps = refundSteps(single, contract());
    expect(names(steps)).toEqual(['dispute', 'resolve']);
    expect(movers(steps)).toEqual(['resolve']);
    expect(sharesOf(steps)).toEqual([['GB 1000000000']]);
    expect(names(refundSteps(single, contract({ isDisputed: true })))).toEqual(['resolve']);
  });

  it('refunds every milestone of a multi-release contract', () => {
    const steps = refundSteps(multi, parts({}, { isDisputed: true }));
    expect(names(steps)).toEqual(['dispute-1', 'resolve-1', 'resolve-2']);
    expect(sharesOf(steps)).toEqual([['GB 500000000'], ['GB 500000000']]);
  });

  it('pays out all that a single-release contract holds', () => {
    const dusty = contract({ balanceStroops: '1000000007' });
    expect(sharesOf(refundSteps(single, dusty))).toEqual([['GB 1000000007']]);
  });
});

describe('splitting', () => {
  it('pays two shares', () => {
    const steps = splitSteps(single, contract(), usd(6_000n));
    expect(sharesOf(steps)).toEqual([['GS 600000000', 'GB 400000000']]);
  });

  it('fills the milestones in their order with the seller’s amount', () => {
    const shares = (minor: bigint) => sharesOf(splitSteps(multi, parts({}, {}), usd(minor)));
    expect(shares(7_000n)).toEqual([['GS 500000000'], ['GS 200000000', 'GB 300000000']]);
    expect(shares(5_000n)).toEqual([['GS 500000000'], ['GB 500000000']]);
    expect(shares(1n)).toEqual([['GS 100000', 'GB 499900000'], ['GB 500000000']]);
  });
});

describe('checking the money of a contract', () => {
  const holds = (stroops: bigint, of: StoredContract, terms = single) =>
    holdsUnpaid(terms, { ...of, balanceStroops: String(stroops) });

  it('finds it when all that was agreed is there; more does no harm', () => {
    expect(holds(0n, contract())).toBe(false);
    expect(holds(999_999_999n, contract())).toBe(false);
    expect(holds(1_000_000_000n, contract())).toBe(true);
    expect(holds(1_000_000_007n, contract())).toBe(true);
    expect(holds(999_999_999n, parts({}, {}), multi)).toBe(false);
    expect(holds(1_000_000_000n, parts({}, {}), multi)).toBe(true);
  });

  it('does not miss money that was paid out', () => {
    const half = parts({ isReleased: true }, { isDisputed: true });
    expect(holds(499_999_999n, half, multi)).toBe(false);
    expect(holds(500_000_000n, half, multi)).toBe(true);
    expect(holds(0n, contract({ isReleased: true }))).toBe(true);
  });

  it('does not wait where the contract was resolved: an operator must act', () => {
    expect(holds(0n, contract({ isResolved: true }))).toBe(true);
    expect(holds(0n, parts({}, { isResolved: true }), multi)).toBe(true);
  });
});

describe('settling a contract in an unexpected state', () => {
  it.each([
    ['resolved', () => releaseSteps(single, contract({ isResolved: true }))],
    ['resolved in part', () => refundSteps(multi, parts({}, { isResolved: true }))],
    ['released', () => refundSteps(single, contract({ isReleased: true }))],
  ])('fails, for an operator to investigate: %s', (_, steps) => {
    expect(steps).toThrow();
  });
});

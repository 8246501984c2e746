import { describe, expect, it } from 'vitest';
import {
  type ContractState,
  type EscrowTerms,
  type MilestoneState,
  shareOut,
  termsAsSent,
} from './escrow-provider.ts';

const flags = { isDisputed: true, isReleased: false, isResolved: false };
const milestone = (stroops: bigint): MilestoneState => ({
  ...flags,
  status: 'pending',
  isApproved: false,
  stroops,
  receiver: 'seller',
});
const single: ContractState = {
  ...flags,
  contractId: 'C',
  kind: 'single-release',
  engagementId: 'ord_1',
  balanceStroops: 1_000n,
  feeBasisPoints: 500n,
  milestones: [],
};
const multi: ContractState = {
  ...single,
  kind: 'multi-release',
  milestones: [milestone(400n), milestone(600n)],
};
const share = (address: string, stroops: bigint) => ({ address, stroops });

describe('shareOut', () => {
  it('is all that a single-release contract holds; the unclaimed rest goes to the first', () => {
    const wanted = [share('seller', 600n), share('buyer', 400n)];
    expect(shareOut(single, null, wanted)).toEqual(wanted);
    const dusty = { ...single, balanceStroops: 1_003n };
    expect(shareOut(dusty, null, wanted)).toEqual([share('seller', 603n), share('buyer', 400n)]);
  });

  it('leaves out a party with nothing: the contract takes no empty share', () => {
    const wanted = [share('seller', 0n), share('buyer', 1_000n)];
    expect(shareOut(single, null, wanted)).toEqual([share('buyer', 1_000n)]);
    expect(shareOut(single, null, [share('seller', 0n)])).toBeUndefined();
  });

  it('is nothing when the contract holds too little', () => {
    expect(shareOut(single, null, [share('buyer', 1_001n)])).toBeUndefined();
  });

  it('is at most what a milestone is worth; dust stays where it is', () => {
    const dusty = { ...multi, balanceStroops: 1_003n };
    expect(shareOut(dusty, 0, [share('buyer', 400n)])).toEqual([share('buyer', 400n)]);
    expect(shareOut(dusty, 0, [share('buyer', 401n)])).toBeUndefined();
    expect(shareOut(dusty, 2, [share('buyer', 1n)])).toBeUndefined();
    expect(shareOut(dusty, null, [share('buyer', 1n)])).toBeUndefined();
  });
});

describe('termsAsSent', () => {
  const terms: EscrowTerms = {
    kind: 'single-release',
    engagementId: 'ord_1',
    title: 'A table',
    description: 'Oak',
    roles: {
      approver: 'b',
      serviceProvider: 's',
      platformAddress: 'p',
      releaseSigner: 'b',
      disputeResolver: 'r',
      receiver: 's',
    },
    stroops: 10n,
    feeBasisPoints: 0n,
    milestones: [{ description: '', stroops: 10n }],
  };

  it('have texts where the order has none', () => {
    const sent = termsAsSent({ ...terms, title: ' ', description: '' });
    expect(sent.title).toBe('Order ord_1');
    expect(sent.description).toBe('Order ord_1');
    expect(sent.milestones).toEqual([{ description: 'Milestone 1', stroops: 10n }]);
  });

  it('fit the provider, and no character is cut in two', () => {
    const { title, description } = termsAsSent({
      ...terms,
      title: `${'a'.repeat(99)}😀`,
      description: '😀'.repeat(300),
    });
    expect(title).toBe('a'.repeat(99));
    expect(description).toBe('😀'.repeat(250));
    expect(description.isWellFormed()).toBe(true);
  });

  it('are the same when they are sent again', () => {
    const once = termsAsSent({ ...terms, title: `  ${'word '.repeat(40)}` });
    expect(termsAsSent(once)).toEqual(once);
  });

  it('hold milestones that sum to the amount', () => {
    const milestones = [{ description: 'one', stroops: 9n }];
    expect(() => termsAsSent({ ...terms, kind: 'multi-release', milestones })).toThrow('sum');
    expect(() => termsAsSent({ ...terms, milestones: [] })).toThrow('at least one');
  });
});

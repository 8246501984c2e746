import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { ContractError } from '../ledger/contract.ts';
import {
  approveMilestone,
  changeMilestoneStatus,
  checkExtension,
  checkFunding,
  initializeEscrow,
  isSame,
  updateEscrow,
} from './contract-rules.ts';
import { type Escrow, type Flags, type Milestone, NO_FLAGS } from './escrow-record.ts';
import { SENTENCES } from './sentences.ts';
import {
  disputeEscrow,
  disputeMilestone,
  releaseFunds,
  releaseMilestone,
  resolveDispute,
  resolveMilestone,
  withdrawRemaining,
} from './settlement-rules.ts';

const done: Milestone = {
  description: 'm',
  status: 'pending',
  evidence: '',
  isApproved: true,
  amount: 0n,
  receiver: '',
  flags: NO_FLAGS,
};
const single: Escrow = {
  type: 'single-release',
  engagementId: 'ord_1',
  title: 't',
  description: 'd',
  roles: {
    approver: 'buyer',
    serviceProvider: 'seller',
    platformAddress: 'platform',
    releaseSigner: 'buyer',
    disputeResolver: 'resolver',
    receiver: 'seller',
  },
  amount: 1000n,
  platformFee: 500,
  milestones: [{ ...done, isApproved: false }],
  flags: NO_FLAGS,
  trustline: 'token',
  receiverMemo: 0n,
};
const multi: Escrow = {
  ...single,
  type: 'multi-release',
  amount: 0n,
  roles: { ...single.roles, receiver: '' },
  milestones: [
    { ...done, isApproved: false, amount: 600n, receiver: 'first' },
    { ...done, isApproved: false, amount: 400n, receiver: 'second' },
  ],
};

const approved: Escrow = { ...single, milestones: [done] };
const withFlags = (flags: Partial<Flags>, escrow = approved): Escrow => ({
  ...escrow,
  flags: { ...NO_FLAGS, ...flags },
});
const part = (change: Partial<Milestone>): Escrow => ({
  ...multi,
  milestones: multi.milestones.map((each, at) => (at === 0 ? { ...each, ...change } : each)),
});
const flagged = (flags: Partial<Flags>): Escrow =>
  part({ isApproved: true, flags: { ...NO_FLAGS, ...flags } });
const many = (count: number, milestone: Milestone = { ...done, isApproved: false }) =>
  Array.from({ length: count }, () => milestone);
const to = (stroops: bigint) => [{ address: 'buyer', stroops }];
const disputed = withFlags({ disputed: true });
const partDisputed = flagged({ disputed: true });

// biome-ignore format: a table is the one thing exempt from the line limit.
const REFUSALS: readonly (readonly [keyof typeof SENTENCES, string, () => unknown])[] = [
  ['amountZero', 'deploys nothing', () => initializeEscrow({ ...single, amount: 0n }, false)],
  ['amountZero', 'deploys an empty milestone', () => initializeEscrow(part({ amount: 0n }), false)],
  ['feeTooHigh', 'deploys at 99.01%', () => initializeEscrow({ ...single, platformFee: 9_901 }, false)],
  ['noMilestone', 'deploys without milestones', () => initializeEscrow({ ...single, milestones: [] }, false)],
  ['tooManyMilestones', 'deploys with 51', () => initializeEscrow({ ...single, milestones: many(51) }, false)],
  ['flagsMustBeFalse', 'deploys as approved', () => initializeEscrow(approved, false)],
  ['flagsMustBeFalse', 'deploys as disputed', () => initializeEscrow(withFlags({ disputed: true }, single), false)],
  ['alreadyInitialized', 'deploys twice', () => initializeEscrow(single, true)],
  ['fundingZero', 'funds nothing', () => checkFunding(single, single, 0n, 5n)],
  ['mismatch', 'funds what changed meanwhile', () => checkFunding(approved, single, 5n, 5n)],
  ['signerFunds', 'funds more than it has', () => checkFunding(single, single, 6n, 5n)],
  ['onlyServiceProvider', 'marks another one\'s work', () => changeMilestoneStatus(single, 0, 'completed', '', 'buyer')],
  ['milestoneIndex', 'marks a milestone that is not there', () => changeMilestoneStatus(single, 1, 'completed', '', 'seller')],
  ['milestoneIndex', 'marks milestone minus one', () => changeMilestoneStatus(single, -1, 'completed', '', 'seller')],
  ['emptyStatus', 'marks with nothing', () => changeMilestoneStatus(single, 0, '', '', 'seller')],
  ['milestoneIndex', 'approves a milestone that is not there', () => approveMilestone(single, 1, 'buyer')],
  ['onlyApprover', 'approves as seller', () => approveMilestone(single, 0, 'seller')],
  ['alreadyApproved', 'approves twice', () => approveMilestone(approved, 0, 'buyer')],
  ['emptyStatus', 'approves without a status', () => approveMilestone({ ...single, milestones: [{ ...done, isApproved: false, status: '' }] }, 0, 'buyer')],
  ['escrowReleased', 'releases twice', () => releaseFunds(withFlags({ released: true }), 'buyer', 'vendor', 1000n)],
  ['escrowResolved', 'releases what was resolved', () => releaseFunds(withFlags({ resolved: true }), 'buyer', 'vendor', 1000n)],
  ['onlyReleaseSigner', 'releases as seller', () => releaseFunds(approved, 'seller', 'vendor', 1000n)],
  ['escrowNotCompleted', 'releases before approval', () => releaseFunds(single, 'buyer', 'vendor', 1000n)],
  ['escrowOpenedForDispute', 'releases in dispute', () => releaseFunds(disputed, 'buyer', 'vendor', 1000n)],
  ['balanceTooLow', 'releases what is not there', () => releaseFunds(approved, 'buyer', 'vendor', 999n)],
  ['milestoneIndex', 'releases a milestone that is not there', () => releaseMilestone(multi, 2, 'buyer', 'vendor', 1000n)],
  ['milestoneReleased', 'releases a milestone twice', () => releaseMilestone(flagged({ released: true }), 0, 'buyer', 'vendor', 1000n)],
  ['milestoneResolved', 'releases a resolved milestone', () => releaseMilestone(flagged({ resolved: true }), 0, 'buyer', 'vendor', 1000n)],
  ['onlyReleaseSignerMulti', 'releases a milestone as seller', () => releaseMilestone(flagged({}), 0, 'seller', 'vendor', 1000n)],
  ['milestoneNotCompleted', 'releases a milestone before approval', () => releaseMilestone(multi, 0, 'buyer', 'vendor', 1000n)],
  ['milestoneOpenedForDispute', 'releases a disputed milestone', () => releaseMilestone(partDisputed, 0, 'buyer', 'vendor', 1000n)],
  ['balanceTooLow', 'releases a milestone that is not covered', () => releaseMilestone(flagged({}), 0, 'buyer', 'vendor', 599n)],
  ['escrowInDispute', 'disputes twice', () => disputeEscrow(disputed, 'buyer')],
  ['escrowResolved', 'disputes what was resolved', () => disputeEscrow(withFlags({ resolved: true }), 'buyer')],
  ['notAuthorizedToDispute', 'disputes without a role', () => disputeEscrow(single, 'outsider')],
  ['resolverCannotDispute', 'disputes as resolver', () => disputeEscrow(single, 'resolver')],
  ['milestoneInDispute', 'disputes a milestone twice', () => disputeMilestone(partDisputed, 0, 'buyer')],
  ['milestoneReleased', 'disputes a released milestone', () => disputeMilestone(flagged({ released: true }), 0, 'buyer')],
  ['milestoneResolved', 'disputes a resolved milestone', () => disputeMilestone(flagged({ resolved: true }), 0, 'buyer')],
  ['notAuthorizedToDispute', 'disputes as receiver of another milestone', () => disputeMilestone(multi, 0, 'second')],
  ['resolverCannotDisputeMilestone', 'disputes a milestone as resolver', () => disputeMilestone(multi, 0, 'resolver')],
  ['onlyDisputeResolver', 'resolves as buyer', () => resolveDispute(disputed, 'buyer', 'vendor', to(1000n), 1000n)],
  ['escrowNotInDispute', 'resolves without a dispute', () => resolveDispute(single, 'resolver', 'vendor', to(1000n), 1000n)],
  ['shareNotPositive', 'resolves with an empty share', () => resolveDispute(disputed, 'resolver', 'vendor', [...to(1000n), { address: 'seller', stroops: 0n }], 1000n)],
  ['tooManyShares', 'resolves to 51', () => resolveDispute(disputed, 'resolver', 'vendor', Array.from({ length: 51 }, () => ({ address: 'x', stroops: 1n })), 51n)],
  ['resolutionFunds', 'resolves more than is there', () => resolveDispute(disputed, 'resolver', 'vendor', to(1001n), 1000n)],
  ['sumNotBalance', 'resolves less than is there', () => resolveDispute(disputed, 'resolver', 'vendor', to(1000n), 1001n)],
  ['nothingToShare', 'resolves nothing', () => resolveDispute(disputed, 'resolver', 'vendor', [], 0n)],
  ['onlyDisputeResolver', 'resolves a milestone as buyer', () => resolveMilestone(partDisputed, 0, 'buyer', 'vendor', to(600n), 1000n)],
  ['milestoneReleased', 'resolves a released milestone', () => resolveMilestone(flagged({ released: true }), 0, 'resolver', 'vendor', to(600n), 1000n)],
  ['milestoneResolved', 'resolves a milestone twice', () => resolveMilestone(flagged({ resolved: true }), 0, 'resolver', 'vendor', to(600n), 1000n)],
  ['milestoneNotInDispute', 'resolves a milestone without a dispute', () => resolveMilestone(multi, 0, 'resolver', 'vendor', to(600n), 1000n)],
  ['milestoneExceeded', 'resolves more than the milestone', () => resolveMilestone(partDisputed, 0, 'resolver', 'vendor', to(601n), 1000n)],
  ['resolutionFunds', 'resolves a milestone that is not covered', () => resolveMilestone(partDisputed, 0, 'resolver', 'vendor', to(600n), 599n)],
  ['nothingToShare', 'resolves a milestone to no address', () => resolveMilestone(partDisputed, 0, 'resolver', 'vendor', [], 599n)],
  ['onlyDisputeResolver', 'sweeps as buyer', () => withdrawRemaining(partDisputed, 'buyer', 'vendor', to(1n), 1n)],
  ['notProcessed', 'sweeps with a milestone open', () => withdrawRemaining(partDisputed, 'resolver', 'vendor', to(1n), 1n)],
  ['nothingToShare', 'sweeps nothing', () => withdrawRemaining(disputed, 'resolver', 'vendor', [], 1n)],
  ['resolutionFunds', 'sweeps more than is there', () => withdrawRemaining(disputed, 'resolver', 'vendor', to(2n), 1n)],
  ['onlyPlatform', 'updates as buyer', () => updateEscrow(single, single, 'buyer', 0n)],
  ['platformFixed', 'moves the platform', () => updateEscrow(single, { ...single, roles: { ...single.roles, platformAddress: 'other' } }, 'platform', 0n)],
  ['escrowOpenedForDispute', 'updates in dispute', () => updateEscrow(withFlags({ disputed: true }, single), single, 'platform', 0n)],
  ['mismatch', 'changes the title with funds inside', () => updateEscrow(single, { ...single, title: 'new' }, 'platform', 1n)],
  ['approvedCannotChange', 'updates after approval', () => updateEscrow(approved, single, 'platform', 0n)],
  ['flagsMustBeFalse', 'adds an approved milestone', () => updateEscrow(single, { ...single, milestones: [...single.milestones, done] }, 'platform', 1n)],
  ['onlyPlatform', 'extends as buyer', () => checkExtension(single, 'buyer')],
];

describe('what the contract refuses, in its own words', () => {
  for (const [key, title, run] of REFUSALS) {
    const sentence = SENTENCES[key];
    it(`${title}: ${sentence}`, () => {
      assert.throws(run, (error) => error instanceof ContractError && error.message === sentence);
    });
  }

  it('leaves no sentence of the rules without a case', () => {
    const shown = new Set<string>(REFUSALS.map(([key]) => key));
    const missing = Object.keys(SENTENCES).filter((each) => !shown.has(each));
    // Said where a contract is looked up, not by a rule.
    assert.deepEqual(missing, ['notFound']);
  });
});

describe('what the contract allows', () => {
  it('approves a milestone that is not marked as done', () => {
    assert.equal(approveMilestone(single, 0, 'buyer').milestones[0]?.isApproved, true);
  });

  it('keeps the old evidence when none is given', () => {
    const first = changeMilestoneStatus(single, 0, 'completed', 'proof', 'seller');
    const second = changeMilestoneStatus(first, 0, 'done', undefined, 'seller');
    assert.equal(second.milestones[0]?.evidence, 'proof');
    assert.equal(second.milestones[0]?.status, 'done');
  });

  it('takes any amount that the signer has, again and again', () => {
    checkFunding(single, { ...single }, 1n, 1n);
    checkFunding(single, { ...single }, 5_000n, 5_000n);
  });

  it('pays the amount, not the balance, on release', () => {
    const { payments, escrow } = releaseFunds(approved, 'buyer', 'vendor', 1_700n);
    assert.deepEqual(payments, [
      { address: 'vendor', stroops: 3n },
      { address: 'platform', stroops: 50n },
      { address: 'seller', stroops: 947n },
    ]);
    assert.equal(escrow.flags.released, true);
  });

  it('flags a released escrow as disputed, since the contract does not check', () => {
    const { flags } = disputeEscrow(withFlags({ released: true }), 'seller');
    assert.deepEqual(flags, { disputed: true, released: true, resolved: false });
  });

  it('resolves the whole balance, dust and all', () => {
    const { escrow, payments } = resolveDispute(disputed, 'resolver', 'vendor', to(1003n), 1003n);
    assert.deepEqual(escrow.flags, { disputed: false, released: false, resolved: true });
    assert.equal(
      payments.reduce((sum, { stroops }) => sum + stroops, 0n),
      1003n,
    );
  });

  it('lets the receiver of a milestone dispute it, and resolves it by itself', () => {
    const open = disputeMilestone(multi, 1, 'second');
    assert.deepEqual(
      open.milestones.map(({ flags }) => flags.disputed),
      [false, true],
    );
    const { escrow } = resolveMilestone(open, 1, 'resolver', 'vendor', to(400n), 1000n);
    assert.equal(escrow.milestones[1]?.status, 'resolved');
    assert.deepEqual(escrow.milestones[1]?.flags, { ...NO_FLAGS, resolved: true });
    assert.deepEqual(escrow.milestones[0], multi.milestones[0]);
  });

  it('approves a disputed milestone, which then can only be resolved', () => {
    const open = disputeMilestone(multi, 0, 'first');
    const next = approveMilestone(open, 0, 'buyer');
    assert.throws(() => releaseMilestone(next, 0, 'buyer', 'vendor', 1000n));
    resolveMilestone(next, 0, 'resolver', 'vendor', to(600n), 1000n);
  });

  it('adds milestones to a funded escrow', () => {
    const next = { ...multi, milestones: [...multi.milestones, ...multi.milestones] };
    assert.equal(updateEscrow(multi, next, 'platform', 1n).milestones.length, 4);
  });

  it('compares escrows by their fields, in any order', () => {
    const { title, ...rest } = single;
    assert.equal(isSame({ ...rest, title }, single), true);
    assert.equal(isSame({ ...rest, title: `${title} ` }, single), false);
    assert.equal(isSame(rest, single), false);
  });
});

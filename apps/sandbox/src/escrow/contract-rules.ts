//! The rules of an escrow contract before a payment: start, status, approval, update.
//!
//! Pure: an escrow goes in, the changed one comes out, and a broken rule is a ContractError with
//! the vendor's sentence. The order of the checks is the contract's own.
import { ContractError } from '../ledger/contract.ts';
import type { Escrow, Milestone } from './escrow-record.ts';
import { SENTENCES, type Sentence } from './sentences.ts';

const FEE_MAX = 9_900;
const MILESTONES_MAX = 50;

export function refuseIf(isBroken: boolean, sentence: Sentence): void {
  if (isBroken) throw new ContractError(sentence);
}

export function milestoneAt(escrow: Escrow, index: number): Milestone {
  const milestone = escrow.milestones[index];
  if (milestone === undefined) throw new ContractError(SENTENCES.milestoneIndex);
  return milestone;
}

export function withMilestone(escrow: Escrow, index: number, change: Partial<Milestone>): Escrow {
  const milestones = escrow.milestones.map((each, at) =>
    at === index ? { ...each, ...change } : each,
  );
  return { ...escrow, milestones };
}

export function initializeEscrow(escrow: Escrow, isInitialized: boolean): Escrow {
  refuseIf(isInitialized, SENTENCES.alreadyInitialized);
  checkProperties(escrow);
  refuseIf(hasFlags(escrow), SENTENCES.flagsMustBeFalse);
  return escrow;
}

function checkProperties({ type, amount, platformFee, milestones }: Escrow): void {
  refuseIf(platformFee > FEE_MAX, SENTENCES.feeTooHigh);
  refuseIf(type === 'single-release' && amount <= 0n, SENTENCES.amountZero);
  refuseIf(milestones.length === 0, SENTENCES.noMilestone);
  refuseIf(milestones.length > MILESTONES_MAX, SENTENCES.tooManyMilestones);
  const hasEmpty = type === 'multi-release' && milestones.some((each) => each.amount <= 0n);
  refuseIf(hasEmpty, SENTENCES.amountZero);
}

function hasFlags({ flags, milestones }: Escrow): boolean {
  return flags.disputed || flags.released || flags.resolved || milestones.some(isTouched);
}

function isTouched({ isApproved, flags }: Milestone): boolean {
  return isApproved || flags.disputed || flags.released || flags.resolved;
}

/**
 * Any account may fund, any amount, any number of times. The caller names the escrow it expects,
 * so a change since the transaction was built makes it fail.
 */
export function checkFunding(
  escrow: Escrow,
  expected: Escrow,
  stroops: bigint,
  signerBalance: bigint,
): void {
  refuseIf(stroops <= 0n, SENTENCES.fundingZero);
  refuseIf(!isSame(escrow, expected), SENTENCES.mismatch);
  refuseIf(signerBalance < stroops, SENTENCES.signerFunds);
}

/** Equal in every field, in any order of the fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

export function changeMilestoneStatus(
  escrow: Escrow,
  index: number,
  status: string,
  evidence: string | undefined,
  signer: string,
): Escrow {
  refuseIf(signer !== escrow.roles.serviceProvider, SENTENCES.onlyServiceProvider);
  const milestone = milestoneAt(escrow, index);
  refuseIf(status === '', SENTENCES.emptyStatus);
  return withMilestone(escrow, index, { status, evidence: evidence ?? milestone.evidence });
}

/** Status "pending" is enough: the milestone need not be marked as done. */
export function approveMilestone(escrow: Escrow, index: number, signer: string): Escrow {
  const milestone = milestoneAt(escrow, index);
  refuseIf(signer !== escrow.roles.approver, SENTENCES.onlyApprover);
  refuseIf(milestone.isApproved, SENTENCES.alreadyApproved);
  refuseIf(milestone.status === '', SENTENCES.emptyStatus);
  return withMilestone(escrow, index, { isApproved: true });
}

/** With funds inside, milestones may be added and nothing else may change. */
export function updateEscrow(
  escrow: Escrow,
  next: Escrow,
  signer: string,
  balance: bigint,
): Escrow {
  checkProperties(next);
  refuseIf(signer !== escrow.roles.platformAddress, SENTENCES.onlyPlatform);
  refuseIf(next.roles.platformAddress !== escrow.roles.platformAddress, SENTENCES.platformFixed);
  refuseIf(escrow.flags.disputed, SENTENCES.escrowOpenedForDispute);
  if (balance > 0n) {
    const known = next.milestones.slice(0, escrow.milestones.length);
    refuseIf(!isSame({ ...next, milestones: known }, escrow), SENTENCES.mismatch);
    const added = next.milestones.slice(escrow.milestones.length);
    refuseIf(added.some(isTouched), SENTENCES.flagsMustBeFalse);
  } else {
    refuseIf(escrow.milestones.some(isTouched), SENTENCES.approvedCannotChange);
    refuseIf(hasFlags(next), SENTENCES.flagsMustBeFalse);
  }
  return next;
}

export function checkExtension(escrow: Escrow, signer: string): void {
  refuseIf(signer !== escrow.roles.platformAddress, SENTENCES.onlyPlatform);
}

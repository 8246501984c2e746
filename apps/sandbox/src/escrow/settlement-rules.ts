//! How money leaves an escrow contract: release, dispute and resolution, sweep of the rest.
//!
//! Pure: the result is the changed escrow and the payments. A refund is a resolution, and it
//! bears both fees like everything else that leaves the contract.

import { milestoneAt, refuseIf, withMilestone } from './contract-rules.ts';
import type { Escrow, Flags } from './escrow-record.ts';
import { feesOf, type Share, splitOf } from './fees.ts';
import { SENTENCES } from './sentences.ts';

const SHARES_MAX = 50;

export interface Settlement {
  readonly escrow: Escrow;
  /** In the order in which the contract pays; nothing is ever paid with zero stroops. */
  readonly payments: readonly Share[];
}

export function releaseFunds(
  escrow: Escrow,
  signer: string,
  vendor: string,
  balance: bigint,
): Settlement {
  const { flags, roles, milestones, amount } = escrow;
  refuseIf(flags.released, SENTENCES.escrowReleased);
  refuseIf(flags.resolved, SENTENCES.escrowResolved);
  refuseIf(signer !== roles.releaseSigner, SENTENCES.onlyReleaseSigner);
  refuseIf(!milestones.every(({ isApproved }) => isApproved), SENTENCES.escrowNotCompleted);
  refuseIf(flags.disputed, SENTENCES.escrowOpenedForDispute);
  refuseIf(balance < amount, SENTENCES.balanceTooLow);
  return {
    escrow: { ...escrow, flags: { ...flags, released: true } },
    payments: payOut(escrow, amount, roles.receiver, vendor),
  };
}

export function releaseMilestone(
  escrow: Escrow,
  index: number,
  signer: string,
  vendor: string,
  balance: bigint,
): Settlement {
  const milestone = milestoneAt(escrow, index);
  const { flags, isApproved, amount, receiver } = milestone;
  refuseIf(flags.released, SENTENCES.milestoneReleased);
  refuseIf(flags.resolved, SENTENCES.milestoneResolved);
  refuseIf(signer !== escrow.roles.releaseSigner, SENTENCES.onlyReleaseSignerMulti);
  refuseIf(!isApproved, SENTENCES.milestoneNotCompleted);
  refuseIf(flags.disputed, SENTENCES.milestoneOpenedForDispute);
  refuseIf(balance < amount, SENTENCES.balanceTooLow);
  return {
    escrow: withMilestone(escrow, index, { flags: { ...flags, released: true } }),
    payments: payOut(escrow, amount, receiver, vendor),
  };
}

function payOut(escrow: Escrow, total: bigint, receiver: string, vendor: string): Share[] {
  const fees = feesOf(total, escrow.platformFee);
  return paid([
    { address: vendor, stroops: fees.vendor },
    { address: escrow.roles.platformAddress, stroops: fees.platform },
    { address: receiver, stroops: total - fees.vendor - fees.platform },
  ]);
}

function paid(shares: readonly Share[]): Share[] {
  return shares.filter(({ stroops }) => stroops > 0n);
}

/** A released escrow is not barred from being disputed: the contract does not look. */
export function disputeEscrow(escrow: Escrow, signer: string): Escrow {
  refuseIf(escrow.flags.disputed, SENTENCES.escrowInDispute);
  refuseIf(escrow.flags.resolved, SENTENCES.escrowResolved);
  checkDisputer(escrow, signer, escrow.roles.receiver);
  refuseIf(signer === escrow.roles.disputeResolver, SENTENCES.resolverCannotDispute);
  return { ...escrow, flags: { ...escrow.flags, disputed: true } };
}

export function disputeMilestone(escrow: Escrow, index: number, signer: string): Escrow {
  const { flags, receiver } = milestoneAt(escrow, index);
  refuseIf(flags.released, SENTENCES.milestoneReleased);
  refuseIf(flags.resolved, SENTENCES.milestoneResolved);
  refuseIf(flags.disputed, SENTENCES.milestoneInDispute);
  checkDisputer(escrow, signer, receiver);
  refuseIf(signer === escrow.roles.disputeResolver, SENTENCES.resolverCannotDisputeMilestone);
  return withMilestone(escrow, index, { flags: { ...flags, disputed: true } });
}

function checkDisputer({ roles }: Escrow, signer: string, receiver: string): void {
  const parties = [...Object.values(roles), receiver];
  refuseIf(!parties.includes(signer), SENTENCES.notAuthorizedToDispute);
}

export function resolveDispute(
  escrow: Escrow,
  signer: string,
  vendor: string,
  shares: readonly Share[],
  balance: bigint,
): Settlement {
  const total = checkShares(shares);
  refuseIf(signer !== escrow.roles.disputeResolver, SENTENCES.onlyDisputeResolver);
  refuseIf(!escrow.flags.disputed, SENTENCES.escrowNotInDispute);
  refuseIf(balance < total, SENTENCES.resolutionFunds);
  // Any account can send dust to a contract, so the balance is not always the funded amount.
  refuseIf(total !== balance, SENTENCES.sumNotBalance);
  refuseIf(total === 0n, SENTENCES.nothingToShare);
  const flags: Flags = { ...escrow.flags, resolved: true, disputed: false };
  return { escrow: { ...escrow, flags }, payments: payShares(escrow, shares, vendor) };
}

export function resolveMilestone(
  escrow: Escrow,
  index: number,
  signer: string,
  vendor: string,
  shares: readonly Share[],
  balance: bigint,
): Settlement {
  const { flags, amount } = milestoneAt(escrow, index);
  const total = checkShares(shares);
  refuseIf(signer !== escrow.roles.disputeResolver, SENTENCES.onlyDisputeResolver);
  refuseIf(flags.released, SENTENCES.milestoneReleased);
  refuseIf(flags.resolved, SENTENCES.milestoneResolved);
  refuseIf(!flags.disputed, SENTENCES.milestoneNotInDispute);
  refuseIf(total > amount, SENTENCES.milestoneExceeded);
  refuseIf(balance < total, SENTENCES.resolutionFunds);
  refuseIf(total === 0n, SENTENCES.nothingToShare);
  const resolved: Flags = { ...flags, resolved: true, disputed: false };
  return {
    escrow: withMilestone(escrow, index, { status: 'resolved', flags: resolved }),
    payments: payShares(escrow, shares, vendor),
  };
}

export function withdrawRemaining(
  escrow: Escrow,
  signer: string,
  vendor: string,
  shares: readonly Share[],
  balance: bigint,
): Settlement {
  const total = checkShares(shares);
  refuseIf(signer !== escrow.roles.disputeResolver, SENTENCES.onlyDisputeResolver);
  const all = escrow.type === 'single-release' ? [escrow] : escrow.milestones;
  const isProcessed = all.every(({ flags }) => flags.released || flags.resolved || flags.disputed);
  refuseIf(!isProcessed, SENTENCES.notProcessed);
  refuseIf(total === 0n, SENTENCES.nothingToShare);
  refuseIf(balance < total, SENTENCES.resolutionFunds);
  return { escrow, payments: payShares(escrow, shares, vendor) };
}

function checkShares(shares: readonly Share[]): bigint {
  refuseIf(shares.length > SHARES_MAX, SENTENCES.tooManyShares);
  refuseIf(
    shares.some(({ stroops }) => stroops <= 0n),
    SENTENCES.shareNotPositive,
  );
  return shares.reduce((sum, { stroops }) => sum + stroops, 0n);
}

function payShares(escrow: Escrow, shares: readonly Share[], vendor: string): Share[] {
  const { vendor: vendorFee, platform, net } = splitOf(shares, escrow.platformFee);
  return paid([
    { address: vendor, stroops: vendorFee },
    { address: escrow.roles.platformAddress, stroops: platform },
    ...net,
  ]);
}

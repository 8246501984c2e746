//! An escrow as the vendor's reads return it: whole units, percent, Firestore's times.
import type { World } from '../world.ts';
import type { DeployedEscrow, Escrow, Flags, Milestone } from './escrow-record.ts';
import { numberAmount } from './number-amount.ts';

/** A contract in the vendor's own database, as of its last read. */
export interface IndexedEscrow extends DeployedEscrow {
  readonly balance: bigint;
}

export function escrowView(world: World, indexed: IndexedEscrow): Record<string, unknown> {
  const { contractId, signer, escrow, balance, fundedBy, disputeStartedBy } = indexed;
  const { type, roles, flags } = escrow;
  const isSingle = type === 'single-release';
  const { receiver, ...common } = roles;
  return {
    contractId,
    signer,
    type,
    engagementId: escrow.engagementId,
    title: escrow.title,
    description: escrow.description,
    ...(isSingle && { amount: numberAmount(escrow.amount) }),
    balance: numberAmount(balance),
    platformFee: escrow.platformFee / 100,
    receiverMemo: 0,
    roles: isSingle ? { ...common, receiver } : common,
    milestones: escrow.milestones.map((each) => milestoneView(escrow, each)),
    ...(isSingle && { flags: flagsView(flags) }),
    trustline: {
      address: world.ledger.network.issuer.publicKey(),
      symbol: 'USDC',
      name: 'USDC',
    },
    isActive: true,
    ...(fundedBy !== undefined && { fundedBy }),
    ...(disputeStartedBy !== undefined && { disputeStartedBy }),
    user: signer,
    createdAt: timeView(indexed.createdAt),
    updatedAt: timeView(indexed.updatedAt),
  };
}

function milestoneView({ type }: Escrow, milestone: Milestone): Record<string, unknown> {
  const { description, status, evidence, isApproved, amount, receiver, flags } = milestone;
  const texts = { description, status, evidence };
  if (type === 'single-release') return { ...texts, approved: isApproved };
  return {
    ...texts,
    amount: numberAmount(amount),
    receiver,
    flags: { approved: isApproved, ...flagsView(flags) },
  };
}

function flagsView({ disputed, released, resolved }: Flags): Record<string, boolean> {
  return { disputed, released, resolved };
}

function timeView(at: number): Record<string, number> {
  return { _seconds: Math.floor(at / 1000), _nanoseconds: (at % 1000) * 1_000_000 };
}

/** The value that the list filter `status` is compared with. */
export function statusOf({ type, flags, milestones }: Escrow): string {
  const parts = type === 'single-release' ? [flags] : milestones.map((each) => each.flags);
  if (parts.some(({ disputed }) => disputed)) return 'inDispute';
  if (parts.every(({ released }) => released)) return 'released';
  if (parts.every(({ released, resolved }) => released || resolved)) return 'resolved';
  return milestones.every(({ isApproved }) => isApproved) ? 'pendingRelease' : 'working';
}

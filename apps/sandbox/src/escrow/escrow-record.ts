//! An escrow as the contract stores it. Amounts are stroops: 10^7 to one USDC.
export type EscrowType = 'single-release' | 'multi-release';

export interface Roles {
  readonly approver: string;
  readonly serviceProvider: string;
  readonly platformAddress: string;
  readonly releaseSigner: string;
  readonly disputeResolver: string;
  /** Single-release only; in multi-release each milestone names its own. */
  readonly receiver: string;
}

export interface Flags {
  readonly disputed: boolean;
  readonly released: boolean;
  readonly resolved: boolean;
}

export interface Milestone {
  readonly description: string;
  readonly status: string;
  readonly evidence: string;
  readonly isApproved: boolean;
  /** From here on multi-release only: zero, empty and false in single-release. */
  readonly amount: bigint;
  readonly receiver: string;
  readonly flags: Flags;
}

export interface Escrow {
  readonly type: EscrowType;
  readonly engagementId: string;
  readonly title: string;
  readonly description: string;
  readonly roles: Roles;
  /** Single-release only; zero in multi-release. */
  readonly amount: bigint;
  /** Basis points: 500 is 5%. */
  readonly platformFee: number;
  readonly milestones: readonly Milestone[];
  /** Single-release only; all false in multi-release. */
  readonly flags: Flags;
  /** The token contract (C…), not the issuer. */
  readonly trustline: string;
  readonly receiverMemo: bigint;
}

export const NO_FLAGS: Flags = { disputed: false, released: false, resolved: false };

/** The total amount of the escrow. */
export function totalOf(escrow: Escrow): bigint {
  if (escrow.type === 'single-release') return escrow.amount;
  return escrow.milestones.reduce((sum, { amount }) => sum + amount, 0n);
}

/** A deployed contract, kept as ('escrow', contractId). */
export interface DeployedEscrow {
  readonly contractId: string;
  readonly signer: string;
  readonly escrow: Escrow;
  readonly fundedBy?: string;
  readonly disputeStartedBy?: string;
  /** Paid out of the contract to the approver and to all others, before fees. */
  readonly paidToBuyer: bigint;
  readonly paidToOthers: bigint;
  /** Milliseconds, in ledger time. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

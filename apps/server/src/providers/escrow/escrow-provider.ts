//! The interface of the escrow provider: it builds unsigned transactions for each step and reads
//! the state of a contract. It sends nothing for us. Amounts are stroops: seven places, as the
//! contract counts.
import { assert } from '@holdfast/kernel/assert';
import type { Done, Outcome, Refused, Unknown } from '../outcome.ts';

export type ContractKind = 'single-release' | 'multi-release';

export interface EscrowRoles {
  readonly approver: string;
  readonly serviceProvider: string;
  readonly platformAddress: string;
  readonly releaseSigner: string;
  readonly disputeResolver: string;
  readonly receiver: string;
}

export interface EscrowTerms {
  readonly kind: ContractKind;
  /** Our order id: a label that the provider does not keep unique. */
  readonly engagementId: string;
  readonly title: string;
  readonly description: string;
  readonly roles: EscrowRoles;
  /** The whole amount; the milestones of a multi-release contract sum to it. */
  readonly stroops: bigint;
  /** 500 is five percent. */
  readonly feeBasisPoints: bigint;
  readonly milestones: readonly { readonly description: string; readonly stroops: bigint }[];
}

export interface Distribution {
  readonly address: string;
  readonly stroops: bigint;
}

interface OnContract {
  readonly kind: ContractKind;
  readonly contractId: string;
}

/** The whole of a single-release contract, or one milestone of a multi-release contract. */
type Part =
  | { readonly kind: 'single-release'; readonly contractId: string }
  | {
      readonly kind: 'multi-release';
      readonly contractId: string;
      readonly milestoneIndex: number;
    };

export type DeployStep = {
  readonly step: 'deploy';
  readonly signer: string;
  readonly terms: EscrowTerms;
};
export type FundStep = OnContract & {
  readonly step: 'fund';
  readonly signer: string;
  readonly stroops: bigint;
  /** The contract's terms: the transaction names what it expects to find. */
  readonly terms: EscrowTerms;
};
export type CompleteMilestoneStep = OnContract & {
  readonly step: 'completeMilestone';
  readonly milestoneIndex: number;
  readonly serviceProvider: string;
};
export type ApproveStep = OnContract & {
  readonly step: 'approve';
  readonly milestoneIndex: number;
  readonly approver: string;
};
export type ReleaseStep = Part & { readonly step: 'release'; readonly releaseSigner: string };
export type DisputeStep = Part & { readonly step: 'dispute'; readonly signer: string };
export type ResolveStep = Part & {
  readonly step: 'resolve';
  readonly disputeResolver: string;
  readonly distributions: readonly Distribution[];
};

/** One transaction of an escrow: the request to the provider, and what the signer checks. */
export type EscrowStep =
  | DeployStep
  | FundStep
  | CompleteMilestoneStep
  | ApproveStep
  | ReleaseStep
  | DisputeStep
  | ResolveStep;

/** The wallet that must sign the transaction of this step. */
export function signerOf(step: EscrowStep): string {
  switch (step.step) {
    case 'deploy':
    case 'fund':
    case 'dispute':
      return step.signer;
    case 'completeMilestone':
      return step.serviceProvider;
    case 'approve':
      return step.approver;
    case 'release':
      return step.releaseSigner;
    case 'resolve':
      return step.disputeResolver;
  }
}

/** Has no effect until it is signed. */
export interface UnsignedTransaction {
  readonly xdr: string;
}

/** Building changes nothing anywhere, so a repeat is always safe. */
export interface NotBuilt extends Unknown {
  readonly hasNoEffect: true;
}

export type Built = Done<UnsignedTransaction> | Refused | NotBuilt;

export interface ContractFlags {
  readonly isDisputed: boolean;
  readonly isReleased: boolean;
  readonly isResolved: boolean;
}

export interface MilestoneState extends ContractFlags {
  readonly status: string;
  readonly isApproved: boolean;
  /** Of a multi-release milestone; null in a single-release contract. */
  readonly stroops: bigint | null;
  readonly receiver: string | null;
}

/** A contract as the network has it. */
export interface ContractState extends ContractFlags {
  readonly contractId: string;
  readonly kind: ContractKind;
  readonly engagementId: string;
  readonly balanceStroops: bigint;
  readonly feeBasisPoints: bigint;
  readonly milestones: readonly MilestoneState[];
}

export interface EscrowProvider {
  build(step: EscrowStep): Promise<Built>;
  /** Checked against the network. Null when the provider knows no such contract (yet). */
  read(contractId: string): Promise<Outcome<ContractState | null>>;
  /** All contracts that were deployed by this signer for this order: there may be more than one. */
  findByEngagement(signer: string, engagementId: string): Promise<Outcome<ContractState[]>>;
  /** Adds a transaction that we sent ourselves to the provider's index. */
  recordTransaction(hash: string): Promise<Outcome<null>>;
}

/** The texts that mark a milestone; the provider requires both, and the signer checks them. */
export const COMPLETED = { status: 'completed', evidence: 'completed' } as const;

/** The provider's API limits; longer texts are cut, and the signer expects them cut. */
const TITLE_MAX = 100;
const DESCRIPTION_MAX = 500;

/** The terms as the contract has them. The adapter sends these, and the signer expects these. */
export function termsAsSent(terms: EscrowTerms): EscrowTerms {
  const { kind, stroops, milestones, engagementId } = terms;
  const sum = milestones.reduce((all, milestone) => all + milestone.stroops, 0n);
  assert(milestones.length > 0, 'a contract has at least one milestone');
  assert(kind === 'single-release' || sum === stroops, 'the milestones sum to the amount');
  const title = fitText(terms.title, TITLE_MAX) || `Order ${engagementId}`;
  return {
    ...terms,
    title,
    description: fitText(terms.description, DESCRIPTION_MAX) || title,
    milestones: milestones.map((milestone, index) => ({
      stroops: milestone.stroops,
      description: fitText(milestone.description, DESCRIPTION_MAX) || `Milestone ${index + 1}`,
    })),
  };
}

/** Cut between characters, never inside one. */
function fitText(text: string, lengthMax: number): string {
  let fitted = '';
  for (const character of text.trim().toWellFormed()) {
    if (fitted.length + character.length > lengthMax) break;
    fitted += character;
  }
  return fitted.trim();
}

/**
 * The shares when a contract is settled by resolution. A single-release contract must pay out
 * exactly its balance, and any payer can send dust to it. So the whole balance is shared out, and
 * the unclaimed rest goes to the first. Undefined when it holds too little.
 */
export function shareOut(
  state: ContractState,
  milestoneIndex: number | null,
  wanted: readonly Distribution[],
): Distribution[] | undefined {
  const shares = wanted.filter(({ stroops }) => stroops > 0n);
  const sum = shares.reduce((all, { stroops }) => all + stroops, 0n);
  if (shares.length === 0 || state.balanceStroops < sum) return undefined;
  if (state.kind === 'single-release') {
    const excess = state.balanceStroops - sum;
    return shares.map((share, at) =>
      at === 0 ? { ...share, stroops: share.stroops + excess } : share,
    );
  }
  const limit = state.milestones[milestoneIndex ?? -1]?.stroops ?? 0n;
  return sum <= limit ? shares : undefined;
}

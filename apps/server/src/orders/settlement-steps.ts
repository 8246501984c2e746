//! Decides which steps settle a contract, from its state on the network: pure. A step that the
//! network shows done is not repeated, and a disputed part is settled by resolution.
import type { StepName } from '@holdfast/contract/step-words';
import { assert } from '@holdfast/kernel/assert';
import type { Money } from '@holdfast/kernel/money';
import {
  COMPLETED,
  type ContractState,
  type Distribution,
  type EscrowStep,
  shareOut,
} from '../providers/escrow-provider.ts';
import { stroopsOf } from '../providers/stroops.ts';
import type { DeployedEscrow } from './checks.ts';
import { kindOf } from './escrow-steps.ts';

export interface SettlementStep {
  readonly name: StepName;
  readonly movesMoney: boolean;
  readonly step: EscrowStep;
}

/** A contract's state, as a step stores it: numbers as text. */
export type StoredContract = Numbered<
  Pick<
    ContractState,
    'kind' | 'balanceStroops' | 'isDisputed' | 'isReleased' | 'isResolved' | 'milestones'
  >
>;
type Numbered<T> = T extends bigint
  ? string
  : T extends object
    ? { readonly [K in keyof T]: Numbered<T[K]> }
    : T;

/** A part of a contract that is settled in one go: all of it, or one milestone. */
interface Part {
  /** Appended to the names of its steps. */
  readonly suffix: '' | `-${number}`;
  readonly index: number | null;
  readonly stroops: bigint;
  readonly isDisputed: boolean;
  readonly isReleased: boolean;
}

/**
 * Whether the contract holds everything it has not paid yet, which a reading from before its
 * funding does not show. Fees are part of the amounts; external payments only add to the balance.
 */
export function holdsUnpaid(escrow: DeployedEscrow, contract: StoredContract): boolean {
  // No more money will come in, so the operator who investigates is not kept waiting.
  if (isResolvedAnywhere(contract)) return true;
  const unpaid = partsOf(escrow, contract).filter(({ isReleased }) => !isReleased);
  const needed = unpaid.reduce((sum, { stroops }) => sum + stroops, 0n);
  return BigInt(contract.balanceStroops) >= needed;
}

/** Pays the seller: complete, approve, release; by resolution where it is disputed. */
export function releaseSteps(escrow: DeployedEscrow, contract: StoredContract): SettlementStep[] {
  const { kind, providerContractId: contractId, buyerAddress, sellerAddress } = escrowOf(escrow);
  const unpaid = partsOf(escrow, contract).filter(({ isReleased }) => !isReleased);
  return unpaid.flatMap((part) => {
    if (part.isDisputed) {
      return resolution(escrow, contract, part, [
        { address: sellerAddress, stroops: part.stroops },
      ]);
    }
    return [
      ...approval(escrow, contract, part),
      {
        name: `release${part.suffix}`,
        movesMoney: true,
        step: {
          step: 'release',
          releaseSigner: buyerAddress,
          ...partOf(kind, contractId, part),
        },
      },
    ];
  });
}

/** Pays the buyer back in full. */
export function refundSteps(escrow: DeployedEscrow, contract: StoredContract): SettlementStep[] {
  return resolutions(escrow, contract, 0n);
}

/** Pays both: the seller's amount fills the parts in their order. */
export function splitSteps(
  escrow: DeployedEscrow,
  contract: StoredContract,
  releaseAmount: Money,
): SettlementStep[] {
  return resolutions(escrow, contract, stroopsOf(releaseAmount));
}

function resolutions(
  escrow: DeployedEscrow,
  contract: StoredContract,
  sellerStroops: bigint,
): SettlementStep[] {
  let left = sellerStroops;
  return partsOf(escrow, contract).flatMap((part) => {
    assert(!part.isReleased, 'what was released is not shared out again');
    const isWhole = left >= part.stroops;
    const toSeller = isWhole ? part.stroops : left;
    left -= toSeller;
    return resolution(escrow, contract, part, [
      { address: escrow.sellerAddress, stroops: toSeller },
      { address: escrow.buyerAddress, stroops: part.stroops - toSeller },
    ]);
  });
}

function resolution(
  escrow: DeployedEscrow,
  contract: StoredContract,
  part: Part,
  wanted: readonly Distribution[],
): SettlementStep[] {
  const { kind, providerContractId: contractId, buyerAddress } = escrowOf(escrow);
  const distributions = shareOut(stateOf(escrow, contract), part.index, wanted);
  assert(distributions !== undefined, 'a contract is settled once it shows its money');
  const on = partOf(kind, contractId, part);
  const dispute: SettlementStep = {
    name: `dispute${part.suffix}`,
    movesMoney: false,
    step: { step: 'dispute', signer: buyerAddress, ...on },
  };
  const resolve: SettlementStep = {
    name: `resolve${part.suffix}`,
    movesMoney: true,
    step: { step: 'resolve', disputeResolver: escrow.resolverAddress, distributions, ...on },
  };
  return part.isDisputed ? [resolve] : [dispute, resolve];
}

/** The approvals that the contract requires before it pays. A single-release one requires all. */
function approval(escrow: DeployedEscrow, contract: StoredContract, part: Part): SettlementStep[] {
  const { kind, providerContractId: contractId, buyerAddress, sellerAddress } = escrowOf(escrow);
  return contract.milestones.flatMap(({ status, isApproved }, index) => {
    if (part.index !== null && part.index !== index) return [];
    const on = { kind, contractId, milestoneIndex: index };
    const complete: SettlementStep = {
      name: `complete-${index + 1}`,
      movesMoney: false,
      step: { step: 'completeMilestone', serviceProvider: sellerAddress, ...on },
    };
    const approve: SettlementStep = {
      name: `approve-${index + 1}`,
      movesMoney: false,
      step: { step: 'approve', approver: buyerAddress, ...on },
    };
    if (isApproved) return [];
    return status === COMPLETED.status ? [approve] : [complete, approve];
  });
}

function partsOf(escrow: DeployedEscrow, contract: StoredContract): Part[] {
  // The recipient of that payment is unknown here: an operator has to investigate.
  assert(!isResolvedAnywhere(contract), 'only this order resolves its contract');
  if (contract.kind === 'single-release') {
    const { isDisputed, isReleased } = contract;
    return [{ suffix: '', index: null, stroops: stroopsOf(escrow.amount), isDisputed, isReleased }];
  }
  return contract.milestones.map(({ stroops, isDisputed, isReleased }, index) => ({
    suffix: `-${index + 1}`,
    index,
    stroops: BigInt(stroops ?? 0),
    isDisputed,
    isReleased,
  }));
}

function isResolvedAnywhere(contract: StoredContract): boolean {
  const flags = contract.kind === 'single-release' ? [contract] : contract.milestones;
  return flags.some(({ isResolved }) => isResolved);
}

function partOf(kind: ContractState['kind'], contractId: string, { index }: Part) {
  return kind === 'single-release'
    ? { kind, contractId }
    : { kind, contractId, milestoneIndex: index ?? -1 };
}

function escrowOf(escrow: DeployedEscrow) {
  return { ...escrow, kind: kindOf(escrow) };
}

function stateOf(escrow: DeployedEscrow, contract: StoredContract): ContractState {
  return {
    ...contract,
    contractId: escrow.providerContractId,
    engagementId: escrow.orderId,
    balanceStroops: BigInt(contract.balanceStroops),
    feeBasisPoints: escrow.feeRate,
    milestones: contract.milestones.map((each) => ({
      ...each,
      stroops: each.stroops === null ? null : BigInt(each.stroops),
    })),
  };
}

//! Which steps settle a contract, from how it stands on the network: pure. What is true there
//! already is not done again, and a part that is disputed there is settled by resolution.
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
  readonly name: string;
  readonly movesMoney: boolean;
  readonly step: EscrowStep;
}

/** How a contract stands, as a step keeps it: numbers as text. */
export type KeptContract = Numbered<
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

/** The part of a contract that is settled at once: all of it, or one milestone. */
interface Part {
  /** Follows the names of its steps. */
  readonly suffix: string;
  readonly index: number | null;
  readonly stroops: bigint;
  readonly isDisputed: boolean;
  readonly isReleased: boolean;
}

/**
 * Whether it holds all that it has not paid yet, which a reading from before its funding does not
 * show. Fees are part of the amounts; what anybody sent besides is more.
 */
export function holdsUnpaid(escrow: DeployedEscrow, contract: KeptContract): boolean {
  // No money will come in any more: who looks into that is not kept waiting.
  if (isResolvedAnywhere(contract)) return true;
  const unpaid = partsOf(escrow, contract).filter(({ isReleased }) => !isReleased);
  const needed = unpaid.reduce((sum, { stroops }) => sum + stroops, 0n);
  return BigInt(contract.balanceStroops) >= needed;
}

/** Pays the seller: complete, approve, release; by resolution where it is disputed. */
export function releaseSteps(escrow: DeployedEscrow, contract: KeptContract): SettlementStep[] {
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

/** Pays the buyer back, whole. */
export function refundSteps(escrow: DeployedEscrow, contract: KeptContract): SettlementStep[] {
  return resolutions(escrow, contract, 0n);
}

/** Pays both: the seller's amount fills the parts in their order. */
export function splitSteps(
  escrow: DeployedEscrow,
  contract: KeptContract,
  releaseAmount: Money,
): SettlementStep[] {
  return resolutions(escrow, contract, stroopsOf(releaseAmount));
}

function resolutions(
  escrow: DeployedEscrow,
  contract: KeptContract,
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
  contract: KeptContract,
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

/** What the contract wants to see before it pays. A single-release one wants it of all. */
function approval(escrow: DeployedEscrow, contract: KeptContract, part: Part): SettlementStep[] {
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

function partsOf(escrow: DeployedEscrow, contract: KeptContract): Part[] {
  // Who was paid then, nobody here can know: an operator has to look.
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

function isResolvedAnywhere(contract: KeptContract): boolean {
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

function stateOf(escrow: DeployedEscrow, contract: KeptContract): ContractState {
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

//! Decides which steps settle a contract, from its state on the network: pure. A step that the
//! network shows done is not repeated, and a disputed part is settled by resolution.
import { assert } from '@holdfast/kernel/assert';
import type { Money } from '@holdfast/kernel/money';
import {
  COMPLETED,
  type ContractState,
  type Distribution,
  shareOut,
} from '../../providers/escrow/escrow-provider.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';
import { type ContractPart, partsOf, type StoredContract } from '../escrow/contract-parts.ts';
import type { SettlementStep } from '../escrow/escrow-run.ts';
import { kindOf } from '../escrow/escrow-steps.ts';
import type { DeployedEscrow } from '../model/checks.ts';

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
  part: ContractPart,
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
function approval(
  escrow: DeployedEscrow,
  contract: StoredContract,
  part: ContractPart,
): SettlementStep[] {
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

function partOf(kind: ContractState['kind'], contractId: string, { index }: ContractPart) {
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

//! The parts of a contract that are settled one by one, from its state on the network: pure.
import { assert } from '@holdfast/kernel/assert';
import type { ContractState } from '../../providers/escrow/escrow-provider.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';
import type { DeployedEscrow } from '../model/checks.ts';

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
export interface ContractPart {
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

export function partsOf(escrow: DeployedEscrow, contract: StoredContract): ContractPart[] {
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

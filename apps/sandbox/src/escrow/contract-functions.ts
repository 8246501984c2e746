//! The functions of an escrow contract: arguments, rule and emitted event of each.
//!
//! A role is authorised only as the source of the operation. A caller that is named as a role and
//! is not the source gets that role's sentence.
import type { xdr } from '@stellar/stellar-sdk';
import { ContractError } from '../ledger/contract.ts';
import {
  approveMilestone,
  changeMilestoneStatus,
  checkExtension,
  checkFunding,
  updateEscrow,
} from './contract-rules.ts';
import { Arguments, address, escrowValue, i128, list, text, u32 } from './contract-values.ts';
import { type Escrow, type EscrowType, totalOf } from './escrow-record.ts';
import type { Share } from './fees.ts';
import { SENTENCES, type Sentence } from './sentences.ts';
import {
  disputeEscrow,
  disputeMilestone,
  releaseFunds,
  releaseMilestone,
  resolveDispute,
  resolveMilestone,
  type Settlement,
  withdrawRemaining,
} from './settlement-rules.ts';

export interface Step {
  readonly escrow: Escrow;
  /** The contract's balance. */
  readonly balance: bigint;
  readonly source: string;
  readonly args: readonly xdr.ScVal[];
  readonly usdcOf: (address: string) => bigint;
}

export interface Outcome {
  readonly effect: string;
  readonly escrow: Escrow;
  readonly amount?: bigint;
  readonly milestoneIndex?: number;
  /** Payments into the contract. */
  readonly deposit?: Share;
  /** Payments out of it. */
  readonly payments?: readonly Share[];
  /** The amount of each receiver before fees. */
  readonly gross?: readonly Share[];
  readonly disputedBy?: string;
  readonly topic: string;
  readonly data: xdr.ScVal;
  readonly returnValue?: xdr.ScVal;
}

interface ContractFunction {
  readonly types: readonly EscrowType[];
  /** As faults name it. */
  readonly operation?: string;
  readonly run: (step: Step) => Outcome;
}

const BOTH: readonly EscrowType[] = ['single-release', 'multi-release'];
const SINGLE: readonly EscrowType[] = ['single-release'];
const MULTI: readonly EscrowType[] = ['multi-release'];

// biome-ignore format: a table is the one thing exempt from the line limit.
export const CONTRACT_FUNCTIONS: Readonly<Record<string, ContractFunction>> = {
  fund_escrow: { types: BOTH, operation: 'fund', run: fund },
  change_milestone_status: { types: BOTH, operation: 'status', run: changeStatus },
  approve_milestone: { types: BOTH, operation: 'approve', run: approve },
  release_funds: { types: SINGLE, operation: 'release', run: release },
  release_milestone_funds: { types: MULTI, operation: 'release', run: releaseOne },
  dispute_escrow: { types: SINGLE, operation: 'dispute', run: dispute },
  dispute_milestone: { types: MULTI, operation: 'dispute', run: disputeOne },
  resolve_dispute: { types: SINGLE, operation: 'resolve', run: resolve },
  resolve_milestone_dispute: { types: MULTI, operation: 'resolve', run: resolveOne },
  withdraw_remaining_funds: { types: BOTH, run: withdraw },
  update_escrow: { types: BOTH, run: update },
  extend_contract_ttl: { types: BOTH, run: extend },
};

/** The named role, which must be the one address that has authorised the call. */
function authorised(role: string, source: string, sentence: Sentence): string {
  if (role !== source) throw new ContractError(sentence);
  return role;
}

function fund({ escrow, args, source, usdcOf }: Step): Outcome {
  const given = new Arguments(args, 3);
  const signer = given.address();
  const expected = given.escrow(escrow.type);
  const stroops = given.stroops();
  // No role is needed to fund, so there is no sentence either: the host itself refuses.
  if (signer !== source) throw new ContractError('HostError: Error(Auth, InvalidAction)');
  checkFunding(escrow, expected, stroops, usdcOf(signer));
  return {
    effect: 'escrow.fund',
    escrow,
    amount: stroops,
    deposit: { address: signer, stroops },
    topic: 'tw_fund',
    data: list([address(signer), i128(stroops)]),
  };
}

function changeStatus({ escrow, args, source }: Step): Outcome {
  const given = new Arguments(args, 4);
  const index = given.wideIndex();
  const status = given.text();
  const evidence = given.optionalText();
  const signer = authorised(given.address(), source, SENTENCES.onlyServiceProvider);
  const next = changeMilestoneStatus(escrow, index, status, evidence, signer);
  return changed('escrow.status', 'tw_ms_change', next, index);
}

function approve({ escrow, args, source }: Step): Outcome {
  const given = new Arguments(args, 2);
  const index = given.wideIndex();
  const signer = authorised(given.address(), source, SENTENCES.onlyApprover);
  return changed('escrow.approve', 'tw_ms_approve', approveMilestone(escrow, index, signer), index);
}

/** A change of state that moves no money; its event carries the changed escrow. */
function changed(effect: string, topic: string, escrow: Escrow, milestoneIndex?: number): Outcome {
  const milestone = milestoneIndex === undefined ? undefined : escrow.milestones[milestoneIndex];
  const amount = escrow.type === 'multi-release' ? milestone?.amount : undefined;
  return {
    effect,
    escrow,
    amount: amount ?? totalOf(escrow),
    ...(milestoneIndex !== undefined && { milestoneIndex }),
    topic,
    data: list([escrowValue(escrow)]),
  };
}

function release({ escrow, args, source, balance }: Step): Outcome {
  const given = new Arguments(args, 2);
  const signer = authorised(given.address(), source, SENTENCES.onlyReleaseSigner);
  const settlement = releaseFunds(escrow, signer, given.address(), balance);
  const gross = [{ address: escrow.roles.receiver, stroops: escrow.amount }];
  return released(settlement, signer, gross);
}

function releaseOne({ escrow, args, source, balance }: Step): Outcome {
  const given = new Arguments(args, 3);
  const signer = authorised(given.address(), source, SENTENCES.onlyReleaseSignerMulti);
  const vendor = given.address();
  const index = given.u32();
  const settlement = releaseMilestone(escrow, index, signer, vendor, balance);
  const gross = escrow.milestones
    .slice(index, index + 1)
    .map(({ receiver, amount }) => ({ address: receiver, stroops: amount }));
  return { ...released(settlement, signer, gross), milestoneIndex: index };
}

function released(
  { escrow, payments }: Settlement,
  signer: string,
  gross: readonly Share[],
): Outcome {
  const amount = sumOf(gross);
  const data = address(signer);
  return { effect: 'escrow.release', escrow, amount, payments, gross, topic: 'tw_release', data };
}

function dispute({ escrow, args, source }: Step): Outcome {
  const given = new Arguments(args, 1);
  const signer = authorised(given.address(), source, SENTENCES.notAuthorizedToDispute);
  const next = disputeEscrow(escrow, signer);
  return { ...changed('escrow.dispute', 'tw_dispute', next), disputedBy: signer };
}

function disputeOne({ escrow, args, source }: Step): Outcome {
  const given = new Arguments(args, 2);
  const index = given.wideIndex();
  const signer = authorised(given.address(), source, SENTENCES.notAuthorizedToDispute);
  const next = disputeMilestone(escrow, index, signer);
  return { ...changed('escrow.dispute', 'tw_dispute', next, index), disputedBy: signer };
}

function resolve({ escrow, args, source, balance }: Step): Outcome {
  const given = new Arguments(args, 3);
  const signer = authorised(given.address(), source, SENTENCES.onlyDisputeResolver);
  const vendor = given.address();
  const shares = given.shares();
  const { payments, ...next } = resolveDispute(escrow, signer, vendor, shares, balance);
  return { ...resolved(next.escrow, shares), payments };
}

function resolveOne({ escrow, args, source, balance }: Step): Outcome {
  const given = new Arguments(args, 4);
  const signer = authorised(given.address(), source, SENTENCES.onlyDisputeResolver);
  const index = given.u32();
  const vendor = given.address();
  const shares = given.shares();
  const settlement = resolveMilestone(escrow, index, signer, vendor, shares, balance);
  const { payments } = settlement;
  return { ...resolved(settlement.escrow, shares), payments, milestoneIndex: index };
}

function resolved(escrow: Escrow, gross: readonly Share[]): Outcome {
  const changed = { topic: 'tw_disp_resolve', data: list([escrowValue(escrow)]) };
  return { effect: 'escrow.resolve', escrow, amount: sumOf(gross), gross, ...changed };
}

function withdraw({ escrow, args, source, balance }: Step): Outcome {
  const given = new Arguments(args, 3);
  const signer = authorised(given.address(), source, SENTENCES.onlyDisputeResolver);
  const vendor = given.address();
  const shares = given.shares();
  const { payments } = withdrawRemaining(escrow, signer, vendor, shares, balance);
  const data = list([escrowValue(escrow)]);
  const amount = sumOf(shares);
  return { effect: 'escrow.withdraw', escrow, amount, payments, topic: 'tw_withdraw', data };
}

function update({ escrow, args, source, balance }: Step): Outcome {
  const given = new Arguments(args, 2);
  const signer = authorised(given.address(), source, SENTENCES.onlyPlatform);
  const next = updateEscrow(escrow, given.escrow(escrow.type), signer, balance);
  const data = list([address(signer), text(next.engagementId), escrowValue(next)]);
  const returnValue = escrowValue(next);
  return { effect: 'escrow.update', escrow: next, topic: 'tw_update', data, returnValue };
}

function extend({ escrow, args, source }: Step): Outcome {
  const given = new Arguments(args, 2);
  const signer = authorised(given.address(), source, SENTENCES.onlyPlatform);
  const ledgers = given.u32();
  checkExtension(escrow, signer);
  const data = list([address(signer), u32(ledgers)]);
  return { effect: 'escrow.extend', escrow, topic: 'tw_ttl_extend', data };
}

function sumOf(shares: readonly Share[]): bigint {
  return shares.reduce((sum, { stroops }) => sum + stroops, 0n);
}

//! The expected contract call for each step of an escrow, including every argument.
import type { xdr } from '@stellar/stellar-sdk/base';
import { Address } from '@stellar/stellar-sdk/base';
import {
  address,
  amounts,
  anyAddress,
  anyHash,
  anyText,
  bytes,
  flag,
  list,
  type Matcher,
  matchAll,
  struct,
  text,
  whole,
} from './contract-value.ts';
import {
  COMPLETED,
  type ContractKind,
  type EscrowStep,
  type EscrowTerms,
  signerOf,
  termsAsSent,
} from './escrow-provider.ts';

/** The provider's contracts on one network: configured, never taken from a reply. */
export interface ContractSettings {
  /** Deploys every escrow. */
  readonly factory: string;
  /** The code of an escrow, by its hash in hex: other code could do anything with the money. */
  readonly wasmHashes: Readonly<Record<ContractKind, string>>;
  /** Where the provider's own fee goes; null when it is not configured. */
  readonly providerFeeAddress: string | null;
}

export interface CallContext extends ContractSettings {
  /** The token contract of USDC on this network. */
  readonly usdcContract: string;
}

export interface ExpectedCall {
  readonly contractId: string;
  readonly functionName: string;
  readonly args: readonly Matcher[];
  /** The calls below it that the signature may authorise too. */
  readonly mayReach: readonly ExpectedCall[];
}

/** How a call differs from the expected one, or undefined. */
export function callDifference(
  expected: ExpectedCall,
  { contractAddress, functionName, args }: xdr.InvokeContractArgs,
): string | undefined {
  const contractId = Address.fromScAddress(contractAddress).toString();
  const name = functionName.toString();
  if (contractId !== expected.contractId) {
    return `the contract is ${contractId}, not ${expected.contractId}`;
  }
  if (name !== expected.functionName) return `it calls ${name}, not ${expected.functionName}`;
  return matchAll(expected.args, args, name);
}

const DEPLOY: Readonly<Record<ContractKind, string>> = {
  'single-release': 'tw_new_single_release_escrow',
  'multi-release': 'tw_new_multi_release_escrow',
};

export function expectedCall(step: EscrowStep, context: CallContext): ExpectedCall {
  const signer = address(signerOf(step));
  const { providerFeeAddress: feeAddress } = context;
  const provider = feeAddress === null ? anyAddress : address(feeAddress);
  switch (step.step) {
    case 'deploy':
      return deployCall(step.terms, signer, context);
    case 'fund': {
      const { usdcContract } = context;
      const to = address(step.contractId);
      const stroops = whole(step.stroops);
      const escrow = escrowStruct(termsAsSent(step.terms), usdcContract);
      const transfer = call(usdcContract, 'transfer', [signer, to, stroops]);
      return call(step.contractId, 'fund_escrow', [signer, escrow, stroops], [transfer]);
    }
    case 'completeMilestone': {
      const { status, evidence } = COMPLETED;
      const args = [indexOf(step), text(status), text(evidence), signer];
      return call(step.contractId, 'change_milestone_status', args);
    }
    case 'approve':
      return call(step.contractId, 'approve_milestone', [indexOf(step), signer]);
    case 'release':
      return step.kind === 'single-release'
        ? call(step.contractId, 'release_funds', [signer, provider])
        : call(step.contractId, 'release_milestone_funds', [signer, provider, indexOf(step)]);
    case 'dispute':
      return step.kind === 'single-release'
        ? call(step.contractId, 'dispute_escrow', [signer])
        : call(step.contractId, 'dispute_milestone', [indexOf(step), signer]);
    case 'resolve': {
      const shares = amounts(
        new Map(step.distributions.map((share) => [share.address, share.stroops])),
      );
      return step.kind === 'single-release'
        ? call(step.contractId, 'resolve_dispute', [signer, provider, shares])
        : call(step.contractId, 'resolve_milestone_dispute', [
            signer,
            indexOf(step),
            provider,
            shares,
          ]);
    }
  }
}

function call(
  contractId: string,
  functionName: string,
  args: readonly Matcher[],
  mayReach: readonly ExpectedCall[] = [],
): ExpectedCall {
  return { contractId, functionName, args, mayReach };
}

function indexOf({ milestoneIndex }: { readonly milestoneIndex: number }): Matcher {
  return whole(BigInt(milestoneIndex));
}

/** Factory arguments: deployer, code, salt, first call and its arguments, constructor arguments. */
function deployCall(terms: EscrowTerms, signer: Matcher, context: CallContext): ExpectedCall {
  const { factory, wasmHashes, usdcContract } = context;
  const code = bytes(wasmHashes[terms.kind]);
  const escrow = escrowStruct(termsAsSent(terms), usdcContract);
  const start = text('initialize_escrow');
  return call(factory, DEPLOY[terms.kind], [
    signer,
    code,
    anyHash,
    start,
    list([escrow]),
    list([]),
  ]);
}

/** The two kinds of contract name this role differently. */
const PLATFORM_ROLE = 'platform_address|platform';

/** An escrow at its start. Status and evidence are texts without effect; flags have an effect. */
function escrowStruct(terms: EscrowTerms, usdcContract: string): Matcher {
  const { kind, roles, milestones } = terms;
  const isSingle = kind === 'single-release';
  return struct({
    engagement_id: text(terms.engagementId),
    title: text(terms.title),
    description: text(terms.description),
    roles: struct({
      approver: address(roles.approver),
      service_provider: address(roles.serviceProvider),
      [PLATFORM_ROLE]: address(roles.platformAddress),
      release_signer: address(roles.releaseSigner),
      dispute_resolver: address(roles.disputeResolver),
      ...(isSingle && { receiver: address(roles.receiver) }),
    }),
    platform_fee: whole(terms.feeBasisPoints),
    milestones: list(milestones.map((milestone) => milestoneStruct(terms, milestone))),
    trustline: struct({ address: address(usdcContract) }),
    'receiver_memo?': whole(0n),
    ...(isSingle && { amount: whole(terms.stroops), flags: flagsStruct(UNSET) }),
  });
}

const UNSET = ['disputed', 'released', 'resolved'];

function milestoneStruct(
  { kind, roles }: EscrowTerms,
  milestone: EscrowTerms['milestones'][number],
): Matcher {
  const common = {
    description: text(milestone.description),
    status: anyText,
    evidence: anyText,
  };
  if (kind === 'single-release') return struct({ ...common, approved: flag(false) });
  return struct({
    ...common,
    amount: whole(milestone.stroops),
    receiver: address(roles.receiver),
    flags: flagsStruct(['approved', ...UNSET]),
  });
}

function flagsStruct(names: readonly string[]): Matcher {
  return struct(Object.fromEntries(names.map((name) => [name, flag(false)])));
}

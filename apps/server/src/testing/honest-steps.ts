//! Every step of both kinds of contract, as an honest escrow provider builds it.
import type { EscrowStep, EscrowTerms } from '../providers/escrow/escrow-provider.ts';
import { closeTimeOf, type Parties, UNIT, useParties } from './parties.ts';
import type { Sandbox } from './sandbox.ts';
import { useOpened } from './use-world.ts';

export interface HonestStep {
  readonly step: EscrowStep;
  readonly xdr: string;
}

export type StepName =
  | 'deploy'
  | 'deploy multi'
  | 'fund'
  | 'fund multi'
  | 'complete'
  | 'approve'
  | 'release'
  | 'release multi'
  | 'dispute'
  | 'dispute multi'
  | 'resolve'
  | 'resolve multi';

type HonestSteps = Readonly<Record<StepName, HonestStep>>;

/** Parties, their honest steps, and the network's time when these were built. */
export function useHonestSteps(): {
  readonly sandbox: Sandbox;
  readonly parties: Parties;
  readonly steps: HonestSteps;
  readonly network: { readonly now: number };
} {
  const { sandbox, parties } = useParties();
  const steps = useOpened(() => buildHonestSteps(parties));
  const network = useOpened(async () => ({ now: await closeTimeOf(parties.adapters) }));
  return { sandbox, parties, steps, network };
}

/** Each contract is brought to the state where its next step can be built. */
async function buildHonestSteps(parties: Parties): Promise<HonestSteps> {
  const { buyer, seller, resolver } = parties;
  const single = parties.terms();
  const multi: EscrowTerms = {
    ...parties.terms({ kind: 'multi-release' }),
    milestones: [
      { description: 'Legs', stroops: 40n * UNIT },
      { description: 'Top', stroops: 60n * UNIT },
    ],
  };
  const signer = buyer.address;
  const bare = await parties.take({ step: 'deploy', signer, terms: single });
  const bareMulti = await parties.take({ step: 'deploy', signer, terms: multi });
  const one = { kind: 'single-release' as const, contractId: await parties.fundedContract(single) };
  const many = { kind: 'multi-release' as const, contractId: await parties.fundedContract(multi) };
  const approved = { ...one, contractId: await parties.fundedContract(single) };
  const approver = buyer.address;
  await parties.take({ ...approved, step: 'approve', milestoneIndex: 0, approver });
  await parties.take({ ...many, step: 'approve', milestoneIndex: 0, approver });
  const disputed = { ...one, contractId: await parties.fundedContract(single) };
  await parties.take({ ...disputed, step: 'dispute', signer });
  await parties.take({ ...many, step: 'dispute', milestoneIndex: 1, signer });
  const shares = (seller_: bigint, buyer_: bigint) => [
    { address: seller.address, stroops: seller_ * UNIT },
    { address: buyer.address, stroops: buyer_ * UNIT },
  ];
  const disputeResolver = resolver.address;
  const first = { ...many, milestoneIndex: 0 };
  const second = { ...many, milestoneIndex: 1 };
  const fund = { step: 'fund' as const, signer, stroops: 100n * UNIT };
  const releaseSigner = buyer.address;
  const resolve = { step: 'resolve' as const, disputeResolver };

  const steps: Record<StepName, EscrowStep> = {
    deploy: { step: 'deploy', signer, terms: single },
    'deploy multi': { step: 'deploy', signer, terms: multi },
    fund: { ...fund, kind: 'single-release', contractId: bare, terms: single },
    'fund multi': { ...fund, kind: 'multi-release', contractId: bareMulti, terms: multi },
    complete: { ...second, step: 'completeMilestone', serviceProvider: seller.address },
    approve: { ...one, step: 'approve', milestoneIndex: 0, approver },
    release: { ...approved, step: 'release', releaseSigner },
    'release multi': { ...first, step: 'release', releaseSigner },
    dispute: { ...one, step: 'dispute', signer },
    'dispute multi': { ...first, step: 'dispute', signer },
    resolve: { ...disputed, ...resolve, distributions: shares(60n, 40n) },
    'resolve multi': { ...second, ...resolve, distributions: shares(50n, 10n) },
  };
  const built = Object.entries(steps).map(async ([name, step]) => {
    const outcome = await parties.adapters.escrow.build(step);
    if (outcome.kind !== 'done') throw new Error(`${name}: ${outcome.reason}`);
    return [name, { step, xdr: outcome.value.xdr }] as const;
  });
  return Object.fromEntries(await Promise.all(built)) as Record<StepName, HonestStep>;
}

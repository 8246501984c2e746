//! The contract tests for every escrow provider. One suite for the sandbox and for the vendor's own
//! test system, so that the two cannot drift apart.
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  EscrowProvider,
  EscrowStep,
  EscrowTerms,
} from '../../providers/escrow/escrow-provider.ts';
import { encodeStrKey } from '../../providers/network/strkey.ts';
import { callOf, decodeTx } from '../tamper.ts';

export interface EscrowEnvironment {
  readonly provider: EscrowProvider;
  readonly buyer: string;
  readonly seller: string;
  readonly resolver: string;
  /** An account that exists and has no trustline. */
  readonly untrusting: string;
  readonly terms: (changes?: Partial<EscrowTerms>) => EscrowTerms;
  /** Signs and sends a step; returns the contract's id. Only where there is money to spend. */
  readonly take?: (step: EscrowStep) => Promise<string>;
}

const UNIT = 10_000_000n;
const NOWHERE = encodeStrKey('contract', Buffer.alloc(32, 5));

const unusedId = () => newId('ord', systemClock.now());

export function escrowProviderSuite(
  name: string,
  createEnvironment: () => Promise<EscrowEnvironment>,
  { hasMoney }: { readonly hasMoney: boolean },
): void {
  describe(`escrow provider: ${name}`, () => {
    let environment: EscrowEnvironment;
    beforeAll(async () => {
      environment = await createEnvironment();
    });
    const deploy = (changes?: Partial<EscrowTerms>): EscrowStep => ({
      step: 'deploy',
      signer: environment.buyer,
      terms: environment.terms(changes),
    });

    it('builds a deployment for its signer, bounded in time', async () => {
      const built = await environment.provider.build(deploy());
      if (built.kind !== 'done') throw new Error(built.reason);
      const { cond } = decodeTx(built.value.xdr);
      expect(callOf(built.value.xdr).functionName).toBe('tw_new_single_release_escrow');
      expect(cond.type === 'precondTime' && cond.timeBounds.maxTime > 0n).toBe(true);
    });

    it('builds a deployment with a fee to two places and an amount to seven', async () => {
      const built = await environment.provider.build(
        deploy({ stroops: 100n * UNIT + 1n, feeBasisPoints: 275n }),
      );
      expect(built).toMatchObject({ kind: 'done' });
    });

    it('refuses terms that no contract takes', async () => {
      const milestones = [{ description: 'nothing', stroops: 0n }];
      const nothing = await environment.provider.build(deploy({ stroops: 0n, milestones }));
      expect(nothing).toMatchObject({ kind: 'refused', code: 'amount-invalid' });
      const feeTooHigh = await environment.provider.build(deploy({ feeBasisPoints: 9_950n }));
      expect(feeTooHigh).toMatchObject({ kind: 'refused', code: 'fee-invalid' });
    });

    it('refuses a platform address without a trustline', async () => {
      const { roles } = environment.terms();
      const platformAddress = environment.untrusting;
      const built = await environment.provider.build(
        deploy({ roles: { ...roles, platformAddress } }),
      );
      expect(built).toMatchObject({ kind: 'refused', code: 'no-trustline' });
    });

    it('finds no contract that does not exist', async () => {
      expect(await environment.provider.read(NOWHERE)).toEqual({ kind: 'done', value: null });
      const found = await environment.provider.findByEngagement(environment.buyer, unusedId());
      expect(found).toEqual({ kind: 'done', value: [] });
    });

    it('refuses a step on a contract that does not exist', async () => {
      const built = await environment.provider.build({
        step: 'approve',
        kind: 'single-release',
        contractId: NOWHERE,
        milestoneIndex: 0,
        approver: environment.buyer,
      });
      expect(built).toMatchObject({ kind: 'refused', code: 'not-found' });
    });

    if (!hasMoney) return;
    paidTests(() => environment);
    milestoneTests(() => environment);
  });
}

/** A funded contract, and the actions on it. */
async function open(environment: EscrowEnvironment, changes: Partial<EscrowTerms> = {}) {
  const { take } = environment;
  if (take === undefined) throw new Error('a stage with money can take steps');
  const terms = environment.terms(changes);
  const { kind, stroops } = terms;
  const contractId = await take({ step: 'deploy', signer: environment.buyer, terms });
  const on = { kind, contractId };
  await take({ ...on, step: 'fund', signer: environment.buyer, stroops, terms });
  const state = async () => {
    const read = await environment.provider.read(contractId);
    if (read.kind !== 'done' || read.value === null) throw new Error('it is there');
    return read.value;
  };
  return { environment: environment, take, terms, contractId, on, state };
}

/** Tests that need USDC and signatures. */
function paidTests(environmentOf: () => EscrowEnvironment): void {
  it('takes a single-release contract from deployment to release, with its state', async () => {
    const { environment, take, contractId, state, terms } = await open(environmentOf());
    const on = { kind: 'single-release' as const, contractId };
    expect(await state()).toMatchObject({
      balanceStroops: terms.stroops,
      feeBasisPoints: terms.feeBasisPoints,
      engagementId: terms.engagementId,
      isReleased: false,
    });
    const early = await environment.provider.build({
      ...on,
      step: 'release',
      releaseSigner: environment.buyer,
    });
    expect(early).toMatchObject({ kind: 'refused', code: 'not-approved' });
    const serviceProvider = environment.seller;
    await take({ ...on, step: 'completeMilestone', milestoneIndex: 0, serviceProvider });
    await take({ ...on, step: 'approve', milestoneIndex: 0, approver: environment.buyer });
    expect((await state()).milestones).toMatchObject([{ status: 'completed', isApproved: true }]);
    await take({ ...on, step: 'release', releaseSigner: environment.buyer });
    expect(await state()).toMatchObject({ isReleased: true, balanceStroops: 0n });
    const again = await environment.provider.build({
      ...on,
      step: 'release',
      releaseSigner: environment.buyer,
    });
    expect(again).toMatchObject({ kind: 'refused', code: 'already-released' });
  });

  it('refuses to dispute twice, and by the resolver', async () => {
    const { environment, take, contractId } = await open(environmentOf());
    const on = { kind: 'single-release' as const, contractId };
    const byResolver = await environment.provider.build({
      ...on,
      step: 'dispute',
      signer: environment.resolver,
    });
    expect(byResolver).toMatchObject({ kind: 'refused', code: 'wrong-role' });
    await take({ ...on, step: 'dispute', signer: environment.buyer });
    const again = await environment.provider.build({
      ...on,
      step: 'dispute',
      signer: environment.buyer,
    });
    expect(again).toMatchObject({ kind: 'refused', code: 'already-disputed' });
  });

  it('finds a contract by its order, once it received the transaction', async () => {
    const { environment, contractId, terms } = await open(environmentOf());
    const found = await environment.provider.findByEngagement(
      environment.buyer,
      terms.engagementId,
    );
    expect(found).toMatchObject({ kind: 'done', value: [{ contractId }] });
  });
}

function milestoneTests(environmentOf: () => EscrowEnvironment): void {
  it('settles each milestone of a multi-release contract separately', async () => {
    const milestones = [
      { description: 'Legs', stroops: 40n * UNIT },
      { description: 'Top', stroops: 60n * UNIT },
    ];
    const { environment, take, contractId, state } = await open(environmentOf(), {
      kind: 'multi-release',
      milestones,
    });
    const on = { kind: 'multi-release' as const, contractId };
    await take({ ...on, step: 'approve', milestoneIndex: 0, approver: environment.buyer });
    await take({ ...on, step: 'release', milestoneIndex: 0, releaseSigner: environment.buyer });
    await take({ ...on, step: 'dispute', milestoneIndex: 1, signer: environment.buyer });
    expect((await state()).milestones).toMatchObject([
      { isReleased: true, isDisputed: false, stroops: 40n * UNIT, receiver: environment.seller },
      { isReleased: false, isDisputed: true, stroops: 60n * UNIT },
    ]);
    const distributions = [{ address: environment.buyer, stroops: 60n * UNIT }];
    const disputeResolver = environment.resolver;
    await take({ ...on, step: 'resolve', milestoneIndex: 1, disputeResolver, distributions });
    expect(await state()).toMatchObject({
      balanceStroops: 0n,
      milestones: [{ isReleased: true }, { isResolved: true }],
    });
  });
}

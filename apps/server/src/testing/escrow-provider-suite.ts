//! What every escrow provider must do for us: one suite, for the sandbox and for the vendor's own
//! test system, so that the two cannot drift apart.
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EscrowProvider, EscrowStep, EscrowTerms } from '../providers/escrow-provider.ts';
import { encodeStrKey } from '../providers/strkey.ts';
import { callOf, decodeTx } from './tamper.ts';

export interface EscrowStage {
  readonly provider: EscrowProvider;
  readonly buyer: string;
  readonly seller: string;
  readonly resolver: string;
  /** An account that exists and holds no trustline. */
  readonly untrusting: string;
  readonly terms: (changes?: Partial<EscrowTerms>) => EscrowTerms;
  /** Signs and sends a step; answers the contract's id. Only where there is money to spend. */
  readonly take?: (step: EscrowStep) => Promise<string>;
}

const UNIT = 10_000_000n;
const NOWHERE = encodeStrKey('contract', Buffer.alloc(32, 5));

export function escrowProviderSuite(
  name: string,
  makeStage: () => Promise<EscrowStage>,
  { hasMoney }: { readonly hasMoney: boolean },
): void {
  describe(`escrow provider: ${name}`, () => {
    let stage: EscrowStage;
    beforeAll(async () => {
      stage = await makeStage();
    });
    const deploy = (changes?: Partial<EscrowTerms>): EscrowStep => ({
      step: 'deploy',
      signer: stage.buyer,
      terms: stage.terms(changes),
    });

    it('builds a deployment for its signer, bounded in time', async () => {
      const built = await stage.provider.build(deploy());
      if (built.kind !== 'done') throw new Error(built.reason);
      const { cond } = decodeTx(built.value.xdr);
      expect(callOf(built.value.xdr).functionName).toBe('tw_new_single_release_escrow');
      expect(cond.type === 'precondTime' && cond.timeBounds.maxTime > 0n).toBe(true);
    });

    it('builds a deployment with a fee to two places and an amount to seven', async () => {
      const built = await stage.provider.build(
        deploy({ stroops: 100n * UNIT + 1n, feeBasisPoints: 275n }),
      );
      expect(built).toMatchObject({ kind: 'done' });
    });

    it('refuses terms that no contract takes', async () => {
      const milestones = [{ description: 'nothing', stroops: 0n }];
      const nothing = await stage.provider.build(deploy({ stroops: 0n, milestones }));
      expect(nothing).toMatchObject({ kind: 'refused', code: 'amount-invalid' });
      const feeTooHigh = await stage.provider.build(deploy({ feeBasisPoints: 9_950n }));
      expect(feeTooHigh).toMatchObject({ kind: 'refused', code: 'fee-invalid' });
    });

    it('refuses a platform address without a trustline', async () => {
      const { roles } = stage.terms();
      const platformAddress = stage.untrusting;
      const built = await stage.provider.build(deploy({ roles: { ...roles, platformAddress } }));
      expect(built).toMatchObject({ kind: 'refused', code: 'no-trustline' });
    });

    it('knows nothing of a contract that is not there', async () => {
      expect(await stage.provider.read(NOWHERE)).toEqual({ kind: 'done', value: null });
      const found = await stage.provider.findByEngagement(stage.buyer, newId('ord'));
      expect(found).toEqual({ kind: 'done', value: [] });
    });

    it('refuses a step on a contract that is not there', async () => {
      const built = await stage.provider.build({
        step: 'approve',
        kind: 'single-release',
        contractId: NOWHERE,
        milestoneIndex: 0,
        approver: stage.buyer,
      });
      expect(built).toMatchObject({ kind: 'refused', code: 'not-found' });
    });

    if (!hasMoney) return;
    paidTests(() => stage);
    milestoneTests(() => stage);
  });
}

/** A funded contract, and what can be done with it. */
async function open(stage: EscrowStage, changes: Partial<EscrowTerms> = {}) {
  const { take } = stage;
  if (take === undefined) throw new Error('a stage with money can take steps');
  const terms = stage.terms(changes);
  const { kind, stroops } = terms;
  const contractId = await take({ step: 'deploy', signer: stage.buyer, terms });
  const on = { kind, contractId };
  await take({ ...on, step: 'fund', signer: stage.buyer, stroops, terms });
  const state = async () => {
    const read = await stage.provider.read(contractId);
    if (read.kind !== 'done' || read.value === null) throw new Error('it is there');
    return read.value;
  };
  return { stage, take, terms, contractId, on, state };
}

/** What needs USDC and signatures. */
function paidTests(stageOf: () => EscrowStage): void {
  it('leads a single-release contract from deployment to release, and tells its state', async () => {
    const { stage, take, contractId, state, terms } = await open(stageOf());
    const on = { kind: 'single-release' as const, contractId };
    expect(await state()).toMatchObject({
      balanceStroops: terms.stroops,
      feeBasisPoints: terms.feeBasisPoints,
      engagementId: terms.engagementId,
      isReleased: false,
    });
    const early = await stage.provider.build({
      ...on,
      step: 'release',
      releaseSigner: stage.buyer,
    });
    expect(early).toMatchObject({ kind: 'refused', code: 'not-approved' });
    const serviceProvider = stage.seller;
    await take({ ...on, step: 'completeMilestone', milestoneIndex: 0, serviceProvider });
    await take({ ...on, step: 'approve', milestoneIndex: 0, approver: stage.buyer });
    expect((await state()).milestones).toMatchObject([{ status: 'completed', isApproved: true }]);
    await take({ ...on, step: 'release', releaseSigner: stage.buyer });
    expect(await state()).toMatchObject({ isReleased: true, balanceStroops: 0n });
    const again = await stage.provider.build({
      ...on,
      step: 'release',
      releaseSigner: stage.buyer,
    });
    expect(again).toMatchObject({ kind: 'refused', code: 'already-released' });
  });

  it('refuses to dispute twice, and by the resolver', async () => {
    const { stage, take, contractId } = await open(stageOf());
    const on = { kind: 'single-release' as const, contractId };
    const byResolver = await stage.provider.build({
      ...on,
      step: 'dispute',
      signer: stage.resolver,
    });
    expect(byResolver).toMatchObject({ kind: 'refused', code: 'wrong-role' });
    await take({ ...on, step: 'dispute', signer: stage.buyer });
    const again = await stage.provider.build({ ...on, step: 'dispute', signer: stage.buyer });
    expect(again).toMatchObject({ kind: 'refused', code: 'already-disputed' });
  });

  it('finds a contract by its order, once it was told of the transaction', async () => {
    const { stage, contractId, terms } = await open(stageOf());
    const found = await stage.provider.findByEngagement(stage.buyer, terms.engagementId);
    expect(found).toMatchObject({ kind: 'done', value: [{ contractId }] });
  });
}

function milestoneTests(stageOf: () => EscrowStage): void {
  it('settles each milestone of a multi-release contract by itself', async () => {
    const milestones = [
      { description: 'Legs', stroops: 40n * UNIT },
      { description: 'Top', stroops: 60n * UNIT },
    ];
    const { stage, take, contractId, state } = await open(stageOf(), {
      kind: 'multi-release',
      milestones,
    });
    const on = { kind: 'multi-release' as const, contractId };
    await take({ ...on, step: 'approve', milestoneIndex: 0, approver: stage.buyer });
    await take({ ...on, step: 'release', milestoneIndex: 0, releaseSigner: stage.buyer });
    await take({ ...on, step: 'dispute', milestoneIndex: 1, signer: stage.buyer });
    expect((await state()).milestones).toMatchObject([
      { isReleased: true, isDisputed: false, stroops: 40n * UNIT, receiver: stage.seller },
      { isReleased: false, isDisputed: true, stroops: 60n * UNIT },
    ]);
    const distributions = [{ address: stage.buyer, stroops: 60n * UNIT }];
    const disputeResolver = stage.resolver;
    await take({ ...on, step: 'resolve', milestoneIndex: 1, disputeResolver, distributions });
    expect(await state()).toMatchObject({
      balanceStroops: 0n,
      milestones: [{ isReleased: true }, { isResolved: true }],
    });
  });
}

import { Keypair } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { UNIT, useParties } from '../../testing/parties.ts';
import { escrowProviderSuite } from '../../testing/providers/escrow-provider-suite.ts';
import { adaptersOf } from '../../testing/sandbox.ts';
import { type EscrowTerms, shareOut } from './escrow-provider.ts';

const { sandbox, parties } = useParties();

escrowProviderSuite(
  'sandbox',
  async () => {
    const untrusting = Keypair.random().publicKey();
    await sandbox.fund(untrusting);
    return {
      provider: parties.adapters.escrow,
      buyer: parties.buyer.address,
      seller: parties.seller.address,
      resolver: parties.resolver.address,
      untrusting,
      terms: parties.terms,
      take: parties.take,
    };
  },
  { hasMoney: true },
);

describe('a provider that does not reply', () => {
  it('has built nothing, and may be called again', async () => {
    const { escrow } = adaptersOf({ ...sandbox, url: 'http://127.0.0.1:9' });
    const terms = parties.terms();
    const built = await escrow.build({ step: 'deploy', signer: parties.buyer.address, terms });
    expect(built).toMatchObject({ kind: 'unknown', hasNoEffect: true });
    expect(await escrow.read('C')).toMatchObject({ kind: 'unknown' });
    expect(await escrow.findByEngagement('G', 'ord')).toMatchObject({ kind: 'unknown' });
    expect(await escrow.recordTransaction('00')).toMatchObject({ kind: 'unknown' });
  });

  it('has the same outcome as one over its rate limit: unknown, never refused', async () => {
    await sandbox.control('POST', '/limits', { escrow: true });
    const reads = Array.from({ length: 60 }, () => parties.adapters.escrow.read('C'));
    const kinds = new Set((await Promise.all(reads)).map(({ kind }) => kind));
    await sandbox.control('POST', '/limits', { escrow: false });
    expect(kinds).toContain('unknown');
    expect(kinds).not.toContain('refused');
  });
});

describe('amounts on their way to the contract', () => {
  it('keep their last stroop', async () => {
    const stroops = 12_345_678_901n;
    const contractId = await parties.fundedContract(
      parties.terms({ stroops, milestones: [{ description: 'all', stroops }] }),
    );
    const read = await parties.adapters.escrow.read(contractId);
    expect(read).toMatchObject({ kind: 'done', value: { balanceStroops: stroops } });
  });

  it('are refused before any request when a JSON number cannot hold them', async () => {
    const stroops = 2n ** 56n + 1n;
    const terms = parties.terms({ stroops, milestones: [{ description: 'all', stroops }] });
    const signer = parties.buyer.address;
    const built = await parties.adapters.escrow.build({ step: 'deploy', signer, terms });
    expect(built).toMatchObject({ kind: 'refused', code: 'amount-invalid' });
  });
});

/** 100 USDC at five percent; each party's balance afterwards, less the balance before. */
async function settle(terms: EscrowTerms, work: (contractId: string) => Promise<void>) {
  const { buyer, seller, platform } = parties;
  const vendor = sandbox.contracts.providerFeeAddress ?? '';
  const addresses = [seller.address, buyer.address, platform.address, vendor];
  const contractId = await parties.fundedContract(terms);
  const before = await Promise.all(addresses.map(parties.stroopsOf));
  await work(contractId);
  const after = await Promise.all(addresses.map(parties.stroopsOf));
  const [toSeller, toBuyer, toPlatform, toVendor] = after.map(
    (now, at) => now - (before[at] ?? 0n),
  );
  return { toSeller, toBuyer, toPlatform, toVendor };
}

describe('the amounts that leave a contract, to the stroop', () => {
  const single = (contractId: string) => ({ kind: 'single-release' as const, contractId });
  const resolve = async (contractId: string, seller: bigint, buyer: bigint) => {
    const on = single(contractId);
    await parties.take({ ...on, step: 'dispute', signer: parties.buyer.address });
    const read = await parties.adapters.escrow.read(contractId);
    if (read.kind !== 'done' || read.value === null) throw new Error('it is there');
    const distributions = shareOut(read.value, null, [
      { address: parties.seller.address, stroops: seller },
      { address: parties.buyer.address, stroops: buyer },
    ]);
    if (distributions === undefined) throw new Error('it holds enough');
    const disputeResolver = parties.resolver.address;
    await parties.take({ ...on, step: 'resolve', disputeResolver, distributions });
  };

  it('are 94.70, 5.00 and 0.30 on release', async () => {
    const paid = await settle(parties.terms(), async (contractId) => {
      const on = single(contractId);
      const approver = parties.buyer.address;
      await parties.take({ ...on, step: 'approve', milestoneIndex: 0, approver });
      await parties.take({ ...on, step: 'release', releaseSigner: approver });
    });
    expect(paid).toEqual({
      toSeller: 947_000_000n,
      toBuyer: 0n,
      toPlatform: 50_000_000n,
      toVendor: 3_000_000n,
    });
  });

  it.each([
    ['are 94.70 to the buyer on a full refund: the same fees', [0n, 100n], [0n, 947_000_000n]],
    ['are 56.82 and 37.88 on a split of 60 to 40', [60n, 40n], [568_200_000n, 378_800_000n]],
  ] as const)('%s', async (_, [seller, buyer], [toSeller, toBuyer]) => {
    const paid = await settle(parties.terms(), (id) => resolve(id, seller * UNIT, buyer * UNIT));
    expect(paid).toEqual({ toSeller, toBuyer, toPlatform: 50_000_000n, toVendor: 3_000_000n });
  });

  it('are everything, with dust of external payers; fixed amounts are refused', async () => {
    const terms = parties.terms();
    const contractId = await parties.fundedContract(terms);
    await sandbox.deposit(contractId, 'USDC', '0.0000003');
    const on = single(contractId);
    const disputeResolver = parties.resolver.address;
    await parties.take({ ...on, step: 'dispute', signer: parties.buyer.address });
    const fixed = await parties.adapters.escrow.build({
      ...on,
      step: 'resolve',
      disputeResolver,
      distributions: [{ address: parties.buyer.address, stroops: 100n * UNIT }],
    });
    expect(fixed).toMatchObject({ kind: 'refused', code: 'sum-is-not-balance' });
    const read = await parties.adapters.escrow.read(contractId);
    if (read.kind !== 'done' || read.value === null) throw new Error('it is there');
    const wanted = [{ address: parties.buyer.address, stroops: 100n * UNIT }];
    const distributions = shareOut(read.value, null, wanted) ?? [];
    expect(distributions).toEqual([{ address: parties.buyer.address, stroops: 100n * UNIT + 3n }]);
    await parties.take({ ...on, step: 'resolve', disputeResolver, distributions });
    const after = await parties.adapters.escrow.read(contractId);
    expect(after).toMatchObject({ value: { balanceStroops: 0n, isResolved: true } });
  });
});

import { Keypair } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escrowProviderSuite } from '../../testing/escrow-provider-suite.ts';
import { openParties, type Parties, UNIT } from '../../testing/parties.ts';
import { adaptersOf, openSandbox, type Sandbox } from '../../testing/sandbox.ts';
import { type EscrowTerms, shareOut } from './escrow-provider.ts';

let sandbox: Sandbox;
let parties: Parties;

beforeAll(async () => {
  sandbox = await openSandbox();
  parties = await openParties(sandbox);
});
afterAll(() => sandbox.stop());

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

  it('are 94.70 to the buyer on a full refund: resolution pays the same fees', async () => {
    const paid = await settle(parties.terms(), (id) => resolve(id, 0n, 100n * UNIT));
    expect(paid).toEqual({
      toSeller: 0n,
      toBuyer: 947_000_000n,
      toPlatform: 50_000_000n,
      toVendor: 3_000_000n,
    });
  });

  it('are 56.82 and 37.88 on a split of sixty to forty', async () => {
    const paid = await settle(parties.terms(), (id) => resolve(id, 60n * UNIT, 40n * UNIT));
    expect(paid).toEqual({
      toSeller: 568_200_000n,
      toBuyer: 378_800_000n,
      toPlatform: 50_000_000n,
      toVendor: 3_000_000n,
    });
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

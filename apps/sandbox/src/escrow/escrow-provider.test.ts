import assert from 'node:assert/strict';
import { afterAll, beforeEach, describe, it } from 'vitest';
import {
  type EscrowWorld,
  openEscrowWorld,
  STROOPS,
  vendorAddress,
} from '../testing/escrow-world.ts';
import { SENTENCES } from './sentences.ts';

let here: EscrowWorld;
const open: EscrowWorld[] = [];

beforeEach(async () => {
  here = await openEscrowWorld();
  open.push(here);
});
afterAll(() => {
  for (const { server } of open) server.close();
});

const single = '/escrow/single-release';
const multi = '/escrow/multi-release';

async function fundedSingle(): Promise<string> {
  const contractId = await here.deploy('single-release', here.singleBody());
  const signer = here.buyer.publicKey();
  await here.act(`${single}/fund-escrow`, { contractId, signer, amount: 100 }, here.buyer);
  return contractId;
}

async function fundedMulti(): Promise<string> {
  const contractId = await here.deploy('multi-release', here.multiBody());
  const signer = here.buyer.publicKey();
  await here.act(`${multi}/fund-escrow`, { contractId, signer, amount: 100 }, here.buyer);
  return contractId;
}

async function balanceOf(contractId: string): Promise<unknown> {
  const path = `/helper/get-multiple-escrow-balance?addresses[]=${contractId}`;
  const { body } = await here.get(path);
  return (body as unknown as { balance: number }[])[0]?.balance;
}

describe('a single-release escrow', () => {
  it('pays 94.70, 5.00 and 0.30 of 100 when it is released', async () => {
    const contractId = await fundedSingle();
    const { buyer, seller, platform } = here;
    assert.equal(here.usdc(contractId), 100n * STROOPS);
    assert.equal(here.usdc(buyer), 900n * STROOPS);
    const milestone = { contractId, milestoneIndex: '0' };
    await here.act(
      `${single}/change-milestone-status`,
      {
        ...milestone,
        newStatus: 'completed',
        newEvidence: 'photo',
        serviceProvider: seller.publicKey(),
      },
      seller,
    );
    const approver = buyer.publicKey();
    await here.act(`${single}/approve-milestone`, { ...milestone, approver }, buyer);
    await here.act(`${single}/release-funds`, { contractId, releaseSigner: approver }, buyer);
    assert.equal(here.usdc(seller), 947_000_000n);
    assert.equal(here.usdc(platform), 50_000_000n);
    assert.equal(here.usdc(vendorAddress), 3_000_000n);
    assert.equal(here.usdc(contractId), 0n);
    const names = here.world.journal
      .entries()
      .filter(({ orderId }) => orderId === 'ord_1')
      .map(({ effect, amount }) => `${effect} ${amount}`);
    assert.deepEqual(names, [
      'escrow.deploy 100',
      'escrow.fund 100',
      'escrow.status 100',
      'escrow.approve 100',
      'escrow.release 100',
    ]);
  });

  it('returns 94.70 of 100 when it is refunded', async () => {
    const contractId = await fundedSingle();
    const { buyer, resolver } = here;
    const signer = buyer.publicKey();
    await here.act(`${single}/dispute-escrow`, { contractId, signer }, buyer);
    const distributions = [{ address: signer, amount: 100 }];
    const body = { contractId, disputeResolver: resolver.publicKey(), distributions };
    await here.act(`${single}/resolve-dispute`, body, resolver);
    assert.equal(here.usdc(buyer), 900n * STROOPS + 947_000_000n);
    assert.equal(here.usdc(contractId), 0n);
  });

  it('splits 60 to 40 as 56.82 and 37.88', async () => {
    const contractId = await fundedSingle();
    const { buyer, seller, resolver } = here;
    const signer = buyer.publicKey();
    await here.act(`${single}/dispute-escrow`, { contractId, signer }, buyer);
    const distributions = [
      { address: seller.publicKey(), amount: 60 },
      { address: signer, amount: 40 },
    ];
    const body = { contractId, disputeResolver: resolver.publicKey(), distributions };
    await here.act(`${single}/resolve-dispute`, body, resolver);
    assert.equal(here.usdc(seller), 568_200_000n);
    assert.equal(here.usdc(buyer), 900n * STROOPS + 378_800_000n);
  });

  it('refuses a fixed amount when it holds dust, and settles with the balance read', async () => {
    const contractId = await fundedSingle();
    const { buyer, resolver } = here;
    const signer = buyer.publicKey();
    await here.act(`${single}/dispute-escrow`, { contractId, signer }, buyer);
    here.world.ledger.deposit(contractId, 'USDC', '0.0000001');
    const resolveWith = (amount: unknown) => ({
      contractId,
      disputeResolver: resolver.publicKey(),
      distributions: [{ address: signer, amount }],
    });
    const fixed = await here.call('POST', `${single}/resolve-dispute`, resolveWith(100));
    assert.equal(fixed.status, 400);
    assert.equal(fixed.body['message'], SENTENCES.sumNotBalance);
    const balance = await balanceOf(contractId);
    assert.equal(balance, 100.0000001);
    await here.act(`${single}/resolve-dispute`, resolveWith(balance), resolver);
    assert.equal(here.usdc(contractId), 0n);
  });
});

describe('a multi-release escrow', () => {
  it('pays each milestone by itself', async () => {
    const contractId = await fundedMulti();
    const { buyer, seller } = here;
    const approver = buyer.publicKey();
    for (const milestoneIndex of ['0', '1']) {
      const milestone = { contractId, milestoneIndex };
      const serviceProvider = seller.publicKey();
      await here.act(
        `${multi}/change-milestone-status`,
        { ...milestone, newStatus: 'completed', serviceProvider },
        seller,
      );
      await here.act(`${multi}/approve-milestone`, { ...milestone, approver }, buyer);
      const release = { ...milestone, releaseSigner: approver };
      await here.act(`${multi}/release-milestone-funds`, release, buyer);
      if (milestoneIndex === '0') assert.equal(here.usdc(seller), 568_200_000n);
    }
    assert.equal(here.usdc(seller), 947_000_000n);
    assert.equal(here.usdc(contractId), 0n);
    const released = here.world.journal
      .entries()
      .filter(({ effect }) => effect === 'escrow.release')
      .map(({ amount, milestoneIndex }) => [amount, milestoneIndex]);
    assert.deepEqual(released, [
      ['60', 0],
      ['40', 1],
    ]);
  });

  it('refunds milestone by milestone and sweeps what is left over', async () => {
    const contractId = await fundedMulti();
    const { buyer, resolver } = here;
    const signer = buyer.publicKey();
    const disputeResolver = resolver.publicKey();
    for (const [milestoneIndex, amount] of [
      ['0', 60],
      ['1', 40],
    ] as const) {
      const milestone = { contractId, milestoneIndex };
      await here.act(`${multi}/dispute-milestone`, { ...milestone, signer }, buyer);
      const distributions = [{ address: signer, amount }];
      const body = { ...milestone, disputeResolver, distributions };
      await here.act(`${multi}/resolve-milestone-dispute`, body, resolver);
    }
    assert.equal(here.usdc(buyer), 900n * STROOPS + 947_000_000n);
    here.world.ledger.deposit(contractId, 'USDC', '10');
    const distributions = [{ address: signer, amount: 10 }];
    const sweep = { contractId, disputeResolver, distributions };
    await here.act(`${multi}/withdraw-remaining-funds`, sweep, resolver);
    assert.equal(here.usdc(buyer), 900n * STROOPS + 947_000_000n + 94_700_000n);
  });

  it('does not know the functions of a single-release escrow', async () => {
    const contractId = await fundedMulti();
    const releaseSigner = here.buyer.publicKey();
    const reply = await here.call('POST', `${single}/release-funds`, { contractId, releaseSigner });
    assert.equal(reply.status, 400);
    assert.match(String(reply.body['message']), /not an instance of this escrow contract/);
  });
});

describe('sending', () => {
  // The trap that the platform must know: building again is paying again.
  it('funds twice when the funding is built again, and once when the same envelope is resent', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const body = { contractId, signer: here.buyer.publicKey(), amount: 100 };
    const first = await here.sign(`${single}/fund-escrow`, body, here.buyer);
    await here.send(first);
    const again = await here.send(first);
    assert.equal(again.body['status'], 'SUCCESS');
    assert.equal(here.usdc(contractId), 100n * STROOPS);
    await here.act(`${single}/fund-escrow`, body, here.buyer);
    assert.equal(here.usdc(contractId), 200n * STROOPS);
    assert.equal(here.effects('escrow.fund'), 2);
  });

  it('creates a second contract when the deploy is built again, under the same engagement', async () => {
    const first = await here.deploy('single-release', here.singleBody());
    const second = await here.deploy('single-release', here.singleBody());
    assert.notEqual(first, second);
  });

  it('refuses a funding that was built before the escrow changed', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const signer = here.buyer.publicKey();
    const body = { contractId, signer, amount: 100 };
    const signed = await here.sign(`${single}/fund-escrow`, body, here.buyer);
    const serviceProvider = here.seller.publicKey();
    const change = { contractId, milestoneIndex: '0', newStatus: 'started', serviceProvider };
    await here.act(`${single}/change-milestone-status`, change, here.seller);
    const reply = await here.send(signed);
    assert.equal(reply.status, 400);
    assert.equal(reply.body['message'], SENTENCES.mismatch);
    assert.equal(here.usdc(contractId), 0n);
  });

  it('applies a release once, also when the response says that it failed', async () => {
    const contractId = await fundedSingle();
    const approver = here.buyer.publicKey();
    const approve = { contractId, milestoneIndex: '0', approver };
    await here.act(`${single}/approve-milestone`, approve, here.buyer);
    const release = { contractId, releaseSigner: approver };
    const signed = await here.sign(`${single}/release-funds`, release, here.buyer);
    here.world.faults.arm({
      provider: 'escrow',
      operation: 'release',
      kind: 'error-after',
      times: 1,
    });
    const lost = await here.send(signed);
    assert.equal(lost.status, 500);
    assert.match(String(lost.body['message']), /resultMetaXdr/);
    const resent = await here.send(signed);
    assert.equal(resent.body['status'], 'SUCCESS');
    assert.equal(here.usdc(here.seller), 947_000_000n);
    assert.equal(here.effects('escrow.release'), 1);
    const rebuilt = await here.call('POST', `${single}/release-funds`, release);
    assert.equal(rebuilt.body['message'], SENTENCES.escrowReleased);
  });

  it('does nothing before an error, and fails for good under a reject fault', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const body = { contractId, signer: here.buyer.publicKey(), amount: 100 };
    const arm = (kind: 'error-before' | 'reject') =>
      here.world.faults.arm({ provider: 'escrow', operation: 'fund', kind, times: 1 });
    arm('error-before');
    const signed = await here.sign(`${single}/fund-escrow`, body, here.buyer);
    assert.equal((await here.send(signed)).status, 500);
    assert.equal(here.usdc(contractId), 0n);
    arm('reject');
    assert.equal((await here.send(signed)).status, 400);
    assert.equal((await here.send(signed)).status, 400);
    assert.equal(here.usdc(contractId), 0n);
    assert.equal(here.effects('escrow.fund'), 0);
  });

  it('leaves the contract id out under a no-contract-id fault, and still deploys', async () => {
    const signed = await here.sign('/deployer/single-release', here.singleBody(), here.buyer);
    const operation = 'deploy';
    here.world.faults.arm({ provider: 'escrow', operation, kind: 'no-contract-id', times: 1 });
    const reply = await here.send(signed);
    assert.equal(reply.body['status'], 'SUCCESS');
    assert.equal('contractId' in reply.body, false);
    assert.equal(here.effects('escrow.deploy'), 1);
  });
});

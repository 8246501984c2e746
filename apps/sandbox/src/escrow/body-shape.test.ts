import assert from 'node:assert/strict';
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrow-world.ts';
import { SENTENCES } from './sentences.ts';

let here: EscrowWorld;
beforeAll(async () => {
  here = await openEscrowWorld();
});
afterAll(() => void here.server.close());

const nowhere = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';

describe('a body that does not fit', () => {
  const refusals = async (path: string, body: object) => {
    const reply = await here.call('POST', path, body);
    assert.equal(reply.status, 400);
    assert.equal(reply.body['error'], 'Bad Request');
    assert.equal(reply.body['statusCode'], 400);
    return reply.body['message'];
  };

  it('is refused with the names of undeclared properties, nested ones too', async () => {
    const milestones = [{ description: 'whole', status: 'done' }];
    const body = here.singleBody({ note: 'x', milestones });
    assert.deepEqual(await refusals('/deployer/single-release', body), [
      'property note should not exist',
      'milestones.0.property status should not exist',
    ]);
  });

  it('is refused with each field that is missing or of another type', async () => {
    const body = { contractId: 7, milestoneIndex: 0, approver: 'me' };
    const path = '/escrow/single-release/approve-milestone';
    assert.deepEqual(await refusals(path, body), [
      'contractId must be a string',
      'contractId must be a valid contract address',
      'milestoneIndex must be a string',
      'approver must be a valid Stellar address',
    ]);
    assert.deepEqual(await refusals('/helper/send-transaction', {}), [
      'signedXdr should not be empty',
      'signedXdr must be a string',
    ]);
  });

  it('takes amounts as numbers only', async () => {
    const body = here.singleBody({ amount: '100' });
    assert.deepEqual(await refusals('/deployer/single-release', body), [
      'amount must be a number conforming to the specified constraints',
    ]);
  });

  it('holds titles to 100 characters', async () => {
    const body = here.singleBody({ title: 'x'.repeat(101) });
    assert.deepEqual(await refusals('/deployer/single-release', body), [
      'title must be shorter than or equal to 100 characters',
    ]);
  });

  it('is refused when a multi-release body has an amount of its own', async () => {
    const amount = await refusals('/deployer/multi-release', here.multiBody({ amount: 100 }));
    assert.deepEqual(amount, ['property amount should not exist']);
  });

  it('is refused when it is no JSON', async () => {
    const response = await fetch(`${here.base}/helper/send-transaction`, {
      method: 'POST',
      headers: { 'x-api-key': 'key' },
      body: '{"signedXdr":',
    });
    assert.equal(response.status, 400);
  });
});

describe('rules of the contract at build time', () => {
  const deploy = async (change: object) => {
    const reply = await here.call('POST', '/deployer/single-release', here.singleBody(change));
    return [reply.status, reply.body['message']];
  };

  it('come back as 400 with the sentence', async () => {
    assert.deepEqual(await deploy({ amount: 0 }), [400, SENTENCES.amountZero]);
    assert.deepEqual(await deploy({ platformFee: 99.5 }), [400, SENTENCES.feeTooHigh]);
    assert.deepEqual(await deploy({ milestones: [] }), [400, SENTENCES.noMilestone]);
  });

  it('refuse a role that could never be paid', async () => {
    const outsider = Keypair.random().publicKey();
    const { roles } = here.singleBody() as { roles: object };
    const change = { roles: { ...roles, platformAddress: outsider } };
    assert.deepEqual(await deploy(change), [400, `Account not found: ${outsider}`]);
    here.world.ledger.ensureAccount(outsider);
    const message = `The account ${outsider} has no trustline for USDC`;
    assert.deepEqual(await deploy(change), [400, message]);
  });

  it('refuse the token contract in the place of the issuer', async () => {
    const trustline = { address: here.buyer.publicKey(), symbol: 'USDC' };
    assert.deepEqual(await deploy({ trustline }), [400, 'The trustline is not supported']);
  });

  it('take each address of a distribution once', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const share = { address: here.buyer.publicKey(), amount: 1 };
    const disputeResolver = here.resolver.publicKey();
    const body = { contractId, disputeResolver, distributions: [share, share] };
    const reply = await here.call('POST', '/escrow/single-release/resolve-dispute', body);
    assert.equal(reply.status, 400);
    assert.match(String(reply.body['message']), /Duplicate addresses/);
  });

  it('return 500 for an unknown contract', async () => {
    const body = { contractId: nowhere, signer: here.buyer.publicKey(), amount: 1 };
    const reply = await here.call('POST', '/escrow/single-release/fund-escrow', body);
    assert.deepEqual([reply.status, reply.body['message']], [500, SENTENCES.notFound]);
  });

  it('name the role that the signer does not have', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const approver = here.seller.publicKey();
    const body = { contractId, milestoneIndex: '0', approver };
    const reply = await here.call('POST', '/escrow/single-release/approve-milestone', body);
    assert.deepEqual([reply.status, reply.body['message']], [400, SENTENCES.onlyApprover]);
    const far = { contractId, milestoneIndex: '7', approver: here.buyer.publicKey() };
    const index = await here.call('POST', '/escrow/single-release/approve-milestone', far);
    assert.deepEqual([index.status, index.body['message']], [400, SENTENCES.milestoneIndex]);
  });

  it('refuse a transaction whose source is not the role', async () => {
    const contractId = await here.deploy('single-release', here.singleBody());
    const body = { contractId, milestoneIndex: '0', approver: here.buyer.publicKey() };
    const built = await here.call('POST', '/escrow/single-release/approve-milestone', body);
    const { ledger } = here.world;
    const { call } = ledger.read(String(built.body['unsignedTransaction']));
    assert.ok(call);
    const source = here.seller.publicKey();
    assert.throws(() => ledger.simulate(source, call), { message: SENTENCES.onlyApprover });
  });
});

describe('admission', () => {
  it('requires a key, on reads too', async () => {
    const path = `/helper/get-escrows-by-signer?signer=${here.buyer.publicKey()}`;
    const reply = await here.call('GET', path, undefined, '');
    assert.equal(reply.status, 401);
    assert.deepEqual(reply.body, { statusCode: 401, message: 'Unauthorized' });
  });

  it('accepts only the keys of the settings, when there are some', async () => {
    here.world.store.put('settings', 'escrow', { apiKeys: ['one'] });
    const path = `/helper/get-escrows-by-signer?signer=${here.buyer.publicKey()}`;
    const statuses = [
      (await here.call('GET', path, undefined, 'one')).status,
      (await here.call('GET', path, undefined, 'two')).status,
    ];
    here.world.store.put('settings', 'escrow', null);
    assert.deepEqual(statuses, [200, 401]);
  });

  it('counts 50 calls a minute and key, once it is switched on', async () => {
    const path = `/helper/get-escrows-by-signer?signer=${here.buyer.publicKey()}`;
    const call = async (key: string) => here.call('GET', path, undefined, key);
    for (let at = 0; at < 60; at += 1) assert.equal((await call('free')).status, 200);
    here.world.store.put('limits', 'escrow', true);
    for (let at = 0; at < 50; at += 1) assert.equal((await call('busy')).status, 200);
    const reply = await call('busy');
    assert.equal(reply.status, 429);
    assert.equal(reply.body['message'], 'ThrottlerException: Too Many Requests');
    const wait = Number(reply.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 60, `retry after ${wait}`);
    assert.equal((await call('other')).status, 200);
    here.world.clock.advance(wait);
    assert.equal((await call('busy')).status, 200);
    here.world.store.put('limits', 'escrow', null);
  });
});
